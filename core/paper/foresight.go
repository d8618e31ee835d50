package paper

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/learn"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/predict"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// foresightPresets set foresight beside SAF and what legrand2018 learns, on any
// log: its first question asked again, what can be expected from learning online.
var foresightPresets = []Preset{
	{Key: "foresight-weeks", Study: "foresight", Cite: citeLegrand, Any: true,
		Shows:   "weeks: SAF, foresight, and what learns weights of orders, week by week",
		LookFor: "Whether F1 and F2 stay below SAF, and how sure that is; clairvoyant SAF is what true run times would give.",
		Compute: func(in Input) (*Output, error) { return foresightPreset(in, (*foresightRun).weeks) },
		Example: foresightExample},
	{Key: "foresight-whole", Study: "foresight", Cite: citeLegrand, Any: true,
		Shows:   "whole log: SAF, foresight with and without rollouts, and SAF on true run times",
		LookFor: "Without windows and without a history: what is gained, and whether the longest waits pay for it.",
		Compute: func(in Input) (*Output, error) { return foresightPreset(in, (*foresightRun).whole) },
		Example: foresightExample},
}

// foresightRun is a preset at work on one log.
type foresightRun struct {
	legrandRun
	past *predict.Completions
}

// foresightLog chooses what to run on: the first log given, or a generated one.
func foresightLog(in Input, out *Output) (traced, error) {
	if len(in.Logs) == 0 {
		out.StandIn = true
		out.Notes = append(out.Notes, "no log was given: it ran on a generated one")
		return legrandStandIn(in.Quick)
	}
	return traced{&trace{}, in.Logs[0].Ref, in.Logs[0].Log, nil}, nil
}

func foresightPreset(in Input, compute func(*foresightRun) error) (*Output, error) {
	out := &Output{}
	log, err := foresightLog(in, out)
	if err != nil {
		return nil, err
	}
	var d digester
	r := &foresightRun{legrandRun: legrandRun{in: in, out: out, digest: &d, traced: log, coarse: true}}
	out.Log = log.ref.Name
	r.work, _, err = workload.FromLog(log.log, workload.Options{Overrun: workload.OverrunDrop, NoRequest: workload.NoRequestDrop})
	if errors.Is(err, workload.ErrNoJobs) {
		r.work, _, err = workload.FromLog(log.log, workload.Options{Overrun: workload.OverrunDrop})
		r.note("the log states no requested times: run times stand for them, so that there is little to foresee")
	}
	if errors.Is(err, workload.ErrNoJobs) {
		return nil, fmt.Errorf("%s: %w (those that ran longer than requested are left out)", out.Log, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", out.Log, err)
	}
	for _, note := range predict.Missing(r.work, true, true) {
		r.note("%s", note)
	}
	r.past = predict.NewCompletions(r.work)
	err = compute(r)
	if err != nil && !errors.Is(err, ErrCancelled) {
		return nil, fmt.Errorf("%s: %w", out.Log, err)
	}
	out.Digest = experiment.Digest(d.blocks...)
	return out, err
}

// foresightExample is an experiment with the policies on the whole log.
func foresightExample(in Input) (*experiment.Experiment, error) {
	log, err := foresightLog(in, &Output{})
	if err != nil {
		return nil, err
	}
	e := experiment.New()
	e.Title = "foresight against SAF"
	if log.generator != nil {
		e.Workload.Source.Generator = log.generator
	} else {
		ref := log.ref
		e.Workload.Source.Log = &ref
	}
	e.Workload.Clean.Overrun = workload.OverrunDrop
	e.Measures.Tau = legrandTau
	saf := func(label string) *experiment.Scheduler {
		s, _ := e.Add("easy")
		err = errors.Join(err, s.SetParam("order", "saf"), s.SetParam("backfill", "spf"), s.SetParam("ties", "newest"), s.SetParam("threshold", legrandThreshold))
		s.Label = label
		return s
	}
	saf("SAF")
	for _, one := range [][2]string{{"foresight", "F1"}, {"foresight-rollout", "F2"}} {
		s, _ := e.Add(one[0])
		s.Label = one[1]
	}
	clear := saf("clairvoyant SAF")
	err = errors.Join(err, clear.SetParam("orders-by", "prediction"))
	clear.Predict, _ = experiment.NewPredict("true")
	return e, err
}

// ruled is a policy under rules of simulation.
type ruled struct {
	name      string
	newest    bool
	threshold model.Time
}

// outcome is what a policy made of a window.
type outcome struct {
	Mean  float64      // mean bounded slowdown; NaN without jobs
	Waits []model.Time // of its jobs
	Rows  []experiment.DigestRow
}

// player runs policies; each worker has its own.
type player struct {
	counted sim.CountedSimulator
	site    sim.Simulator
	easy    policy.CountedEASY
	kernel  *predict.Kernel
	seen    policy.CountedForesight
}

// play runs a policy on jobs of which the log shows a past.
func (p *player) play(w *model.Workload, past []predict.Past, r ruled) (*model.Schedule, error) {
	machine := model.OneCluster(w.Processors)
	order := policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF, Newest: r.newest, UseThreshold: true, Threshold: r.threshold}
	switch r.name {
	case "SAF":
		p.easy.Order, p.easy.Backfill, p.easy.Newest, p.easy.UseThreshold, p.easy.Threshold = order.Order, order.Backfill, r.newest, true, r.threshold
		return p.counted.Run(w, machine, &p.easy, sim.Options{})
	case "clairvoyant SAF":
		known := &predict.Known{Seconds: make([]model.Time, len(w.Jobs))}
		for j := range known.Seconds {
			known.Seconds[j] = w.Executed(model.JobID(j))
		}
		order.Foretold = true
		return p.site.Run(w, machine, policy.NewEASY(&order), sim.Options{Book: &predict.Book{Predictor: known}})
	}
	if p.kernel == nil {
		p.kernel = predict.NewKernel(predict.KernelDefaults())
	}
	o, book := policy.ForesightDefaults(), sim.Options{Book: &predict.Book{Predictor: p.kernel, History: past}}
	if o.Newest, o.Threshold = r.newest, r.threshold; r.name == "F2" {
		rollout := policy.RolloutDefaults()
		o.Rollout = &rollout
		return p.site.Run(w, machine, policy.NewForesight(o), book)
	}
	p.seen.ForesightOptions = o
	return p.counted.Run(w, machine, &p.seen, book)
}

