// Package ui is the page: Vugu components for the shell, the forms and small
// lists, over a state.Store. What is large or drawn (charts, the Gantt, the
// job table) are islands: empty elements <div data-island="NAME"> that Vugu leaves alone
// and views fill, by ui/draw: Vugu writes every node again at every event, which is
// fine for forms and small lists, and hopeless for a table of a thousand rows or a
// canvas. Panels of views, dialogs and what stands beside the page are sections, <div
// data-sections="WHAT">: markup that its view writes (draw.Room.Markup), or for the left
// column this package from data (draft.Section, draft.Sheet); panel_js.go puts it there,
// changing only the nodes that differ, and hands presses of its buttons to the views' Acts.
//
// # Entry point
//
// The program of the page makes an engine, a store and calls Run, which
// mounts the page, attaches keys and drop, starts the first experiment and
// draws until the page is closed:
//
//	s := state.New(engine)
//	ui.Run("#app", s)
//
// The engine's callbacks may call into the store from any goroutine of the
// page's thread: Run draws again after every change that the store announces.
// NewRoot alone gives the component without a browser, as the tests use it.
//
// # Reading order
//
// page.go holds what is the page's own state (which menu, which dialog, which
// group is open) and its actions; root.vugu the shell; top, side, main, runbar
// and dialogs the parts; mount_js.go what only a browser can do. A component
// renders from the store alone and keeps nothing.
//
// # Rules that Vugu asks for
//
// Every node is written again at every render. Text inputs therefore state
// their text as data-value, and after each render it is put into those whose
// text differs and that nobody is typing into, as in markup (draw.Put). Elements that come and go stand
// in a parent of their own or have another tag than their neighbours. An
// element without child nodes keeps what children it had: one that may be
// empty gets its text through vg-content, and one whose parts come and go has
// at least the white space between them (a test looks for others). News of progress does not
// render at all: it is written into the run bar directly.
package ui
