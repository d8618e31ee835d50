package workload

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"batchlab/core/swf"
)

// The generator daily is our own. It imitates, simply and without claiming to
// fit any one machine, what logs of parallel machines have in common and what
// schedulers react to:
//
//   - Arrivals are a Poisson process whose rate follows the hour of the day
//     and drops at weekends, conditioned on the number of jobs: that many
//     independent points with the density of the rate, in order. The span is
//     chosen so that executed processor-seconds ÷ (processors × span of the
//     submissions) is the load asked for, so only it depends on the load.
//   - Users have Zipf weights (1/rank) and come in sessions: a quarter of the
//     arrivals are by the user of the one before. A user often submits the
//     last kind of job again: same processors, same request, similar run time.
//   - Processors: one, or 2^e, or something between two powers, smaller ones
//     more often and by each user's taste; a few jobs want half the machine
//     or more.
//   - Run times mix two log-normal shapes (the normal one is a sum of twelve
//     uniforms), short tests around two minutes and long runs around the
//     parameter run; some jobs fail within the first minute.
//   - Requested times are the kind's typical run time times the user's
//     carefulness, rounded up to what people write (15 min, 1 h, 4 h, …); a
//     tenth of the kinds ask for the maximum. What runs longer is killed.
//
// Only sums, products and quotients are used, each product rounded, so that
// every machine makes the same jobs: math.Exp and Pow would not.
var dailyParams = []param{
	{"jobs", true, 1, 1_000_000, 2000, nil},
	{"processors", true, 1, 1_000_000, 100, nil},
	{"load", false, 0.05, 3, 0.75, nil},
	{"users", true, 1, 10_000, 30, nil},
	{"serial", false, 0, 1, 0.25, nil},
	{"powers", false, 0, 1, 0.8, nil},
	{"wide", false, 0, 1, 0.01, nil},
	{"run", true, 60, 604_800, 14400, nil},
	{"short", false, 0, 1, 0.4, nil},
	{"limit", true, 300, 2_592_000, 64_800, nil},
	{"overestimate", false, 1, 20, 2.5, nil},
	{"repetition", false, 0, 0.99, 0.5, nil},
	{"cycle", false, 0, 1, 0.8, nil},
	{"weekend", false, 0.05, 1, 0.65, nil},
}

const (
	dailyStart   = 1_704_067_200 // Monday 2024-01-01 00:00:00 UTC
	sameUser     = 0.25          // share of arrivals by the user of the one before
	earlyFailure = 0.06          // share of jobs that fail within a minute
	asksMaximum  = 0.1           // share of kinds that request the maximum
	shortRun     = 120           // typical seconds of a short test
	hour, week   = 3600, 7 * 24  // seconds; hours
)

// hourly is the arrival rate by hour of a working day, in per cent of its mean.
var hourly = [24]float64{45, 35, 30, 25, 25, 30, 45, 70, 110, 155, 180, 175, 150, 160, 185, 190, 180, 155, 120, 95, 80, 70, 50, 40}

// humanTimes are the requests that people write, in seconds.
var humanTimes = []float64{300, 600, 900, 1800, 2700, 1 * hour, 2 * hour, 3 * hour, 4 * hour, 6 * hour, 8 * hour, 10 * hour,
	12 * hour, 18 * hour, 24 * hour, 36 * hour, 48 * hour, 72 * hour, 96 * hour, 120 * hour, 168 * hour, 240 * hour, 336 * hour, 504 * hour}

// kind is what a user submits again and again.
type kind struct {
	number  int32 // executable
	procs   int32
	typical float64 // seconds
	request float64 // seconds
}

// person is a user of the generated log.
type person struct {
	number int32
	upTo   float64 // cumulative weight
	taste  float64 // for large jobs, 0 … 1
	factor float64 // of requested over typical run time
	last   kind    // number 0: none yet
}