// result reads what the preset needs off a schedule.
func result(s *model.Schedule) outcome {
	o := outcome{Rows: appendRows(nil, s)}
	for i := range s.Executions {
		x := &s.Executions[i]
		o.Waits = append(o.Waits, x.Start-x.Submit)
		o.Mean += max(1, float64(x.End-x.Submit)/float64(max(x.End-x.Start, legrandTau)))
	}
	o.Mean /= float64(len(s.Executions))
	return o
}

// games plays a policy in each of some windows, by all workers together.
func (r *foresightRun) games(windows []workload.Window, rule ruled) ([]outcome, error) {
	players := make([]player, r.in.workers())
	out := make([]outcome, len(windows))
	err := r.in.each(len(windows), func(worker, i int) error {
		v := &windows[i]
		s, err := players[worker].play(&v.Workload, r.past.Before(v.From), rule)
		if err == nil {
			out[i] = result(s)
		}
		if err == nil && r.in.Watch != nil && !r.in.Watch(i+1, len(windows)) {
			err = ErrCancelled
		}
		return err
	}, func(i int) any { return &out[i] })
	return out, err
}

// cut cuts the log into windows with jobs.
func (r *foresightRun) cut(length model.Time) ([]workload.Window, error) {
	windows, _, err := workload.Cut(r.work, length, 0)
	windows = slices.DeleteFunc(windows, func(v workload.Window) bool { return len(v.Workload.Jobs) == 0 })
	if r.in.Quick && len(windows) > 12 {
		windows = windows[:12]
	}
	return windows, err
}

