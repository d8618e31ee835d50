package custom

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// numeric are attributes and methods that give a number, a truth value or None: no
// guard is needed for them. None is called like a method of the language's values.
var numeric = map[string]bool{
	"now": true, "free": true, "processors": true, "id": true, "submit": true, "procs": true, "requested": true, "wait": true, "user": true,
	"started": true, "ends": true, "ended": true, "group": true, "gpus": true, "memory": true, "disk": true,
	"weight": true, "due": true, "area": true, "stopped": true, "left": true, "starts": true, "copies": true,
	"fits": true, "earliest": true, "start": true, "reserve": true, "place": true, "keep": true,
}

// spacious are the methods that ask what is free over time.
var spacious = map[string]bool{"fits": true, "earliest": true, "profile": true}

// job is a job as a program sees it. Programs compare jobs and keep them as keys, so
// there is one for each.
type job struct {
	m                                       *machine
	id                                      model.JobID
	number, submit, procs, requested, owner starlark.Value
	started, ends, ended                    model.Time // Never: not yet
	waits                                   bool
	taken                                   bool // this call has started it
}

var _ starlark.HasAttrs = (*job)(nil)

func (j *job) String() string        { return fmt.Sprintf("job %v", j.number) }
func (j *job) Type() string          { return "job" }
func (j *job) Freeze()               {}
func (j *job) Truth() starlark.Bool  { return true }
func (j *job) Hash() (uint32, error) { return uint32(j.id)*2654435761 + 1, nil }

// jobWords are what Attr knows.
var jobWords = []string{"area", "disk", "due", "ended", "ends", "gpus", "group", "id", "left", "licences", "memory", "nodes", "procs", "queue",
	"requested", "started", "stopped", "submit", "user", "wait", "weight"}

// AttrNames lists them.
func (j *job) AttrNames() []string { return slices.Clone(jobWords) }

func seconds(t model.Time) starlark.Value {
	if t == model.Never {
		return starlark.None
	}
	return starlark.MakeInt64(int64(t))
}

