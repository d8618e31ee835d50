package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// Schedulers of the study; the last four say nothing of the jobs' own: they make the
// cases without a difference, or with a tiny one.
const (
	easy = iota
	saf
	spf
	conservative
	lowUsers
	highUsers
	oldest // of submissions rounded to the hour
	newest
	longer // EASY with requests that are 5 % longer
	schedulers
)

// question is a comparison of scheduler a with scheduler b.
type question struct {
	name string
	a, b int
	none bool // there is no difference
}

var questions = []question{
	{"SAF", saf, easy, false}, {"SPF", spf, easy, false}, {"conservative", conservative, easy, false},
	{"users", lowUsers, highUsers, true}, {"ties", oldest, newest, true}, {"+5 %", longer, easy, false},
}

// measures of the study.
var measures = []string{"mean-wait", "mean-bounded-slowdown", "p95-wait"}

// values are the measures of one workload by scheduler.
type values [schedulers][3]float64

// bench simulates with the same memory again and again.
type bench struct {
	counts sim.CountedSimulator
	by     [schedulers]sim.CountedScheduler
	meter  metric.Meter
	waits  []model.Time
}

func newBench() *bench {
	favour := func(text string) sim.CountedScheduler {
		f, err := policy.NewFormula(text)
		if err != nil {
			panic(err)
		}
		return &policy.CountedEASY{Order: policy.Formula, Formula: f}
	}
	return &bench{by: [schedulers]sim.CountedScheduler{
		easy: &policy.CountedEASY{}, saf: &policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF}, spf: &policy.CountedEASY{Backfill: policy.SPF},
		conservative: &policy.CountedConservative{}, lowUsers: favour("user"), highUsers: favour("-user"),
		oldest: &policy.CountedEASY{}, newest: &policy.CountedEASY{Newest: true}, longer: &policy.CountedEASY{},
	}}
}

// all measures a workload under the schedulers; own keeps what the page keeps of the
// log's own runs.
func (b *bench) all(w *model.Workload, under []int, own *[schedulers]*report.Run) (v values, err error) {
	for _, i := range under {
		used := w
		switch i {
		case oldest, newest:
			used = altered(w, func(j *model.Job) { j.Submit -= j.Submit % 3600 })
		case longer:
			used = altered(w, func(j *model.Job) { j.Limit += j.Limit / 20 })
		}
		s, err := b.counts.Run(used, model.OneCluster(w.Processors), b.by[i], sim.Options{})
		if err != nil {
			return v, err
		}
		o := metric.Options{Tau: 10}
		v[i] = [3]float64{metric.MeanWait(s, o), metric.MeanBoundedSlowdown(s, o), b.p95(s)}
		if own != nil {
			r := &report.Run{Workload: "log"}
			r.Metrics, _, _, r.Users = b.meter.Measure(s, o)
			r.Waves = b.meter.Waves(used)
			own[i] = r
		}
	}
	return v, nil
}

// p95 is the 95th percentile of waits by nearest rank, by Hoare's selection.
func (b *bench) p95(s *model.Schedule) float64 {
	b.waits = b.waits[:0]
	for i := range s.Executions {
		b.waits = append(b.waits, s.Executions[i].Start-s.Executions[i].Submit)
	}
	list, k := b.waits, (len(b.waits)*95+99)/100-1
	for from, to := 0, len(list)-1; from < to; {
		pivot, i, j := list[(from+to)/2], from, to
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			to = j
		case k >= i:
			from = i
		default:
			from, to = k, k
		}
	}
	return float64(list[k])
}

func altered(w *model.Workload, how func(*model.Job)) *model.Workload {
	out := *w
	out.Jobs = slices.Clone(w.Jobs)
	for i := range out.Jobs {
		how(&out.Jobs[i])
	}
	return &out
}

// ways are the intervals that are looked at.
var ways = []string{"users", "weeks", "log"}

// tried is what is exported of a log: of each scheduler the measures of the log, of
// its draws of users and of weeks.
type tried struct {
	Seed     [2]uint64
	Jobs     int
	Load     float64
	Users    float64 // pieces
	Weeks    float64
	Log      values
	ByUsers  []values
	ByWeeks  []values
	Own      [][2]metric.Own    // by question: of mean wait and slowdown
	Interval [][3][3][3]float64 // by question, measure, way: low and high of the quotient, and how sure; 0 without
}

// dear is how many logs come to one that conservative backfilling runs, too: where the
// queue is long it takes as long as fifty others. Of the further logs it is one of 12.
const (
	dear        = 25
	dearFurther = 12
)