// weeks is foresight-weeks.
func (r *foresightRun) weeks() error {
	windows, err := r.cut(workload.Week)
	if err != nil {
		return err
	}
	r.note("%s with jobs, each from an empty machine; overruns dropped, τ 60 s, ties newest first, threshold 200,000 s; the predictor knows what the log shows of the time before each week", inWeeks(len(windows)))
	saf := []float64(nil)
	for _, name := range []string{"SAF", "F1", "F2", "clairvoyant SAF"} {
		list, err := r.games(windows, ruled{name, true, legrandThreshold})
		if err != nil {
			return err
		}
		if saf == nil {
			saf = means(list)
		}
		r.compare(name, means(list), saf)
		r.waits(name, list)
		r.enter(list)
	}
	if err := r.learned(windows, saf); err != nil {
		return err
	}
	if r.in.Quick {
		return nil
	}
	return r.others(windows)
}

// others are other lengths, thresholds and ties.
func (r *foresightRun) others(weeks []workload.Window) error {
	months, err := r.cut(workload.Month)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		what    string
		windows []workload.Window
		rule    ruled
	}{
		{"months", months, ruled{"", true, legrandThreshold}},
		{"threshold 72,000 s", weeks, ruled{"", true, legrandLow}},
		{"no threshold", weeks, ruled{"", true, model.Never}},
		{"ties oldest first", weeks, ruled{"", false, legrandThreshold}},
	} {
		saf := []float64(nil)
		for _, name := range []string{"SAF", "F1", "F2"} {
			c.rule.name = name
			list, err := r.games(c.windows, c.rule)
			if err != nil {
				return err
			}
			if saf == nil {
				saf = means(list)
			}
			r.compare(name+", "+c.what, means(list), saf)
			r.enter(list)
		}
	}
	return nil
}

// learned are w_train and w_greedy on the same weeks: the first half to learn from,
// for w_train, and the week before for w_greedy.
func (r *foresightRun) learned(windows []workload.Window, saf []float64) error {
	r.settings = mixed.Paper()
	if r.in.Quick {
		r.settings.Count = windows[len(windows)-1].Index + 1
	}
	if len(windows) < 4 {
		r.note("with %s there is nothing to learn weights from", inWeeks(len(windows)))
		return nil
	}
	if err := r.reopen(func(*mixed.Settings) {}); err != nil {
		return err
	}
	t, err := r.coverage()
	if err != nil {
		return err
	}
	cover, err := r.labs[0].Coverage(r.points())
	if err != nil {
		return err
	}
	half := make([]int, 0, len(windows))
	for _, v := range windows[:len(windows)/2] {
		half = append(half, v.Index)
	}
	one := t.Train(half)
	trained := make([]learn.Choice, t.Weeks())
	for w := range trained {
		trained[w] = learn.Choice{Candidate: -1}
	}
	for _, v := range windows[len(windows)/2:] {
		trained[v.Index] = learn.Choice{Candidate: one.Candidate, Value: t.At(v.Index, one.Candidate)}
	}
	r.note("w_train is the best of %d weights over the first %d weeks, and is judged by the others; w_greedy takes the best of the week before", t.Candidates(), len(half))
	for _, l := range []struct {
		name    string
		choices []learn.Choice
	}{{"w_train", trained}, {"w_greedy", t.Follow(1, nil)}} {
		values := make([]float64, len(windows))
		var list []outcome
		for i, v := range windows {
			c := l.choices[v.Index]
			if c.Candidate < 0 {
				values[i] = math.NaN()
				continue
			}
			values[i] = c.Value
			if _, err := r.labs[0].Mixed(v.Index, mixed.Vector(cover, c.Candidate)); err != nil {
				return err
			}
			list = append(list, result(r.labs[0].Schedule()))
		}
		r.compare(l.name, values, saf)
		r.waits(l.name, list)
		r.enter(list)
	}
	return nil
}

func means(list []outcome) []float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = list[i].Mean
	}
	return values
}

// enter digests what a policy did.
func (r *foresightRun) enter(list []outcome) {
	var rows []experiment.DigestRow
	for i := range list {
		rows = append(rows, list[i].Rows...)
	}
	r.digest.add(rows)
}

// leastWeeks is how many weeks an interval takes: of fewer no draw says how they might
// have been.
const leastWeeks = 5

func inWeeks(n int) string {
	if n == 1 {
		return "1 week"
	}
	return fmt.Sprintf("%d weeks", n)
}

