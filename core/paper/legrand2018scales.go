package paper

import (
	"math"

	"batchlab/core/learn"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/workload"
)

// legrandStandardised sets what is learnt with features divided by their standard
// deviations, as the study's simulator standardised them, beside what is learnt with the
// fixed scales of this lab. A mean that is taken off as well adds the same to every
// score, and so changes no order.
func legrandStandardised(r *legrandRun) error {
	scales, err := r.deviations()
	if err != nil {
		return err
	}
	for i, name := range []string{"q", "p", "wait", "ratio", "expansion factor", "area"} {
		r.add("standard deviation", name, scales[i], 0)
	}
	train, test, _ := r.spans()
	var lists [2][]learned
	for k := range lists {
		if k == 1 {
			if err := r.reopen(func(s *mixed.Settings) { s.Scales = scales }); err != nil {
				return err
			}
		}
		t, err := r.coverage()
		if err != nil {
			return err
		}
		if lists[k], err = r.learn(t, train); err != nil {
			return err
		}
		if k == 0 {
			r.note("%d vectors cover the mixed orders over q, p and wait, with either kind of scales; waits and expansion factors have the standard deviation that they have under SAF", t.Candidates())
		}
	}
	for _, s := range []span{train, test} {
		for i, l := range lists[0] {
			var values [2][]float64
			for _, w := range s.weeks {
				if a, b := l.choices[w], lists[1][i].choices[w]; a.Candidate >= 0 && b.Candidate >= 0 {
					values[0], values[1] = append(values[0], a.Value), append(values[1], b.Value)
				}
			}
			for k, name := range []string{"fixed scales, ", "standardised, "} {
				sum, _ := learn.SumChoices(lists[k][i].choices, s.weeks)
				r.add(l.name, name+s.column, sum, r.learntThere(l.name, s))
			}
			r.quotient(l.name, "standardised ÷ fixed scales, "+s.column, values[1], values[0])
		}
	}
	return nil
}

// deviations are the standard deviations of the six features over all jobs of the weeks,
// in the order of policy.Scales.
func (r *legrandRun) deviations() ([]float64, error) {
	var sum, squares [policy.Features]float64
	n := 0.0
	windows, _, err := workload.Cut(r.work, model.Time(r.settings.Length), 0)
	if err != nil {
		return nil, err
	}
	for _, w := range r.busy() {
		if _, err := r.labs[0].Pure(w, policy.SAF); err != nil {
			return nil, err
		}
		s := r.labs[0].Schedule()
		jobs := windows[r.settings.First+w].Workload.Jobs
		for i := range s.Executions {
			x := &s.Executions[i]
			q, p, wait := float64(jobs[x.Job].Procs), float64(jobs[x.Job].Limit), float64(x.Start-x.Submit)
			for k, v := range [policy.Features]float64{q, p, wait, p / q, (wait + p) / p, p * q} {
				sum[k] += v
				squares[k] += float64(v * v)
			}
			n++
		}
	}
	out := make([]float64, policy.Features)
	for k := range out {
		mean := sum[k] / n
		out[k] = max(1e-12, math.Sqrt(max(0, squares[k]/n-float64(mean*mean))))
	}
	return out, nil
}
