package custom

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// Decider is a program that defines decide(s).
type Decider struct {
	machine
}

var (
	_ sim.Planner   = (*Decider)(nil)
	_ sim.SpaceUser = (*Decider)(nil)
)

// NeedsSpace says that View.Space is asked.
func (d *Decider) NeedsSpace() {}

// Reset prepares for a new simulation.
func (d *Decider) Reset(v *sim.View) { d.machine.reset(v) }

// Wake returns when decide wants to be called if nothing happens before.
func (d *Decider) Wake() model.Time { return d.wake }

// How many instants may come about only because the program asked for them, with
// nothing ending, coming or starting: so many, and some more for each instant at which
// something did. A program that asks for every second costs little time that way, and
// one that asks for every minute of a long run never comes near.
const (
	mostIdle = 100_000
	idleEach = 100
)

// Decide calls the program.
func (d *Decider) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	m := &d.machine
	m.join(v)
	from := len(out)
	for _, j := range m.waiting { // nobody can start them any more
		if v.Kills(j) && v.Due[j] <= v.Now {
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		}
	}
	m.started(out[from:])
	if m.failed {
		return out
	}
	m.wake = model.Never
	from = len(out)
	m.begin(v, out)
	m.deciding = true
	result := m.call("decide", m.s)
	if !m.failed {
		m.take(result)
	}
	m.deciding = false
	out = m.draft.End()
	if m.failed {
		return out[:from]
	}
	m.started(out[from:])
	if len(out)-from+len(v.Ended)+len(v.New)+len(v.Back) > 0 {
		m.idle = max(0, m.idle-idleEach)
	} else if m.idle++; m.idle > mostIdle {
		m.refuse(m.woke, "s.wake has asked for %s calls at which nothing had happened: ask for later times, or call s.wake only when a time is known", grouped(mostIdle))
	}
	return out
}

// take starts the jobs of the list that decide has returned.
func (m *machine) take(result starlark.Value) {
	if result == starlark.None {
		return
	}
	list, ok := result.(starlark.Sequence)
	switch result.(type) {
	case *starlark.Dict, *starlark.Set:
		ok = false
	}
	if !ok {
		m.refuse(m.gave, "decide must return a list of jobs, not %s", result.Type())
		return
	}
	iter := list.Iterate()
	defer iter.Done()
	given := map[model.JobID]bool{}
	for x := starlark.Value(nil); iter.Next(&x); {
		one, ok := x.(*job)
		if !ok {
			m.refuse(m.gave, "decide must return a list of jobs; %s is in it", x.Type())
			return
		}
		if given[one.id] {
			m.refuse(m.gave, "job %v stands twice in the list that decide returns", one.number)
			return
		}
		given[one.id] = true
		if one.taken { // by s.start or s.place
			continue
		}
		if why := m.tryStart(one.id); why != "" {
			m.refuse(m.gave, "job %v cannot start: %s", one.number, why)
			return
		}
	}
}

// waitsFor says why a job is none that could be started, "" if it is one.
func (m *machine) waitsFor(j model.JobID) string {
	switch one := m.job(j); {
	case one.waits && !one.taken:
		return ""
	case one.waits:
		return "it was started in this call"
	case one.ended != model.Never:
		return "it has ended"
	case one.started != model.Never:
		return "it runs"
	}
	return "it does not wait"
}

// tryStart starts a job now; else it says why that cannot be.
func (m *machine) tryStart(j model.JobID) string {
	if why := m.waitsFor(j); why != "" {
		return why
	}
	until, ok := m.draft.Start(j)
	if !ok {
		return m.why(j)
	}
	m.freeNow = m.draft.Pool().Procs()
	if v := m.v; v.Record != nil {
		v.Record.Decide(j, report.StartedInOrder)
	}
	one := m.job(j)
	one.taken, one.started, one.ends = true, m.v.Now, until
	return ""
}