// compare adds the sum of weekly values and what it is beside that of SAF, over the
// weeks that have both.
func (r *foresightRun) compare(name string, values, saf []float64) {
	var x, y []float64
	for i := range values {
		if !math.IsNaN(values[i]) && !math.IsNaN(saf[i]) {
			x, y = append(x, values[i]), append(y, saf[i])
		}
	}
	sum, base, won, lost := 0.0, 0.0, 0, 0
	for i := range x {
		sum, base = sum+x[i], base+y[i]
		switch {
		case x[i] < y[i]-1e-9:
			won++
		case x[i] > y[i]+1e-9:
			lost++
		}
	}
	r.add(name, "sum", sum, 0)
	r.add(name, "ratio", sum/base, 0)
	r.add(name, "won", float64(won), 0)
	r.add(name, "lost", float64(lost), 0)
	if won+lost > 0 && len(x) >= leastWeeks {
		from, to := bootstrap(x, y)
		r.add(name, "ratio, from", from, 0)
		r.add(name, "ratio, to", to, 0)
		r.add(name, "sign test", signTest(won, lost), 0)
	}
	if len(x) < len(values) {
		r.add(name, "weeks", float64(len(x)), 0)
	}
}

// waits adds the longest wait and the 99th percentile over all jobs.
func (r *foresightRun) waits(name string, list []outcome) {
	var all []model.Time
	for i := range list {
		all = append(all, list[i].Waits...)
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	for _, c := range []struct {
		column string
		wait   model.Time
	}{{"longest wait", all[len(all)-1]}, {"p99 wait", all[(99*len(all)+99)/100-1]}} {
		r.out.Rows = append(r.out.Rows, Row{Label: name, Column: c.column, Ours: float64(c.wait), Unit: "s"})
	}
}

// bootstrap returns the 95 % interval of sum x ÷ sum y over weeks drawn with
// replacement, 2,000 times.
func bootstrap(x, y []float64) (from, to float64) {
	const draws = 2000
	rng := model.Stream(1, "foresight bootstrap", 0)
	ratios := make([]float64, draws)
	for k := range ratios {
		a, b := 0.0, 0.0
		for range x {
			i := rng.IntN(len(x))
			a, b = a+x[i], b+y[i]
		}
		ratios[k] = a / b
	}
	slices.Sort(ratios)
	return ratios[draws/40], ratios[draws-1-draws/40]
}

// signTest returns how likely so uneven a count of won and lost weeks would be if
// each were won or lost by the toss of a coin, both sides.
func signTest(won, lost int) float64 {
	n, k := won+lost, min(won, lost)
	term, sum := math.Ldexp(1, -min(n, 1000)), 0.0
	if n > 1000 {
		return 0 // nobody has so many weeks
	}
	for i := 0; i <= k; i++ {
		sum += term
		term = float64(term*float64(n-i)) / float64(i+1)
	}
	return min(1, 2*sum)
}

// whole is foresight-whole.
func (r *foresightRun) whole() error {
	r.note("the whole log at once, from an empty machine, and without anything known of the time before; overruns dropped, τ 60 s, ties newest first, threshold 200,000 s")
	names := []string{"SAF", "F1", "F2", "clairvoyant SAF"}
	w := r.work
	if r.in.Quick && len(w.Jobs) > 5000 {
		short := *w
		short.Jobs, short.Truth = w.Jobs[:5000], w.Truth[:5000]
		w = &short
	}
	list := make([]outcome, len(names))
	players := make([]player, r.in.workers())
	err := r.in.each(len(names), func(worker, i int) error {
		s, err := players[worker].play(w, nil, ruled{names[i], true, legrandThreshold})
		if err == nil {
			list[i] = result(s)
		}
		return err
	}, func(i int) any { return &list[i] })
	if err != nil {
		return err
	}
	for i, name := range names {
		total := model.Time(0)
		for _, wait := range list[i].Waits {
			total += wait
		}
		r.add(name, "mean bounded slowdown", list[i].Mean, 0)
		r.add(name, "ratio", list[i].Mean/list[0].Mean, 0)
		r.out.Rows = append(r.out.Rows, Row{Label: name, Column: "mean wait", Ours: float64(total) / float64(cmp.Or(len(list[i].Waits), 1)), Unit: "s"})
		r.waits(name, list[i:i+1])
		r.enter(list[i : i+1])
	}
	return nil
}