// daily is the generator with the key "daily".
func daily(v *values, rng func(stream string) *rand.Rand) (*swf.Log, error) {
	n, size := int(v.get("jobs")), int32(v.get("processors"))
	users, sizes := rng("workload/daily/users"), rng("workload/daily/sizes")
	runs, requests := rng("workload/daily/runs"), rng("workload/daily/requests")

	people := makePeople(v, users)
	l := &swf.Log{Records: make([]swf.Record, n)}
	kinds := int32(0)
	area := int64(0) // executed processor-seconds
	who := -1
	for i := range l.Records {
		if again := users.Float64() < sameUser; !again || who < 0 {
			x := float64(users.Float64() * people[len(people)-1].upTo)
			who = sort.Search(len(people)-1, func(k int) bool { return people[k].upTo > x })
		}
		u := &people[who]
		if repeats := users.Float64() < v.get("repetition"); !repeats || u.last.number == 0 {
			kinds++
			u.last = makeKind(v, u, sizes, runs, requests)
			u.last.number = kinds
		}
		run, status := makeRun(&u.last, runs)
		area += int64(run) * int64(u.last.procs)
		r := generated(i, 0, run, u.last.procs, int32(u.last.request))
		r.Status, r.UserID, r.GroupID, r.ExecutableNumber, r.QueueNumber = status, u.number, 1+u.number%5, u.last.number, queueFor(u.last.request)
		l.Records[i] = r
	}
	span := float64(area) / float64(float64(size)*v.get("load"))
	if span > swf.MaxSubmit {
		return nil, fmt.Errorf("workload: daily: at this load the jobs arrive over %.0f years, which is too long: raise load, or lower jobs, run or limit", span/(365.25*24*hour))
	}
	for i, at := range arrivals(v, n, span, rng("workload/daily/arrivals")) {
		l.Records[i].SubmitTime = at
	}
	dailyHeader(l, v)
	return l, nil
}

// makePeople makes the users; their numbers say nothing of their weights.
func makePeople(v *values, rng *rand.Rand) []person {
	people := make([]person, int(v.get("users")))
	sum := 0.0
	for rank, number := range rng.Perm(len(people)) {
		sum += 1 / float64(rank+1)
		more := v.get("overestimate") - 1
		people[rank] = person{
			number: int32(number) + 1,
			upTo:   sum,
			taste:  rng.Float64(),
			factor: 1.05 + float64(more*exp2(normal(rng))),
		}
	}
	return people
}

// makeKind makes a new kind of job of user u.
func makeKind(v *values, u *person, sizes, runs, requests *rand.Rand) kind {
	size, limit := int32(v.get("processors")), v.get("limit")
	k := kind{procs: makeProcs(v, u, size, sizes)}
	if runs.Float64() < v.get("short") {
		k.typical = float64(shortRun * exp2(float64(2*normal(runs))))
	} else {
		k.typical = float64(v.get("run") * exp2(float64(1.0*normal(runs))))
	}
	k.typical = min(max(k.typical, 1), limit)
	if wanted := float64(k.typical * u.factor); requests.Float64() < asksMaximum {
		k.request = limit
	} else {
		i, _ := slices.BinarySearch(humanTimes, wanted)
		k.request = limit
		if i < len(humanTimes) {
			k.request = min(humanTimes[i], limit)
		}
	}
	return k
}

// makeProcs draws the processors of a kind of job.
func makeProcs(v *values, u *person, size int32, rng *rand.Rand) int32 {
	// One number for each question, asked or not, so that parameters do not
	// shift what the others draw.
	wide, serial, power := rng.Float64(), rng.Float64(), rng.Float64()
	a, b, place := rng.Float64(), rng.Float64(), rng.Float64()
	if wide < v.get("wide") {
		return size - int32(float64(float64(size/2)*place))*min(1, int32(4*a)) // a quarter want it whole
	}
	most := int32(bits.Len32(uint32(size))) - 1 // 2^most ≤ size
	if serial < v.get("serial") || most < 2 {
		return 1
	}
	// Exponents 1 … most−1, small ones more often, larger ones for some users.
	at := float64(min(a, b) * (0.4 + float64(0.6*u.taste)))
	e := 1 + min(int32(float64(at*float64(most-1))), most-2)
	procs := int32(1) << e
	if power >= v.get("powers") {
		procs += int32(float64(place * float64(procs)))
	}
	return min(procs, size)
}

