// Package truth is the view that says how true a simulation is: what each scheduler is
// simulated to do beside what the log says happened, where that is wrong, what carries
// the result, and whether fitting some number helps.
package truth

import (
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/core/truth"
	"batchlab/ui/annex"
)

// phases is how often a scheduler that draws random numbers is run to be set beside itself.
const phases = 3

// View is the view: what was asked, and what came of it.
type View struct {
	Page *annex.Page
	Rows []*Row // by scheduler of the document; nil: the log's own
	Main int    // scheduler that is looked at, −1 the nearest
	By   string // parts that are shown where it is wrong

	doc     *experiment.Experiment // that was asked about
	asking  map[*Ask]bool
	again   func() // draws
	stopped bool   // the reader wants no more
	without map[int]*Without
	fits    map[int]*Calibration
}

// Row is one scheduler.
type Row struct {
	Scheduler int
	Label     string
	Got       *report.TruthRuns // nil while unknown
	Error     string
	Ask       *Ask // nil when it has ended
}

// Ask is a question under way.
type Ask struct {
	What  string  // for people
	Share float64 // of it that is done
	stop  func()
}

// Without is what comes out without parts.
type Without struct {
	Parts []truth.Part
	Got   []*report.TruthRuns // by part, nil while unknown
	Error []string
}

// Calibration is a fit under way, or ended.
type Calibration struct {
	Fit   *truth.Fit
	Over  bool
	Error string
	Kept  bool // the reader keeps it as it was
	Taken bool // its values are in the settings
}

// Follow asks about the document of the page, unless that has been done; again is called
// when something has come.
func (v *View) Follow(again func()) {
	if v.again = again; v.doc == v.Page.Doc {
		return
	}
	v.halt()
	doc := v.Page.Doc
	*v = View{Page: v.Page, Main: stateOf(v.Page.State, len(doc.Schedulers)), By: v.By, doc: doc, again: again, asking: map[*Ask]bool{}, without: map[int]*Without{}, fits: map[int]*Calibration{}}
	labels := doc.Labels()
	for i, s := range doc.Schedulers {
		if row := catalog.FindScheduler(s.Key); row == nil || row.Logged {
			v.Rows = append(v.Rows, nil)
			continue
		}
		v.Rows = append(v.Rows, &Row{Scheduler: i, Label: labels[i]})
	}
	for _, r := range v.Rows {
		if r != nil {
			r.Ask = v.ask(r.Label, truth.Phased(plain(doc), r.Scheduler, phases), r.Scheduler, func(got *report.TruthRuns, err error) {
				if r.Got, r.Ask = got, nil; err != nil {
					r.Got, r.Error = nil, err.Error()
				}
				v.next()
			})
		}
	}
}

// stateOf reads which scheduler the link looks at.
func stateOf(state string, n int) int {
	if i, err := strconv.Atoi(state); err == nil && i >= 0 && i < n {
		return i
	}
	return -1
}

// plain is a document without what no worker needs to know.
func plain(doc *experiment.Experiment) *experiment.Experiment {
	e := doc.Clone()
	e.Vary, e.Search, e.Expect, e.Trace = nil, nil, "", ""
	return e
}

// ask asks about one scheduler of a document; what comes after another document is looked
// at is dropped.
func (v *View) ask(what string, doc *experiment.Experiment, scheduler int, done func(*report.TruthRuns, error)) *Ask {
	a, of := &Ask{What: what}, v.doc
	v.asking[a] = true
	a.stop = annex.Ask(v.Page, doc, "truth", scheduler, func(n, total int) {
		a.Share = float64(n) / float64(max(1, total))
		v.again()
	}, func(got *report.TruthRuns, err error) {
		if v.doc != of || !v.asking[a] {
			return
		}
		delete(v.asking, a)
		done(got, err)
		v.again()
	})
	return a
}

// halt gives up all that is asked.
func (v *View) halt() {
	for a := range v.asking {
		delete(v.asking, a)
		a.stop()
	}
}

// Stop gives up what is under way and keeps what is known.
func (v *View) Stop() {
	v.halt()
	v.stopped = true
	for _, r := range v.Rows {
		if r != nil {
			r.Ask = nil
		}
	}
	for _, c := range v.fits {
		c.Over = true
	}
	v.again()
}

