package paper

import (
	"cmp"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/learn"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
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
