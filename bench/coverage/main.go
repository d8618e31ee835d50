// Coverage measures how often the 95 % intervals of resampled logs hold the
// truth. It draws many logs from processes whose long-run means are known,
// resamples each as an experiment would, and counts. It is run by hand:
//
//	go run ./bench/coverage                           # 1,000 logs of 12 weeks by 20 draws, minutes
//	go run ./bench/coverage -weeks 36 -process stays -by weeks -block 4
//
// docs/reading-the-charts.md holds the figures.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// sample is what one workload gives: measures of three schedulers.
type sample struct{ wait, slowdown [3]float64 }

// bench simulates with the same memory again and again.
type bench struct {
	counts     sim.CountedSimulator
	schedulers [3]sim.CountedScheduler
}

func newBench() *bench {
	return &bench{schedulers: [3]sim.CountedScheduler{&policy.CountedFCFS{}, &policy.CountedEASY{}, &policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF}}}
}

func (b *bench) measure(w *model.Workload) (x sample, err error) {
	for i, s := range b.schedulers {
		schedule, err := b.counts.Run(w, model.OneCluster(w.Processors), s, sim.Options{})
		if err != nil {
			return x, err
		}
		o := metric.Options{Tau: 10}
		x.wait[i], x.slowdown[i] = metric.MeanWait(schedule, o), metric.MeanBoundedSlowdown(schedule, o)
	}
	return x, nil
}

// question is what an interval is asked for: how a measure of scheduler a
// compares with that of b, as a share of b's mean, or, with b below 0, the
// measure itself.
type question struct {
	name string
	a, b int
	of   func(*sample) *[3]float64
}

var questions = []question{
	{"wait, EASY to FCFS", 1, 0, func(x *sample) *[3]float64 { return &x.wait }},
	{"wait, SAF to EASY", 2, 1, func(x *sample) *[3]float64 { return &x.wait }},
	{"slowdown, EASY to FCFS", 1, 0, func(x *sample) *[3]float64 { return &x.slowdown }},
	{"slowdown, SAF to EASY", 2, 1, func(x *sample) *[3]float64 { return &x.slowdown }},
	{"EASY's wait", 1, -1, func(x *sample) *[3]float64 { return &x.wait }},
}

// estimate is the value that a list of samples gives for a question.
func (q *question) estimate(list []sample) float64 {
	a, b := 0.0, 0.0
	for i := range list {
		v := q.of(&list[i])
		a += v[q.a]
		if q.b >= 0 {
			b += v[q.b]
		}
	}
	if q.b < 0 {
		return a / float64(len(list))
	}
	return a/b - 1
}

// rules are ways to an interval from the log's own sample, first, and draws.
var rules = []struct {
	name string
	of   func(q *question, list []sample, of *drawn) (low, high float64)
}{
	{"÷ √n", func(q *question, list []sample, _ *drawn) (low, high float64) {
		return q.interval(list, metric.Sample{})
	}},
	{"ours", func(q *question, list []sample, of *drawn) (low, high float64) {
		return q.interval(list, metric.Sample{Pieces: of.pieces, Log: true})
	}},
	{"percentile", func(q *question, list []sample, _ *drawn) (low, high float64) { return q.percentile(list) }},
	{"basic", func(q *question, list []sample, _ *drawn) (low, high float64) {
		low, high = q.percentile(list)
		log := q.estimate(list[:1])
		return 2*log - high, 2*log - low
	}},
	// Weeks that resemble the one before are fewer than they are: those of a
	// process of order 1 with correlation c say as much as m (1 − c) ÷ (1 + c)
	// that know nothing of each other (Bartlett, Journal of the Royal Statistical
	// Society 98, 1935).
	{"serial", func(q *question, list []sample, of *drawn) (low, high float64) {
		return q.serial(list, of.pieces, of.like)
	}},
	// The same with c as its estimate from so few weeks must be enlarged (Marriott
	// and Pope, Biometrika 41, 1954).
	{"unbiased", func(q *question, list []sample, of *drawn) (low, high float64) {
		return q.serial(list, of.pieces, of.like+(1+4*of.like)/of.pieces)
	}},
	// Ratios are skewed: Student's t over their logarithms.
	{"log", func(q *question, list []sample, of *drawn) (low, high float64) {
		if q.b < 0 {
			return math.NaN(), math.NaN()
		}
		var v []float64
		for i := range list {
			v = append(v, math.Log1p(q.estimate(list[i:i+1])))
		}
		_, half, _ := metric.Sample{Pieces: of.pieces, Log: true}.Interval(v)
		middle := 1 + q.estimate(list)
		return middle*math.Exp(-half) - 1, middle*math.Exp(half) - 1
	}},
}

// drawn is what is known of a log whose draws are looked at.
type drawn struct {
	pieces float64
	like   float64 // correlation of the work of neighbouring weeks
}

// serial is the interval that we give, of weeks that are correlated with the next.
func (q *question) serial(list []sample, pieces, c float64) (low, high float64) {
	c = min(max(c, 0), 0.9)
	alike := max(2, pieces*(1-c)/(1+c))
	low, high = q.interval(list, metric.Sample{Pieces: alike, Log: true})
	middle, half := (low+high)/2, (high-low)/2*math.Sqrt(pieces/alike)
	return middle - half, middle + half
}

