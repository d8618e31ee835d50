package bench

import (
	"math/rand/v2"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// BenchmarkForesight prints what foresight costs, as a multiple of SAF's processor
// time on the same log, least of several, and in microseconds a pass.
//
//	BATCHLAB_LOGS=… go test ./bench -run - -bench Foresight -benchtime 5x
func BenchmarkForesight(b *testing.B) {
	for _, name := range []string{"SDSC-SP2-1998-4.2-cln", "HPC2N-2002-2.2-cln"} {
		w, _ := load(b, name+".swf.gz")
		least := map[string]time.Duration{}
		for _, key := range []string{"SAF", "F1", "F2"} {
			b.Run(name+"/"+key, func(b *testing.B) {
				play := counts(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF, Newest: true, UseThreshold: true, Threshold: 200000}, nil)
				if key == "F1" {
					play = counts(&policy.CountedForesight{ForesightOptions: policy.ForesightDefaults()}, kernel())
				} else if key == "F2" {
					play = sites(policy.NewForesight(rollouts()), kernel())
				}
				for range b.N {
					began := processor()
					if _, err := play(w, nil); err != nil {
						b.Fatal(err)
					}
					if took := processor() - began; least[key] == 0 || took < least[key] {
						least[key] = took
					}
				}
				b.ReportMetric(float64(least[key].Nanoseconds())/float64(len(w.Jobs)), "ns/job")
				if least["SAF"] > 0 {
					b.ReportMetric(float64(least[key])/float64(least["SAF"]), "×SAF")
				}
			})
		}
	}
}

// BenchmarkForesightBacklog prints what a decision costs with some 20,000 jobs
// waiting, in the way of RICC: few users with very many jobs that ask for few
// different things.
func BenchmarkForesightBacklog(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	w := &model.Workload{Processors: 8192}
	at := model.Time(0)
	for i := range 30000 {
		if i > 20000 {
			at += model.Time(r.IntN(60))
		} else if i%50 == 0 {
			at += model.Time(r.IntN(10))
		}
		user := int32(r.IntN(150) * r.IntN(150) / 150)
		limit := model.Time([]int{3600, 14400, 43200, 86400, 259200}[r.IntN(5)])
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 << r.IntN(9)), User: user, Executable: user})
		w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(r.IntN(int(limit))), LoggedWait: -1})
	}
	for range b.N {
		var m sim.CountedSimulator
		passes := &counting{CountedForesight: policy.CountedForesight{ForesightOptions: policy.ForesightDefaults()}}
		began := processor()
		if _, err := m.Run(w, model.OneCluster(w.Processors), passes, sim.Options{Book: &predict.Book{Predictor: predict.NewKernel(predict.KernelDefaults())}}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64((processor()-began).Nanoseconds())/1000/float64(passes.n), "µs/decision")
	}
}

// counting counts passes.
type counting struct {
	policy.CountedForesight
	n int
}

func (c *counting) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	c.n++
	return c.CountedForesight.Pass(v, starts)
}
