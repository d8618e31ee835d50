package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/sim"
)

// plainFarm schedules a farm as a beginner would write it down: at each instant
// it counts everything again. It returns each job's start and machine.
type plainFarm struct {
	w     *model.Workload
	p     *model.Platform
	nodes []model.Node
	power []int // machines, most powerful first

	start []model.Time // −1: not yet
	node  []int
	end   []model.Time // true end
	head  int          // of BF_UNMOD, −1 none

	queue, behind func(now model.Time, j int) float64 // of the kind "easy by score": the highest first
}

func newPlainFarm(w *model.Workload, p *model.Platform) *plainFarm {
	f := &plainFarm{w: w, p: p, nodes: p.Nodes(), start: make([]model.Time, len(w.Jobs)), node: make([]int, len(w.Jobs)), end: make([]model.Time, len(w.Jobs)), head: -1}
	for i := range f.nodes {
		f.power = append(f.power, i)
	}
	slices.SortStableFunc(f.power, func(a, b int) int {
		if f.nodes[a].Speed > f.nodes[b].Speed {
			return -1
		}
		return map[bool]int{true: 1, false: 0}[f.nodes[a].Speed < f.nodes[b].Speed]
	})
	for j := range f.start {
		f.start[j] = -1
	}
	return f
}

// takes returns how long something lasts on a machine.
func (f *plainFarm) takes(t model.Time, node int) model.Time {
	if !f.p.PowerScales {
		return t
	}
	return max(1, model.Time(math.Ceil(float64(t)/f.nodes[node].Speed)))
}

// hold is a promise that a job stays on a machine during [from, to).
type hold struct {
	job, node int
	from, to  model.Time
}

// fits says whether job j fits on a machine at one time beside all holds.
func (f *plainFarm) fits(j, node int, at model.Time, holds []hold) bool {
	d, n := f.w.Demand(model.JobID(j)), f.nodes[node]
	procs, mem := f.w.Jobs[j].Procs, d.MemPerNode
	for _, h := range holds {
		if h.node == node && h.from <= at && at < h.to {
			procs += f.w.Jobs[h.job].Procs
			mem += f.w.Demand(model.JobID(h.job)).MemPerNode
		}
	}
	if procs > n.Procs || n.Mem > 0 && mem > n.Mem {
		return false
	}
	for _, l := range d.Licences {
		licence := f.p.Licences[l.Licence]
		if !slices.Contains(n.Licences, licence.Name) {
			return false
		}
		used := l.Copies
		for _, h := range holds {
			if h.from <= at && at < h.to {
				for _, other := range f.w.Demand(model.JobID(h.job)).Licences {
					if other.Licence == l.Licence {
						used += other.Copies
					}
				}
			}
		}
		if licence.Copies > 0 && used > licence.Copies {
			return false
		}
	}
	return true
}

// run simulates; kind is fcfs, easy, bf-unmod or bf-mod.
func (f *plainFarm) run(kind string, weights PriorityWeights) {
	n := len(f.w.Jobs)
	for now := f.w.Jobs[0].Submit; ; {
		f.pass(kind, weights, now)
		next := model.Never
		for j := range n {
			if f.w.Jobs[j].Submit > now {
				next = min(next, f.w.Jobs[j].Submit)
			}
			if f.start[j] >= 0 && f.end[j] > now {
				next = min(next, f.end[j])
			}
		}
		if next == model.Never {
			return
		}
		now = next
	}
}