// Attr returns what a program may know of a job.
func (j *job) Attr(name string) (starlark.Value, error) {
	v := j.m.v
	switch name {
	case "id":
		return j.number, nil
	case "submit":
		return j.submit, nil
	case "procs":
		return j.procs, nil
	case "requested":
		return j.requested, nil
	case "user":
		return j.owner, nil
	case "wait":
		until := v.Now
		if j.started != model.Never {
			until = j.started
		}
		return starlark.MakeInt64(int64(until - v.Jobs[j.id].Submit)), nil
	case "started":
		return seconds(j.started), nil
	case "ends":
		return seconds(j.ends), nil
	case "ended":
		return seconds(j.ended), nil
	case "group":
		return starlark.MakeInt(int(v.Jobs[j.id].Group)), nil
	case "queue":
		return starlark.MakeInt(int(v.Jobs[j.id].Queue)), nil
	case "area":
		return starlark.MakeInt64(int64(v.Jobs[j.id].Procs)).Mul(starlark.MakeInt64(int64(v.Jobs[j.id].Limit))), nil
	case "left":
		return starlark.MakeInt64(int64(v.Jobs[j.id].Limit - v.Done[j.id])), nil
	case "stopped":
		return starlark.MakeInt(int(v.Attempt[j.id])), nil
	}
	d := v.Demand(j.id)
	if d == nil {
		d = &model.Demand{}
	}
	switch name {
	case "nodes":
		return starlark.MakeInt(int(d.Nodes)), nil
	case "gpus":
		return starlark.MakeInt(int(d.GPUsPerNode)), nil
	case "memory":
		return starlark.MakeInt64(d.MemPerNode), nil
	case "disk":
		return starlark.MakeInt64(d.DiskPerNode), nil
	case "weight":
		return starlark.Float(d.Weight), nil
	case "due":
		if d.Due == 0 {
			return starlark.None, nil
		}
		return starlark.MakeInt64(int64(d.Due)), nil
	case "licences":
		needs := v.Site.Platform.Activates(d.Licences)
		out := starlark.NewDict(len(needs))
		for _, l := range needs {
			if err := out.SetKey(starlark.String(v.Site.Platform.Licences[l.Licence].Name), starlark.MakeInt(int(l.Copies))); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, nil
}

// record is a value with a few named parts: a cluster, a licence, an outage.
type record struct {
	kind  string
	parts []part
}

type part struct {
	name  string
	value starlark.Value
}

var _ starlark.HasAttrs = (*record)(nil)

func (r *record) String() string {
	s := r.kind + "("
	for i, p := range r.parts {
		if i > 0 {
			s += ", "
		}
		s += p.name + " = " + p.value.String()
	}
	return s + ")"
}

func (r *record) Type() string          { return r.kind }
func (r *record) Freeze()               {}
func (r *record) Truth() starlark.Bool  { return true }
func (r *record) Hash() (uint32, error) { return 0, fmt.Errorf("a %s cannot be a key", r.kind) }

func (r *record) AttrNames() (names []string) {
	for _, p := range r.parts {
		names = append(names, p.name)
	}
	return names
}

func (r *record) Attr(name string) (starlark.Value, error) {
	for _, p := range r.parts {
		if p.name == name {
			return p.value, nil
		}
	}
	return nil, nil
}

func number(n int64) starlark.Value { return starlark.MakeInt64(n) }

// state is s: what a program sees of the platform at an instant.
type state struct {
	m       *machine
	methods map[string]*starlark.Builtin
}

var _ starlark.HasAttrs = (*state)(nil)

func (s *state) String() string        { return fmt.Sprintf("the state at %d", s.m.v.Now) }
func (s *state) Type() string          { return "state" }
func (s *state) Freeze()               {}
func (s *state) Truth() starlark.Bool  { return true }
func (s *state) Hash() (uint32, error) { return 0, fmt.Errorf("s cannot be a key") }

// stateWords are what Attr knows beside the methods.
var stateWords = []string{"arrived", "clusters", "ended", "free", "licences", "limits", "nodes", "now", "outages", "processors", "queue", "reserved", "running"}

// AttrNames lists them, and the methods.
func (s *state) AttrNames() []string {
	names := slices.Clone(stateWords)
	for name := range s.methods {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Attr returns what a program may know of the platform, and the methods.
func (s *state) Attr(name string) (starlark.Value, error) {
	m := s.m
	switch name {
	case "now":
		return number(int64(m.v.Now)), nil
	case "free":
		return starlark.MakeInt(int(m.freeNow)), nil
	case "processors":
		return m.processors, nil
	case "queue":
		return m.list(&m.queueList, m.waiting)
	case "running":
		return m.list(&m.runningList, m.running)
	case "arrived":
		return m.list(nil, m.v.New)
	case "ended":
		return m.list(nil, m.v.Ended)
	}
	if f, ok := s.methods[name]; ok {
		return f, nil
	}
	var list []starlark.Value
	switch name {
	case "clusters":
		list = m.clusters()
	case "nodes":
		list = m.nodes()
	case "licences":
		list = m.licences()
	case "outages":
		list = m.outages()
	case "reserved":
		list = m.reserved()
	case "limits":
		return m.limits(), nil
	default:
		return nil, nil
	}
	return frozen(list), m.charge(10 * len(list))
}

// frozen is a list that programs cannot change.
func frozen(list []starlark.Value) *starlark.List {
	l := starlark.NewList(list)
	l.Freeze()
	return l
}

// list makes a list of jobs, once in a call where there is a place to keep it.
func (m *machine) list(kept **starlark.List, ids []model.JobID) (starlark.Value, error) {
	if kept != nil && *kept != nil {
		return *kept, nil
	}
	list := make([]starlark.Value, len(ids))
	for i, j := range ids {
		list[i] = m.job(j)
	}
	l := frozen(list)
	if kept != nil {
		*kept = l
	}
	return l, m.charge(len(ids) / 8)
}

// job returns the value of a job.
func (m *machine) job(j model.JobID) *job {
	if m.jobs[j] == nil {
		one := &m.v.Jobs[j]
		m.jobs[j] = &job{
			m: m, id: j, number: number(one.Number), submit: number(int64(one.Submit)), procs: starlark.MakeInt(int(one.Procs)),
			requested: number(int64(one.Limit)), owner: starlark.MakeInt(int(one.User)), started: model.Never, ends: model.Never, ended: model.Never,
		}
	}
	return m.jobs[j]
}

func (m *machine) clusters() (list []starlark.Value) {
	p := m.v.Site.Platform
	for c := range p.Clusters {
		free := int64(0)
		for r := range m.v.Site.Nodes {
			if m.v.Site.Nodes[r].Cluster == int32(c) {
				free += int64(max(0, m.draft.Pool().On(r)))
			}
		}
		list = append(list, &record{"cluster", []part{
			{"name", starlark.String(p.Clusters[c].Name)}, {"processors", starlark.MakeInt(p.Clusters[c].Procs())}, {"free", number(free)},
		}})
	}
	return list
}

func (m *machine) nodes() (list []starlark.Value) {
	site := m.v.Site
	for i := range site.Nodes {
		r := site.Rank(int32(i))
		n := &site.Nodes[r]
		names := make([]starlark.Value, len(n.Licences))
		for k, l := range n.Licences {
			names[k] = starlark.String(l)
		}
		list = append(list, &record{"node", []part{
			{"name", starlark.String(site.Platform.NodeName(int32(i)))}, {"cluster", starlark.String(site.Platform.Clusters[n.Cluster].Name)},
			{"processors", starlark.MakeInt(int(n.Procs))}, {"free", starlark.MakeInt(int(max(0, m.draft.Pool().On(int(r)))))},
			{"speed", starlark.Float(n.Speed)}, {"memory", number(n.Mem)}, {"disk", number(n.Disk)}, {"gpus", starlark.MakeInt(int(n.GPUs))},
			{"licences", frozen(names)},
		}})
	}
	return list
}

func (m *machine) licences() (list []starlark.Value) {
	for i, l := range m.v.Site.Platform.Activated() {
		free := m.draft.Pool().Copies(int32(i))
		list = append(list, &record{"licence", []part{
			{"name", starlark.String(l.Name)}, {"copies", starlark.MakeInt(int(l.Copies))}, {"free", starlark.MakeInt(int(max(0, free)))},
		}})
	}
	return list
}

// outages lists what the calendar takes now or later, as far as it may be known.
func (m *machine) outages() (list []starlark.Value) {
	p := m.v.Site.Platform
	for i := range p.Calendar {
		c := &p.Calendar[i]
		if c.To <= m.v.Now || !m.v.Known(c) {
			continue
		}
		procs, cluster := m.v.Site.Takes(c)
		list = append(list, &record{"outage", []part{
			{"name", starlark.String(c.Name)}, {"cluster", starlark.String(p.Clusters[cluster].Name)},
			{"starts", number(int64(c.From))}, {"ends", number(int64(c.To))}, {"procs", starlark.MakeInt(int(procs))},
		}})
	}
	return list
}

// reserved lists what advance reservations hold, now or later.
func (m *machine) reserved() (list []starlark.Value) {
	p := m.v.Site.Platform
	for _, b := range m.v.Bookings.All() {
		list = append(list, &record{"reservation", []part{
			{"id", number(m.v.Jobs[b.Job].Number)}, {"cluster", starlark.String(p.Clusters[b.Claim.Cluster].Name)},
			{"starts", number(int64(b.From))}, {"ends", number(int64(b.To))}, {"procs", starlark.MakeInt(int(b.Claim.Procs()))},
		}})
	}
	return list
}

func (m *machine) limits() starlark.Value {
	l := &m.v.Site.Platform.Limits
	var classes []starlark.Value
	for i := range l.Classes {
		classes = append(classes, &record{"limit", []part{
			{"longer_than", number(int64(l.Classes[i].LongerThan))}, {"procs", starlark.MakeInt(int(l.Classes[i].Procs(m.v.Site.Platform.Procs())))},
		}})
	}
	user := starlark.Value(starlark.None)
	if l.UserProcs > 0 {
		user = starlark.MakeInt(int(l.UserProcs))
	}
	return &record{"limits", []part{{"user_processors", user}, {"classes", frozen(classes)}}}
}

var _ sim.Scheduler = (*Decider)(nil)
