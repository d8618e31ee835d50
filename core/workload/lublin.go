package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"batchlab/core/swf"
)

// The generator lublin is the model of U. Lublin and D. G. Feitelson, The
// workload on parallel supercomputers: modeling the characteristics of rigid
// jobs, Journal of Parallel and Distributed Computing 63(11), 2003, 1105–1122
// (Leibniz Center TR 2001-12; M.Sc. thesis of 1999). Two kinds of job, batch
// and interactive, arrive independently of each other:
//
//   - Processors: 1 with the probability serial; else 2^u, where u is
//     two-stage uniform: between low and medium with probability first, else
//     between medium and high. With the probability power u is rounded, which
//     makes a power of two; else 2^u is.
//   - Run time: e^g, where g is gamma(a1, b1) with the probability p, else
//     gamma(a2, b2); p = pa × processors + pb ties run times to sizes. Draws
//     above e^12 s (about 45 h) are repeated.
//   - Arrivals: the day's half hours have weights, the density of
//     gamma(anum, bnum) around the half hour counted from 05:30 on. Between two
//     jobs of a kind pass e^g seconds of average weight, g from
//     gamma(aarr × arar, barr); a heavy half hour passes quicker.
//
// The constants are the published ones, fitted to five logs on machines of 128
// processors. On other machines the model moves with the size: high and medium
// keep their distance from log₂ of the processors. Requests, users and
// dependencies are not part of the model: a requested time is the run time.
//
// Exponentials and logarithms are those of one fixed form, and products are
// rounded, so that every machine makes the same jobs.

// lublinKind holds the constants of one kind of job.
type lublinKind struct {
	name                     string
	queue                    int32   // of the SWF: 0 interactive, 1 batch
	serial, power            float64 // shares of the jobs
	low, medium, high, first float64 // of log₂ processors on 128; share of the first stage
	a1, b1, a2, b2, pa, pb   float64 // run time
	aarr, barr, anum, bnum   float64 // arrivals in rush hours, cycle
	arar                     float64 // arrivals over the whole day to those in rush hours
}

// lublinKinds are batch and interactive jobs, and all jobs fitted together.
var lublinKinds = [...]lublinKind{
	{name: "batch", queue: 1, serial: 0.2927, power: 0.6686, low: 1.2, medium: 5, high: 7, first: 0.875,
		a1: 6.57, b1: 0.823, a2: 639.1, b2: 0.0156, pa: -0.003, pb: 0.6986,
		aarr: 6.0415, barr: 0.8531, anum: 6.1271, bnum: 5.2740, arar: 1.0519},
	{name: "interactive", queue: 0, serial: 0.1541, power: 0.625, low: 1, medium: 3, high: 5.5, first: 0.705,
		a1: 3.8351, b1: 0.6605, a2: 7.073, b2: 0.6856, pa: -0.0118, pb: 0.9156,
		aarr: 6.5510, barr: 0.6621, anum: 8.9186, bnum: 3.6680, arar: 0.9797},
	{name: "typeless", queue: 1, serial: 0.244, power: 0.576, low: 0.8, medium: 4.5, high: 7, first: 0.86,
		a1: 4.2, b1: 0.94, a2: 312, b2: 0.03, pa: -0.0054, pb: 0.78,
		aarr: 10.2303, barr: 0.4871, anum: 8.1737, bnum: 3.9631, arar: 1.0225},
}

const (
	lublinSize    = 7    // log₂ of the machine that the constants belong to
	halfHours     = 48   // of a day
	halfHour      = 1800 // seconds
	cycleStart    = 11   // the half hour that the cycle of a day is counted from, the first being 1
	longestLog    = 12   // ln of the longest run time, in seconds
	longestGapLog = 13   // ln of the longest time between arrivals
)

var lublinParams = []param{
	{"jobs", true, 1, 1_000_000, 2000, nil},
	{"processors", true, 2, 1_000_000, 128, nil},
	{"kinds", false, 0, 0, 0, []string{"both", "batch", "interactive", "typeless"}},
	{"gaps", false, 0.01, 100, 1, nil},
}

// lublinStream is one kind of job on its way: its parameters for the machine,
// its streams, and when its next job arrives.
type lublinStream struct {
	lublinKind
	upTo                  [halfHours + 1]float64 // cumulative weights of the day
	at                    float64                // in average half hours since the start
	next                  float64                // seconds
	arrivals, sizes, runs *rand.Rand
}

// lublin is the generator with the key "lublin".
func lublin(v *values, rng func(stream string) *rand.Rand) (*swf.Log, error) {
	n, size := int(v.get("jobs")), int32(v.get("processors"))
	var streams []*lublinStream
	for i := range lublinKinds {
		k := &lublinKinds[i]
		if wanted := v.choice("kinds"); wanted == k.name || wanted == "both" && k.name != "typeless" {
			s := &lublinStream{
				lublinKind: *k, arrivals: rng("workload/lublin/" + k.name + "/arrivals"),
				sizes: rng("workload/lublin/" + k.name + "/sizes"), runs: rng("workload/lublin/" + k.name + "/runs"),
			}
			s.fit(size)
			s.advance(v.get("gaps"))
			streams = append(streams, s)
		}
	}
	l := &swf.Log{Records: make([]swf.Record, n)}
	for i := range l.Records {
		s := streams[0]
		for _, other := range streams[1:] {
			if other.next < s.next {
				s = other
			}
		}
		if s.next > swf.MaxSubmit {
			return nil, fmt.Errorf("workload: lublin: job %d would arrive after %.0f years: lower jobs or gaps", i+1, s.next/(365.25*24*hour))
		}
		procs := s.procs(size)
		run := s.run(procs)
		r := generated(i, s.next, run, procs, swf.Unknown)
		r.UserID, r.GroupID, r.PartitionNumber, r.QueueNumber = swf.Unknown, swf.Unknown, swf.Unknown, s.queue
		l.Records[i] = r
		s.advance(v.get("gaps"))
	}
	lublinHeader(l, v)
	return l, nil
}

