// Package lesson answers the questions of lessons: not by what their authors
// wrote down, but by what came out of the experiment beside them.
package lesson

import (
	"errors"
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// Results is what came out of a step's experiment. Schedulers are indices.
type Results interface {
	// Job returns the times of a job by its number; ok is false when there is no
	// such job, or it never started.
	Job(scheduler int, number int64) (submit, start, end model.Time, ok bool)
	// Measure returns a measure of the catalog, the mean of all repetitions.
	Measure(scheduler int, key string) (value float64, ok bool)
	// Apart tells which of two schedulers has less of a measure: −1 the first, 1
	// the second, 0 when the interval of their difference holds zero or there is
	// none.
	Apart(a, b int, key string) (less int, ok bool)
}

// Answer is what the laboratory says to a question.
type Answer struct {
	Right   int       // index of the right option
	Options []Outcome // for each option
}

// Outcome is what an option comes to.
type Outcome struct {
	// Value is the option: a job's number, the index of a scheduler, or seconds.
	// The last one of AskApart is −1: it cannot be told.
	Value int64
	// Figure is its start, end, wait or measure; of AskJob with Against the
	// difference. It has none where the question asks whether one can tell.
	Figure float64
	Known  bool // Figure is there
}

// Options returns the values to choose from, in their order, of a valid
// question about an experiment with so many schedulers.
func Options(q *experiment.Question, schedulers int) []int64 {
	switch {
	case q.Kind == experiment.AskApart:
		return []int64{q.Scheduler, *q.Against, -1}
	case q.Kind == experiment.AskScheduler && len(q.Options) == 0:
		all := make([]int64, schedulers)
		for i := range all {
			all[i] = int64(i)
		}
		return all
	}
	return q.Options
}

// Grade answers a valid question. It is an error, and there is no answer, when the
// results do not decide it: two options that are equally right, a job that is not
// there, a time that is not among the options.
func Grade(q *experiment.Question, schedulers int, r Results) (*Answer, error) {
	a := &Answer{Right: -1}
	for _, v := range Options(q, schedulers) {
		a.Options = append(a.Options, Outcome{Value: v})
	}
	switch q.Kind {
	case experiment.AskApart:
		less, ok := r.Apart(int(q.Scheduler), int(*q.Against), q.Of)
		if !ok {
			return nil, fmt.Errorf("the results do not say %s of both schedulers", q.Of)
		}
		switch {
		case less == 0:
			a.Right = 2
		case (less < 0) != q.Most:
			a.Right = 0
		default:
			a.Right = 1
		}
		return a, nil
	case experiment.AskTime:
		t, ok := quantity(r, q.Of, int(q.Scheduler), *q.Job)
		if !ok {
			return nil, fmt.Errorf("job %d has no %s", *q.Job, q.Of)
		}
		for i := range a.Options {
			a.Options[i].Figure, a.Options[i].Known = t, true
		}
		if a.Right = slices.IndexFunc(a.Options, func(o Outcome) bool { return float64(o.Value) == t }); a.Right < 0 {
			return nil, fmt.Errorf("none of the options is right: the %s of job %d is at %v s", q.Of, *q.Job, t)
		}
		return a, nil
	}
	for i := range a.Options {
		o := &a.Options[i]
		if o.Figure, o.Known = figure(q, o.Value, r); !o.Known {
			return nil, fmt.Errorf("nothing is known of option %d", o.Value)
		}
	}
	if err := a.choose(q.Most); err != nil {
		return nil, err
	}
	return a, nil
}

// figure is what is compared of an option of AskJob and AskScheduler.
func figure(q *experiment.Question, option int64, r Results) (float64, bool) {
	if q.Kind == experiment.AskScheduler {
		if q.Job == nil {
			return r.Measure(int(option), q.Of)
		}
		return quantity(r, q.Of, int(option), *q.Job)
	}
	v, ok := quantity(r, q.Of, int(q.Scheduler), option)
	if q.Against != nil {
		w, there := quantity(r, q.Of, int(*q.Against), option)
		return v - w, ok && there
	}
	return v, ok
}

func quantity(r Results, of string, scheduler int, job int64) (float64, bool) {
	submit, start, end, ok := r.Job(scheduler, job)
	switch of {
	case "start":
		return float64(start), ok
	case "end":
		return float64(end), ok
	case "wait":
		return float64(start - submit), ok
	}
	v, ok := r.Measure(scheduler, of)
	return v, ok
}

// choose sets the option with the least or the most.
func (a *Answer) choose(most bool) error {
	same := -1
	for i := range a.Options {
		switch v := a.Options[i].Figure; {
		case a.Right < 0:
			a.Right = i
		case v == a.Options[a.Right].Figure:
			same = i
		case (v > a.Options[a.Right].Figure) == most:
			a.Right, same = i, -1
		}
	}
	if a.Right < 0 {
		return errors.New("there is nothing to choose from")
	}
	if same >= 0 {
		return fmt.Errorf("two options are equally right: %d and %d", a.Options[a.Right].Value, a.Options[same].Value)
	}
	return nil
}

// Said is what is said with the answer of a question: where the numbers of a lesson were
// drawn, with those that came out of them.
func Said(q *experiment.Question, schedulers int, a *Answer, r Results) string {
	right := float64(a.Options[a.Right].Value)
	if q.Kind == experiment.AskTime {
		right /= 60
	}
	return q.Said(right, func(what byte, scheduler int, job int64) float64 {
		if scheduler >= schedulers {
			return 0
		}
		submit, start, end, _ := r.Job(scheduler, job)
		switch what {
		case 's':
			return float64(start) / 60
		case 'e':
			return float64(end) / 60
		}
		return float64(start-submit) / 60
	})
}
