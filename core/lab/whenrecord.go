//go:build !small

package lab

import (
	"batchlab/core/forecast"
	"batchlab/core/model"
	"batchlab/core/report"
)

// fewestJudged is how many answers the record must hold before one is judged by it, and
// how many a week must have to be named.
const fewestJudged = 20

// keeper is the record of answers.
type keeper struct {
	q      *queue
	wanted int // earlier jobs
	first  model.Time
	early  int // answers that are not judged, since they come first
	list   []answered
	ours   marks
	raw    int
	leads  [5][2]int             // judged, and within 8 in 10
	weeks  map[model.Time][2]int // by week of the log, as leads

	rivals *rivals
}

// answered is an answer to an earlier question.
type answered struct {
	mixture *forecast.Mixture
	at      model.Time
	job     int32
	known   *forecast.Answer // what came of it, once that is known

	low, high model.Time // the draws' own band of 8 in 10
}

// by is what is known of answers at an instant.
func (q *queue) by(list []answered, at model.Time) []forecast.Answer {
	out := make([]forecast.Answer, len(list))
	for i := range list {
		one := &list[i]
		start := q.start[one.job]
		if one.known == nil {
			a := one.mixture.Answered(forecast.Scaled(min(start, at)-one.at), start >= at)
			if out[i] = a; !a.Waiting {
				one.known = &a
			}
			continue
		}
		out[i] = *one.known
	}
	return out
}

// marks says how answers of a method came true.
type marks struct {
	judged, half, eight, nine int
	loss                      float64
}

// add judges one answer: what is told at whenLevels and at lossLevels, and what came.
func (s *marks) add(told, levels []float64, y float64) (eight bool) {
	s.judged++
	within := func(a, b int) int {
		if y >= told[a] && y <= told[b] {
			return 1
		}
		return 0
	}
	s.half += within(2, 4)
	s.eight += within(1, 5)
	s.nine += within(0, 6)
	for l, p := range lossLevels {
		d := y - levels[l]
		s.loss += max(float64(p*d), float64((p-1)*d)) / float64(len(lossLevels))
	}
	return within(1, 5) == 1
}

// judged says whether the next answer, about a job, is judged.
func (k *keeper) judged(job int32) bool {
	return len(k.list) >= k.early && k.q.start[job] < model.Never
}

// judge tells an answer by the record so far, sets it beside what came of it, and keeps it.
func (k *keeper) judge(one answered) {
	if k.judged(one.job) {
		scale := forecast.Recalibrated(one.mixture, k.q.by(k.list, one.at))
		told := scale.At(whenLevels)
		wait := k.q.start[one.job] - one.at
		eight := k.ours.add(told, scale.At(lossLevels), forecast.Scaled(wait))
		if wait >= one.low && wait <= one.high {
			k.raw++
		}
		median, c := forecast.Wait(told[3]), 0
		for leads[c] > 0 && median >= leads[c] {
			c++
		}
		k.leads[c] = tally(k.leads[c], eight)
		week := (one.at - k.first) / weekLong
		if k.weeks == nil {
			k.weeks = map[model.Time][2]int{}
		}
		k.weeks[week] = tally(k.weeks[week], eight)
	}
	k.list = append(k.list, one)
}

// tally counts one more, and whether it is within.
func tally(c [2]int, within bool) [2]int {
	c[0]++
	if within {
		c[1]++
	}
	return c
}

// kept sums the record up.
func (k *keeper) kept() *report.Kept {
	out := &report.Kept{Wanted: k.wanted, Asked: len(k.list), Judged: k.ours.judged}
	if out.Judged == 0 {
		return out
	}
	n := float64(out.Judged)
	out.Half, out.Eight, out.Nine = float64(k.ours.half)/n, float64(k.ours.eight)/n, float64(k.ours.nine)/n
	out.Loss, out.Draws = k.ours.loss/n, float64(k.raw)/n
	for c, below := range leads {
		if j := k.leads[c][0]; j > 0 {
			out.Leads = append(out.Leads, report.KeptLead{Below: below, Judged: j, Eight: float64(k.leads[c][1]) / float64(j)})
		}
	}
	for week, c := range k.weeks {
		one := report.KeptWeek{Week: int64(week) + 1, Judged: c[0], Eight: float64(c[1]) / float64(c[0])}
		missed := func(w *report.KeptWeek) float64 { return float64(w.Judged) * (0.8 - w.Eight) } // beside what was promised
		if w := out.Worst; c[0] >= fewestJudged && missed(&one) > 0 && (w == nil || missed(&one) > missed(w) || missed(&one) == missed(w) && one.Week < w.Week) {
			out.Worst = &one
		}
	}
	if k.rivals != nil {
		out.Rivals = k.rivals.kept()
	}
	return out
}
