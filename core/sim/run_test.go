package sim

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// twoMachines are machines of 4 and 2 processors, the second more powerful, and
// a licence with one copy that only the first can activate.
func twoMachines() *model.Platform {
	return &model.Platform{
		Clusters: []model.Cluster{{Name: "farm", Packing: model.PackMachine, Groups: []model.NodeGroup{
			{Count: 1, Procs: 4, Speed: 1, Licences: []string{"cad"}}, {Count: 1, Procs: 2, Speed: 2}}}},
		Licences: []model.Licence{{Name: "cad", Copies: 1}},
	}
}

// script decides what it is told, whatever happens.
type script struct {
	say  func(v *View) []Decision
	wake model.Time
}

func (s *script) Reset(*View) {}
func (s *script) Decide(v *View, out []Decision) []Decision {
	return append(out, s.say(v)...)
}
func (s *script) Wake() model.Time { return s.wake }

func at(node, procs int32) model.Claim {
	return model.Claim{Parts: []model.Part{{Node: node, Procs: procs}}}
}

func work(jobs ...model.Job) *model.Workload {
	w := &model.Workload{Demands: []model.Demand{{Licences: []model.LicenceNeed{{Licence: 0, Copies: 1}}}}}
	for i, j := range jobs {
		j.Number = int64(i + 1)
		w.Jobs, w.Truth = append(w.Jobs, j), append(w.Truth, model.Truth{Run: j.Limit})
	}
	return w
}

