package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"batchlab/core/learn"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/workload"
)

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
			row.Paper = printed("legrand2018-table1", r.name, row.Column)
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
		var weekly [len(legrandThresholdNames)][][]float64 // by threshold, order and week
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
				weekly[i] = append(weekly[i], r.weekly(t, o))
				r.add(orderName(order), legrandThresholdNames[i]+", ties to the "+ties, sum, r.sum(order, i))
			}
		}
		for i, name := range legrandThresholdNames {
			for o, order := range policy.Pure() {
				if order != policy.SAF {
					r.quotient(orderName(order)+" ÷ SAF", name+", ties to the "+ties, weekly[i][o], weekly[i][policy.SAF])
				}
			}
		}
		better := 0
		for o, order := range policy.Pure() {
			r.quotient(orderName(order), "no threshold ÷ 2.31 days, ties to the "+ties, weekly[0][o], weekly[1][o])
			better += btoi(ours[k][0][o] < ours[k][1][o])
		}
		r.add("orders", "with a smaller sum without a threshold than with 2.31 days, ties to the "+ties, float64(better), 0)
		for _, order := range []policy.Order{policy.LEXP, policy.FCFSOrder} {
			place := 1
			for _, sum := range ours[k][1] {
				place += btoi(sum < ours[k][1][order])
			}
			r.add("place of "+orderName(order), "2.31 days, ties to the "+ties, float64(place), 0)
		}
	}
	r.agreement(&ours)
	return nil
}

// weekly are the values of an order in the weeks that have jobs.
func (r *legrandRun) weekly(t *learn.Table, order int) []float64 {
	var values []float64
	for _, w := range r.busy() {
		values = append(values, t.At(w, order))
	}
	return values
}

// quotient adds sum x ÷ sum y over weeks, with the interval of weeks drawn again.
func (r *legrandRun) quotient(label, column string, x, y []float64) {
	a, b := 0.0, 0.0
	for i := range x {
		a, b = a+x[i], b+y[i]
	}
	n := len(r.out.Rows)
	if r.add(label, column, a/b, 0); n < len(r.out.Rows) && len(x) >= leastWeeks {
		from, to := bootstrap(x, y)
		r.out.Rows[n].From, r.out.Rows[n].To = &from, &to
	}
}

// change is quotient in per cent: how much x is above y, negative below it.
func (r *legrandRun) change(label, column string, x, y []float64) {
	n := len(r.out.Rows)
	r.quotient(label, column, x, y)
	if n == len(r.out.Rows) {
		return
	}
	row := &r.out.Rows[n]
	row.Unit = "%"
	for _, v := range []*float64{&row.Ours, row.From, row.To} {
		if v != nil {
			*v = 100 * (*v - 1)
		}
	}
}

// agreement counts the numbers of tables 3 to 6 that are within 2 and 5 % of the
// paper's, and says which printed cells cannot belong to the order beside them.
func (r *legrandRun) agreement(ours *[2][len(legrandThresholdNames)][]float64) {
	if r.sums == "" || r.in.Quick {
		return
	}
	near := [...]float64{0.02, 0.05}
	var printed, ranked [len(near)][3]int // newest, oldest, the better of both
	for i := range legrandThresholdNames {
		var stated []float64
		for _, order := range policy.Pure() {
			stated = append(stated, r.sum(order, i))
		}
		inOrder := slices.Sorted(slices.Values(stated))
		var byRank [2][]float64
		for k := range ours {
			byRank[k] = slices.Sorted(slices.Values(ours[k][i]))
		}
		for o := range stated {
			for m, most := range near {
				within := func(ours, stated float64) bool { return math.Abs(ours/stated-1) <= most }
				a, b := within(ours[0][i][o], stated[o]), within(ours[1][i][o], stated[o])
				c, d := within(byRank[0][o], inOrder[o]), within(byRank[1][o], inOrder[o])
				for n, is := range [...]bool{a, b, a || b} {
					printed[m][n] += btoi(is)
				}
				for n, is := range [...]bool{c, d, c || d} {
					ranked[m][n] += btoi(is)
				}
			}
		}
		// FCFS does not depend on a threshold.
		fcfs := r.sum(policy.FCFSOrder, 0)
		if r.sum(policy.FCFSOrder, i) == fcfs {
			continue
		}
		for o, v := range stated {
			if v == fcfs {
				r.note("no threshold changes FCFS, whose sum is %.2f without one: in the column %q that number stands beside %s, and beside FCFS %.2f. The cells from one to the other are in doubt", fcfs, legrandThresholdNames[i], orderName(policy.Pure()[o]), r.sum(policy.FCFSOrder, i))
			}
		}
	}
	for m, most := range near {
		label := fmt.Sprintf("within %.0f %% of the paper's 36", 100*most)
		for n, ties := range []string{"ties to the newest", "ties to the oldest", "the better of both"} {
			r.out.Rows = append(r.out.Rows, Row{Label: label, Column: "as printed, " + ties, Ours: float64(printed[m][n])},
				Row{Label: label, Column: "by rank, " + ties, Ours: float64(ranked[m][n])})
		}
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
				row.Paper = printed("legrand2018-table7", row.Label, row.Column)
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
	// Whether SAF's worst week is the least bad of all orders' worst weeks.
	place := 1
	for o := range policy.Pure() {
		place += btoi(r.worst(t, o) < r.worst(t, int(policy.SAF)))
	}
	r.add("place of SAF", "worst week", float64(place), 0)
	return nil
}

// worst is the greatest weekly value of an order.
func (r *legrandRun) worst(t *learn.Table, order int) float64 { return slices.Max(r.weekly(t, order)) }

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
