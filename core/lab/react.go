//go:build !small

package lab

import (
	"errors"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/react"
	"batchlab/core/sim"
)

// reactParams translates workload.react.
func reactParams(p experiment.Params) react.Params {
	r := react.Defaults()
	think, _ := p.Int("think-gap")
	arrival, _ := p.Int("arrival-gap")
	r.ThinkGap, r.ArrivalGap = model.Time(think), model.Time(arrival)
	r.Stated, r.Drawn = p.Bool("stated"), p.Text("think") == "drawn"
	if p.Text("batches") == "max" {
		r.Batches = react.Max
	}
	if p.Text("sessions") == "arrival" {
		r.Sessions = react.ByArrival
	}
	switch p.Text("rhythm") {
	case "daily":
		r.Rhythm = react.Daily
	case "weekly":
		r.Rhythm = react.Weekly
	}
	return r
}

// react finds the users of a repetition, where submissions are not replayed.
func (p *Prepared) react(r *prepared) error {
	params := p.doc.Workload.React
	if params == nil {
		return nil
	}
	w := r.workload
	e := react.Evidence{End: make([]model.Time, len(w.Jobs)), Preceding: preceding(r)}
	ends := params.Text("ends")
	if ends == "auto" {
		ends = "easy"
		for i := range w.Truth {
			if w.Truth[i].LoggedWait >= 0 {
				ends = "log"
				break
			}
		}
	}
	if ends == "log" {
		for i := range w.Jobs {
			e.End[i] = model.Never
			if wait := w.Truth[i].LoggedWait; wait >= 0 {
				e.End[i] = w.Jobs[i].Submit + wait + w.Executed(model.JobID(i))
			}
		}
	} else if err := easyEnds(r, e.End); err != nil {
		return fmt.Errorf("workload.react: the schedule by EASY that says when jobs end: %w", err)
	}
	b := react.Extract(w, e, reactParams(params))
	b.Report.Ends = ends
	r.reaction, r.users = &b.Report, b.NewAgents(p.doc.Seed, r.repetition)
	return nil
}

// easyEnds fills in when jobs end under EASY, Never of those that never run.
func easyEnds(r *prepared, end []model.Time) error {
	var s *model.Schedule
	var err error
	platform := r.platform
	if platform == nil {
		platform = model.OneCluster(r.workload.Processors)
	}
	if r.countable() {
		s, err = new(sim.CountedSimulator).Run(r.workload, platform, &policy.CountedEASY{}, sim.Options{})
	} else {
		s, err = new(sim.Simulator).Run(r.workload, platform, policy.NewEASY(&policy.CountedEASY{}), sim.Options{})
		if errors.As(err, new(*sim.IdleError)) { // reservations may ask for more than a batch job may have
			free := *platform
			free.Limits = model.Limits{}
			s, err = new(sim.Simulator).Run(r.workload, &free, policy.NewEASY(&policy.CountedEASY{}), sim.Options{})
		}
	}
	if err != nil {
		return err
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		if end[e.Job] = e.End; e.Reason.Unserved() {
			end[e.Job] = model.Never
		}
	}
	return nil
}

// preceding returns the jobs that the log names as preceding ones (field 17),
// by index; nil when it names none. Where a number stands twice the last job
// with it is meant.
func preceding(r *prepared) []int32 {
	var list []int32
	var byNumber map[int64]int32
	jobs, records := r.workload.Jobs, r.log.Records
	for i := range jobs {
		k := jobs[i].Record
		if k < 0 || int(k) >= len(records) || records[k].PrecedingJobNumber <= 0 {
			continue
		}
		if list == nil {
			list, byNumber = make([]int32, len(jobs)), make(map[int64]int32, len(jobs))
			for j := range jobs {
				list[j] = -1
				byNumber[jobs[j].Number] = int32(j)
			}
		}
		if j, ok := byNumber[records[k].PrecedingJobNumber]; ok {
			list[i] = j
		}
	}
	return list
}
