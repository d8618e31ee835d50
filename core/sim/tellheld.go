package sim

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
)

// held tells of the jobs that are not eligible yet. until says when a job must end that
// runs, model.Never of others.
func (t *Telling) held(step *tell.Step, p *supply, until func(j model.JobID) model.Time) {
	if p == nil {
		return
	}
	h, ok := p.gate.(HeldTeller)
	if !ok {
		return
	}
	say := func(k int32) *tell.Held {
		if step.Holds++; len(step.Held) == tell.MostListed {
			return nil
		}
		job := &p.pool.Jobs[k]
		step.Held = append(step.Held, tell.Held{Job: k, Number: job.Number, Procs: job.Procs, Limit: job.Limit, Submit: job.Submit})
		return &step.Held[len(step.Held)-1]
	}
	for _, k := range h.Lost() {
		if one := say(k); one != nil {
			one.Text = "Leaves before it was eligible: it is withdrawn."
		}
	}
	word := func(list []tell.For) string { return "" }
	if t.facts.Slurm {
		word = func(list []tell.For) string { return " Slurm says " + tell.SlurmReason(list) + "." }
	}
	in := p.running(until)
	h.EachHeld(step.Now, func(k int32) {
		if one := say(k); one != nil {
			if one.For, one.Any = h.Holds(k, step.Now, in); len(one.For) > 0 {
				one.Text = tell.HeldSentence(one.For, one.Any) + word(one.For)
			}
		}
	})
}

// running is until for jobs of the pool.
func (p *supply) running(until func(j model.JobID) model.Time) func(job int32) model.Time {
	return func(k int32) model.Time {
		if p.id[k] < 0 {
			return model.Never
		}
		return until(p.id[k])
	}
}

// hold notes what the job that is followed waits for from now on, or from its submission
// on, until it is eligible.
func (r *Record) hold(p *supply, now model.Time, until func(j model.JobID) model.Time) {
	h, ok := p.gate.(HeldTeller)
	if !ok || r.Follow == nil {
		return
	}
	for k := range p.pool.Jobs {
		job := &p.pool.Jobs[k]
		if job.Number != *r.Follow {
			continue
		}
		at := max(now, job.Submit)
		text := h.HeldText(int32(k), at, p.running(until))
		if text == "" {
			return
		}
		n := len(r.History)
		if n > 0 && r.History[n-1].From >= at {
			n--
		}
		r.History = r.History[:n]
		if n == 0 || r.History[n-1].Text != text {
			r.History = append(r.History, report.Phase{From: at, Reason: report.WaitOthers, Head: -1, Text: text})
		}
		return
	}
}

// says notes what else is to be said of why the job waits that is followed: which limit
// holds it back, and who holds what that leaves; and what the scheduler says of it.
func (r *Record) says(v *View) {
	n := len(r.History)
	own := r.facts.Sentence
	if n == 0 || r.History[n-1].Reason != report.WaitLimit && (own == nil || !r.waits()) {
		return
	}
	d, text := tell.Decide("", r.followed), ""
	if r.History[n-1].Reason == report.WaitLimit {
		g := &siteGround{v: v, left: v.Site.NewPool(), stopped: map[model.JobID]bool{}}
		g.left.CopyFrom(v.Free)
		if g.refused(r.followed, &d) == tell.Limit {
			(*Telling)(nil).holders(g, &d)
			text = d.Limits()
		}
	}
	if own != nil {
		if said := own(r.followed, &d); said != "" && text != "" {
			text += " " + said
		} else {
			text += said
		}
	}
	last := r.History[n-1]
	if last.Text == text {
		return
	}
	if last.From < v.Now {
		last.From = v.Now
		r.History = append(r.History, last)
	}
	r.History[len(r.History)-1].Text = text
}