// fit moves the sizes to a machine and computes the weights of the day.
func (s *lublinStream) fit(size int32) {
	log2 := float64(math.Log(float64(size)) / math.Ln2)
	s.high = max(0, log2-(lublinSize-s.high))
	s.medium = max(0, min(s.high, log2-(lublinSize-s.medium)))
	s.low = min(s.low, s.medium)
	weights := s.weights()
	for i, w := range weights {
		s.upTo[i+1] = s.upTo[i] + w
	}
}

// weights are the relative arrivals of the half hours of a day, 1 on average.
// What is common to all, like the gamma function, falls out.
func (s *lublinStream) weights() (w [halfHours]float64) {
	const steps = 16 // of Simpson's rule over a half hour; even
	sum := 0.0
	for i := cycleStart; i < cycleStart+halfHours; i++ {
		area := 0.0
		for k := 0; k <= steps; k++ {
			x := float64(i) - 0.5 + float64(k)/steps
			density := exp2(float64(float64((s.anum-1)*math.Log(x))-x/s.bnum) / math.Ln2)
			switch {
			case k == 0 || k == steps:
				area += density
			case k%2 == 1:
				area += float64(4 * density)
			default:
				area += float64(2 * density)
			}
		}
		w[(i-1)%halfHours] = area
		sum += area
	}
	for i := range w {
		w[i] = float64(w[i]*halfHours) / sum
	}
	return w
}

// advance draws when the next job arrives.
func (s *lublinStream) advance(gaps float64) {
	g := longestGapLog + 1.0
	for g > longestGapLog {
		g = gamma(s.arrivals, float64(s.aarr*s.arar), s.barr)
	}
	s.at += float64(exp2(g/math.Ln2)*gaps) / halfHour
	day := math.Floor(s.at / halfHours)
	x := s.at - float64(day*halfHours)
	i, found := slices.BinarySearch(s.upTo[:], x)
	if !found {
		i--
	}
	i = min(max(i, 0), halfHours-1)
	part := (x - s.upTo[i]) / (s.upTo[i+1] - s.upTo[i])
	s.next = float64(float64(float64(day*halfHours)+float64(i)+part) * halfHour)
}

// procs draws a job's processors.
func (s *lublinStream) procs(size int32) int32 {
	kind, stage, place := s.sizes.Float64(), s.sizes.Float64(), s.sizes.Float64()
	if kind <= s.serial {
		return 1
	}
	from, to := s.low, s.medium
	if stage > s.first {
		from, to = s.medium, s.high
	}
	u := from + float64(place*(to-from))
	if kind <= s.serial+s.power {
		u = math.Floor(u + 0.5)
	}
	return min(max(1, int32(exp2(u)+0.5)), size)
}

// run draws how many seconds a job of a size runs.
func (s *lublinStream) run(procs int32) int32 {
	p := min(max(s.pb+float64(s.pa*float64(procs)), 0), 1)
	for {
		a, b := s.a1, s.b1
		if s.runs.Float64() > p {
			a, b = s.a2, s.b2
		}
		if g := gamma(s.runs, a, b); g <= longestLog {
			return max(1, int32(exp2(g/math.Ln2)))
		}
	}
}

// gamma draws from the gamma distribution with shape a ≥ 1 and scale b: mean
// a×b, variance a×b². (G. Marsaglia and W. W. Tsang, A simple method for
// generating gamma variables, ACM TOMS 26(3), 2000.)
func gamma(rng *rand.Rand, a, b float64) float64 {
	d := a - 1.0/3
	c := 1 / math.Sqrt(float64(9*d))
	for {
		x := gauss(rng)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		u := 1 - rng.Float64() // above 0
		if math.Log(u) < float64(0.5*float64(x*x))+d-float64(d*v)+float64(d*math.Log(v)) {
			return float64(float64(d*v) * b)
		}
	}
}

// gauss draws from the standard normal distribution by Marsaglia's polar method.
func gauss(rng *rand.Rand) float64 {
	for {
		x, y := float64(2*rng.Float64())-1, float64(2*rng.Float64())-1
		if r := float64(x*x) + float64(y*y); r > 0 && r < 1 {
			return float64(x * math.Sqrt(float64(-2*math.Log(r))/r))
		}
	}
}

// lublinHeader writes the header of the finished records.
func lublinHeader(l *swf.Log, v *values) {
	headed(l, "U. Lublin and D. G. Feitelson, The workload on parallel supercomputers, JPDC 63(11), 2003",
		append(calendar(v), [][2]string{{"MaxQueues", "2"}, {"Queue", "0  interactive"}, {"Queue", "1  batch"}}...)...)
	noted(l, v, "lublin", ". The model knows no requested times and no users")
}
