package eligible

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

var _ sim.HeldTeller = (*Keeper)(nil)

// EachHeld calls visit for the jobs that have been submitted by now and are not
// eligible, in order of submission. Jobs are indices in the workload.
func (k *Keeper) EachHeld(now model.Time, visit func(job int32)) {
	for j := range k.state {
		if k.w.Jobs[j].Submit > now {
			return
		}
		if k.state[j].is == held {
			visit(int32(j))
		}
	}
}

// Lost returns the jobs that left at the last instant before they were eligible.
func (k *Keeper) Lost() []int32 { return k.lost }

// HeldText says what a job lacks, as Holds, in a sentence; "" where it is eligible or
// over.
func (k *Keeper) HeldText(j int32, at model.Time, until func(job int32) model.Time) string {
	list, any := k.Holds(j, at, until)
	if len(list) == 0 {
		return ""
	}
	return tell.HeldSentence(list, any)
}

// Holds says what a job lacks at a time, from its submission on, by what is known at the
// end of the last instant: in the order in which the workload names it, and whether one of
// the list is enough. It returns nil for a job that is eligible or over. until says when a
// job that runs must end, model.Never where it does not run.
func (k *Keeper) Holds(j int32, at model.Time, until func(job int32) model.Time) (list []tell.For, any bool) {
	if k.state[j].is != held {
		return nil, false
	}
	g := &k.w.Gates[j]
	lost := 0
	for i := range g.After {
		f, come := k.term(j, &g.After[i], at, until)
		if come && g.Any {
			list, lost = nil, 0
			break
		}
		if !come {
			list = append(list, f)
			if f.Lost {
				lost++
			}
		}
	}
	if g.Any && lost > 0 && lost < len(list) { // the others may still come
		list = slices.DeleteFunc(list, func(f tell.For) bool { return f.Lost })
	}
	any = g.Any && len(list) > 1
	if g.Begin > at {
		what := tell.ForBegin
		if g.Begin == g.Whole {
			what = tell.ForParts
		}
		list = append(list, tell.For{What: what, At: g.Begin})
	}
	if len(list) == 0 && g.Array > 0 {
		list = append(list, k.place(g))
	}
	return list, any
}

// term says what has come of a predecessor at a time.
func (k *Keeper) term(j int32, d *model.Dependency, at model.Time, until func(job int32) model.Time) (f tell.For, come bool) {
	out := k.edges[k.first[d.Job]:k.first[d.Job+1]] // in order of the jobs that wait
	i, _ := slices.BinarySearchFunc(out, j, func(e edge, j int32) int { return cmp.Compare(e.job, j) })
	for out[i].on != d.On || out[i].delay != d.Delay {
		i++
	}
	when := out[i].at
	f = tell.For{What: tell.ForEvent(d.On), Job: d.Job, Number: k.w.Jobs[d.Job].Number, Delay: d.Delay, At: model.Never, Itself: d.Job == j}
	switch {
	case when == model.Never:
		f.Lost = true
	case when != open:
		f.At = when
	}
	switch k.state[d.Job].is {
	case held:
		if f.State = tell.IsHeld; k.w.Jobs[d.Job].Submit > at {
			f.State = tell.ToCome
		}
	case waits:
		f.State = tell.IsWaiting
	case started:
		if f.State, f.Until = tell.IsRunning, until(d.Job); f.Until == model.Never {
			f.State = tell.IsWaiting // it was stopped, and runs again
		}
	default:
		f.State = tell.IsOver
	}
	return f, when != open && when <= at
}

// place says who takes the places of an array.
func (k *Keeper) place(g *model.Gate) tell.For {
	f := tell.For{What: tell.ForPlace, At: model.Never, Most: g.Limit}
	for i := range k.state {
		if is := k.state[i].is; k.w.Gates[i].Array != g.Array || is != waits && is != started {
			continue
		}
		if len(f.By) == tell.MostNamed {
			f.More++
			continue
		}
		f.By = append(f.By, k.w.Jobs[i].Number)
	}
	return f
}