// makeRun draws how long a job of a kind runs, and its status: 1 completed,
// 0 failed early or killed at its request.
func makeRun(k *kind, rng *rand.Rand) (run, status int32) {
	fails, when := rng.Float64(), rng.Float64()
	seconds := float64(k.typical * exp2(float64(0.5*normal(rng))))
	status = 1
	if fails < earlyFailure {
		seconds, status = float64(when*60), 0
	}
	if seconds >= k.request {
		seconds, status = k.request, 0
	}
	return max(1, int32(seconds)), status
}

// queueFor sorts requests into short, medium and long.
func queueFor(request float64) int32 {
	switch {
	case request <= 1*hour:
		return 1
	case request <= 12*hour:
		return 2
	}
	return 3
}

// arrivals returns n submit times from 0 to span, in order.
func arrivals(v *values, n int, span float64, rng *rand.Rand) []int64 {
	var upTo [week + 1]float64 // expected arrivals by the hour of the week, in units of an average hour
	for h := range week {
		rate := 1 + float64(v.get("cycle")*(hourly[h%24]/100-1))
		if h >= 5*24 {
			rate = float64(rate * v.get("weekend"))
		}
		upTo[h+1] = upTo[h] + rate
	}
	const seconds = week * hour
	weeks := math.Floor(span / seconds)
	rest := (span - float64(weeks*seconds)) / hour
	whole := min(int(rest), week-1)
	total := float64(weeks*upTo[week]) + upTo[whole] + float64((rest-float64(whole))*(upTo[whole+1]-upTo[whole]))

	points := make([]float64, n)
	for i := range points {
		points[i] = rng.Float64()
	}
	slices.Sort(points)
	first, width := points[0], points[n-1]-points[0]
	times := make([]int64, n)
	for i, x := range points {
		if width <= 0 {
			continue
		}
		x = float64(total * ((x - first) / width))
		w := math.Floor(x / upTo[week])
		x -= float64(w * upTo[week])
		h := min(max(sort.SearchFloat64s(upTo[:], x)-1, 0), week-1)
		at := float64(w*seconds) + float64(hour*float64(h)) + float64(hour*((x-upTo[h])/(upTo[h+1]-upTo[h])))
		times[i] = int64(min(max(at, 0), span))
		if i > 0 {
			times[i] = max(times[i], times[i-1])
		}
	}
	return times
}

// dailyHeader writes the header of the finished records.
func dailyHeader(l *swf.Log, v *values) {
	headed(l, "", append(calendar(v), [][2]string{
		{"MaxRuntime", fmt.Sprint(int(v.get("limit")))}, {"MaxQueues", "3"}, {"Queue", "1  short   requests up to 1 h"},
		{"Queue", "2  medium  requests up to 12 h"}, {"Queue", "3  long    requests beyond"}, {"MaxPartitions", "1"}}...)...)
	noted(l, v, "daily", "")
}

// normal draws from nearly the standard normal distribution, −6 … 6.
func normal(rng *rand.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += rng.Float64()
	}
	return sum
}

// exp2 returns 2^x for |x| < 1000, within 1e-9 of it in relation, and the same
// bits on every machine.
func exp2(x float64) float64 {
	whole := math.Floor(x + 0.5)
	t := float64((x - whole) * math.Ln2)
	y := 1.0
	for k := 9; k > 0; k-- { // the exponential series, from its end
		y = 1 + float64(t*y)/float64(k)
	}
	return math.Ldexp(y, int(whole))
}
