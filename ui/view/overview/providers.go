package overview

import (
	"math"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// ProviderGrid lists what the providers of grids did, scheduler by scheduler,
// each with the whole grid behind them: means over repetitions. It is empty
// where there is only one provider.
func ProviderGrid(d *draw.Data) draw.Grid {
	g := draw.Grid{Left: 2, Head: []string{"scheduler", "provider", "processors", "jobs", "reservations", "mean U", "mean F", "mean D", "rejected", "idle before AR"},
		Units: []string{"scheduler", "provider", "processors", "jobs", "reservations", "mean_u", "mean_f_s", "mean_d_s", "rejected", "idle_before_reservations"}}
	for i, runs := range d.Runs {
		var rows []providerSum
		for _, r := range runs {
			if len(r.Providers) == 0 || len(rows) > 0 && len(rows) != len(r.Providers)+1 {
				continue
			}
			if rows == nil {
				rows = make([]providerSum, len(r.Providers)+1)
			}
			reserves := false
			for k := range r.Providers {
				p := &r.Providers[k]
				rows[k].add(p)
				reserves = reserves || p.Reservations > 0 || p.Rejected > 0
			}
			rows[len(r.Providers)].add(wholeGrid(r, reserves))
		}
		for k := range rows {
			name := "whole grid"
			if k < len(rows)-1 {
				name = runs[0].Providers[k].Name
			}
			cells, raw := rows[k].cells()
			g.Cells = append(g.Cells, append([]string{d.Title(i), name}, cells...))
			g.Raw = append(g.Raw, append([]string{d.Name(i), name}, raw...))
		}
	}
	return g
}

// wholeGrid is a run as if it had one provider: mean U is the mean of theirs
// (equation 4), the others are over all jobs, and a rejection counts once.
func wholeGrid(r *report.Run, reserves bool) *report.Provider {
	p := &report.Provider{Procs: int32(r.Processors)}
	for i := range r.Providers {
		p.Jobs += r.Providers[i].Jobs
		p.Reservations += r.Providers[i].Reservations
	}
	for _, m := range r.Metrics {
		if !m.Valid {
			continue
		}
		switch m.Key {
		case "provider-utilization":
			p.Utilization = m.Value
		case "mean-flow":
			p.MeanFlow = m.Value
		case "reservation-tardiness":
			p.MeanTardiness = m.Value
		case "reserved-idle":
			p.Idle = m.Value / 100
		case "rejected-reservations":
			if share := m.Value / 100; reserves && share < 1 {
				p.Rejected = int(math.Round(float64(p.Reservations) * share / (1 - share)))
			} else if share >= 1 {
				for i := range r.Providers {
					p.Rejected = max(p.Rejected, r.Providers[i].Rejected)
				}
			}
		}
	}
	return p
}

// providerSum adds up repetitions.
type providerSum struct {
	n, late int // repetitions, and those with reservations
	p       report.Provider
	jobs, reservations, rejected,
	flow, tardiness, usage, idle float64
}

func (s *providerSum) add(p *report.Provider) {
	s.n++
	s.p = *p
	s.jobs += float64(p.Jobs)
	s.reservations += float64(p.Reservations)
	s.rejected += float64(p.Rejected)
	s.usage += p.Utilization
	s.flow += p.MeanFlow
	s.idle += p.Idle
	if p.Reservations > 0 {
		s.late++
		s.tardiness += p.MeanTardiness
	}
}

func (s *providerSum) cells() (cells, raw []string) {
	n := float64(s.n)
	late := math.NaN()
	if s.late > 0 {
		late = s.tardiness / float64(s.late)
	}
	flow := math.NaN()
	if s.jobs > 0 {
		flow = s.flow / n
	}
	of := func(v float64, write func(float64) string) {
		if math.IsNaN(v) {
			cells, raw = append(cells, words.None), append(raw, "")
			return
		}
		cells, raw = append(cells, write(v)), append(raw, draw.PlainNumber(v))
	}
	count := func(v float64) string {
		if v == math.Trunc(v) {
			return words.Int(int64(v))
		}
		return words.Number(v, 1)
	}
	of(float64(s.p.Procs), count)
	of(s.jobs/n, count)
	of(s.reservations/n, count)
	of(s.usage/n, func(v float64) string { return words.Number(v, 3) })
	of(flow, words.Dur)
	of(late, words.Dur)
	of(s.rejected/n, count)
	of(s.idle/n, words.Percent)
	return cells, raw
}
