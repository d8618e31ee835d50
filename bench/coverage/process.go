package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
)

// process is a source of logs of which as many can be had as one likes, so that
// the typical quotient over logs of it is known.
type process struct {
	name   string
	says   string
	long   float64 // users who are there all the time, in the mean, at a load of about 1
	fresh  float64 // users who arrive in a week, in the mean, at a load of about 1
	stay   int     // weeks that they stay at most; each length is as likely
	cycles bool    // hours and weekends weigh more
	heavy  bool    // users' activity differs by a log-normal factor, σ = 1.1
	season bool    // a factor that all users share, log-normal with σ = 0.5, from week to week correlated by 0.6
}

// The processes of the study. Their users are independent of each other but in the
// last one.
var processes = []process{
	{name: "stays", says: "stay one to eight weeks", fresh: 15.7, stay: 8},
	{name: "heavy", says: "half are there all the time, few make most jobs", long: 35, fresh: 18.4, stay: 4, cycles: true, heavy: true},
	{name: "regulars", says: "are there all the time, or stay one to four weeks", long: 23.3, fresh: 19.2, stay: 4},
	{name: "weeks", says: "come for one week each", fresh: 70, stay: 1},
	{name: "season", says: "stay one to eight weeks, and share busy seasons", fresh: 17.5, stay: 8, cycles: true, season: true},
}

// processors is the size of the machine.
const processors = 32

// hourly is how busy users are by the hour of the day.
var hourly = [24]float64{.4, .3, .3, .2, .2, .3, .4, .7, 1.1, 1.6, 1.8, 1.8, 1.5, 1.6, 1.9, 1.9, 1.8, 1.6, 1.2, 1, .8, .7, .5, .4}

// log draws a log of so many weeks at about such a load. Users' numbers are given by
// lot.
func (p *process) log(weeks int, load float64, r *rand.Rand) *model.Workload {
	w := &model.Workload{Processors: processors}
	busy := make([]float64, weeks)
	state := r.NormFloat64()
	for k := range busy {
		if busy[k] = 1; p.season {
			busy[k] = math.Exp(0.5*state - 0.125)
			state = 0.6*state + 0.8*r.NormFloat64()
		}
	}
	users := int32(0)
	for range poisson(p.long*load, r) {
		users++
		p.person(w, users, 0, weeks, busy, r)
	}
	for week := 1 - p.stay; week < weeks; week++ { // some had come before the log begins
		for range poisson(p.fresh*load, r) {
			users++
			p.person(w, users, week, week+1+r.IntN(p.stay), busy, r)
		}
	}
	bySubmit(w)
	lot := r.Perm(int(users) + 1)
	for i := range w.Jobs {
		w.Jobs[i].Number, w.Jobs[i].User = int64(i)+1, int32(lot[w.Jobs[i].User])
	}
	return w
}

// person adds the jobs of one user, who is there in the weeks [from, to), as far
// as they lie in the log: days of work, each a session of like jobs.
func (p *process) person(w *model.Workload, user int32, from, to int, seasons []float64, r *rand.Rand) {
	diligence := 0.25 + 0.5*r.Float64()             // share of days with a session
	size := math.Pow(2, 3.5*r.Float64())            // processors, about
	typical := 3600 * math.Exp(0.6*r.NormFloat64()) // seconds
	careful := 1.2 + 3*r.Float64()
	activity := 1.0
	if p.heavy {
		activity = math.Exp(1.1*r.NormFloat64() - 0.605)
	}
	for week := from; week < to; week++ {
		for day := range 7 {
			share := diligence * [...]float64{1, 1, 1, 1, 1, .5, .5}[day]
			if p.cycles {
				share = 0.5 * [...]float64{1, 1, 1, 1, 1, .2, .2}[day]
			}
			busy := r.Float64() < share
			at, jobs := p.hour(r)+3600*r.Float64(), 1+r.IntN(8)
			if in := week >= 0 && week < len(seasons); in && p.cycles {
				jobs = poisson(4.5*activity*seasons[week], r)
			}
			procs := int32(min(processors, size*(0.7+0.6*r.Float64())+0.5))
			run := typical * math.Exp(0.4*r.NormFloat64())
			for range jobs {
				ran := model.Time(1 + run*math.Exp(0.3*r.NormFloat64()))
				if busy && week >= 0 && week < len(seasons) && at < 86400 {
					w.Jobs = append(w.Jobs, model.Job{
						Submit: model.Time(week*7+day)*86400 + model.Time(at), Limit: model.Time(900 * math.Ceil(run*careful/900)),
						Procs: max(1, procs), User: user, Record: -1,
					})
					w.Truth = append(w.Truth, model.Truth{Run: ran, LoggedWait: -1})
				}
				at += 60 + 900*r.ExpFloat64()
			}
		}
	}
}

// hour draws the second at which an hour of work begins.
func (p *process) hour(r *rand.Rand) float64 {
	total := 0.0
	weigh := func(h int) float64 {
		if p.cycles {
			return hourly[h] * hourly[h]
		}
		return hourly[h]
	}
	for h := range hourly {
		total += weigh(h)
	}
	x := r.Float64() * total
	for h := range hourly {
		if x -= weigh(h); x < 0 {
			return float64(h) * 3600
		}
	}
	return 23 * 3600
}

func poisson(mean float64, r *rand.Rand) int {
	n, left := 0, mean-r.ExpFloat64()
	for left > 0 {
		n++
		left -= r.ExpFloat64()
	}
	return n
}

// bySubmit sorts jobs by their submissions, those of one second as they are.
func bySubmit(w *model.Workload) {
	order := make([]int64, len(w.Jobs))
	for i := range order {
		order[i] = int64(w.Jobs[i].Submit)<<32 | int64(i)
	}
	slices.Sort(order)
	jobs, truth := make([]model.Job, len(order)), make([]model.Truth, len(order))
	for k, o := range order {
		i := o & (1<<32 - 1)
		jobs[k], truth[k] = w.Jobs[i], w.Truth[i]
	}
	w.Jobs, w.Truth = jobs, truth
}
