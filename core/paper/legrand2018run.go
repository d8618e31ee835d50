package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/learn"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/workload"
)

// digester gathers the blocks of a digest: one run of easy for each policy that
// a preset reports, the windows of which stand side by side in it.
type digester struct{ blocks [][]byte }

// add enters the schedules of one policy.
func (d *digester) add(rows []experiment.DigestRow) {
	slices.SortStableFunc(rows, func(a, b experiment.DigestRow) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Submit, b.Submit))
	})
	d.blocks = append(d.blocks, experiment.AppendRun(nil, "easy", len(d.blocks), len(rows), func(i int) experiment.DigestRow { return rows[i] }))
}

// appendRows appends the executions of a schedule.
func appendRows(rows []experiment.DigestRow, s *model.Schedule) []experiment.DigestRow {
	for i := range s.Executions {
		x := &s.Executions[i]
		rows = append(rows, experiment.DigestRow{Number: s.Workload.Jobs[x.Job].Number, Submit: int64(x.Submit), Start: int64(x.Start), End: int64(x.End)})
	}
	return rows
}

// busy returns the places of the weeks that have jobs.
func (r *legrandRun) busy() []int {
	var list []int
	for i, w := range r.labs[0].Weeks() {
		if w.Jobs > 0 {
			list = append(list, i)
		}
	}
	return list
}

// pure returns the values of the 12 pure orders, and digests them.
func (r *legrandRun) pure() (*learn.Table, error) {
	weeks, orders := len(r.labs[0].Weeks()), policy.Pure()
	t := learn.NewTable(weeks, len(orders))
	l := r.labs[0]
	for o, order := range orders {
		var rows []experiment.DigestRow
		for _, w := range r.busy() {
			v, err := l.Pure(w, order)
			if err == nil {
				err = t.Put(w, o, []float64{v})
			}
			if err != nil {
				return nil, err
			}
			rows = appendRows(rows, l.Schedule())
		}
		r.digest.add(rows)
	}
	return t, nil
}

