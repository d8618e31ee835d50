package program

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/sim"
)

// state is what a program can know of a job.
type state uint8

const (
	unseen state = iota
	waits
	runs
	over // has ended, or will never start
)

// book knows jobs by the ids under which a program knows them: their numbers. A
// number that was there before gets a negative id of its own.
type book struct {
	id    []int64
	state []state
	by    map[int64]model.JobID
	dated []model.JobID // that would be stopped at a due time, as long as they may wait
}

func (b *book) reset(v *sim.View) {
	b.id, b.state = make([]int64, len(v.Jobs)), make([]state, len(v.Jobs))
	b.by, b.dated = make(map[int64]model.JobID, len(v.Jobs)), b.dated[:0]
}

// add makes a job known.
func (b *book) add(v *sim.View, j model.JobID) {
	id := v.Jobs[j].Number
	if _, taken := b.by[id]; taken || id < 0 {
		id = -1 - int64(j)
	}
	b.id[j], b.by[id], b.state[j] = id, j, waits
	if v.Kills(j) {
		b.dated = append(b.dated, j)
	}
}

// waiting returns the job with an id, which has to wait.
func (b *book) waiting(id int64) (model.JobID, error) {
	j, ok := b.by[id]
	if !ok {
		return 0, fmt.Errorf("there is no job %d", id)
	}
	switch b.state[j] {
	case runs:
		return 0, fmt.Errorf("job %d does not wait: it was started before", id)
	case over:
		return 0, fmt.Errorf("job %d does not wait: it is over", id)
	}
	return j, nil
}

// hello introduces a run.
func (s *Scheduler) hello(b []byte, v *sim.View) []byte {
	type licence struct {
		Name   string `json:"name"`
		Copies int32  `json:"copies"`
	}
	type cluster struct {
		Name       string `json:"name"`
		Packing    string `json:"packing"`
		Nodes      int    `json:"nodes"`
		Processors int    `json:"processors"`
	}
	type outage struct {
		From       int64   `json:"from"`
		To         int64   `json:"to"`
		Cluster    int32   `json:"cluster"`
		Processors int32   `json:"processors"`
		Nodes      []int32 `json:"nodes,omitempty"`
	}
	hello := struct {
		Protocol   int       `json:"protocol"`
		Engine     string    `json:"engine"`
		Label      string    `json:"label"`
		Seed       uint64    `json:"seed"`
		Repetition int       `json:"repetition"`
		Processors int32     `json:"processors"`
		Plain      bool      `json:"plain"`
		Clusters   []cluster `json:"clusters"`
		Licences   []licence `json:"licences"`
		Outages    []outage  `json:"outages"`
		Columns    []string  `json:"columns"`
	}{
		Protocol, experiment.Engine, s.o.Label, s.o.Seed, s.o.Repetition, v.Site.Procs(), plain(v),
		[]cluster{}, []licence{}, []outage{},
		[]string{"id", "submit", "procs", "requested", "user", "group", "queue"},
	}
	p := v.Site.Platform
	for i := range p.Clusters {
		c := &p.Clusters[i]
		nodes := 0
		for g := range c.Groups {
			nodes += int(c.Groups[g].Count)
		}
		hello.Clusters = append(hello.Clusters, cluster{c.Name, [...]string{model.PackProcessors: "processors", model.PackNodes: "nodes", model.PackMachine: "machine"}[c.Packing], nodes, c.Procs()})
	}
	for _, l := range p.Activated() {
		hello.Licences = append(hello.Licences, licence{l.Name, l.Copies})
	}
	for i := range p.Calendar {
		if c := &p.Calendar[i]; c.Kind != model.KindFailure { // failures are not known before they come
			procs := c.Procs
			for _, n := range c.Nodes {
				procs += v.Site.Nodes[v.Site.Rank(n)].Procs
			}
			hello.Outages = append(hello.Outages, outage{int64(c.From), int64(c.To), c.Cluster, procs, c.Nodes})
		}
	}
	text, err := json.Marshal(struct {
		Hello any `json:"hello"`
	}{hello})
	if err != nil {
		panic(err) // plain data
	}
	return append(append(b, text...), '\n')
}

// plain says whether a job fits whenever its processors are free and nothing was
// reserved in the same pass.
func plain(v *sim.View) bool {
	p := v.Site.Platform
	return len(p.Clusters) == 1 && p.Clusters[0].Packing == model.PackProcessors && len(p.Calendar) == 0 && len(p.Licences) == 0 && p.Limits.None() &&
		!slices.ContainsFunc(v.Demands, func(d model.Demand) bool { return d.Reservation != nil })
}

// join takes over what has happened.
func (s *Scheduler) join(v *sim.View) {
	k := &s.jobs
	for _, j := range v.Ended {
		k.state[j] = over
		s.ended = append(s.ended, ended{k.id[j], v.Now})
	}
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			switch k.state[j] {
			case unseen: // one of those that are back was a reservation until now
				k.add(v, j)
				s.fresh = append(s.fresh, j)
			case runs:
				k.state[j] = waits
				s.back = append(s.back, j)
			}
			s.waiting++
			if s.fitting {
				s.queue = append(s.queue, j)
			}
		}
	}
}

