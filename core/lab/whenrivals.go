//go:build !small

package lab

import (
	"cmp"
	"slices"

	"batchlab/core/forecast"
	"batchlab/core/model"
	"batchlab/core/report"
)

// rivals are simpler methods, judged by the same jobs: the start that a plan promises,
// recalibrated by its own record; the quantiles of the last hundred waits of jobs of that
// size; linear quantile regression that learns from every job that waited.
type rivals struct {
	promised, recent, linear marks
	plan                     []answered // of the answers in the record
	line                     *liner
}

func newRivals(a *asking) *rivals { return &rivals{line: newLiner(a)} }

// judge has each rival answer, and judges it if the recipe's answer is judged.
func (r *rivals) judge(k *keeper, s *scene, job int32) error {
	wait, err := s.promisedStart()
	if err != nil {
		return err
	}
	plan := forecast.Point(forecast.Scaled(wait))
	if k.judged(job) {
		y := forecast.Scaled(k.q.start[job] - s.at)
		scale := forecast.Recalibrated(plan, k.q.by(r.plan, s.at))
		r.promised.add(scale.At(whenLevels), scale.At(lossLevels), y)
		sizes := s.q.history.Recent(s.jobs[len(s.jobs)-1].Procs, s.waited)
		r.recent.add(forecast.Quantiles(sizes, whenLevels), forecast.Quantiles(sizes, lossLevels), y)
		told, levels := r.line.at(s.at, job)
		r.linear.add(told, levels, y)
	}
	r.plan = append(r.plan, answered{mixture: plan, at: s.at, job: job})
	return nil
}

func (r *rivals) kept() (list []report.Rival) {
	for _, one := range []struct {
		key string
		of  *marks
	}{{"promise", &r.promised}, {"recent", &r.recent}, {"regression", &r.linear}} {
		if n := float64(one.of.judged); n > 0 {
			list = append(list, report.Rival{Key: one.key, Loss: one.of.loss / n, Eight: float64(one.of.eight) / n})
		}
	}
	return list
}

// liner runs through all jobs of a run that waited and has a regression learn when each
// has started.
type liner struct {
	*asking
	procs        int64
	regression   *forecast.Regression
	order        []int32 // jobs by their starts
	ends         []int32 // and by their ends
	begun, ended int
	seen         int // jobs whose submission has been seen
	features     map[int32][]float64
	waiting      []int32
	past         forecast.Past

	free, running, until int64 // processors; processors of what runs; their seconds, by request
	queued               int64 // processor seconds of what waits
}

// all is whenLevels, then lossLevels.
var allLevels = slices.Concat(whenLevels, lossLevels)

func newLiner(a *asking) *liner {
	q := newQueue(a, 1)
	return &liner{asking: a, procs: int64(q.procs), free: int64(q.procs), order: q.starts, ends: q.ends, features: map[int32][]float64{}, regression: forecast.NewRegression(features, allLevels)}
}

const features = 10

// at answers for a job at an instant, the ends of its bands and the levels by which it is
// judged. Instants come in order.
func (l *liner) at(at model.Time, job int32) (told, levels []float64) {
	for l.seen < len(l.jobs) && l.jobs[l.seen].Submit <= at {
		l.submit(int32(l.seen))
		l.seen++
	}
	l.upTo(at)
	x, ok := l.features[job]
	if !ok {
		x = l.look(job, at)
	}
	out := l.regression.Tell(x)
	return out[:len(whenLevels)], out[len(whenLevels):]
}

// upTo lets jobs end by an instant and start before it, in the order of time.
func (l *liner) upTo(at model.Time) {
	for {
		end, start := model.Never, model.Never
		if l.ended < len(l.ends) {
			end = l.end[l.ends[l.ended]]
		}
		if l.begun < len(l.order) {
			start = l.start[l.order[l.begun]]
		}
		switch {
		case start < at && start < end:
			l.begin(l.order[l.begun])
			l.begun++
		case end <= at:
			j := l.ends[l.ended]
			one := &l.jobs[j]
			l.free += int64(one.Procs)
			l.running -= int64(one.Procs)
			l.until -= int64(one.Procs) * int64(l.start[j]+one.Limit)
			l.ended++
		default:
			return
		}
	}
}

// begin starts a job, from which the regression learns if it waited.
func (l *liner) begin(j int32) {
	one := &l.jobs[j]
	if i := slices.Index(l.waiting, j); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.queued -= int64(one.Procs) * int64(one.Limit)
	}
	l.free -= int64(one.Procs)
	l.running += int64(one.Procs)
	l.until += int64(one.Procs) * int64(l.start[j]+one.Limit)
	if wait := l.start[j] - one.Submit; wait > 0 {
		l.past.Start(one.Procs, wait)
		l.regression.Learn(l.features[j], forecast.Scaled(wait))
	}
	delete(l.features, j)
}

// submit notes what a job sees when it comes.
func (l *liner) submit(j int32) {
	one := &l.jobs[j]
	l.upTo(one.Submit)
	if l.start[j] > one.Submit {
		l.features[j] = l.look(j, one.Submit)
	}
	l.waiting = append(l.waiting, j)
	l.queued += int64(one.Procs) * int64(one.Limit)
}

// look is what is known of a job and of what is before it.
func (l *liner) look(j int32, at model.Time) []float64 {
	one := &l.jobs[j]
	hours := func(work int64) float64 { return forecast.Scaled(model.Time(max(0, work) / l.procs)) }
	count := func(n int) float64 { return forecast.Scaled(60 * model.Time(n)) }
	area, ahead, smaller := int64(one.Procs)*int64(one.Limit), int64(0), 0
	for _, i := range l.waiting {
		w := &l.jobs[i]
		if a := int64(w.Procs) * int64(w.Limit); i != j && a <= area {
			ahead += a
			smaller++
		}
	}
	median := func(list []float64) float64 {
		if len(list) == 0 {
			return 0
		}
		list = append([]float64(nil), list...)
		slices.SortFunc(list, cmp.Compare)
		return list[len(list)/2]
	}
	size := l.past.Recent(one.Procs, 0)
	return []float64{
		hours(l.until - l.running*int64(at)),
		hours(l.queued),
		hours(ahead),
		count(len(l.waiting)),
		count(smaller),
		float64(l.free) / float64(l.procs),
		count(int(one.Procs)),
		forecast.Scaled(one.Limit),
		median(size),
		median(size[max(0, len(size)-10):]),
	}
}
