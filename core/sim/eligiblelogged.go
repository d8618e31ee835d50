package sim

import (
	"cmp"
	"slices"

	"batchlab/core/model"
)

// AsLoggedKept is AsLogged where jobs wait until they are eligible: they start when the
// log says, whatever that is, and became eligible when the ends and starts of the log
// allowed it, though not after they started. A job that the log withdraws before it
// started has no start.
func AsLoggedKept(g Gate, w *model.Workload, p *model.Platform) *model.Schedule {
	n := len(w.Jobs)
	start, eligible := make([]model.Time, n), make([]model.Time, n)
	type event struct {
		at  model.Time
		end bool
		job int32
	}
	var events []event
	for i := range w.Jobs {
		start[i], eligible[i] = w.Jobs[i].Submit+max(0, w.Truth[i].LoggedWait), model.Never
		if out := w.Gates[i].Withdrawn; out != 0 && (w.Truth[i].LoggedWait < 0 || start[i] >= out) {
			start[i] = model.Never
			continue
		}
		events = append(events, event{start[i], false, int32(i)}, event{start[i] + w.Executed(model.JobID(i)), true, int32(i)})
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	var ended, out []int32
	last := model.Time(0)
	for due := g.Reset(); len(events) > 0 || due < model.Never; due = g.Due() {
		now := due
		if len(events) > 0 {
			now = min(now, events[0].at)
		}
		from := events
		for len(events) > 0 && events[0].at == now {
			events = events[1:]
		}
		from = from[:len(from)-len(events)]
		ended, last = ended[:0], now
		for _, e := range from {
			if e.end {
				ended = append(ended, e.job)
			}
		}
		out, _ = g.React(now, ended, out[:0])
		for _, k := range out {
			eligible[k] = now
		}
		for _, e := range from {
			if !e.end {
				eligible[e.job] = min(eligible[e.job], now)
				g.Start(e.job, now)
			}
		}
	}
	produced := &model.Workload{
		Name: w.Name, UnixStart: w.UnixStart, TimeZone: w.TimeZone, Processors: w.Processors, Demands: w.Demands, Gates: w.Gates,
		Jobs: make([]model.Job, n), Truth: make([]model.Truth, n), Origin: make([]int32, n), Submitted: make([]model.Time, n),
	}
	never := make([]bool, n)
	for i := range produced.Origin {
		produced.Origin[i] = int32(i)
		if never[i] = eligible[i] == model.Never; never[i] {
			eligible[i] = max(last, w.Jobs[i].Submit)
		}
	}
	slices.SortFunc(produced.Origin, func(a, b int32) int {
		order := 0
		if never[a] != never[b] {
			if order = -1; never[a] {
				order = 1
			}
		}
		return cmp.Or(cmp.Compare(eligible[a], eligible[b]), order, cmp.Compare(w.Jobs[a].Number, w.Jobs[b].Number), cmp.Compare(a, b))
	})
	m := CountedSimulator{start: make([]model.Time, n), supply: supply{gate: g, origin: produced.Origin}}
	for i, k := range produced.Origin {
		produced.Jobs[i], produced.Truth[i], produced.Submitted[i] = w.Jobs[k], w.Truth[k], w.Jobs[k].Submit
		produced.Jobs[i].Submit, m.start[i] = eligible[k], start[k]
	}
	s := m.schedule(produced, p)
	s.Logged = true
	return s
}