// alike is the correlation of the work of each week of a log with the next.
func alike(w *model.Workload, weeks int) float64 {
	work := make([]float64, weeks)
	first, _ := w.Span()
	for i := range w.Jobs {
		week := min(int((w.Jobs[i].Submit-first)/workload.Week), weeks-1)
		work[week] += float64(w.Jobs[i].Procs) * float64(w.Executed(model.JobID(i)))
	}
	mean := 0.0
	for _, v := range work {
		mean += v / float64(weeks)
	}
	own, next := 0.0, 0.0
	for i, v := range work {
		if own += (v - mean) * (v - mean); i > 0 {
			next += (v - mean) * (work[i-1] - mean)
		}
	}
	return next / own
}

func (q *question) interval(list []sample, s metric.Sample) (low, high float64) {
	var a, b []float64
	for i := range list {
		v := q.of(&list[i])
		a = append(a, v[q.a])
		if q.b >= 0 {
			b = append(b, v[q.b])
		}
	}
	if q.b < 0 {
		mean, half, _ := s.Interval(a)
		return mean - half, mean + half
	}
	d := s.Compare(a, b)
	return d.Relative - d.RelativeHalf, d.Relative + d.RelativeHalf
}

// percentile is the bootstrap's own interval: between the 2.5 % and the 97.5 %
// quantiles of the draws, or the outermost ones.
func (q *question) percentile(list []sample) (low, high float64) {
	var v []float64
	for i := range list[1:] {
		v = append(v, q.estimate(list[i+1:i+2]))
	}
	slices.Sort(v)
	at := func(p float64) float64 {
		x := min(max(p*float64(len(v)+1)-1, 0), float64(len(v)-1))
		k := min(int(x), len(v)-2)
		return v[k] + (x-float64(k))*(v[k+1]-v[k])
	}
	return at(0.025), at(0.975)
}

func main() {
	logs := flag.Int("logs", 1000, "logs of each process")
	draws := flag.Int("draws", 20, "draws from each log, beside the log itself")
	weeks := flag.Int("weeks", 12, "weeks of a log")
	block := flag.Int("block", 1, "weeks in one block")
	only := flag.String("process", "", "one process alone")
	by := flag.String("by", "weeks,users", "what draws are made of")
	flag.Parse()
	for i := range processes {
		if p := &processes[i]; *only == "" || *only == p.name {
			for _, by := range strings.Split(*by, ",") {
				if err := study(p, by, *weeks, *block, *logs, *draws); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
			}
		}
	}
}

// study prints how often each rule's interval held the truth, in per cent.
func study(p *process, by string, weeks, block, logs, draws int) error {
	b := newBench()
	all := make([][]sample, logs) // by log: its own sample, then the draws'
	var own []sample
	known := make([]drawn, logs)
	jobs, load := 0, 0.0
	for i := range all {
		random := rand.New(rand.NewPCG(uint64(i), 2013))
		w, err := p.log(weeks, random)
		if err != nil {
			return err
		}
		jobs += len(w.Jobs)
		first, last := w.Span()
		for j := range w.Jobs {
			load += float64(w.Executed(model.JobID(j))) * float64(w.Jobs[j].Procs) / float64(w.Processors) / float64(last-first)
		}
		known[i].like = alike(w, weeks)
		x, err := b.measure(w)
		if err != nil {
			return err
		}
		own, all[i] = append(own, x), append(all[i], x)
		for range draws {
			d := workload.Resample{By: by, Block: block, LongTerm: 12, Random: random}
			drawn, err := d.Draw(w)
			if err == nil {
				x, err = b.measure(drawn)
			}
			if err != nil {
				return err
			}
			all[i], known[i].pieces = append(all[i], x), d.Pieces
		}
	}
	pieces, like := make([]float64, logs), 0.0
	for i, k := range known {
		pieces[i] = k.pieces
		like += k.like / float64(logs)
	}
	slices.Sort(pieces)
	fmt.Printf("\n%s, by %s: %d logs of %d weeks (blocks of %d), %d jobs, load %.2f; %d draws from %.0f pieces (median); work of neighbouring weeks correlated by %.2f\n",
		p.name, by, logs, weeks, block, jobs/logs, load/float64(logs), draws, pieces[logs/2], like)
	fmt.Printf("%-24s %9s %9s", "", "truth", "deviates")
	for _, r := range rules {
		fmt.Printf(" %10s", r.name)
	}
	fmt.Println("  half of ours")
	for k := range questions {
		q := &questions[k]
		truth := 0.0 // the mean of what each log gives by itself
		for i := range own {
			truth += q.estimate(own[i:i+1]) / float64(logs)
		}
		squares, width := 0.0, 0.0
		held := make([]int, len(rules))
		for i, list := range all {
			d := q.estimate(list[:1]) - truth
			squares += d * d
			for k, r := range rules {
				low, high := r.of(q, list, &known[i])
				if low <= truth && truth <= high {
					held[k]++
				}
				if k == 1 {
					width += (high - low) / 2 / float64(logs)
				}
			}
		}
		fmt.Printf("%-24s %9.4g %9.4g", q.name, truth, math.Sqrt(squares/float64(logs)))
		for _, n := range held {
			fmt.Printf(" %9.1f%%", 100*float64(n)/float64(logs))
		}
		fmt.Printf("  %.4g\n", width)
	}
	return nil
}
