package metric

import (
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
)

const (
	meanWait     = "mean-wait"
	meanSlowdown = "mean-bounded-slowdown"
)

// Waves sums the jobs of the schedule that was measured last, which ran w, by day,
// and the days by four slow waves. nil without jobs.
func (m *Meter) Waves(w *model.Workload) *report.Waves {
	const day = 86400
	if len(m.last) == 0 {
		return nil
	}
	first, last := m.span(w)
	out := &report.Waves{Days: int((last-first)/day) + 1}
	var wait sum
	slowdown, d := 0.0, model.Time(0)
	end := func() {
		for j := range out.Wait {
			c := math.Cos(math.Pi * float64(j+1) * (float64(d) + 0.5) / float64(out.Days))
			out.Wait[j] += float64(wait.float() * c)
			out.Slowdown[j] += float64(slowdown * c)
		}
		wait, slowdown = sum{}, 0
	}
	for i := range m.last { // in order of submission
		if now := (w.Jobs[m.job(i)].Submit - first) / day; now != d {
			end()
			d = now
		}
		wait.add(m.wait(i))
		slowdown += m.bounded(i)
	}
	end()
	return out
}

// span returns the first and the last submission of the measured jobs, of which there
// are some.
func (m *Meter) span(w *model.Workload) (first, last model.Time) {
	first, last = model.Never, -model.Never
	for i := range m.last {
		submit := w.Jobs[m.job(i)].Submit
		first, last = min(first, submit), max(last, submit)
	}
	return first, last
}

// fewestDays is how many days a log has at least whose own interval is given. It was
// tried for logs of four weeks and more.
const fewestDays = 21

// OneLog says what the runs of two schedulers over one log tell of the sway of
// their quotient in mean wait or mean bounded slowdown, without a draw: by the
// influence z = (a − R b) ÷ (N × mean of a) of each job, where a and b are what it
// contributes under both and R is the quotient. The variance that users make is the sum of
// the squares of their z, for users come independently of each other. That of days
// is the mean over the first four waves, half the squares of the days' z along them
// (the estimate of a long-run variance by cosines; U. K. Müller, HAC corrections for
// strongly autocorrelated time series, Journal of Business & Economic Statistics 32,
// 2014). The zero Own where there is nothing to say.
func OneLog(mine, base *report.Run, key string) (o Own) {
	slow := key == meanSlowdown
	if key != meanWait && !slow || mine == nil || base == nil || mine.Waves == nil || base.Waves == nil || mine.Waves.Days != base.Waves.Days {
		return o
	}
	of := func(u *report.UserRow) float64 {
		if slow {
			return float64(u.Jobs) * u.MeanSlowdown
		}
		return float64(u.Jobs) * u.MeanWait
	}
	theirs := map[int32]*report.UserRow{}
	var a, b, work, squares float64
	jobs := 0
	for i := range base.Users {
		u := &base.Users[i]
		theirs[u.User] = u
		b += of(u)
		jobs += u.Jobs
	}
	for i := range mine.Users {
		u := &mine.Users[i]
		a += of(u)
		jobs -= u.Jobs
		work += float64(u.Area)
		squares += float64(float64(u.Area) * float64(u.Area))
	}
	x, y := mine.Waves.Wait, base.Waves.Wait
	if slow {
		x, y = mine.Waves.Slowdown, base.Waves.Slowdown
	}
	if jobs != 0 {
		return o
	}
	switch o = OfDays(x, y, a, b); {
	case !o.Known:
		return o
	case mine.Waves.Days < fewestDays:
		o.Lacks = "one workload of less than three weeks says nothing of others"
		return o
	case !slices.ContainsFunc(mine.Users, func(u report.UserRow) bool { return u.User >= 0 }):
		o.Lacks = "the log names no users, and one workload says nothing of others"
		return o
	}
	for i := range mine.Users {
		u := &mine.Users[i]
		other, ok := theirs[u.User]
		if !ok || other.Jobs != u.Jobs {
			return Own{}
		}
		z := (of(u) - float64(a/b*of(other))) / a
		o.Users += float64(z * z)
	}
	o.Alike = float64(work*work) / squares
	return o
}

// OfDays is what the days of a log alone say: OneLog without users. x and y are the
// waves under both schedulers (report.Waves), a and b the sums over all jobs.
func OfDays(x, y [4]float64, a, b float64) (o Own) {
	if !(a > 0) || !(b > 0) {
		return o
	}
	o.Known = true
	for j := range x {
		z := (x[j] - float64(a/b*y[j])) / a
		o.Days += float64(z*z) / 2
	}
	return o
}

// OneLogOfJobs is OneLog over jobs that are given one by one, in order of submission:
// who submitted each and when, its processor-seconds, and what it waits under both.
func OneLogOfJobs(submit []model.Time, user []int32, work, a, b []float64) Own {
	if len(submit) == 0 {
		return Own{}
	}
	const day = 86400
	runs := [2]report.Run{}
	days := int((submit[len(submit)-1]-submit[0])/day) + 1
	for k := range runs {
		runs[k].Waves = &report.Waves{Days: days}
	}
	at := map[int32]int{}
	var wave [len(runs[0].Waves.Wait)]float64
	now := model.Time(-1)
	for i, by := range user {
		if d := (submit[i] - submit[0]) / day; d != now { // the cosines of a day serve all its jobs
			now = d
			for j := range wave {
				wave[j] = math.Cos(math.Pi * float64(j+1) * (float64(d) + 0.5) / float64(days))
			}
		}
		slot, known := at[by]
		if !known {
			slot = len(at)
			at[by] = slot
			for k := range runs {
				runs[k].Users = append(runs[k].Users, report.UserRow{User: by})
			}
		}
		for k, wait := range [2]float64{a[i], b[i]} {
			u := &runs[k].Users[slot]
			u.Jobs++
			u.Area += int64(work[i])
			u.MeanWait += wait
			for j := range wave {
				runs[k].Waves.Wait[j] += float64(wait * wave[j])
			}
		}
	}
	for k := range runs {
		for i := range runs[k].Users {
			runs[k].Users[i].MeanWait /= float64(runs[k].Users[i].Jobs)
		}
	}
	return OneLog(&runs[0], &runs[1], meanWait)
}
