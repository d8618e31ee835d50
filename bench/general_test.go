package bench

import (
	"fmt"
	"math"
	"testing"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/predict"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// overload makes jobs for a farm that come faster than it can run them, each of
// the licences needed by a share of them, and 70 % with a deadline.
func overload(tb testing.TB, jobs, machines, licences int, interarrival, share float64) (*model.Workload, *model.Platform) {
	e := experiment.New()
	generator, err := experiment.NewGenerator("farm")
	if err != nil {
		tb.Fatal(err)
	}
	farm, err := experiment.NewMachines("farm-machines")
	if err != nil {
		tb.Fatal(err)
	}
	for key, v := range map[string]any{"jobs": int64(jobs), "interarrival": interarrival} {
		if err := generator.SetParam(key, v); err != nil {
			tb.Fatal(err)
		}
	}
	params := map[string]any{"machines": int64(machines), "licences": int64(licences)}
	for key, v := range params {
		if err := farm.SetParam(key, v); err != nil {
			tb.Fatal(err)
		}
	}
	e.Workload.Source.Generator, e.Platform.Generator = generator, farm
	e.Workload.Annotate.Deadlines.Share = 0.7
	e.Workload.Annotate.Licences = []experiment.LicenceRule{{Licence: "*", Share: share, Copies: 1}}
	if _, err := e.Add("bf-mod"); err != nil {
		tb.Fatal(err)
	}
	p, err := lab.Prepare(e, lab.Env{})
	if err != nil {
		tb.Fatal(err)
	}
	w, _, err := p.Workload(0)
	if err != nil {
		tb.Fatal(err)
	}
	platform, err := workload.MachinesSeeded("farm-machines", params, e.Seed, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return w, platform
}

// farmWeights are the defaults of the catalog.
var farmWeights = policy.PriorityWeights{Aging: 0.01, Deadline: 1, Licences: 1, Wait: 2, Range: policy.DeadlineRange{Min: 0.1, Max: 20, K: 1.3}}

// The schedulers that run on farms.
var general = []struct {
	name string
	make func() sim.Scheduler
}{
	{"fcfs", func() sim.Scheduler { return &policy.FCFS{} }},
	{"easy", func() sim.Scheduler { return policy.NewEASY(&policy.CountedEASY{}) }},
	{"easy-saf-spf", func() sim.Scheduler {
		return policy.NewEASY(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF})
	}},
	{"bf-unmod", func() sim.Scheduler { return policy.NewBFUnmod(farmWeights) }},
	{"bf-mod", func() sim.Scheduler { return policy.NewBFMod(farmWeights) }},
}

// took returns the least time of a few runs, in seconds of the processor where
// the system tells it.
func took(b *testing.B, rounds int, run func() error) float64 {
	least := math.Inf(1)
	for range rounds {
		began, wall := processor(), time.Now()
		if err := run(); err != nil {
			b.Fatal(err)
		}
		one := (processor() - began).Seconds()
		if one <= 0 {
			one = time.Since(wall).Seconds()
		}
		least = min(least, one)
	}
	return least
}

// An overloaded farm: a job comes every 4 s on a mean, twice of what it can run.
// "x-3000" is the time as a multiple of that of 3,000 jobs.
func BenchmarkOverload(b *testing.B) {
	for _, s := range general {
		few := 0.0
		for _, n := range []int{3000, 10000, 30000} {
			b.Run(fmt.Sprint(s.name, "/", n), func(b *testing.B) {
				w, p := overload(b, n, 100, 20, 4, 0.3)
				var m sim.Simulator
				t := took(b, 1+9000/n, func() error {
					_, err := m.Run(w, p, s.make(), sim.Options{})
					return err
				})
				if n == 3000 {
					few = t
				}
				b.ReportMetric(t, "s")
				b.ReportMetric(t/few, "x-3000")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// 100,000 jobs on 1,000 machines with 50 licences, at the load of the study's
// second heaviest point and at its heaviest.
func BenchmarkLargeFarm(b *testing.B) {
	for _, every := range []float64{0.6, 0.4} {
		for _, s := range general {
			b.Run(fmt.Sprint("every-", every, "/", s.name), func(b *testing.B) {
				w, p := overload(b, 100000, 1000, 50, every, 0.12)
				var m sim.Simulator
				b.ReportMetric(took(b, 1, func() error {
					_, err := m.Run(w, p, s.make(), sim.Options{})
					return err
				}), "s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// twoForms are schedulers with a form by counts beside the general one.
var twoForms = []struct {
	name    string
	counted func() sim.CountedScheduler
	general func() sim.Scheduler
}{
	{"fcfs", func() sim.CountedScheduler { return &policy.CountedFCFS{} }, func() sim.Scheduler { return &policy.FCFS{} }},
	{"easy", func() sim.CountedScheduler { return &policy.CountedEASY{} }, func() sim.Scheduler { return policy.NewEASY(&policy.CountedEASY{}) }},
	{"easy-saf-spf", func() sim.CountedScheduler { return &policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF} },
		func() sim.Scheduler {
			return policy.NewEASY(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF})
		}},
	{"easy-lexp-spf", func() sim.CountedScheduler { return &policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SPF} },
		func() sim.Scheduler {
			return policy.NewEASY(&policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SPF})
		}},
	{"conservative", func() sim.CountedScheduler { return &policy.CountedConservative{} }, func() sim.Scheduler { return plan.NewConservative() }},
	{"foresight", func() sim.CountedScheduler {
		return &policy.CountedForesight{ForesightOptions: policy.ForesightDefaults()}
	}, func() sim.Scheduler { return policy.NewForesight(policy.ForesightDefaults()) }},
}

// general adds the runs of the general forms on one counted cluster, told as multiples
// of the counted ones, beside shares of reservations, too.
func (c *contest) general(w *model.Workload, p *model.Platform, reserved bool) {
	var fast sim.CountedSimulator
	var m sim.Simulator
	for _, s := range twoForms {
		foretells := s.name == "foresight"
		o := func() (o sim.Options) {
			if foretells {
				o.Book = &predict.Book{Predictor: predict.NewKernel(predict.KernelDefaults())}
			}
			return o
		}
		counted := s.counted()
		of := c.add(s.name, -1, func() error { _, err := fast.Run(w, p, counted, o()); return err })
		c.add(s.name+"-general", of, func() error { _, err := m.Run(w, p, s.general(), o()); return err })
		if !reserved || foretells || s.name == "easy-lexp-spf" {
			continue
		}
		for _, share := range []float64{0.3, 1} {
			rule := workload.ReservationRule{Share: share, Part: 1, FactorMin: 1, FactorMax: 1}
			jobs := workload.Reserve(w, &rule, workload.Streams(1, 0))
			run, slow := byCounts(p, s.counted()), generally(p, s.general)
			name := fmt.Sprintf("%s+%.0f%%", s.name, 100*share)
			c.add(name+"-general", c.add(name, -1, func() error { return run(jobs) }), func() error { return slow(jobs) })
		}
	}
}

// BenchmarkGeneral prints what the general forms take on one counted cluster, as multiples
// of the forms by counts, in processor time, by turns. A form by counts is worth its lines
// where that is twice as much.
func BenchmarkGeneral(b *testing.B) {
	onLogs(b, func(b *testing.B, c *contest, w *model.Workload, p *model.Platform, reserved bool) {
		c.general(w, p, reserved)
		c.turns(b, 5)
		c.report(b)
	})
	b.Run("daily", func(b *testing.B) {
		w, p := generated(b, 100_000)
		c := &contest{}
		c.general(w, p, false)
		c.turns(b, 5)
		c.report(b)
	})
}