// told forgets what the program has been told.
func (s *Scheduler) told() {
	s.ended, s.back, s.fresh, s.ends = s.ended[:0], s.back[:0], s.fresh[:0], s.ends[:0]
}

// anyFits says whether a waiting job asks for as few processors as are free.
func (s *Scheduler) anyFits(v *sim.View) bool {
	s.queue = slices.DeleteFunc(s.queue, func(j model.JobID) bool { return s.jobs.state[j] != waits })
	free := int32(v.Free.Procs())
	return slices.ContainsFunc(s.queue, func(j model.JobID) bool { return v.Jobs[j].Procs <= free })
}

// instant writes what has happened since the program was told last, and which jobs
// that waited will never start.
func (s *Scheduler) instant(v *sim.View, gone []model.JobID) {
	b := appendInt(append(s.line[:0], `{"now":`...), int64(v.Now))
	b = append(b, `,"free":`...)
	b = appendInt(b, int64(v.Free.Procs()))
	now := len(s.ended)
	for now > 0 && s.ended[now-1].at == v.Now {
		now--
	}
	if now > 0 {
		b = s.appendEnded(append(b, ','), `"past":`, s.ended[:now])
	}
	if len(s.ends) > 0 {
		b = s.appendEnded(append(b, ','), `"ends":`, s.ends)
	}
	list := func(key string, n int, one func(i int)) {
		for i := range n {
			if i == 0 {
				b = append(b, key...)
			} else {
				b = append(b, ',')
			}
			one(i)
		}
		if n > 0 {
			b = append(b, ']')
		}
	}
	list(`,"ended":[`, len(s.ended)-now, func(i int) { b = appendInt(b, s.ended[now+i].id) })
	list(`,"back":[`, len(s.back), func(i int) { b = appendInt(b, s.jobs.id[s.back[i]]) })
	list(`,"new":[`, len(s.fresh), func(i int) { b = s.row(b, v, s.fresh[i]) })
	list(`,"gone":[`, len(gone), func(i int) { b = appendInt(b, s.jobs.id[gone[i]]) })
	s.line = append(b, "}\n"...)
}

// expire gives up jobs that would be stopped at their due time, which has come.
func (s *Scheduler) expire(v *sim.View) (gone []model.JobID) {
	k := &s.jobs
	for _, j := range v.Gone {
		if !slices.Contains(k.dated, j) {
			k.dated = append(k.dated, j)
		}
	}
	left := k.dated[:0]
	for _, j := range k.dated {
		if k.state[j] == waits && s.draft.Expired(j) {
			s.draft.Reject(j)
			k.state[j] = over
			s.waiting--
			gone = append(gone, j)
		} else if k.state[j] != over {
			left = append(left, j)
		}
	}
	k.dated = left
	return gone
}

// row writes a job as a list in the order of hello's columns, with an object of
// rarer demands behind where it has any.
func (s *Scheduler) row(b []byte, v *sim.View, j model.JobID) []byte {
	job := &v.Jobs[j]
	b = append(b, '[')
	for i, x := range [...]int64{s.jobs.id[j], int64(job.Submit), int64(job.Procs), int64(job.Limit), int64(job.User), int64(job.Group), int64(job.Queue)} {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, x)
	}
	if d := v.Demand(j); d != nil {
		more := struct {
			Due      int64            `json:"due,omitempty"`
			OnDue    string           `json:"on_due,omitempty"`
			Weight   float64          `json:"weight,omitempty"`
			Nodes    int32            `json:"nodes,omitempty"`
			PerNode  int32            `json:"per_node,omitempty"`
			Memory   int64            `json:"memory,omitempty"`
			Disk     int64            `json:"disk,omitempty"`
			GPUs     int32            `json:"gpus,omitempty"`
			Licences map[string]int32 `json:"licences,omitempty"`
			Clusters []int32          `json:"clusters,omitempty"`
		}{Due: int64(d.Due), Weight: d.Weight, Nodes: d.Nodes, PerNode: d.PerNode, Memory: d.MemPerNode, Disk: d.DiskPerNode, GPUs: d.GPUsPerNode, Clusters: d.Eligible}
		if d.Due > 0 && d.OnDue == model.DueKill {
			more.OnDue = "kill"
		}
		for _, l := range v.Site.Platform.Activates(d.Licences) {
			if more.Licences == nil {
				more.Licences = map[string]int32{}
			}
			more.Licences[v.Site.Platform.Licences[l.Licence].Name] += l.Copies
		}
		if text, err := json.Marshal(more); err == nil && len(text) > 2 {
			b = append(append(b, ','), text...)
		}
	}
	return append(b, ']')
}

// appendEnded writes a list of [id, time].
func (s *Scheduler) appendEnded(b []byte, key string, list []ended) []byte {
	b = append(append(b, key...), '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(append(b, '['), e.id)
		b = append(appendInt(append(b, ','), int64(e.at)), ']')
	}
	return append(b, ']')
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

func appendText(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // any string can be written
	}
	return append(b, quoted...)
}