// coverage returns the values of a coverage, by all workers together.
func (r *legrandRun) coverage() (*learn.Table, error) {
	chunks, err := r.labs[0].Chunks(r.points(), 2000)
	if err != nil {
		return nil, err
	}
	cover, err := r.labs[0].Coverage(r.points())
	if err != nil {
		return nil, err
	}
	answers := make([]mixed.Answer, len(chunks))
	err = r.in.each(len(chunks), func(worker, i int) (err error) {
		answers[i], err = r.labs[worker].Do(chunks[i], r.in.Watch)
		return err
	}, func(i int) any { return &answers[i] })
	if err != nil {
		return nil, err
	}
	t := learn.NewTable(len(r.labs[0].Weeks()), cover.Len())
	for i, c := range chunks {
		if err := t.Put(c.Week, c.From, answers[i].Values); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// digestChoices digests the schedules of chosen vectors of the coverage.
func (r *legrandRun) digestChoices(choices []learn.Choice) error {
	cover, err := r.labs[0].Coverage(r.points())
	if err != nil {
		return err
	}
	var rows []experiment.DigestRow
	for w, c := range choices {
		if c.Candidate < 0 {
			continue
		}
		if _, err := r.labs[0].Mixed(w, mixed.Vector(cover, c.Candidate)); err != nil {
			return err
		}
		rows = appendRows(rows, r.labs[0].Schedule())
	}
	r.digest.add(rows)
	return nil
}

// name is an order's abbreviation.
func orderName(o policy.Order) string { return catalog.FindOrder(o.String()).Name }

// legrandTable1Columns and legrandTable7Columns are the columns of these tables,
// with their units.
var (
	legrandTable1Columns = [...][2]string{{"processors", "processors"}, {"jobs", "jobs"}, {"mean job duration", "s"}, {"mean job size", "processors"}}
	legrandTable7Columns = [...][2]string{{"job number", ""}, {"submit time", "s"}, {"run time", "s"}, {"processors", "processors"}}
)

func legrandTable1(r *legrandRun) error {
	windows, _, err := workload.Cut(r.work, workload.Week, 0)
	if err != nil {
		return err
	}
	if len(windows) > 2 {
		windows = windows[1 : len(windows)-1]
	}
	jobs, run, procs := 0, 0.0, 0.0
	for i := range windows {
		w := &windows[i].Workload
		for j := range w.Jobs {
			jobs++
			run += float64(w.Executed(model.JobID(j)))
			procs += float64(w.Jobs[j].Procs)
		}
	}
	if jobs == 0 {
		return fmt.Errorf("no jobs between the first and the last week: %w", mixed.ErrShort)
	}
	for i, ours := range []float64{float64(r.work.Processors), float64(jobs), run / float64(jobs), procs / float64(jobs)} {
		label := r.name
		if label == "" {
			label = r.ref.Name
		}
		row := Row{Label: label, Column: legrandTable1Columns[i][0], Ours: ours, Unit: legrandTable1Columns[i][1]}
		if r.name != "" {
			row.Paper = &r.table1[i]
		}
		r.out.Rows = append(r.out.Rows, row)
	}
	return nil
}

// legrandThresholdNames are the thresholds of tables 3 to 6.
var legrandThresholdNames = [...]string{"no threshold", "2.31 days", "20 hours"}

// legrandThresholds is tables 3 to 6. Each printed column ascends from its first
// row to its last, as if sorted apart from the orders beside it. So the numbers
// are counted in two ways: as printed, and by rank, the k-th least beside the
// k-th least of ours.
func legrandThresholds(r *legrandRun) error {
	var ours [2][len(legrandThresholdNames)][]float64 // by ties and order
	for k, ties := range []string{"newest", "oldest"} {
		for i, threshold := range []int64{-1, legrandThreshold, legrandLow} {
			err := r.reopen(func(s *mixed.Settings) {
				s.Ties, s.Threshold = ties, &threshold
				if threshold < 0 {
					s.Threshold = nil
				}
			})
			if err != nil {
				return err
			}
			t, err := r.pure()
			if err != nil {
				return err
			}
			for o, order := range policy.Pure() {
				sum := t.Sum(o, r.busy())
				ours[k][i] = append(ours[k][i], sum)
				r.add(orderName(order), legrandThresholdNames[i]+", ties to the "+ties, sum, r.sums[order][i])
			}
		}
	}
	r.agreement(&ours)
	return nil
}

// agreement counts the numbers of tables 3 to 6 that are within 2 % of the
// paper's, and says which printed cells cannot belong to the order beside them.
func (r *legrandRun) agreement(ours *[2][len(legrandThresholdNames)][]float64) {
	if len(r.sums) == 0 || r.in.Quick {
		return
	}
	near := func(ours, stated float64) bool { return math.Abs(ours/stated-1) <= 0.02 }
	var printed, ranked [3]int // newest, oldest, the better of both
	for i := range legrandThresholdNames {
		var stated []float64
		for _, order := range policy.Pure() {
			stated = append(stated, r.sums[order][i])
		}
		inOrder := slices.Sorted(slices.Values(stated))
		var byRank [2][]float64
		for k := range ours {
			byRank[k] = slices.Sorted(slices.Values(ours[k][i]))
		}
		for o := range stated {
			a, b := near(ours[0][i][o], stated[o]), near(ours[1][i][o], stated[o])
			c, d := near(byRank[0][o], inOrder[o]), near(byRank[1][o], inOrder[o])
			for n, is := range [...]bool{a, b, a || b} {
				printed[n] += btoi(is)
			}
			for n, is := range [...]bool{c, d, c || d} {
				ranked[n] += btoi(is)
			}
		}
		// FCFS does not depend on a threshold.
		fcfs := r.sums[policy.FCFSOrder]
		if fcfs[i] == fcfs[0] {
			continue
		}
		for o, v := range stated {
			if v == fcfs[0] {
				r.note("no threshold changes FCFS, whose sum is %.2f without one: in the column %q that number stands beside %s, and beside FCFS %.2f. The cells from one to the other are in doubt", fcfs[0], legrandThresholdNames[i], orderName(policy.Pure()[o]), fcfs[i])
			}
		}
	}
	for n, ties := range []string{"ties to the newest", "ties to the oldest", "the better of both"} {
		r.out.Rows = append(r.out.Rows, Row{Label: "within 2 % of the paper's 36", Column: "as printed, " + ties, Ours: float64(printed[n])},
			Row{Label: "within 2 % of the paper's 36", Column: "by rank, " + ties, Ours: float64(ranked[n])})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// legrandTable7 looks at the log before the cleaning that drops such jobs.
func legrandTable7(r *legrandRun) error {
	w, _, err := workload.FromLog(r.log, workload.Options{Overrun: workload.OverrunKill})
	if err != nil {
		return err
	}
	order := make([]int, len(w.Jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.Truth[b].Run, w.Truth[a].Run) })
	for i, j := range order[:min(10, len(order))] {
		for k, v := range []float64{float64(w.Jobs[j].Number), float64(w.Jobs[j].Submit), float64(w.Truth[j].Run), float64(w.Jobs[j].Procs)} {
			row := Row{Label: fmt.Sprint(i + 1), Column: legrandTable7Columns[k][0], Ours: v, Unit: legrandTable7Columns[k][1]}
			if r.name == "SDSC-SP2" {
				row.Paper = &legrandTable7Stated[i][k]
			}
			r.out.Rows = append(r.out.Rows, row)
		}
	}
	return nil
}

// legrandFigure1 is a box plot in numbers: quartiles lie at (n + 1)·p, between
// neighbours by straight lines.
func legrandFigure1(r *legrandRun) error {
	t, err := r.pure()
	if err != nil {
		return err
	}
	for o, order := range policy.Pure() {
		var values []float64
		sum := 0.0
		for _, w := range r.busy() {
			values = append(values, t.At(w, o))
			sum += t.At(w, o)
		}
		slices.Sort(values)
		n := float64(len(values))
		for _, q := range []struct {
			column string
			p      float64
		}{{"least", 0}, {"lower quartile", 0.25}, {"median", 0.5}, {"upper quartile", 0.75}, {"most", 1}} {
			at := min(max((n+1)*q.p-1, 0), n-1)
			low := int(at)
			v := values[low]
			if low+1 < len(values) {
				v += float64((at - float64(low)) * (values[low+1] - values[low]))
			}
			r.add(orderName(order), q.column, v, 0)
		}
		r.add(orderName(order), "mean", sum/n, 0)
	}
	return nil
}

// legrandPureWeeks is figures 2, 6, 9 and 12.
func legrandPureWeeks(r *legrandRun) error {
	t, err := r.pure()
	if err != nil {
		return err
	}
	for w, best := range t.Best() {
		if best.Candidate >= 0 {
			r.add(r.week(w), "SAF", t.At(w, int(policy.SAF)), 0)
			r.add(r.week(w), "best pure order", best.Value, 0)
			r.add(r.week(w), "which it is: "+orderName(policy.Pure()[best.Candidate]), best.Value, 0)
		}
	}
	for _, c := range []struct {
		column string
		most   float64 // of SAF, in times the best
	}{{"weeks in which SAF is the best pure order", 1}, {"weeks in which SAF is within 5 % of it", 1.05}, {"weeks in which SAF is within 50 % of it", 1.5}} {
		n := 0
		for w, best := range t.Best() {
			if best.Candidate >= 0 && t.At(w, int(policy.SAF)) <= c.most*best.Value {
				n++
			}
		}
		r.out.Rows = append(r.out.Rows, Row{Label: "all weeks", Column: c.column, Ours: float64(n), Unit: "weeks"})
	}
	return nil
}

// week is the label of a window.
func (r *legrandRun) week(place int) string {
	if r.settings.Length == int64(workload.Month) {
		return fmt.Sprint("month ", place+1)
	}
	return fmt.Sprint("week ", r.skipped+place+1)
}

// span is a set of weeks with a name.
type span struct {
	column string
	weeks  []int
	stated int // 1 + index of the paper's numbers; 0: none
}

// legrandTrain and legrandTest are the training and testing weeks of the paper.
func legrandTrain() span { return span{"training, weeks 28 to 64", numbers(28, 64), 1} }

func legrandTest() span { return span{"testing, weeks 65 to 100", numbers(65, 100), 2} }

// spans are the training and testing weeks: those of the paper, by equation 5
// and as halves, where there are 100; halves of all otherwise.
func (r *legrandRun) spans() (train, test span, others []span) {
	n := len(r.labs[0].Weeks())
	if n >= 100 && r.settings.Length == int64(workload.Week) {
		return legrandTrain(), legrandTest(),
			[]span{{"training, weeks 29 to 64", numbers(29, 64), 0}}
	}
	what := "weeks"
	if r.settings.Length == int64(workload.Month) {
		what = "months"
	}
	half := n / 2
	return span{fmt.Sprintf("training, %s 1 to %d", what, half), numbers(1, half), 0},
		span{fmt.Sprintf("testing, %s %d to %d", what, half+1, n), numbers(half+1, n), 0}, nil
}

// learned are the policies that learn, and one that cannot exist.
type learned struct {
	name    string
	choices []learn.Choice
}

// learn computes what the learning policies choose over a coverage.
func (r *legrandRun) learn(t *learn.Table, train span) ([]learned, error) {
	one := t.Train(train.weeks)
	trained := make([]learn.Choice, t.Weeks())
	for w := range trained {
		trained[w] = learn.Choice{Candidate: -1}
		if !t.Empty(w) && one.Candidate >= 0 {
			trained[w] = learn.Choice{Candidate: one.Candidate, Value: t.At(w, one.Candidate)}
		}
	}
	list := []learned{
		{"w*", t.Best()}, {"w_train", trained}, {"w_greedy", t.Follow(1, nil)},
		{"sliding window of 4 (ours)", t.Follow(4, nil)}, {"follow the leader (ours)", t.Follow(0, nil)},
	}
	for _, l := range list {
		if err := r.digestChoices(l.choices); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// legrandTable2 sums what was learned over training and testing weeks.
func legrandTable2(r *legrandRun) error {
	pure, err := r.pure()
	if err != nil {
		return err
	}
	t, err := r.coverage()
	if err != nil {
		return err
	}
	train, test, others := r.spans()
	list, err := r.learn(t, train)
	if err != nil {
		return err
	}
	stated := func(name string, s span) float64 {
		if r.name != "SDSC-SP2" || s.stated == 0 {
			return 0
		}
		return legrandTable2Stated[name][s.stated-1]
	}
	r.note("%d vectors cover the mixed orders over q, p and wait", t.Candidates())
	if r.settings.Length == int64(workload.Week) {
		r.flat(pure, t)
	}
	for _, s := range append([]span{train, test}, others...) {
		for _, l := range list {
			sum, missing := learn.SumChoices(l.choices, s.weeks)
			for _, w := range s.weeks {
				if t.Empty(w) {
					missing--
				}
			}
			column := s.column
			if missing > 0 {
				column += fmt.Sprintf(", %d without a choice", missing)
			}
			r.add(l.name, column, sum, stated(l.name, s))
		}
		for o, order := range policy.Pure() {
			r.add(orderName(order), s.column, pure.Sum(o, s.weeks), stated(orderName(order), s))
		}
	}
	return nil
}

// flat counts the weeks in which there is nothing to gain, and says how much
// there is in the others.
func (r *legrandRun) flat(pure, t *learn.Table) {
	best, close, near, most, mostPure := t.Best(), 0, 0, 0.0, 0.0
	for _, w := range r.busy() {
		saf, fcfs, least := pure.At(w, int(policy.SAF)), pure.At(w, int(policy.FCFSOrder)), best[w].Value
		close += btoi(max(saf, fcfs) <= 1.05*least)
		near += btoi(max(saf, fcfs) <= least+5)
		most = max(most, saf/least)
		mostPure = max(mostPure, pure.Best()[w].Value/least)
	}
	for _, x := range []struct {
		column string
		ours   float64
	}{{"weeks", float64(len(r.busy()))}, {"weeks in which SAF and FCFS are within 5 % of w*", float64(close)},
		{"weeks in which SAF and FCFS are at most 5 above w*", float64(near)},
		{"greatest SAF ÷ w* of a week", most}, {"greatest best pure order ÷ w* of a week", mostPure}} {
		r.out.Rows = append(r.out.Rows, Row{Label: "all weeks", Column: x.column, Ours: x.ours})
	}
}

func (r *legrandRun) note(format string, args ...any) {
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(format, args...))
}

// legrandLearning is figures 3, 7, 10 and 13.
func legrandLearning(r *legrandRun) error {
	_, err := r.learning()
	return err
}

// learning adds what FCFS, SAF and the learning policies give in each window.
func (r *legrandRun) learning() ([]learned, error) {
	pure, err := r.pure()
	if err != nil {
		return nil, err
	}
	t, err := r.coverage()
	if err != nil {
		return nil, err
	}
	train, _, _ := r.spans()
	list, err := r.learn(t, train)
	if err != nil {
		return nil, err
	}
	for _, o := range []policy.Order{policy.SAF, policy.FCFSOrder} {
		fixed := learned{name: orderName(o), choices: make([]learn.Choice, t.Weeks())}
		for w := range fixed.choices {
			fixed.choices[w] = learn.Choice{Candidate: -1}
			if !pure.Empty(w) {
				fixed.choices[w] = learn.Choice{Candidate: int(o), Value: pure.At(w, int(o))}
			}
		}
		list = append([]learned{fixed}, list...)
	}
	r.flat(pure, t)
	r.note("%d vectors cover the mixed orders over q, p and wait; w_train is the best of %s", t.Candidates(), train.column)
	for _, w := range r.busy() {
		for _, l := range list {
			if c := l.choices[w]; c.Candidate >= 0 {
				r.add(r.week(w), l.name, c.Value, 0)
			}
		}
	}
	return list, nil
}

// legrandMonths is figure 15, with the sums of both halves.
func legrandMonths(r *legrandRun) error {
	if err := r.open(workload.Month); err != nil {
		return err
	}
	list, err := r.learning()
	if err != nil {
		return err
	}
	train, test, _ := r.spans()
	for _, s := range []span{train, test} {
		for _, l := range list {
			sum, _ := learn.SumChoices(l.choices, s.weeks)
			r.add("sum of "+s.column, l.name, sum, 0)
		}
	}
	return nil
}

// legrandMaps is figure 4: four weeks in a row, 70 to 73 where there are so
// many, the last four otherwise.
func legrandMaps(r *legrandRun) error {
	r.coarse = true
	weeks := len(r.labs[0].Weeks())
	first := 70
	if weeks < 73 {
		first = max(1, weeks-3)
	}
	first, weeks = first-1, min(4, weeks-first+1)
	if err := r.reopen(func(s *mixed.Settings) { s.First, s.Count = s.First+first, weeks }); err != nil {
		return err
	}
	r.skipped = first
	t, err := r.coverage()
	if err != nil {
		return err
	}
	cover, err := r.labs[0].Coverage(r.points())
	if err != nil {
		return err
	}
	best := t.Best()
	if err := r.digestChoices(best); err != nil {
		return err
	}
	for w, b := range best {
		if b.Candidate < 0 {
			continue
		}
		v := mixed.Vector(cover, b.Candidate)
		for i, column := range []string{"q", "p", "wait"} {
			r.add("optimum of "+r.week(w), column, v[i], 0)
		}
		r.add("optimum of "+r.week(w), "mean bounded slowdown", b.Value, 0)
		for c := range cover.Len() {
			v := mixed.Vector(cover, c)
			r.add(fmt.Sprintf("q %.4g, p %.4g, wait %.4g", v[0], v[1], v[2]), r.week(w), t.At(w, c), 0)
		}
	}
	return nil
}

// legrandSearches is figures 5, 8, 11 and 14.
func legrandSearches(r *legrandRun) error {
	t, err := r.coverage()
	if err != nil {
		return err
	}
	budget := max(100, t.Candidates()/5)
	best := t.Best()
	if err := r.digestChoices(best); err != nil {
		return err
	}
	busy := r.busy()
	values := [2][]float64{}
	for k, features := range []int{3, policy.Features} {
		if err := r.reopen(func(s *mixed.Settings) { s.Features = features }); err != nil {
			return err
		}
		values[k] = make([]float64, len(best))
		found := make([]*mixed.Found, len(best))
		err := r.in.each(len(busy), func(worker, i int) error {
			a, err := r.labs[worker].Do(mixed.Chunk{Kind: mixed.KindXNES, Week: busy[i], Search: &mixed.Search{Budget: budget, Seed: 1, Lambda: mixed.DefaultLambda}}, r.in.Watch)
			found[busy[i]] = a.Found
			return err
		}, func(i int) any { return &found[busy[i]] })
		if err != nil {
			return err
		}
		var rows []experiment.DigestRow
		for _, w := range busy {
			weights, err := policy.NewWeights(found[w].Weights)
			if err != nil {
				return err
			}
			if values[k][w], err = r.labs[0].Mixed(w, weights); err != nil {
				return err
			}
			rows = appendRows(rows, r.labs[0].Schedule())
		}
		r.digest.add(rows)
	}
	r.note("each search may evaluate %d vectors, seed 1; w*_3 is the best of a coverage of %d", budget, t.Candidates())
	sums := [3]float64{}
	columns := [3]string{"w*_3", "xnes3", "xnes6"}
	for _, w := range busy {
		for i, v := range [3]float64{best[w].Value, values[0][w], values[1][w]} {
			if !math.IsNaN(v) {
				r.add(r.week(w), columns[i], v, 0)
				sums[i] += v
			}
		}
	}
	for i, v := range sums {
		r.add("sum of all weeks", columns[i], v, 0)
	}
	return nil
}
