package bench

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// contest is a set of runs that are compared with each other.
type contest struct {
	runs []contestant
}

// contestant is a run, told as a multiple of the least time of another one.
type contestant struct {
	name  string
	base  int // index of that one; its own: seconds are told
	least float64
	run   func() error
}

// add appends a run and returns its index; base −1: its own.
func (c *contest) add(name string, base int, run func() error) int {
	at := len(c.runs)
	if base < 0 {
		base = at
	}
	c.runs = append(c.runs, contestant{name, base, math.Inf(1), run})
	return at
}

// turns runs all by turns, so that what disturbs the machine disturbs all of them:
// rounds times, one that takes seconds less often. It keeps the least processor
// time of each.
func (c *contest) turns(b *testing.B, rounds int) {
	for round := range rounds {
		for i := range c.runs {
			if r := &c.runs[i]; round < 3 || r.least < 2 {
				r.least = min(r.least, took(b, 1, r.run))
			}
		}
	}
}

// counted adds the runs of the counted forms of a log beside its event floor:
// of EASY's schedule.
func (c *contest) counted(b *testing.B, w *model.Workload, p *model.Platform) (fcfs, easy, conservative int) {
	var m sim.CountedSimulator
	run := func(s sim.CountedScheduler) func() error {
		return func() error {
			_, err := m.Run(w, p, s, sim.Options{})
			return err
		}
	}
	s, err := m.Run(w, p, &policy.CountedEASY{}, sim.Options{})
	if err != nil {
		b.Fatal(err)
	}
	floor := c.add("floor", -1, run(newFloor(s)))
	fcfs = c.add("fcfs", floor, run(&policy.CountedFCFS{}))
	easy = c.add("easy", floor, run(&policy.CountedEASY{}))
	conservative = c.add("conservative", floor, run(&policy.CountedConservative{}))
	return fcfs, easy, conservative
}

// reserved adds runs with shares of the jobs as reservations, for what they
// asked for, told as multiples of the counted run without.
func (c *contest) reserved(w *model.Workload, name string, without int, run func(jobs *model.Workload) error) {
	for _, share := range []float64{0.3, 0.6, 1} {
		rule := workload.ReservationRule{Share: share, Part: 1, FactorMin: 1, FactorMax: 1}
		jobs := workload.Reserve(w, &rule, workload.Streams(1, 0))
		c.add(fmt.Sprintf("%s+%.0f%%", name, 100*share), without, func() error { return run(jobs) })
	}
}

// byCounts runs a scheduler beside reservations by counts.
func byCounts(p *model.Platform, s sim.CountedScheduler) func(*model.Workload) error {
	var m sim.CountedSimulator
	o := sim.Options{CountedDesk: &reserve.Counted{}}
	return func(jobs *model.Workload) error {
		_, err := m.Run(jobs, p, s, o)
		return err
	}
}

// generally runs a scheduler beside reservations in the general form.
func generally(p *model.Platform, make func() sim.Scheduler) func(*model.Workload) error {
	var m sim.Simulator
	return func(jobs *model.Workload) error {
		_, err := m.Run(jobs, p, make(), sim.Options{Desk: &reserve.Desk{}})
		return err
	}
}

// onLogs runs a contest on each log that is there; reserved: beside reservations as well.
func onLogs(b *testing.B, on func(b *testing.B, c *contest, w *model.Workload, p *model.Platform, reserved bool)) {
	for _, l := range []struct{ name, file string }{
		{"SDSC-SP2", "SDSC-SP2-1998-4.2-cln.swf.gz"}, {"CTC-SP2", "CTC-SP2-1996-3.1-cln.swf.gz"},
		{"SDSC-BLUE", "SDSC-BLUE-2000-4.2-cln.swf.gz"}, {"CEA-Curie", "CEA-Curie-2011-2.1-cln.swf.gz"},
	} {
		b.Run(l.name, func(b *testing.B) {
			if _, err := os.Stat(filepath.Join(os.Getenv("BATCHLAB_LOGS"), l.file)); err != nil {
				b.Skip("this log is not in BATCHLAB_LOGS")
			}
			w, p := load(b, l.file)
			on(b, &contest{}, w, p, l.name != "CEA-Curie")
		})
	}
}

// BenchmarkRatios prints what schedulers cost as ratios from one run, in processor
// time, by turns: multiples of the event floor, and, with reservations, of the
// counted run without; on a log of RICC's shape, of EASY. Logs that are not in
// BATCHLAB_LOGS are left out.
func BenchmarkRatios(b *testing.B) {
	onLogs(b, func(b *testing.B, c *contest, w *model.Workload, p *model.Platform, reserved bool) {
		fcfs, easy, conservative := c.counted(b, w, p)
		if reserved {
			c.reserved(w, "fcfs", fcfs, byCounts(p, &policy.CountedFCFS{}))
			c.reserved(w, "easy", easy, byCounts(p, &policy.CountedEASY{}))
			c.reserved(w, "conservative", conservative, byCounts(p, &policy.CountedConservative{}))
		}
		c.turns(b, 8)
		c.report(b)
	})
	b.Run("RICC-like", func(b *testing.B) {
		w, p := bursts(450_000, 8192, 1)
		c := &contest{}
		_, easy, conservative := c.counted(b, w, p)
		c.runs[conservative].base = easy
		c.turns(b, 5)
		c.report(b)
	})
}

// report tells each run's ratio, or its seconds where nothing is there to compare with.
func (c *contest) report(b *testing.B) {
	for i := range c.runs {
		r := &c.runs[i]
		if r.base == i {
			b.ReportMetric(1000*r.least, r.name+"-ms")
		} else {
			b.ReportMetric(r.least/c.runs[r.base].least, r.name)
		}
	}
	b.ReportMetric(0, "ns/op")
}
