package metric

import (
	"math"

	"batchlab/core/model"
)

// Spread is the mean and the population standard deviation of waits and bounded
// slowdowns over some jobs; zeros without jobs.
type Spread struct {
	Jobs                      int
	MeanWait, StdWait         float64 // seconds
	MeanSlowdown, StdSlowdown float64 // bounded
	wait, wait2, slow, slow2  float64
}

// Spreads divides the measured batch jobs into classes (Klusáček and Chlumský 2016,
// figure 2): those of which of returns at most edges[0], at most edges[1], …,
// and in the last class all others.
func Spreads(s *model.Schedule, o Options, edges []int64, of func(*model.Job) int64) []Spread {
	out := make([]Spread, len(edges)+1)
	tau := int64(max(o.Tau, 1))
	for i := 0; i < len(s.Executions); i++ {
		first := i
		i = lastAttempt(s.Executions, i)
		e := &s.Executions[i]
		job := &s.Workload.Jobs[e.Job]
		if e.Reason.Unserved() || !o.in(job.Submit) || reservation(s.Workload, e.Job) != nil {
			continue
		}
		class, value := 0, of(job)
		for class < len(edges) && value > edges[class] {
			class++
		}
		held := kept(s.Executions[first:i])
		asked := s.Executions[first].Submit
		wait := float64(e.Start - asked - held)
		slow := boundedSlowdown(int64(e.End-asked), int64(e.End-e.Start+held), tau)
		c := &out[class]
		c.Jobs++
		c.wait += wait
		c.wait2 += float64(wait * wait)
		c.slow += slow
		c.slow2 += float64(slow * slow)
	}
	for i := range out {
		if c := &out[i]; c.Jobs > 0 {
			n := float64(c.Jobs)
			c.MeanWait, c.MeanSlowdown = c.wait/n, c.slow/n
			c.StdWait = math.Sqrt(max(0, c.wait2/n-float64(c.MeanWait*c.MeanWait)))
			c.StdSlowdown = math.Sqrt(max(0, c.slow2/n-float64(c.MeanSlowdown*c.MeanSlowdown)))
		}
	}
	return out
}

// Prediction is what was expected of a job's start at some time.
type Prediction struct {
	Job       model.JobID
	At, Start model.Time
}

// Accuracy says how far predictions were off, for those made so long before the
// predicted start: at most To seconds, the last class model.Never.
type Accuracy struct {
	To          model.Time
	Predictions int
	Late, Early int     // the job started later, earlier than predicted
	MeanError   float64 // seconds, of the absolute error
	Bias        float64 // seconds, mean of real start − predicted
}

// Accuracies compares predicted with real starts (of last attempts), over the
// time to the predicted start, in classes with the upper edges given and one
// beyond.
func Accuracies(s *model.Schedule, list []Prediction, edges []model.Time) []Accuracy {
	out := make([]Accuracy, len(edges)+1)
	for i := range edges {
		out[i].To = edges[i]
	}
	out[len(edges)].To = model.Never
	starts := make([]model.Time, len(s.Workload.Jobs))
	for i := range s.Executions {
		starts[s.Executions[i].Job] = s.Executions[i].Start
	}
	for _, p := range list {
		class := 0
		for class < len(edges) && p.Start-p.At > edges[class] {
			class++
		}
		a, off := &out[class], starts[p.Job]-p.Start
		a.Predictions++
		switch {
		case off > 0:
			a.Late++
		case off < 0:
			a.Early++
		}
		a.Bias += float64(off)
		a.MeanError += float64(max(off, -off))
	}
	for i := range out {
		if n := float64(out[i].Predictions); n > 0 {
			out[i].Bias /= n
			out[i].MeanError /= n
		}
	}
	return out
}
