package bench

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/predict"
	"batchlab/core/search"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// TestFurther tries what might go beyond foresight, by the rule of nested weeks: what
// is chosen is chosen on the odd weeks of SDSC-SP2, KTH-SP2 and HPC2N and judged on
// the even ones; what was frozen is judged once, with BATCHLAB_STUDY=judge, on other
// logs. It prints ratios of the sums of weekly mean bounded slowdowns to SAF's and
// asserts nothing. BATCHLAB_TRY names the policies and BATCHLAB_ON a
// log, all where they are not set.
//
//	BATCHLAB_STUDY=choose BATCHLAB_LOGS=… nice go test ./bench -run Further -v -timeout 2h
func TestFurther(t *testing.T) {
	logs := map[string][]string{
		"choose": {"SDSC-SP2-1998-4.2-cln", "KTH-SP2-1996-2.1-cln", "HPC2N-2002-2.2-cln"},
		"judge":  {"NASA-iPSC-1993-3.1-cln", "CERIT-SC-wagap-2013.alea21", "daily 1", "daily 2"},
	}[os.Getenv("BATCHLAB_STUDY")]
	if logs == nil {
		t.Skip("BATCHLAB_STUDY is not choose or judge: a study of an hour")
	}
	try, on := os.Getenv("BATCHLAB_TRY"), os.Getenv("BATCHLAB_ON")
	for _, length := range []model.Time{workload.Week, 86400, workload.Month} {
		for _, one := range tried {
			if try != "" && !strings.Contains(","+try+",", ","+one.name+",") || length != workload.Week && !one.every {
				continue
			}
			for _, name := range logs {
				if !strings.Contains(name, on) {
					continue
				}
				windows, past := windowsOf(t, name, length)
				saf := play(t, windows, past, tried[0])
				got := saf
				if one.name != "SAF" {
					got = play(t, windows, past, one)
				}
				ratio := func(parity int) float64 {
					a, b := 0.0, 0.0
					for i := range windows {
						if parity < 0 || windows[i].Index%2 == parity {
							a, b = a+got[i], b+saf[i]
						}
					}
					return a / b
				}
				fmt.Printf("%8d s  %-24s %-28s odd %.3f  even %.3f  all %.3f\n", length, one.name, name, ratio(1), ratio(0), ratio(-1))
			}
		}
	}
}

func windowsOf(t *testing.T, name string, length model.Time) ([]workload.Window, *predict.Completions) {
	var w *model.Workload
	if seed, made := strings.CutPrefix(name, "daily "); made {
		n, _ := strconv.ParseUint(seed, 10, 64)
		log, err := workload.GenerateSeeded("daily", map[string]any{"jobs": int64(20000), "processors": int64(128), "load": 0.95}, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		if w, _, err = workload.FromLog(log, workload.Options{Overrun: workload.OverrunDrop}); err != nil {
			t.Fatal(err)
		}
	} else {
		w = withoutOverruns(t, name+".swf.gz")
	}
	windows, _, err := workload.Cut(w, length, 0)
	if err != nil {
		t.Fatal(err)
	}
	some := windows[:0]
	for _, v := range windows {
		if len(v.Workload.Jobs) > 0 {
			some = append(some, v)
		}
	}
	return some, predict.NewCompletions(w)
}

// play returns the mean bounded slowdown of each window.
func play(t *testing.T, windows []workload.Window, past *predict.Completions, one tryOut) []float64 {
	out := make([]float64, len(windows))
	run := one.make()
	for i := range windows {
		v := &windows[i]
		s, err := run(&v.Workload, past.Before(v.From))
		if err != nil {
			t.Fatalf("%s: %v", one.name, err)
		}
		for k := range s.Executions {
			x := &s.Executions[k]
			out[i] += max(1, float64(x.End-x.Submit)/float64(max(x.End-x.Start, 60)))
		}
		if out[i] /= float64(len(s.Executions)); math.IsNaN(out[i]) {
			out[i] = 0
		}
	}
	return out
}

type player func(w *model.Workload, past []predict.Past) (*model.Schedule, error)

// tryOut is a policy that is tried; every: on days and months, too.
type tryOut struct {
	name  string
	every bool
	make  func() player
}

func kernel() predict.Predictor { return predict.NewKernel(predict.KernelDefaults()) }

// counts plays a scheduler of counted processors, sites one of any platform.
func counts(s sim.CountedScheduler, predictor predict.Predictor) player {
	m := new(sim.CountedSimulator)
	return func(w *model.Workload, past []predict.Past) (*model.Schedule, error) {
		o := sim.Options{}
		if predictor != nil {
			o.Book = &predict.Book{Predictor: predictor, History: past}
		}
		return m.Run(w, model.OneCluster(w.Processors), s, o)
	}
}

func sites(s sim.Scheduler, predictor predict.Predictor) player {
	return func(w *model.Workload, past []predict.Past) (*model.Schedule, error) {
		return new(sim.Simulator).Run(w, model.OneCluster(w.Processors), s, sim.Options{Book: &predict.Book{Predictor: predictor, History: past}})
	}
}

func ahead(o policy.Order) *policy.Lineup {
	return &policy.Lineup{QueueOrder: policy.QueueOrder{Order: o, Newest: true, Foretold: true}}
}

// rollouts are the options of foresight with rollouts.
func rollouts() policy.ForesightOptions {
	o, r := policy.ForesightDefaults(), policy.RolloutDefaults()
	o.Rollout = &r
	return o
}

func foresees(o plan.Options) func() player {
	o.Foretold, o.Tau = true, 60
	return func() player { return sites(plan.New(o), kernel()) }
}

// tried are the policies; the first is what all are compared with.
var tried = []tryOut{
	{"SAF", true, func() player {
		return counts(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF, Newest: true, UseThreshold: true, Threshold: threshold}, nil)
	}},
	{"F1", true, func() player {
		return counts(&policy.CountedForesight{ForesightOptions: policy.ForesightDefaults()}, kernel())
	}},
	{"F2", true, func() player { return sites(policy.NewForesight(rollouts()), kernel()) }},
	{"plain F1", false, func() player { return counts(&sorted{}, kernel()) }},
	{"conservative", false, foresees(plan.Options{Replan: true, Newest: true})},
	{"conservative SAF", false, func() player {
		return foresees(plan.Options{Replan: true, Order: ahead(policy.SAF)})()
	}},
	{"conservative SPF", false, func() player {
		return foresees(plan.Options{Replan: true, Order: ahead(policy.SPF)})()
	}},
	{"plan search", false, foresees(plan.Options{Optimiser: search.RandomSearch{}, Iterations: 100, Interval: 600, Weights: search.Weights{0, 1, 0}, Objective: plan.Objective{Waiting: true}})},
	{"scenario search 50", false, func() player { return counts(&sorted{moves: 50, scenarios: 8}, kernel()) }},
	{"scenario search 200", false, func() player { return counts(&sorted{moves: 200, scenarios: 8}, kernel()) }},
	{"bandit 6 h", false, func() player { _, s := newBandit(6 * 3600); return counts(s, kernel()) }},
	{"bandit 24 h", false, func() player { _, s := newBandit(86400); return counts(s, kernel()) }},
	{"groups 2 of 5", false, func() player {
		return sites(policy.NewForesight(policy.ForesightDefaults()), &grouped{Kernel: predict.NewKernel(predict.KernelDefaults()), least: 2, window: 5})
	}},
	{"groups 5 of 20", false, func() player {
		return sites(policy.NewForesight(policy.ForesightDefaults()), &grouped{Kernel: predict.NewKernel(predict.KernelDefaults()), least: 5, window: 20})
	}},
}