// why words what keeps a job from starting.
func (m *machine) why(j model.JobID) string {
	need := &m.v.Needs[j]
	if m.v.Free.Fits(need) && !m.draft.Pool().Fits(need) {
		return "what this call has started before it has taken its place; s.start(job) says whether there is room"
	}
	switch m.v.Cause(need) {
	case report.WaitLicences:
		return "too few copies of its licences are free"
	case report.WaitLimit:
		return "a limit of the platform is reached"
	case report.WaitReservation:
		return "what it needs is reserved or out of order now"
	case report.WaitProcessors:
		return fmt.Sprintf("it asks for %d processors, and too few are free together (%d in all)", m.v.Jobs[j].Procs, m.freeNow)
	}
	return "it fits now, but not for as long as it may run"
}

// search is about what it costs to look for a place, in steps.
func (m *machine) search() int {
	return 20 + (len(m.running)+m.draft.Booked()+m.v.Bookings.Len())/4 + len(m.v.Site.Nodes)/8
}

// orNone is a time as programs see it, None where none is known.
func orNone(at model.Time, ok bool) (starlark.Value, error) {
	if !ok {
		return starlark.None, nil
	}
	return number(int64(at)), nil
}

// stateMethods are the methods of s.
func (m *machine) stateMethods() map[string]*starlark.Builtin {
	all := map[string]*starlark.Builtin{}
	// of is a method whose first argument is a job that waits.
	of := func(name string, most int, decides bool, f func(j model.JobID, args starlark.Tuple) (starlark.Value, error)) {
		all[name] = builtin(name, func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if most == 2 {
				args, kwargs = byName(args, kwargs)
			}
			if err := only("s."+name, args, kwargs, 1, most); err != nil {
				return nil, err
			}
			if decides && !m.deciding {
				return nil, fmt.Errorf("s.%s belongs to decide(s)", name)
			}
			if m.v.Space == nil {
				return nil, fmt.Errorf("s.%s is not there", name)
			}
			j, err := m.theJob("s."+name, args[0])
			if err == nil {
				err = m.charge(m.search())
			}
			if err != nil {
				return nil, err
			}
			return f(j, args)
		})
	}
	of("fits", 1, false, func(j model.JobID, _ starlark.Tuple) (starlark.Value, error) {
		if m.waitsFor(j) != "" {
			return starlark.False, nil
		}
		return starlark.Bool(m.draft.Fits(j)), nil
	})
	of("start", 1, true, func(j model.JobID, _ starlark.Tuple) (starlark.Value, error) {
		if why := m.waitsFor(j); why != "" {
			return nil, fmt.Errorf("job %d cannot start: %s", m.v.Jobs[j].Number, why)
		}
		return starlark.Bool(m.tryStart(j) == ""), nil
	})
	of("place", 1, true, func(j model.JobID, _ starlark.Tuple) (starlark.Value, error) {
		if why := m.waitsFor(j); why != "" {
			return nil, fmt.Errorf("job %d cannot start: %s", m.v.Jobs[j].Number, why)
		}
		if m.tryStart(j) == "" {
			return number(int64(m.v.Now)), nil
		}
		return orNone(m.draft.Promise(j, m.v.Now))
	})
	of("reserve", 2, true, func(j model.JobID, args starlark.Tuple) (starlark.Value, error) {
		if why := m.waitsFor(j); why != "" {
			return nil, fmt.Errorf("nothing can be reserved for job %d: %s", m.v.Jobs[j].Number, why)
		}
		from, err := m.after("s.reserve", args)
		if err != nil {
			return nil, err
		}
		return orNone(m.draft.Promise(j, from))
	})
	of("keep", 1, true, func(j model.JobID, _ starlark.Tuple) (starlark.Value, error) {
		if why := m.waitsFor(j); why != "" {
			return nil, fmt.Errorf("nothing can be kept for job %d: %s", m.v.Jobs[j].Number, why)
		}
		return orNone(m.draft.Keep(j))
	})
	of("earliest", 2, false, func(j model.JobID, args starlark.Tuple) (starlark.Value, error) {
		from, err := m.after("s.earliest", args)
		if err != nil {
			return nil, err
		}
		return orNone(m.draft.Earliest(j, from))
	})
	all["profile"] = builtin("profile", func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := only("s.profile", args, kwargs, 0, 1); err != nil {
			return nil, err
		}
		return m.freeOver(args)
	})
	all["wake"] = builtin("wake", func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := only("s.wake", args, kwargs, 1, 1); err != nil {
			return nil, err
		}
		if !m.deciding {
			return nil, errors.New("s.wake belongs to decide(s)")
		}
		at, ok := integer(args[0])
		if !ok || model.Time(at) <= m.v.Now || at > farthest {
			return nil, fmt.Errorf("s.wake takes a time in whole seconds after s.now, %d", m.v.Now)
		}
		m.wake, m.woke = min(m.wake, model.Time(at)), m.thread.CallFrame(1).Pos
		return starlark.None, m.charge(1000)
	})
	return all
}