// draws from each log.
var draws = map[string]int{"users": 19, "weeks": 9}

// try makes the i-th log of a cell and all its intervals.
func (b *bench) try(c *cell, i int) (t tried, w *model.Workload, err error) {
	var own [schedulers]*report.Run
	t.Seed = c.seed(i)
	r := rand.New(rand.NewPCG(t.Seed[0], t.Seed[1]))
	under := c.under(i%dear == 0)
	w = c.of.log(c.weeks, c.load, r)
	first, last := w.Span()
	for j := range w.Jobs {
		t.Load += float64(w.Executed(model.JobID(j))) * float64(w.Jobs[j].Procs) / float64(w.Processors) / float64(last-first)
	}
	t.Jobs = len(w.Jobs)
	if t.Log, err = b.all(w, under, &own); err != nil {
		return t, w, err
	}
	for _, by := range ways[:2] {
		d := workload.Resample{By: by, Block: 3, LongTerm: 12, Random: r}
		if by == "weeks" && c.weeks < 7 {
			continue
		}
		for range draws[by] {
			drawn, err := d.Draw(w)
			if err != nil {
				return t, w, err
			}
			v, err := b.all(drawn, under, nil)
			if err != nil {
				return t, w, err
			}
			if by == "users" {
				t.ByUsers, t.Users = append(t.ByUsers, v), d.Pieces
			} else {
				t.ByWeeks, t.Weeks = append(t.ByWeeks, v), d.Pieces
			}
		}
	}
	for at, q := range questions {
		var both [2]metric.Own
		for k := range both {
			if slices.Contains(c.asks, at) {
				both[k] = metric.OneLog(own[q.a], own[q.b], measures[k])
			}
		}
		t.Own = append(t.Own, both)
	}
	t.judge(c.asks)
	return t, w, nil
}

// judge makes the intervals of a log with the page's own code, from what is exported
// of it.
func (t *tried) judge(asks []int) {
	t.Interval = nil
	for at, q := range questions {
		var intervals [3][3][3]float64
		for k, key := range measures {
			for way := range ways {
				if slices.Contains(asks, at) {
					intervals[k][way] = t.interval(at, q, k, key, way)
				}
			}
		}
		t.Interval = append(t.Interval, intervals)
	}
}

func (t *tried) interval(at int, q question, k int, key string, way int) (out [3]float64) {
	var s metric.Sample
	if k < len(t.Own[at]) {
		s.Own = t.Own[at][k]
	}
	list := []values(nil)
	switch ways[way] {
	case "users":
		s.By, s.Pieces, s.Log, list = "users", t.Users, true, t.ByUsers
	case "weeks":
		s.By, s.Pieces, s.Log, list = "weeks", t.Weeks, true, t.ByWeeks
		if len(list) == 0 {
			return out
		}
	}
	x, y := []float64{t.Log[q.a][k]}, []float64{t.Log[q.b][k]}
	for _, v := range list {
		x, y = append(x, v[q.a][k]), append(y, v[q.b][k])
	}
	d := s.Compare(x, y, catalog.FindMetric(key))
	switch {
	case d.Same:
		return [3]float64{1, 1, float64(metric.Unclear)}
	case d.Has():
		sign := 1.0
		if d.Relative < 0 {
			sign = -1
		}
		return [3]float64{1 + d.Low, 1 + d.High, sign * float64(d.Certainty)}
	}
	return out
}

// export writes the first log's jobs: what each waits, and its bounded slowdown, under
// every scheduler.
func (b *bench) export(name string, w *model.Workload) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	defer out.Flush()
	lines := make([][]string, len(w.Jobs))
	for i, j := range w.Jobs {
		lines[i] = []string{fmt.Sprint(j.Submit), fmt.Sprint(j.User), fmt.Sprint(int64(j.Procs) * int64(w.Executed(model.JobID(i))))}
	}
	for k := easy; k <= conservative; k++ { // the log that all of them run
		s, err := b.counts.Run(w, model.OneCluster(w.Processors), b.by[k], sim.Options{})
		if err != nil {
			return err
		}
		for i := range s.Executions {
			e := &s.Executions[i]
			lines[e.Job] = append(lines[e.Job], fmt.Sprint(e.Start-e.Submit), fmt.Sprint(e.End-e.Start))
		}
	}
	fmt.Fprintln(out, "submit,user,work,wait_easy,run_easy,wait_saf,run_saf,wait_spf,run_spf,wait_conservative,run_conservative")
	for _, l := range lines {
		fmt.Fprintln(out, strings.Join(l, ","))
	}
	return nil
}