func (f *plainFarm) pass(kind string, weights PriorityWeights, now model.Time) {
	var waiting []int
	var holds []hold
	for j := range f.w.Jobs {
		switch {
		case f.start[j] < 0 && f.w.Jobs[j].Submit <= now:
			waiting = append(waiting, j)
		case f.start[j] >= 0 && f.end[j] > now:
			holds = append(holds, hold{j, f.node[j], f.start[j], f.start[j] + f.takes(f.w.Jobs[j].Limit, f.node[j])})
		}
	}
	priority := map[int]float64{}
	for _, j := range waiting {
		if kind == "easy by score" {
			priority[j] = f.queue(now, j)
		} else {
			priority[j] = f.priority(j, waiting, weights, now)
		}
	}
	first := func(rest []int) int {
		if kind == "bf-unmod" && f.head >= 0 {
			return f.head
		}
		best := rest[0]
		if kind == "bf-unmod" || kind == "bf-mod" || kind == "easy by score" {
			for _, j := range rest {
				if priority[j] > priority[best] {
					best = j
				}
			}
		}
		f.head = best
		return best
	}
	start := func(j, node int) {
		f.start[j], f.node[j] = now, node
		f.end[j] = now + f.takes(f.w.Executed(model.JobID(j)), node)
		holds = append(holds, hold{j, node, now, now + f.takes(f.w.Jobs[j].Limit, node)})
		waiting = slices.DeleteFunc(waiting, func(k int) bool { return k == j })
		if j == f.head {
			f.head = -1
		}
	}
	place := func(j int, at model.Time, holds []hold) int {
		for _, node := range f.power {
			if f.fits(j, node, at, holds) {
				return node
			}
		}
		return -1
	}
	for len(waiting) > 0 {
		j := first(waiting)
		node := place(j, now, holds)
		if node < 0 {
			break
		}
		start(j, node)
	}
	if len(waiting) == 0 || kind == "fcfs" {
		return
	}
	head := first(waiting)
	var ends []model.Time
	for _, h := range holds {
		ends = append(ends, h.to)
	}
	slices.Sort(ends)
	var kept hold
	for _, at := range ends {
		if node := place(head, at, holds); node >= 0 {
			kept = hold{head, node, at, model.Never}
			break
		}
	}
	rest := slices.DeleteFunc(slices.Clone(waiting), func(j int) bool { return j == head })
	if kind == "easy by score" {
		for _, j := range rest {
			priority[j] = f.behind(now, j)
		}
	}
	if kind != "easy" {
		slices.SortStableFunc(rest, func(a, b int) int {
			switch {
			case priority[a] > priority[b]:
				return -1
			case priority[a] < priority[b]:
				return 1
			}
			return 0
		})
	}
	for _, j := range rest {
		for _, node := range f.power { // the first machine on which the head is not delayed
			if !f.fits(j, node, now, holds) {
				continue
			}
			mine := hold{j, node, now, now + f.takes(f.w.Jobs[j].Limit, node)}
			if mine.to <= kept.from || f.fits(head, kept.node, kept.from, append(slices.Clone(holds), mine)) {
				start(j, node)
				break
			}
		}
	}
}

// priority is P(J) straight from the paper.
func (f *plainFarm) priority(j int, waiting []int, w PriorityWeights, now model.Time) float64 {
	job, d := f.w.Jobs[j], f.w.Demand(model.JobID(j))
	aging := w.Aging * float64(now-job.Submit)
	ex := float64(job.Limit)
	te := ex + float64(now)
	over := w.Range.K * ex
	deadline := w.Range.Min
	if due := float64(d.Due); d.Due > 0 {
		switch ts := due - over; {
		case te > due:
			deadline = 0
		case te >= ts:
			deadline = w.Range.Min + (w.Range.Max-w.Range.Min)/over*(te-ts)
		}
	}
	rho := func(l int32) float64 {
		requests := int32(0)
		for _, k := range waiting {
			for _, need := range f.w.Demand(model.JobID(k)).Licences {
				if need.Licence == l {
					requests += need.Copies
				}
			}
		}
		if f.p.Licences[l].Copies == 0 {
			return 0
		}
		return float64(requests) / float64(f.p.Licences[l].Copies)
	}
	plain := 0
	for l := range f.p.Licences {
		if r := rho(int32(l)); r > 0 && r <= 1 {
			plain++
		}
	}
	licences := 0.0
	for _, need := range d.Licences {
		if r := rho(need.Licence); r > 1 {
			licences += float64(max(plain, 1)) * r
		} else {
			licences += r
		}
	}
	least := math.Inf(1)
	for _, k := range waiting {
		least = min(least, float64(f.w.Jobs[k].Limit))
	}
	return aging + w.Deadline*deadline + w.Licences*licences + w.Wait*least/ex + w.Queue*float64(max(0, job.Queue))
}

