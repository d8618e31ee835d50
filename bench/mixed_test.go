package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// studied returns a real log as the study of mixed orders wants it.
func studied(b testing.TB, name string) *model.Workload {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		b.Skip("BATCHLAB_LOGS is not set: no real logs to measure with")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		b.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		b.Fatal(err)
	}
	log, err := swf.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	w, _, err := workload.FromLog(log, workload.Options{Overrun: workload.OverrunDrop, NoRequest: workload.NoRequestDrop})
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// study returns a laboratory of weeks 1 to 100 of SDSC-SP2.
func study(b testing.TB, w *model.Workload, features int) *mixed.Lab {
	s := mixed.Paper()
	s.First, s.Count, s.Features = 3, 100, features
	l, err := mixed.New(w, s)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// randomWeights draws a direction.
func randomWeights(n, features int) []policy.Weights {
	r := model.Stream(1, "bench/mixed", 0)
	list := make([]policy.Weights, n)
	for i := range list {
		raw := make([]float64, features)
		for k := range raw {
			raw[k] = 2*r.Float64() - 1
		}
		list[i], _ = policy.NewWeights(raw)
	}
	return list
}

const sdscSP2 = "SDSC-SP2-1998-4.2-cln.swf.gz"

// One-week simulations of SDSC-SP2, weeks 1 to 100, a second: EASY with mixed
// orders from all directions, the threshold and the slowdown included, on one
// core and on two ("x-one": times the first).
func BenchmarkWeeks(b *testing.B) {
	for _, c := range []struct {
		name     string
		features int
	}{{"3-features", 3}, {"6-features", policy.Features}} {
		one := 0.0
		for workers := 1; workers <= 2; workers++ {
			b.Run(fmt.Sprint(c.name, "/", workers), func(b *testing.B) {
				w := studied(b, sdscSP2)
				var labs []*mixed.Lab
				for range workers {
					labs = append(labs, study(b, w, c.features))
				}
				vectors := randomWeights(7, c.features)
				t := best(b, func() {
					var all sync.WaitGroup
					for k, l := range labs {
						all.Go(func() {
							for week := k; week < 100; week += workers {
								for _, w := range vectors {
									if _, err := l.Mixed(week, w); err != nil {
										b.Error(err)
									}
								}
							}
						})
					}
					all.Wait()
				})
				rate := 100 * float64(len(vectors)) / t
				if workers == 1 {
					one = rate
				}
				b.ReportMetric(rate, "weeks/s")
				b.ReportMetric(rate/one, "x-one")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// xNES with 3 features against a coverage, with a fifth of its evaluations, on
// the weeks of SDSC-SP2 that are not flat (the worst vector more than 5 % above
// the best): "%-within-2%" is the share of weeks in which the search comes
// within 2 % of the coverage's best, "x-sum" the sum of its values over that of
// the coverage's.
func BenchmarkSearch(b *testing.B) {
	for _, points := range []int{72, 100, 142} {
		b.Run(fmt.Sprint(points), func(b *testing.B) {
			w := studied(b, sdscSP2)
			const workers = 2
			var within, steep [workers]int
			var found, covered [workers]float64
			var size, budget int
			for b.Loop() {
				within, steep, found, covered = [workers]int{}, [workers]int{}, [workers]float64{}, [workers]float64{}
				var all sync.WaitGroup
				for k := range workers {
					l := study(b, w, 3)
					cover, err := l.Coverage(points)
					if err != nil {
						b.Fatal(err)
					}
					size, budget = cover.Len(), cover.Len()/5
					all.Go(func() {
						for week := k; week < 100; week += workers {
							a, err := l.Do(mixed.Chunk{Kind: mixed.KindCoverage, Week: week, Points: points, To: size}, nil)
							if err != nil {
								b.Error(err)
								return
							}
							least := slices.Min(a.Values)
							if slices.Max(a.Values) <= 1.05*least {
								continue
							}
							f, err := l.Find([]int{week}, mixed.Search{Budget: budget, Seed: 1, Lambda: mixed.DefaultLambda}, nil)
							if err != nil {
								b.Error(err)
								return
							}
							steep[k]++
							if f.Value <= 1.02*least {
								within[k]++
							}
							found[k] += f.Value
							covered[k] += least
						}
					})
				}
				all.Wait()
			}
			n := float64(steep[0] + steep[1])
			b.ReportMetric(float64(size), "coverage")
			b.ReportMetric(float64(budget), "budget")
			b.ReportMetric(100-n, "flat")
			b.ReportMetric(100*float64(within[0]+within[1])/n, "%-within-2%")
			b.ReportMetric((found[0]+found[1])/(covered[0]+covered[1]), "x-sum")
			b.ReportMetric(0, "ns/op")
		})
	}
}
