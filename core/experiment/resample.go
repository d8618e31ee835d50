package experiment

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
)

// visitResample visits how repetitions of a log are drawn. The key is younger
// than version 1 and stays out of documents without it; "by" is always written.
func (w *Workload) visitResample(g *group) {
	in := g.ask("resample")
	g.settings("resample", catalog.ResampleParams, &w.Resample)
	if g.c.mode == reading && in != nil && in.kind == objectKind && in.get("by") == nil {
		g.c.add(in.at, join(join(g.path, "resample"), "by"), "missing; it is one of "+strings.Join(catalog.OptionKeys(catalog.ResampleParams[0].Options), ", "))
	}
	if g.c.mode != writing || w.Resample == nil {
		return
	}
	out := &node{kind: objectKind}
	out.set("by", textNode(w.Resample.Text("by")))
	if there := g.out.get("resample"); there != nil {
		for i, key := range there.keys {
			out.set(key, there.items[i])
		}
	}
	g.out.set("resample", out)
}

// checkResample says where a workload cannot be resampled.
func (w *Workload) checkResample(g *group) {
	switch {
	case w.Resample == nil:
	case w.Source.Generator != nil:
		g.fault("resample", "a generator makes other jobs at every repetition already: only logs, bundled workloads and rows are resampled")
	case w.React != nil:
		g.fault("resample", "users who react submit when they are served: workload.react does not go with it")
	}
}

// Varies says whether repetitions of a valid experiment differ in their jobs or
// machines. Where they do not, a scheduler that draws no random numbers gives
// the same schedule at every one of them.
func (e *Experiment) Varies() bool {
	w, d, a := &e.Workload, &e.Platform, &e.Workload.Annotate
	if g := d.Generator; g != nil {
		if row := catalog.FindMachines(g.Key); row == nil || !row.Fixed {
			return true
		}
	}
	return w.Source.Generator != nil || w.Resample != nil || d.Failures != nil ||
		a.Deadlines.Share > 0 || a.Reservations.Share > 0 || a.Drawn() || len(a.Licences) > 0 ||
		w.React != nil && w.React.Text("think") == "drawn"
}

// First returns the repetition of which repetition r of scheduler i is a copy, r
// itself where it is a run of its own: with the same jobs and the same machine a
// scheduler that draws no random numbers decides the same.
func (e *Experiment) First(i, r int) int {
	if e.Varies() || e.draws(&e.Schedulers[i]) {
		return r
	}
	return 0
}

// Phases says whether repetitions of scheduler i differ by when its loops tick and by
// nothing else: over them is a band. Where the jobs or machines differ as well, a phase is
// drawn with each of them, as one chance more.
func (e *Experiment) Phases(i int) bool {
	return !e.Varies() && e.draws(&e.Schedulers[i]) && catalog.FindScheduler(e.Schedulers[i].Key).Draws[0].Phases
}

// draws says whether a scheduler draws random numbers.
func (e *Experiment) draws(s *Scheduler) bool {
	row := catalog.FindScheduler(s.Key)
	return row != nil && slices.ContainsFunc(row.Draws, func(d catalog.Draw) bool {
		if d.Unset {
			return s.Params.Words(d.Param) == ""
		}
		text := s.Params.Text(d.Param)
		return d.Param == "" || text == d.Value || d.Within && strings.Contains(text, d.Value)
	})
}