// On small farms every scheduler agrees, job for job and machine for machine,
// with a plain one that counts everything again at each instant and computes
// whether a candidate delays the head by asking whether the head would still
// fit. Priorities of both are sums of the same terms in another order; what
// they decide does not differ.
func TestFarmTwins(t *testing.T) {
	machines := map[int]bool{}
	late := 0
	for seed := range uint64(250) {
		w, p := farm(rand.New(rand.NewPCG(seed, 4)))
		for name, s := range siteSchedulers() {
			if name == "easy spf" || name == "orig-bf" { // the latter has a twin of its own
				continue
			}
			var m sim.Simulator
			schedule, err := m.Run(w, p, s, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f := newPlainFarm(w, p)
			f.run(name, testWeights)
			for j, e := range schedule.Executions {
				node := schedule.Claims[e.Claim-1].Parts[0].Node
				if e.Start != f.start[j] || int(node) != f.node[j] {
					t.Fatalf("seed %d, %s: job index %d starts at %d on machine %d, the twin says %d on %d", seed, name, j, e.Start, node, f.start[j], f.node[j])
				}
				machines[int(node)] = true
				if e.Wait() > 0 {
					late++
				}
			}
		}
	}
	if len(machines) < 5 || late < 1000 {
		t.Errorf("the farms are too easy: %d machines used, %d jobs waited", len(machines), late)
	}
}

// Intent: orders by score, for the queue and for backfilling, on farms of
// machines with licences, deadlines and outages: the same jobs at the same times
// on the same machines as the plain one that sorts at each instant.
func TestFarmScores(t *testing.T) {
	scores := []struct {
		order QueueOrder
		of    func(w *model.Workload, procs float64) func(model.Time, int) float64
	}{
		{QueueOrder{Order: Mixed, Weights: Weights{0.25, -0.25, 0.25, 0, 0, 0.25}}, func(w *model.Workload, procs float64) func(model.Time, int) float64 {
			return func(now model.Time, j int) float64 {
				job := &w.Jobs[j]
				q, p, age, a := float64(job.Procs)/procs, float64(job.Limit)/86400, float64(-job.Submit)/86400, float64(job.Limit*model.Time(job.Procs))/(86400*procs)
				return q*0.25 - p*0.25 + age*0.25 + a*0.25
			}
		}},
		{QueueOrder{Order: Mixed, Weights: Weights{0, 0, 0.25, 0, -0.75, 0}}, func(w *model.Workload, procs float64) func(model.Time, int) float64 {
			return func(now model.Time, j int) float64 {
				job := &w.Jobs[j]
				return float64(-job.Submit)/86400*0.25 - float64(now-job.Submit+job.Limit)/float64(job.Limit)*0.75
			}
		}},
		{QueueOrder{Order: Formula, Formula: mustFormula("-due")}, func(w *model.Workload, _ float64) func(model.Time, int) float64 {
			return func(_ model.Time, j int) float64 {
				if due := w.Demand(model.JobID(j)).Due; due > 0 {
					return -float64(due)
				}
				return -1e15
			}
		}},
		{QueueOrder{Order: Formula, Formula: mustFormula("max(due - submit - wait - p, 0) * -q + wait")}, func(w *model.Workload, _ float64) func(model.Time, int) float64 {
			return func(now model.Time, j int) float64 {
				job, due := &w.Jobs[j], 1e15
				if d := w.Demand(model.JobID(j)).Due; d > 0 {
					due = float64(d)
				}
				wait := float64(now - job.Submit)
				slack := max(due-float64(job.Submit)-wait-float64(job.Limit), 0)
				return slack*-float64(job.Procs) + wait
			}
		}},
	}
	late := 0
	for seed := range uint64(200) {
		w, p := farm(rand.New(rand.NewPCG(seed, 6)))
		queue, behind := &scores[seed%4], &scores[seed/4%4]
		q, b := queue.order, behind.order
		s := NewEASY(&CountedEASY{
			Order: q.Order, Weights: q.Weights, Formula: q.Formula,
			Backfill: b.Order, BackfillWeights: b.Weights, BackfillFormula: b.Formula,
		})
		var m sim.Simulator
		schedule, err := m.Run(w, p, s, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := newPlainFarm(w, p)
		f.queue, f.behind = queue.of(w, float64(p.Procs())), behind.of(w, float64(p.Procs()))
		f.run("easy by score", testWeights)
		for j, e := range schedule.Executions {
			node := schedule.Claims[e.Claim-1].Parts[0].Node
			if e.Start != f.start[j] || int(node) != f.node[j] {
				t.Fatalf("seed %d: job index %d starts at %d on machine %d, the twin says %d on %d", seed, j, e.Start, node, f.start[j], f.node[j])
			}
			if e.Wait() > 0 {
				late++
			}
		}
	}
	if late < 1000 {
		t.Errorf("the farms are too easy: %d jobs waited", late)
	}
}

func mustFormula(text string) *expr.Program {
	f, err := NewFormula(text)
	if err != nil {
		panic(err)
	}
	return f
}

// BF_MOD moves its reservation to another job when that has a higher priority,
// and BF_UNMOD does not: otherwise the two would be one.
func TestModDiffers(t *testing.T) {
	differ := 0
	for seed := range uint64(50) {
		w, p := farm(rand.New(rand.NewPCG(seed, 5)))
		var m, n sim.Simulator
		a, err := m.Run(w, p, NewBFUnmod(testWeights), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := n.Run(w, p, NewBFMod(testWeights), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !sameRuns(a.Executions, b.Executions) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("BF_MOD and BF_UNMOD gave the same schedule on every farm")
	}
}
