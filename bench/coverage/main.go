// Coverage measures how often the 95 % intervals of one log hold the truth. It
// draws many logs from processes whose typical quotients are known from many more,
// makes the page's intervals for each log, and counts. It is run by hand:
//
//	go run ./bench/coverage -out /tmp/coverage                 # the study of docs/reading-the-charts.md, on one core within the hour
//	go run ./bench/coverage -cell stays,0.75,12,100,200        # one process: load, weeks, logs, further logs for the truth
//	python3 bench/coverage/check.py /tmp/coverage              # the same intervals from what it exports, by a program of its own
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	waits  []float64
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

// all measures a workload under all schedulers, but conservative backfilling, which
// takes as long as all others, only if dear; own keeps what the page keeps of the
// log's own runs.
func (b *bench) all(w *model.Workload, dear bool, own *[schedulers]*report.Run) (v values, err error) {
	for i := range v {
		used := w
		switch i {
		case conservative:
			if !dear {
				continue
			}
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

// p95 is the 95th percentile of waits by nearest rank.
func (b *bench) p95(s *model.Schedule) float64 {
	b.waits = b.waits[:0]
	for i := range s.Executions {
		b.waits = append(b.waits, float64(s.Executions[i].Start-s.Executions[i].Submit))
	}
	slices.Sort(b.waits)
	return b.waits[(len(b.waits)*95+99)/100-1]
}

func altered(w *model.Workload, how func(*model.Job)) *model.Workload {
	out := *w
	out.Jobs = slices.Clone(w.Jobs)
	for i := range out.Jobs {
		how(&out.Jobs[i])
	}
	return &out
}

// cell is a process at a load, with logs of so many weeks: how many are tried, and
// from how many more the truth is known.
type cell struct {
	process string
	load    float64
	weeks   int
	logs    int
	further int
}

func (c cell) String() string {
	return fmt.Sprintf("%s, load %v, %d weeks", c.process, c.load, c.weeks)
}

// ways are the intervals that are looked at.
var ways = []string{"users", "weeks", "log"}

// tried is what is exported of a log: of each scheduler the measures of the log, of
// its draws of users and of weeks.
type tried struct {
	Seed     [2]uint64
	Users    float64 // pieces
	Weeks    float64
	Log      values
	ByUsers  []values
	ByWeeks  []values
	Own      [][2]metric.Own    // by question: of mean wait and slowdown
	Interval [][3][3][3]float64 // by question, measure, way: low and high of the quotient, and how sure; 0 without
}

// draws from each log.
var draws = map[string]int{"users": 19, "weeks": 9}

// try makes a log and all its intervals.
func (b *bench) try(c cell, p *process, i int) (t tried, w *model.Workload, err error) {
	var own [schedulers]*report.Run
	t.Seed = [2]uint64{uint64(i), uint64(c.weeks)*1000 + uint64(100*c.load)}
	r := rand.New(rand.NewPCG(t.Seed[0], t.Seed[1]))
	dear := i%12 == 0
	w = p.log(c.weeks, c.load, r)
	if t.Log, err = b.all(w, dear, &own); err != nil {
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
			v, err := b.all(drawn, dear, nil)
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
	for _, q := range questions {
		var both [2]metric.Own
		var intervals [3][3][3]float64
		for k, key := range measures {
			row := catalog.FindMetric(key)
			o := metric.OneLog(own[q.a], own[q.b], key)
			if k < 2 {
				both[k] = o
			}
			for way := range ways {
				s, list := metric.Sample{Own: o}, []values(nil)
				switch ways[way] {
				case "users":
					s, list = metric.Sample{By: "users", Pieces: t.Users, Log: true, Own: o}, t.ByUsers
				case "weeks":
					s, list = metric.Sample{By: "weeks", Pieces: t.Weeks, Log: true, Own: o}, t.ByWeeks
					if len(list) == 0 {
						continue
					}
				}
				x, y := []float64{t.Log[q.a][k]}, []float64{t.Log[q.b][k]}
				for _, v := range list {
					x, y = append(x, v[q.a][k]), append(y, v[q.b][k])
				}
				d := s.Compare(x, y, row)
				switch {
				case d.Same:
					intervals[k][way] = [3]float64{1, 1, float64(metric.Unclear)}
				case d.Has():
					sign := 1.0
					if d.Relative < 0 {
						sign = -1
					}
					intervals[k][way] = [3]float64{1 + d.Low, 1 + d.High, sign * float64(d.Certainty)}
				}
			}
		}
		t.Own, t.Interval = append(t.Own, both), append(t.Interval, intervals)
	}
	return t, w, nil
}

func (b *bench) study(c cell, out string) error {
	at := slices.IndexFunc(processes, func(p process) bool { return p.name == c.process })
	if at < 0 {
		return fmt.Errorf("no process %q", c.process)
	}
	p := &processes[at]
	var all []tried
	truth := make([][3][]float64, len(questions)) // logarithms of the quotients of single logs
	add := func(v *values) {
		for i, q := range questions {
			for k := range measures {
				if x, y := v[q.a][k], v[q.b][k]; x > 0 && y > 0 {
					truth[i][k] = append(truth[i][k], math.Log(x/y))
				}
			}
		}
	}
	jobs, load := 0, 0.0
	name := fmt.Sprintf("%s-%v-%d", c.process, c.load, c.weeks)
	for i := range c.logs {
		t, w, err := b.try(c, p, i)
		if err != nil {
			return err
		}
		if i == 0 && out != "" {
			if err := b.export(filepath.Join(out, name+"-jobs.csv"), w); err != nil {
				return err
			}
		}
		all = append(all, t)
		add(&t.Log)
		jobs += len(w.Jobs)
		first, last := w.Span()
		for j := range w.Jobs {
			load += float64(w.Executed(model.JobID(j))) * float64(w.Jobs[j].Procs) / float64(w.Processors) / float64(last-first)
		}
	}
	for i := range c.further {
		r := rand.New(rand.NewPCG(uint64(1_000_000+i), uint64(c.weeks)*1000+uint64(100*c.load)))
		v, err := b.all(p.log(c.weeks, c.load, r), i < 24, nil)
		if err != nil {
			return err
		}
		add(&v)
	}
	if out != "" {
		f, err := os.Create(filepath.Join(out, name+".json"))
		if err != nil {
			return err
		}
		defer f.Close()
		if err := json.NewEncoder(f).Encode(map[string]any{"cell": c.String(), "logs": all, "truth": truth}); err != nil {
			return err
		}
	}
	fmt.Printf("\n%s: %d logs (seeds 0–%d) and %d further (from 1000000 on), %d jobs, load %.2f\n", c, c.logs, c.logs-1, c.further, jobs/c.logs, load/float64(c.logs))
	for i, q := range questions {
		for k, key := range measures {
			list := truth[i][k]
			mean, squares := 0.0, 0.0
			for _, x := range list {
				mean += x / float64(len(list))
			}
			for _, x := range list {
				squares += (x - mean) * (x - mean) / float64(len(list)-1)
			}
			fmt.Printf("%-12s %-22s typical %.4f spread %.3f", q.name, key, math.Exp(mean), math.Sqrt(squares))
			for way := range ways {
				held, told, probably, wrong, n := 0, 0, 0, 0, 0
				var width []float64
				for _, t := range all {
					v := t.Interval[i][k][way]
					if v[2] == 0 {
						continue
					}
					n++
					if math.Log(v[0]) <= mean+1e-12 && mean-1e-12 <= math.Log(v[1]) {
						held++
					}
					if math.Abs(v[2]) == float64(metric.Surely) {
						told++
					}
					if math.Abs(v[2]) >= float64(metric.Probably) {
						if probably++; v[2]*mean < 0 {
							wrong++
						}
					}
					width = append(width, (v[1]-v[0])/2)
				}
				if n == 0 {
					continue
				}
				slices.Sort(width)
				low, high := binomial(held, n)
				fmt.Printf(" | %s: held %d of %d %.0f [%.0f–%.0f] half %.3f, better %d, probably %d, wrong sign %d", ways[way], held, n, 100*float64(held)/float64(n), 100*low, 100*high, width[n/2], told, probably-told, wrong)
			}
			fmt.Println()
		}
	}
	return nil
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
	for k := easy; k <= conservative; k++ {
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

// binomial is the 95 % interval of a share of which k of n were seen (C. J. Clopper
// and E. S. Pearson, Biometrika 26, 1934).
func binomial(k, n int) (low, high float64) {
	atMost := func(k int, p float64) float64 { // probability of at most k
		sum := 0.0
		for i := 0; i <= k; i++ {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(i + 1))
			c, _ := math.Lgamma(float64(n - i + 1))
			sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
		}
		return sum
	}
	solve := func(below func(p float64) bool) float64 {
		from, to := 1e-12, 1-1e-12
		for range 60 {
			if p := (from + to) / 2; below(p) {
				from = p
			} else {
				to = p
			}
		}
		return from
	}
	if k > 0 {
		low = solve(func(p float64) bool { return 1-atMost(k-1, p) < 0.025 })
	}
	if high = 1; k < n {
		high = solve(func(p float64) bool { return atMost(k, p) > 0.025 })
	}
	return low, high
}

// cells are those of the study.
var cells = []cell{
	{"stays", .75, 12, 24, 80}, {"heavy", .75, 12, 24, 80}, {"season", .75, 12, 24, 80}, {"regulars", .75, 12, 24, 80}, {"weeks", .75, 12, 24, 80},
	{"stays", .9, 12, 24, 80}, {"heavy", .9, 12, 24, 80}, {"season", .9, 12, 24, 80}, {"regulars", .9, 12, 24, 80}, {"weeks", .9, 12, 24, 80},
	{"stays", .6, 12, 24, 80}, {"heavy", .6, 12, 24, 80}, {"season", .6, 12, 24, 80}, {"regulars", .6, 12, 24, 80}, {"weeks", .6, 12, 24, 80},
	{"stays", .75, 4, 40, 80}, {"heavy", .75, 24, 10, 40}, {"stays", .75, 36, 8, 40},
}

func main() {
	out := flag.String("out", "", "a folder for the draws and jobs of the logs")
	one := flag.String("cell", "", "process,load,weeks,logs,further: one cell alone")
	flag.Parse()
	list := cells
	if *one != "" {
		var c cell
		if _, err := fmt.Sscanf(strings.ReplaceAll(*one, ",", " "), "%s %f %d %d %d", &c.process, &c.load, &c.weeks, &c.logs, &c.further); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		list = []cell{c}
	}
	b := newBench()
	for _, c := range list {
		if err := b.study(c, *out); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
