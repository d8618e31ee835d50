package forecast

import (
	"cmp"
	"math"
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/order"
)

const (
	window     = 60   // completions of a user that are looked at
	least      = 1e-4 // samples that weigh less are left out
	priors     = 20   // points of the prior
	priorMass  = 1.0  // their weight together
	priorSpan  = 200  // completions that the prior remembers
	fewest     = 20   // completions of a length, or waits of a size, below which all are taken
	beyond     = 0.02 * (priorMass + 0.5)
	common     = 0.8 // the part of a draw's luck that a user's jobs share
	single     = 0.6 // the other part: 0.8² + 0.6² = 1
	roughness  = 0.1 // standard deviation of the logarithm by which a sample is blurred
	recentOf   = 100 // waits of a size that are remembered
	recentMass = 0.2 // their weight together, beside that of all draws
)

// Done is a job that has ended.
type Done struct {
	Run, Limit model.Time // what it ran and what was requested, in seconds, both at least 1
	Procs      int32
	User       int32 // −1 unknown
	Executable int32
}

// Past is what had ended and started by an instant: completions by user and by length, and
// how long jobs of each size waited. The zero value is empty. It only grows.
type Past struct {
	users   map[int32][]Done
	lengths [64][]float64 // run ÷ request, by ⌊log2 request⌋
	all     []float64
	waits   [32][]float64 // scaled, of jobs that waited, by ⌊log2 processors⌋
	anyWait []float64
	quant   [65][]float64 // mid-quantiles of a length, of all; nil: to be made
}

// End notes that a job has ended. Jobs come in the order of their ends.
func (p *Past) End(d Done) {
	if p.users == nil {
		p.users = map[int32][]Done{}
	}
	if d.User >= 0 {
		p.users[d.User] = append(p.users[d.User], d)
	}
	b := length(d.Limit)
	share := float64(d.Run) / float64(d.Limit)
	p.lengths[b], p.quant[b] = append(p.lengths[b], share), nil
	p.all, p.quant[64] = append(p.all, share), nil
}

// Start notes that a job has started after a wait of so many seconds, in the order of starts.
// Only jobs that did not start in the pass of their own submission count.
func (p *Past) Start(procs int32, wait model.Time) {
	b := size(procs)
	p.waits[b] = append(p.waits[b], Scaled(wait))
	p.anyWait = append(p.anyWait, Scaled(wait))
}

// Recent returns the scaled waits of the last jobs of a size that waited, of all sizes
// where there are few; of jobs that waited longer than a time, and what they waited after it.
func (p *Past) Recent(procs int32, after model.Time) []float64 {
	list := p.waits[size(procs)]
	if len(list) < fewest {
		list = p.anyWait
	}
	list = list[max(0, len(list)-recentOf):]
	if after == 0 {
		return list
	}
	var rest []float64
	for _, y := range list {
		if wait := Wait(y); wait > after {
			rest = append(rest, Scaled(wait-after))
		}
	}
	return rest
}

func length(limit model.Time) int { return bits.Len64(uint64(max(limit, 1))) - 1 }
func size(procs int32) int        { return bits.Len32(uint32(max(procs, 1))) - 1 }

// prior returns the mid-quantiles of run ÷ request among recent completions of requests
// as long.
func (p *Past) prior(limit model.Time) []float64 {
	b := length(limit)
	list := p.lengths[b]
	if len(list) < fewest {
		b, list = 64, p.all
	}
	if p.quant[b] == nil {
		recent := append([]float64(nil), list[max(0, len(list)-priorSpan):]...)
		order.Sort(recent, order.Floats)
		p.quant[b] = make([]float64, priors)
		for i := range p.quant[b] {
			level := (float64(i) + 0.5) / priors
			p.quant[b][i] = level
			if n := len(recent); n > 0 {
				p.quant[b][i] = recent[min(n-1, int(level*float64(n)))]
			}
		}
	}
	return p.quant[b]
}

// Samples is what a job may run, as weighted samples.
type Samples struct {
	limit  float64
	values []float64 // ascending
	weight []float64
}

