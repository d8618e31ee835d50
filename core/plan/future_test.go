package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// future is what a plan says of the time from an instant on, added up in the
// plain way: who holds what during [from, to).
type future struct {
	platform *model.Platform
	nodes    []model.Node
	held     []holding
}

type holding struct {
	from, to model.Time
	job      *model.Job
	demand   model.Demand
	claim    model.Claim
}

// check adds up, at every instant at which something begins, what every node,
// licence, user and class holds, and what the known calendar takes.
func (f *future) check(known func(*model.CalendarEntry) bool) error {
	for _, at := range f.held {
		if err := f.at(at.from, known); err != nil {
			return fmt.Errorf("planned for %d: %w", at.from, err)
		}
	}
	for i := range f.platform.Calendar {
		if c := &f.platform.Calendar[i]; known(c) {
			if err := f.at(c.From, known); err != nil {
				return fmt.Errorf("planned for %d, where the calendar takes something: %w", c.From, err)
			}
		}
	}
	return nil
}

func (f *future) at(t model.Time, known func(*model.CalendarEntry) bool) error {
	procs, gpus, away := make([]int32, len(f.nodes)), make([]int32, len(f.nodes)), make([]int32, len(f.nodes))
	mem, disk := make([]int64, len(f.nodes)), make([]int64, len(f.nodes))
	copies := make([]int32, len(f.platform.Licences))
	type who struct{ cluster, user int32 }
	users := map[who]int32{}
	classes := map[who]int32{}
	for i := range f.held {
		h := &f.held[i]
		if t < h.from || t >= h.to {
			continue
		}
		for _, part := range h.claim.Parts {
			n := part.Node
			procs[n] += part.Procs
			gpus[n] += h.demand.GPUsPerNode
			mem[n] += h.demand.MemPerNode
			disk[n] += h.demand.DiskPerNode
			users[who{h.claim.Cluster, h.job.User}] += part.Procs
			for k, c := range f.platform.Limits.Classes {
				if h.job.Limit > c.LongerThan {
					classes[who{h.claim.Cluster, int32(k)}] += part.Procs
				}
			}
		}
		for _, l := range h.demand.Licences {
			copies[l.Licence] += l.Copies
		}
	}
	for i := range f.platform.Calendar {
		c := &f.platform.Calendar[i]
		if !known(c) || t < c.From || t >= c.To {
			continue
		}
		for _, n := range c.Nodes {
			if procs[n] > 0 {
				return fmt.Errorf("%d processors of machine %d, which is away", procs[n], n)
			}
		}
		if len(c.Nodes) == 0 {
			n := slices.IndexFunc(f.nodes, func(n model.Node) bool { return n.Cluster == c.Cluster })
			away[n] = min(away[n]+c.Procs, f.nodes[n].Procs) // several may overlap
		}
	}
	for n := range f.nodes {
		node := &f.nodes[n]
		if procs[n] > node.Procs-away[n] || gpus[n] > node.GPUs || node.Mem > 0 && mem[n] > node.Mem || node.Disk > 0 && disk[n] > node.Disk {
			return fmt.Errorf("machine %d: %d of %d processors, %d of %d GPUs, %d of %d bytes, %d of %d of disk", n, procs[n], node.Procs-away[n], gpus[n], node.GPUs, mem[n], node.Mem, disk[n], node.Disk)
		}
	}
	for l := range copies {
		if have := f.platform.Licences[l].Copies; have > 0 && copies[l] > have {
			return fmt.Errorf("%d of %d copies of licence %d", copies[l], have, l)
		}
	}
	for k, n := range users {
		if most := f.platform.Limits.UserProcs; most > 0 && n > most {
			return fmt.Errorf("user %d holds %d processors of cluster %d, where %d are allowed", k.user, n, k.cluster, most)
		}
	}
	for k, n := range classes {
		if most := f.platform.Limits.Classes[k.user].Procs(f.platform.Clusters[k.cluster].Procs()); n > most {
			return fmt.Errorf("class %d holds %d processors of cluster %d, where %d are allowed", k.user, n, k.cluster, most)
		}
	}
	return nil
}

// At every instant the whole planned future is feasible: at no later moment are
// processors, memory, disk, GPUs or licences over-allocated, a limit exceeded, or
// nodes used that are known to be away; and each list is in the order of its
// starts. That holds on generated platforms, with and without optimisers, around
// outages and after failures.
func TestThePlannedFutureIsFeasible(t *testing.T) {
	passes := 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 9))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 3, jobs: 40, nodes: bit(), limits: seed%3 > 0, outages: bit(), failures: bit(), licences: rng.IntN(4) == 0, eligible: bit(), crowded: bit()}
		w, p := generated(rng, o)
		ways := map[string]*Scheduler{"conservative": NewConservative(), "plan": New(Options{})}
		for key, optimiser := range optimisers {
			ways[key] = New(Options{Optimiser: optimiser, Iterations: 25, Interval: 5, Weights: paperWeights, Tau: 10})
		}
		for name, s := range ways {
			ended := map[model.JobID]bool{}
			s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
				passes++
				for _, j := range v.Ended {
					ended[j] = true
				}
				f := &future{platform: p, nodes: p.Nodes()}
				hold := func(j model.JobID, from, to model.Time, claim model.Claim) {
					h := holding{from: max(from, v.Now), to: to, job: &v.Jobs[j], claim: claim}
					if d := v.Demand(j); d != nil {
						h.demand = *d
					}
					f.held = append(f.held, h)
				}
				for j := model.JobID(0); j < v.Next; j++ {
					if v.Start[j] != model.Never && !ended[j] {
						hold(j, v.Start[j], v.Start[j]+v.Limit(j, v.Held[j]), v.Held[j])
					}
				}
				last := make([]model.Time, len(p.Clusters))
				for _, e := range s.Plan().Expected() {
					hold(e.Job, e.Start, e.End, e.Claim)
					if e.Start < v.Now || e.Start < last[e.Claim.Cluster] {
						t.Fatalf("seed %d, %s: at %d, job index %d is planned for %d, out of order", seed, name, v.Now, e.Job, e.Start)
					}
					last[e.Claim.Cluster] = e.Start
				}
				if err := f.check(func(c *model.CalendarEntry) bool { return v.Known(c) && c.To > v.Now }); err != nil {
					t.Fatalf("seed %d, %s: at %d: %v", seed, name, v.Now, err)
				}
			}})
			run(t, fmt.Sprintf("seed %d, %s", seed, name), w, p, s)
		}
	}
	if passes < 10_000 {
		t.Errorf("%d passes prove little", passes)
	}
}
