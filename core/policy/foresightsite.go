package policy

import (
	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// Foresight is CountedForesight on any platform, and with any predictor: EASY in
// the order of what View.Book foretells. Rollouts play on processors that are only
// counted, whatever the platform: they choose an order, and the platform decides
// who fits.
type Foresight struct {
	backfiller
	o       ForesightOptions
	order   int
	chooser chooser
}

// NewForesight returns foresight for any platform.
func NewForesight(o ForesightOptions) *Foresight {
	f := &Foresight{o: o}
	f.first, f.behind = &foretold{o: &f.o, order: &f.order}, &foretold{o: &f.o}
	f.useThreshold, f.threshold, f.newest = true, o.Threshold, o.Newest
	if o.Rollout != nil {
		f.chooses = f
	}
	return f
}

// Reset prepares for a new simulation. The view must have a book.
func (f *Foresight) Reset(v *sim.View) {
	f.order = 0
	if f.o.Rollout != nil {
		f.chooser.reset(&f.o, len(v.Jobs))
	}
	f.backfiller.Reset(v)
}

// Trace says whether Choices are kept, with the whole cost of each candidate.
func (f *Foresight) Trace(on bool) { f.chooser.Trace = on }

// Choices returns what the rollouts chose in the last simulation, with Trace.
func (f *Foresight) Choices() []Choice { return f.chooser.Choices }

// choose asks the rollouts for an order, where it is time to.
func (f *Foresight) choose(v *sim.View) bool {
	c := &f.chooser
	if !c.due(v.Now) || !f.someFits(v) {
		return false
	}
	free := int32(v.Site.Platform.Procs())
	for i := range f.running.jobs {
		free -= f.running.jobs[i].procs
	}
	c.begin(v.Now, max(free, 0))
	f.queue.each(func(j model.JobID) {
		e, job := v.Book.Estimate(j), v.Jobs[j]
		q := predict.Log(float64(job.Procs))
		job.Procs = v.Needs[j].Procs // fewer where a reservation that is over had fewer
		c.wait(j, &job, &e, q)
	})
	for i := range f.running.jobs {
		r := &f.running.jobs[i]
		c.run(r.job, v.Jobs[r.job].Number, v.Start[r.job], r.end, r.procs)
	}
	before := f.order
	f.order = c.choose(v.Pulse)
	return f.order != before
}

// someFits says whether any waiting job could start now.
func (f *Foresight) someFits(v *sim.View) (some bool) {
	f.queue.each(func(j model.JobID) { some = some || v.Free.Fits(&v.Needs[j]) })
	return some
}

// began keeps what is thought of a job that starts.
func (f *Foresight) began(v *sim.View, j model.JobID) {
	e := v.Book.Estimate(j)
	f.chooser.start(j, &e)
}

// foretold is the order of what is foretold, ascending and rounded.
type foretold struct {
	o     *ForesightOptions
	order *int // index of foresightOrders; nil: p̂ alone, as backfilling has it
}

func (f *foretold) Reset(*sim.View)                {}
func (f *foretold) Admit(*sim.View)                {}
func (f *foretold) Rank(model.JobID) (int32, bool) { return 0, false }

func (f *foretold) weigh(v *sim.View, j model.JobID, at *peak) float64 {
	e := v.Book.Estimate(j)
	score := e.Ln
	if f.order != nil {
		score = foresightOrders[*f.order].score(&e, predict.Log(float64(v.Jobs[j].Procs)))
	}
	if at != nil {
		at.rise = infinite
	}
	return -float64(f.o.key(score))
}

// bound says nothing: a completion may change every score.
func (f *foretold) bound(*sim.View, *peak) float64 { return infinite }

func (f *foretold) before(x float64, a model.JobID, y float64, b model.JobID) bool {
	return x > y || x == y && a < b != f.o.Newest
}