// farthest is the last time that a program may name.
const farthest = 1 << 50

// byName puts the one argument that the reference names, after, into its place.
func byName(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Tuple, []starlark.Tuple) {
	if len(args) == 1 && len(kwargs) == 1 && kwargs[0][0] == starlark.String("after") {
		return starlark.Tuple{args[0], kwargs[0][1]}, nil
	}
	return args, kwargs
}

// after takes a time from the second argument, now if there is none.
func (m *machine) after(name string, args starlark.Tuple) (model.Time, error) {
	if len(args) < 2 {
		return m.v.Now, nil
	}
	at, ok := integer(args[1])
	if !ok || at > farthest {
		return 0, fmt.Errorf("%s takes a time in whole seconds", name)
	}
	return max(m.v.Now, model.Time(at)), nil
}

// freeOver lists how many processors are free from which time on, of a cluster or of
// all.
func (m *machine) freeOver(args starlark.Tuple) (starlark.Value, error) {
	if m.v.Space == nil {
		return nil, errors.New("s.profile is not there")
	}
	clusters := m.v.Site.Platform.Clusters
	only := -1
	if len(args) == 1 {
		name, ok := starlark.AsString(args[0])
		for c := range clusters {
			if clusters[c].Name == name {
				only = c
			}
		}
		if !ok || only < 0 {
			return nil, fmt.Errorf("s.profile: there is no cluster %s", said(args[0]))
		}
	}
	type step struct {
		at   model.Time
		free int32
	}
	var sum []step
	for c := range clusters {
		if only >= 0 && c != only {
			continue
		}
		one := m.v.Space.Total(int32(c))
		if err := m.charge(4 * (one.Len() + len(sum))); err != nil {
			return nil, err
		}
		var merged []step
		for i, k := 0, 0; i < one.Len() || k < len(sum); {
			at := model.Never
			if i < one.Len() {
				at, _ = one.Step(i)
			}
			if k < len(sum) {
				at = min(at, sum[k].at)
			}
			free := int32(0)
			if i < one.Len() {
				if t, _ := one.Step(i); t == at {
					i++
				}
			}
			if i > 0 {
				_, f := one.Step(i - 1)
				free += f
			}
			if k < len(sum) && sum[k].at == at {
				k++
			}
			if k > 0 {
				free += sum[k-1].free
			}
			merged = append(merged, step{at, free})
		}
		sum = merged
	}
	list := make([]starlark.Value, len(sum))
	for i, s := range sum {
		list[i] = starlark.Tuple{number(int64(s.at)), starlark.MakeInt(int(s.free))}
	}
	return starlark.NewList(list), nil
}

// Tell says who waits.
func (d *Decider) Tell(_ *sim.View, _ []sim.Decision, f *tell.Facts) {
	if f.Turn = report.WaitOrder; f.Waits != nil {
		for _, j := range d.waiting {
			f.Waits(j)
		}
	}
}