// Samples makes the samples of a job: what its user's jobs ran, each scaled to the
// request and weighed by how recent and how like it is, and the prior.
func (p *Past) Samples(limit model.Time, procs, user, executable int32) *Samples {
	s := &Samples{limit: float64(limit)}
	type sample struct{ value, weight float64 }
	var list []sample
	done := p.users[user]
	if user < 0 {
		done = nil
	}
	for r := 0; r < min(window, len(done)); r++ {
		d := done[len(done)-1-r]
		w := exp(-float64(r)/8 - float64(0.5*math.Abs(doublings(float64(d.Procs)/float64(procs)))) - float64(0.3*math.Abs(doublings(float64(d.Limit)/float64(limit)))))
		if d.Executable != executable {
			w *= 0.3
		}
		if w >= least {
			list = append(list, sample{min(max(1, float64(d.Run)*s.limit/float64(d.Limit)), s.limit), w})
		}
	}
	for _, share := range p.prior(limit) {
		list = append(list, sample{min(max(1, share*s.limit), s.limit), priorMass / priors})
	}
	order.Stable(list, func(a, b sample) int { return cmp.Compare(a.value, b.value) })
	for _, one := range list {
		s.values, s.weight = append(s.values, one.value), append(s.weight, one.weight)
	}
	return s
}

func doublings(ratio float64) float64 { return logarithm(ratio) / math.Ln2 }

// DrawStream is where the draws of one question come from: its random numbers are hashes.
type DrawStream struct{ Asked int64 }

// hash mixes numbers into 64 bits (the finalizer of SplitMix64, by turns).
func hash(parts ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h ^= p
		h += 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// Uniform is a number in [0, 1) for a purpose, a thing and a draw.
func (l DrawStream) Uniform(purpose, thing int64, draw int) float64 {
	return float64(hash(uint64(l.Asked), uint64(purpose), uint64(thing), uint64(draw))>>11) / (1 << 53)
}

// normal is a standard normal number: twelve uniform ones less six, which has lighter
// tails beyond ±3 than the true one and the same bits everywhere.
func (l DrawStream) normal(purpose, thing int64, draw int) float64 {
	sum := -6.0
	for i := range 12 {
		sum += float64(hash(uint64(l.Asked), uint64(purpose), uint64(thing), uint64(draw), uint64(i))>>11) / (1 << 53)
	}
	return sum
}

const (
	luckUser = iota
	luckJob
	luckBlur
)

// Draw draws how long a job runs in all, in seconds, more than elapsed and at most its
// limit; job is its number, user −1 unknown.
func (s *Samples) Draw(l DrawStream, job int64, user int32, draw int, elapsed model.Time) model.Time {
	z := l.normal(luckJob, job, draw)
	if user >= 0 {
		z = float64(common*l.normal(luckUser, int64(user), draw)) + float64(single*z)
	}
	u := phi(z)
	from, total := 0, 0.0
	for from < len(s.values) && s.values[from] <= float64(elapsed) {
		from++
	}
	for _, w := range s.weight[from:] {
		total += w
	}
	x := u * (total + beyond)
	low, v := float64(elapsed), 0.0
	if x >= total { // longer than all that is known of
		v = low + float64((x-total)/beyond)*(s.limit-low)
	} else {
		at := from
		for x -= s.weight[at]; x >= 0 && at < len(s.values)-1; x -= s.weight[at] {
			at++
		}
		if v = s.values[at]; v < s.limit {
			v *= exp(roughness * l.normal(luckBlur, job, draw))
		}
	}
	return max(elapsed+1, min(model.Time(math.Ceil(v)), model.Time(s.limit)))
}

// phi is the standard normal distribution function, by the series of its density about
// 0, good to 1e-9 within the ±6 that normal gives.
func phi(z float64) float64 {
	sum, term := z, z
	for k := 1; k < 120; k++ {
		term *= z * z / float64(2*k+1)
		sum += term
	}
	const density = 0.3989422804014327
	return min(max(0.5+float64(density*float64(exp(-z*z/2)*sum)), 0), 1-1e-12)
}
