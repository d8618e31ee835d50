package gantt

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Promise is a start that a scheduler has reserved or planned for a waiting job.
type Promise struct {
	Told model.Time // since when it held
	At   model.Time // the start
}

// Promises returns what a job was promised while it waited for its start, in order
// of time: one for each time that it moved.
func Promises(phases []report.Phase, submit, start model.Time) []Promise {
	var out []Promise
	for _, p := range phases {
		if p.Promised == 0 || p.From < submit || p.From >= start {
			continue
		}
		if n := len(out); n == 0 || out[n-1].At != p.Promised {
			out = append(out, Promise{p.From, p.Promised})
		}
	}
	return out
}

// moves counts how often a promise moved earlier and later.
func moves(list []Promise) (earlier, later int) {
	for i := 1; i < len(list); i++ {
		if list[i].At < list[i-1].At {
			earlier++
		} else {
			later++
		}
	}
	return earlier, later
}

// moved says it in words, "" for a promise that has not moved.
func moved(list []Promise) string {
	earlier, later := moves(list)
	switch {
	case earlier+later == 0:
		return ""
	case later == 0 && earlier == 1:
		return "moved once, earlier"
	case earlier == 0 && later == 1:
		return "moved once, later"
	case later == 0:
		return "moved " + strconv.Itoa(earlier) + words.NB + "times, always earlier"
	case earlier == 0:
		return "moved " + strconv.Itoa(later) + words.NB + "times, always later"
	}
	return "moved " + strconv.Itoa(earlier) + words.NB + "× earlier, " + strconv.Itoa(later) + words.NB + "× later"
}

// kept says how a start compares with what was promised.
func kept(at, start model.Time) string {
	switch {
	case start < at:
		return "started " + words.Dur(float64(at-start)) + " before it"
	case start > at:
		return "started " + words.Dur(float64(start-at)) + " after it"
	}
	return "started then"
}

// PromisedSpeech is what a screen reader says of a job's promises.
func PromisedSpeech(c draw.Clock, list []Promise, start model.Time) string {
	if len(list) == 0 {
		return ""
	}
	first, last := list[0], list[len(list)-1]
	s := " First promised " + c.When(first.At)
	if m := moved(list); m != "" {
		s += ", " + m + ", last promised " + c.When(last.At)
	}
	return s + "; it " + kept(last.At, start) + "."
}

// mostPromises is how many lines the card's table has.
const mostPromises = 60

// PromisedHTML writes what a job was promised, first and last, and how it moved as a
// table, with a file of all of it.
func PromisedHTML(c draw.Clock, list []Promise, start model.Time) draw.Markup {
	if len(list) == 0 {
		return ""
	}
	first, last := list[0], list[len(list)-1]
	row := func(class, name string, p Promise, more string) draw.Markup {
		return draw.HTML(`<dt><span class="bl-sw {}"></span> {}</dt><dd>{} <span class="mut">{}</span></dd>`, class, name, c.When(p.At), more)
	}
	if len(list) == 1 {
		return `<dl class="prom">` + row("bl-m-prom", "Promised", last, "told "+c.When(last.Told)+"; "+kept(last.At, start)) + `</dl>`
	}
	s := draw.HTML(`<dl class="prom">{}{}</dl>`, row("bl-m-first", "First promised", first, "told "+c.When(first.Told)), row("bl-m-prom", "Last promised", last, moved(list)+"; "+kept(last.At, start)))
	g := draw.Grid{Left: 2, Head: []string{"told", "promised start", "moved by"}}
	for i, p := range list {
		if i == mostPromises {
			break
		}
		by := ""
		if i > 0 {
			by = words.Signed(float64(p.At-list[i-1].At), words.Dur)
		}
		g.Cells = append(g.Cells, []string{c.When(p.Told), c.When(p.At), by})
	}
	more := draw.Markup("")
	if len(list) > mostPromises {
		more = draw.HTML(`<p class="sec">The first {} of {}; the file has all.</p>`, mostPromises, words.Int(len(list)))
	}
	return draw.HTML(`{}<details class="prom"><summary>How the promise moved</summary>{}{}<p><a download="promised.csv" href="data:text/csv,{}">CSV</a></p></details>`, s, g.HTML(), more,
		strings.ReplaceAll(PromisedCSV(list), "\r\n", "%0D%0A"))
}

// PromisedCSV is the same with times in seconds of the log.
func PromisedCSV(list []Promise) string {
	s := "told_s,promised_s\r\n"
	for _, p := range list {
		s += strconv.FormatInt(int64(p.Told), 10) + "," + strconv.FormatInt(int64(p.At), 10) + "\r\n"
	}
	return s
}

// promised outlines where a job would have stood by its first promise and by its
// last, on the processors that it got.
func (g *Gantt) promised(s *draw.Scene, i, job int, list []Promise) {
	p, b, t := &g.Panes[i], g.Layout.Panes[i].Jobs, g.Theme
	if len(list) == 0 || p.Index == nil || job >= len(g.Jobs.Limit) {
		return
	}
	f := g.frame(i)
	outline := func(at model.Time, dash string) {
		x0, x1 := max(g.X(at), b.X-9), min(g.X(at+g.Jobs.Limit[job]), b.Right()+9)
		if x1-x0 < 2 {
			return
		}
		var boxes string
		p.Index.Rects(job, func(r draw.Rect) {
			y, h := f.Down(r.First, r.Count)
			boxes += draw.BoxPath(draw.Box{X: x0, Y: y, W: x1 - x0, H: max(3, h)})
		})
		s.Stroke(boxes, t.Panel, 3.5, "")
		s.Stroke(boxes, t.Ink, 1.5, dash)
	}
	s.Clip(draw.Box{X: b.X, Y: b.Y - 2, W: b.W, H: b.H + 4})
	if last := list[len(list)-1].At; last != list[0].At {
		outline(list[0].At, "2 3")
		outline(last, "")
	} else {
		outline(last, "")
	}
	s.Unclip()
}
