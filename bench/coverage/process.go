package main

import (
	"math"
	"math/rand/v2"
	"sort"

	"batchlab/core/model"
	"batchlab/core/workload"
)

// process is a source of logs of which as many can be had as one likes, so that
// what a log of it gives in the mean is known. Its users are independent of one
// another, unless a generator of the catalog makes the log.
type process struct {
	name  string
	long  float64 // long-term users, who are there all the time, in the mean
	fresh float64 // users who arrive in a week, in the mean
	stay  int     // weeks that they stay at most; each length is as likely

	generator string
	params    map[string]any // for twelve weeks
}

// The processes of the study. All have a load of about 0.6.
var processes = []process{
	{name: "weeks", fresh: 42, stay: 1},
	{name: "stays", fresh: 9.4, stay: 8},
	{name: "regulars", long: 14, fresh: 11.5, stay: 4},
	{name: "daily", generator: "daily", params: map[string]any{"jobs": 7000, "load": 0.6, "users": 60}},
}

// processors is the size of the machine of processes that are no generator's.
const processors = 32

// hourly is how busy users are by the hour of the day.
var hourly = [24]float64{.4, .3, .3, .2, .2, .3, .4, .7, 1.1, 1.6, 1.8, 1.8, 1.5, 1.6, 1.9, 1.9, 1.8, 1.6, 1.2, 1, .8, .7, .5, .4}

// log draws a log of so many weeks.
func (p *process) log(weeks int, r *rand.Rand) (*model.Workload, error) {
	if p.generator != "" {
		params := map[string]any{}
		for key, v := range p.params {
			params[key] = v
		}
		params["jobs"] = p.params["jobs"].(int) * weeks / 12
		l, err := workload.Generate(p.generator, params, func(string) *rand.Rand { return rand.New(rand.NewPCG(r.Uint64(), r.Uint64())) })
		if err != nil {
			return nil, err
		}
		w, _, err := workload.FromLog(l, workload.Options{})
		return w, err
	}
	w := &model.Workload{Processors: processors}
	users := int32(0)
	for range poisson(p.long, r) {
		users++
		person(w, users, 0, weeks, weeks, r)
	}
	for week := 1 - p.stay; week < weeks; week++ { // some had come before the log begins
		for range poisson(p.fresh, r) {
			users++
			person(w, users, week, week+1+r.IntN(p.stay), weeks, r)
		}
	}
	sort.Sort(bySubmit{w})
	for i := range w.Jobs {
		w.Jobs[i].Number = int64(i) + 1
	}
	return w, nil
}

// person adds the jobs of one user, who is there in the weeks [from, to), as far
// as they lie in the log: days of work, each a session of like jobs.
func person(w *model.Workload, user int32, from, to, weeks int, r *rand.Rand) {
	diligence := 0.25 + 0.5*r.Float64()             // share of days with a session
	size := math.Pow(2, 3.5*r.Float64())            // processors, about
	typical := 3600 * math.Exp(0.6*r.NormFloat64()) // seconds
	careful := 1.2 + 3*r.Float64()
	for week := from; week < to; week++ {
		for day := range 7 {
			busy := r.Float64() < diligence*[...]float64{1, 1, 1, 1, 1, .5, .5}[day]
			at, jobs := hour(r)+3600*r.Float64(), 1+r.IntN(8)
			procs := int32(min(processors, size*(0.7+0.6*r.Float64())+0.5))
			run := typical * math.Exp(0.4*r.NormFloat64())
			for range jobs {
				ran := model.Time(1 + run*math.Exp(0.3*r.NormFloat64()))
				if busy && week >= 0 && week < weeks && at < 86400 {
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
func hour(r *rand.Rand) float64 {
	x := r.Float64() * 24
	for h, share := range hourly {
		if x -= share; x < 0 {
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

// bySubmit sorts jobs by their submissions.
type bySubmit struct{ w *model.Workload }

func (s bySubmit) Len() int           { return len(s.w.Jobs) }
func (s bySubmit) Less(a, b int) bool { return s.w.Jobs[a].Submit < s.w.Jobs[b].Submit }
func (s bySubmit) Swap(a, b int) {
	s.w.Jobs[a], s.w.Jobs[b] = s.w.Jobs[b], s.w.Jobs[a]
	s.w.Truth[a], s.w.Truth[b] = s.w.Truth[b], s.w.Truth[a]
}