// next goes on with what carries the result of the scheduler that is looked at, one part
// at a time, once all schedulers are known.
func (v *View) next() {
	for _, r := range v.Rows {
		if r != nil && r.Ask != nil {
			return
		}
	}
	row := v.main()
	if row == nil || v.stopped || len(v.asking) > 0 {
		return
	}
	w := v.without[row.Scheduler]
	if w == nil {
		w = &Without{Parts: truth.Without(v.doc, row.Scheduler)}
		w.Got, w.Error = make([]*report.TruthRuns, len(w.Parts)), make([]string, len(w.Parts))
		v.without[row.Scheduler] = w
	}
	for i, p := range w.Parts {
		if w.Got[i] == nil && w.Error[i] == "" {
			v.ask(row.Label+" without "+p.Key, truth.Phased(p.Doc, 0, phases), 0, func(got *report.TruthRuns, err error) {
				if w.Got[i] = got; err != nil {
					w.Got[i], w.Error[i] = nil, err.Error()
				}
				v.next()
			})
			return
		}
	}
}

// Choose looks at a scheduler.
func (v *View) Choose(scheduler int) {
	v.Main = scheduler
	v.Page.Keep(strconv.Itoa(scheduler))
	v.next()
	v.again()
}

// Calibrate fits the scheduler that is looked at.
func (v *View) Calibrate() {
	row := v.main()
	if row == nil || v.fits[row.Scheduler] != nil && !v.fits[row.Scheduler].Kept {
		return
	}
	v.stopped = false
	c := &Calibration{Fit: truth.NewFit(v.doc, row.Scheduler, truth.Knobs(v.doc, row.Scheduler, row.Got.Processors, row.Got.Widest))}
	v.fits[row.Scheduler] = c
	var step func()
	step = func() {
		doc, values := c.Fit.Next()
		if c.Over = doc == nil || v.stopped; c.Over {
			v.next()
			return
		}
		v.ask("Calibrating "+row.Label, doc, 0, func(got *report.TruthRuns, err error) {
			if err != nil {
				c.Over, c.Error = true, err.Error()
				return
			}
			c.Fit.Take(values, got.Runs[0])
			step()
		})
	}
	step()
	v.again()
}

// Take puts what was found into the settings.
func (v *View) Take() {
	row := v.main()
	c := v.fits[row.Scheduler]
	c.Taken = true
	v.Page.Edit(c.Fit.Apply(v.doc, row.Scheduler), true)
}

// Keep leaves the settings as they are.
func (v *View) Keep() {
	v.fits[v.main().Scheduler].Kept = true
	v.again()
}

// ranked are the schedulers that are known, by their median error.
func (v *View) ranked() (list []*Row) {
	for _, r := range v.Rows {
		if r != nil && r.Got != nil {
			list = append(list, r)
		}
	}
	order.Stable(list, func(a, b *Row) int { return order.Floats(a.mean().MedianError, b.mean().MedianError) })
	return list
}

// main is the scheduler that is looked at: the chosen one, else the nearest.
func (v *View) main() *Row {
	if v.Main >= 0 && v.Main < len(v.Rows) && v.Rows[v.Main] != nil && v.Rows[v.Main].Got != nil {
		return v.Rows[v.Main]
	}
	if list := v.ranked(); len(list) > 0 {
		return list[0]
	}
	return nil
}

// mean is how near a scheduler comes, as the mean over its repetitions.
func (r *Row) mean() *report.Nearness { return truth.Mean(r.Got) }

// ratios are the least and the greatest ratio of mean waits over its repetitions.
func (r *Row) ratios() (low, high float64) { return truth.Ratios(r.Got) }

// first is its repetition 0.
func (r *Row) first() *report.Truth { return r.Got.Runs[0] }

// progress says what is under way, and how far it is.
func (v *View) progress() (what string, share float64) {
	n := 0
	for a := range v.asking {
		if what == "" || a.What < what {
			what = a.What
		}
		share, n = share+a.Share, n+1
	}
	known, all := 0, 0
	for _, r := range v.Rows {
		if r == nil {
			continue
		}
		if all++; r.Ask == nil {
			known++
		}
	}
	switch {
	case n == 0:
		return "", 0
	case known < all:
		return what, (float64(known) + share) / float64(all)
	}
	if row := v.main(); row != nil {
		if c := v.fits[row.Scheduler]; c != nil && !c.Over {
			return what, (float64(len(c.Fit.Tries)) + share) / float64(c.Fit.Steps())
		}
	}
	return what, share / float64(n)
}