// The engine refuses what cannot start, by name, and what makes no sense before
// the first instant.
func TestSiteRefuses(t *testing.T) {
	two := model.Job{Limit: 10, Procs: 2}
	licensed := model.Job{Limit: 10, Procs: 1, Demand: 1}
	start := func(d ...Decision) func(*View) []Decision {
		return func(*View) []Decision { return d }
	}
	spread := &model.Platform{Clusters: []model.Cluster{{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 3, Procs: 2}}}}}
	outage := twoMachines()
	outage.Calendar = []model.CalendarEntry{{Kind: model.KindOutage, From: 5, To: 9, Nodes: []int32{1}}}
	backwards := twoMachines()
	backwards.Calendar = []model.CalendarEntry{{Name: "x", From: 5, To: 5, Nodes: []int32{1}}}
	for want, c := range map[string]struct {
		p   *model.Platform
		w   *model.Workload
		say func(*View) []Decision
	}{
		"0 processors of machine 1 are free, not 2":      {twoMachines(), work(two, two), start(Decision{Job: 0, Claim: at(1, 2)}, Decision{Job: 1, Claim: at(1, 2)})},
		"0 copies of licence \"cad\" are free":           {twoMachines(), work(licensed, licensed), start(Decision{Job: 0, Claim: at(0, 1)}, Decision{Job: 1, Claim: at(0, 1)})},
		"machine 1 is not suitable":                      {twoMachines(), work(licensed), start(Decision{Job: 0, Claim: at(1, 1)})},
		"the claim has 1 processors, not 2":              {twoMachines(), work(two), start(Decision{Job: 0, Claim: at(0, 1)})},
		"there is no machine 2":                          {twoMachines(), work(two), start(Decision{Job: 0, Claim: at(2, 2)})},
		"which does not wait":                            {twoMachines(), work(two), start(Decision{Job: 0, Claim: at(0, 2)}, Decision{Job: 0, Claim: at(1, 2)})},
		"leaves 1 jobs waiting on an idle site":          {twoMachines(), work(two), start()},
		"job 1 can never start: no machine can hold its": {twoMachines(), work(model.Job{Limit: 1, Procs: 5}), start()},
		"into a reservation or outage on machine 1 at 5": {outage, work(two), start(Decision{Job: 0, Claim: at(1, 2)})},
		"calendar entry 0 (x) ends at 5, not after":      {backwards, work(two), start()},
		"machine 0, or it stands twice":                  {spread, work(two), start(Decision{Job: 0, Claim: model.Claim{Parts: []model.Part{{Node: 0, Procs: 1}, {Node: 0, Procs: 1}}}})},
		"too large":                                      {twoMachines(), work(model.Job{Limit: 1 << 62, Procs: 1}), start()},
	} {
		var m Simulator
		_, err := m.Run(c.w, c.p, &script{c.say, model.Never}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	many := work(licensed)
	many.Demands[0].Licences[0].Copies = 2
	var m Simulator
	if _, err := m.Run(many, twoMachines(), &script{start(), model.Never}, Options{}); err == nil || !strings.Contains(err.Error(), `needs 2 copies of licence "cad", of which there are 1`) {
		t.Errorf("two copies of one: %v", err)
	}
}

// A planner's wake is an instant of its own; a rejected job ends without a
// start; run times shrink with the machine's power when that is asked for.
func TestSiteWakeRejectPower(t *testing.T) {
	p := twoMachines()
	p.PowerScales = true
	w := work(model.Job{Limit: 11, Procs: 1}, model.Job{Limit: 10, Procs: 1})
	s := &script{wake: 7}
	s.say = func(v *View) []Decision {
		if v.Now < 7 {
			return []Decision{{Verb: Reject, Job: 1}}
		}
		s.wake = model.Never
		if v.Start[0] != model.Never {
			return nil
		}
		return []Decision{{Job: 0, Claim: at(1, 1)}}
	}
	var m Simulator
	schedule, err := m.Run(w, p, s, Options{})
	if err == nil {
		err = schedule.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b := schedule.Executions[0], schedule.Executions[1]
	if a.Start != 7 || a.End != 13 || b.Reason != model.EndRejected || b.Start != -1 {
		t.Errorf("%+v and %+v", a, b)
	}
	s.wake = 3
	s.say = func(*View) []Decision { return nil }
	if _, err := m.Run(w, p, s, Options{}); err == nil || !strings.Contains(err.Error(), "plans a start at 3, which is past") {
		t.Errorf("a wake that never comes true: %v", err)
	}
	s.wake = model.Never
	if _, err := m.Run(w, p, s, Options{Watch: func(*View) bool { return false }}); !errors.Is(err, ErrCancelled) {
		t.Errorf("a watch that stops: %v", err)
	}
}

// Jobs that ask for nodes × processors per node, or for processors that may be
// spread, get them on nodes of one cluster; the proof finds what is wrong.
func TestSiteNodes(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 2, Mem: 10, GPUs: 1}}},
		{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 3, Procs: 4, Speed: 2, Mem: 5}}},
	}}
	site, err := resource.NewSite(p)
	if err != nil {
		t.Fatal(err)
	}
	job := model.Job{Procs: 4, Limit: 1}
	pool := site.NewPool()
	place := func(d model.Demand) (string, model.Claim) {
		n := site.Need(&job, &d)
		c, ok := pool.Place(&n)
		if !ok || !pool.Fits(&n) {
			return "nowhere", c
		}
		text := ""
		for _, part := range c.Parts {
			text += string(rune('0'+part.Node)) + ":" + string(rune('0'+part.Procs)) + " "
		}
		return text, c
	}
	for want, d := range map[string]model.Demand{
		"2:2 3:2 ": {Nodes: 2, PerNode: 2},
		"2:4 ":     {},
		"0:2 1:2 ": {MemPerNode: 6},
		"nowhere":  {Nodes: 4, PerNode: 1, MemPerNode: 11},
	} {
		if got, _ := place(d); got != want {
			t.Errorf("%+v: %s, want %s", d, got, want)
		}
	}
	gpus := model.Demand{Nodes: 2, PerNode: 2, GPUsPerNode: 1}
	got, c := place(gpus)
	n := site.Need(&job, &gpus)
	pool.Take(&n, c)
	if full, _ := place(gpus); got != "0:2 1:2 " || full != "nowhere" {
		t.Errorf("GPUs at %s, then %s", got, full)
	}
	pool.Give(&n, c)
	if again, _ := place(gpus); again != got {
		t.Errorf("given back, then at %s", again)
	}
}
