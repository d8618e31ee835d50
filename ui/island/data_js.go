//go:build js

package island

import (
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// data gathers what the drawings read from the store.
func (h *host) data() *chart.Data {
	s := h.store
	if memoOf != s.Ran {
		memoOf, memo = s.Ran, chart.Memo{}
	}
	d := &chart.Data{Memo: memo, A: s.View.A, B: s.View.B, Base: s.Baseline(), Clock: h.clock(), Tau: 10, Theme: h.theme()}
	if s.Ran != nil {
		d.Tau = s.Ran.Measures.Tau
		for i := range s.Ran.Schedulers {
			d.Names = append(d.Names, s.Label(i))
			var done []*report.Run
			for _, r := range s.Runs {
				if r.Scheduler == i && r.Status == state.Done && r.Result != nil {
					done = append(done, r.Result)
				}
			}
			d.Runs = append(d.Runs, done)
			var shown *report.Run
			if r := s.Finished(i); r != nil {
				shown = r.Result
				if i == d.A {
					d.Jobs = s.Jobs[r.Repetition]
				}
			}
			d.Shown = append(d.Shown, shown)
		}
	}
	d.Busy = waitingFor(s)
	return d
}

// memo is kept while the same experiment is looked at.
var (
	memo   chart.Memo
	memoOf *experiment.Experiment
)

var stepsKnown = map[*report.Run][2]*chart.Steps{}

// steps returns the step functions of a run, made once for all islands.
func (h *host) steps(r *report.Run) (used, waiting *chart.Steps) {
	k, ok := stepsKnown[r]
	if !ok {
		live := map[*report.Run]bool{}
		for _, x := range h.store.Runs {
			live[x.Result] = true
		}
		for old := range stepsKnown {
			if !live[old] {
				delete(stepsKnown, old)
			}
		}
		k[0], k[1] = chart.UsedAndWaiting(r)
		stepsKnown[r] = k
	}
	return k[0], k[1]
}

// waitingFor says why there is nothing to draw, "" when nothing runs.
func waitingFor(s *state.Store) string {
	switch {
	case s.Active():
		return "Running. The first result appears here as soon as it is there."
	case s.Loading:
		return "Reading the workload."
	case s.Ran != nil && len(s.Runs) > 0 && !s.Some():
		return "No run has finished. Run again to see a result."
	}
	return ""
}

// clock reads times in the workload's time zone, as the browser knows it.
func (h *host) clock() chart.Clock {
	p := h.store.Preview
	if p == nil || p.UnixStart == 0 {
		return chart.Clock{}
	}
	return chart.Clock{Unix: p.UnixStart, Offset: zone(p.TimeZone), Long: chart.LengthOf(p.Last - p.First)}
}

var zones = map[string]func(int64) int64{}

// zone returns the offset of a time zone from Greenwich by instant, kept by
// the hour; nil when the browser does not know the zone.
func zone(name string) func(int64) int64 {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil
	}
	if f, ok := zones[name]; ok {
		return f
	}
	format := formatter(name)
	if !format.Truthy() {
		zones[name] = nil
		return nil
	}
	known := map[int64]int64{}
	f := func(unix int64) int64 {
		// Clocks change at full hours, at most once in four weeks: ask where
		// four weeks begin and end, and by the hour only where these differ.
		ask := func(t int64) int64 {
			v, ok := known[t]
			if !ok {
				v = offsetAt(format, t)
				known[t] = v
			}
			return v
		}
		const weeks = 28 * 86400
		a := unix - ((unix%weeks)+weeks)%weeks
		if x, y := ask(a), ask(a+weeks); x == y {
			return x
		}
		return ask(unix - ((unix%3600)+3600)%3600)
	}
	zones[name] = f
	return f
}

// formatter returns an Intl.DateTimeFormat for a zone, or undefined when the
// browser refuses the name.
func formatter(name string) (v js.Value) {
	defer func() {
		if recover() != nil { // RangeError
			v = js.Undefined()
		}
	}()
	return global.Get("Intl").Get("DateTimeFormat").New("en-US", map[string]any{
		"timeZone": name, "hourCycle": "h23", "year": "numeric", "month": "numeric", "day": "numeric", "hour": "numeric", "minute": "numeric", "second": "numeric",
	})
}

// offsetAt reads "3/5/1996, 10:31:00".
func offsetAt(format js.Value, unix int64) int64 {
	var f [6]int64
	k := -1
	inside := false
	for _, r := range format.Call("format", float64(unix)*1000).String() {
		if r < '0' || r > '9' {
			inside = false
			continue
		}
		if !inside {
			inside = true
			if k++; k == len(f) {
				break
			}
		}
		f[k] = f[k]*10 + int64(r-'0')
	}
	local := global.Get("Date").Call("UTC", f[2], f[0]-1, f[1], f[3], f[4], f[5]).Float() / 1000
	return int64(local) - unix
}

// fileName makes the name of an exported file.
func (h *host) fileName(what, suffix string) string {
	name := "batchlab"
	if p := h.store.Preview; p != nil && p.Name != "" {
		name = p.Name
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name+"-"+what)
	return strings.Trim(clean, "-.") + suffix
}

// title is "A EASY".
func (h *host) title(i int) string { return words.Letter(i) + " " + h.store.Label(i) }
