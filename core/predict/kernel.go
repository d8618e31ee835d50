package predict

import (
	"cmp"
	"math"
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// KernelOptions are the constants of Kernel. NewKernel takes zeros as they are;
// KernelDefaults returns those that were found on the logs SDSC-SP2, KTH-SP2 and
// HPC2N (docs/papers.md).
type KernelOptions struct {
	Window     int     // completions of the user that are summed at a submission
	Memory     float64 // completions after which a sample counts 1/e of what it did
	Width      float64 // how fast samples count less for each doubling of processors
	Length     float64 // the same for the requested time
	Executable float64 // what a sample of another executable counts
	Least      float64 // samples that count less when they come are left out
	Prior      float64 // samples that all users together stand for
	Span       float64 // completions that a prior remembers
	Shrink     float64 // completions that the prior of the prior stands for

	Mean, Log, Inverse float64 // of run ÷ request, its logarithm, and request ÷ max(run, 60 s), before anything has ended
}

// KernelDefaults returns the constants as the study froze them.
func KernelDefaults() KernelOptions {
	return KernelOptions{Window: 60, Memory: 8, Width: 0.5, Length: 0.3, Executable: 0.3, Least: 1e-4,
		Prior: 0.3, Span: 200, Shrink: 5, Mean: 0.5, Log: -1, Inverse: 2}
}

// Kernel predicts a job from the completions of its user, each scaled to the
// job's request and weighed by how recent and how like it is, drawn towards what
// all users do (Batchlab's own; docs/simulation-rules.md, Foresight).
//
// A prediction is made at the submission and again whenever a job of the user
// ends. Waiting jobs of a user that ask for the same and came between the same
// two completions share all of it: they are one Kind.
type Kernel struct {
	o     KernelOptions
	fade  float64   // what a completion leaves of the samples before it
	fades []float64 // its powers

	work  Work
	users []kernelUser
	named table   // user numbers → users
	limit table   // requested times → kinds of request
	reqs  []asked // by what limit gives
	wide  []spread

	all     mean
	buckets [64]mean
	prior   [64]drawn // of the buckets, as last asked for
	drawn   drawn     // of all

	kinds   []Kind
	unused  []uint64 // by place in kinds: a bit where it is not used
	lowest  int      // of unused: no word before it has a bit
	of      []int32  // by job: its kind; −1: it does not wait
	changed []int32  // kinds whose estimates are new
}

// Kind is a set of waiting jobs that nothing tells apart but their submission.
type Kind struct {
	Estimate
	LnProcs    float64 // ln q
	Limit      model.Time
	Procs      int32
	Executable int32
	User       int32 // index
	Jobs       int32 // how many wait; 0: the slot is unused

	after        float64 // completions of all users before they were submitted
	wide, narrow float64 // as in sample
	req          int32
	fresh        bool       // among the changed
	due          bool       // the estimate is to be computed from what follows
	s            [4]float64 // sums over samples
	abc          [3]float64 // prior
}

type kernelUser struct {
	last  []sample // the latest completions in order of their ends, from Window to twice as many
	kinds []int32  // of its waiting jobs
}

// sample is a completion as later jobs see it.
type sample struct {
	share, ln    float64 // run ÷ request, at most 1, and its logarithm
	wide, narrow float64 // exp(±Width · log2 q)
	long, short  float64 // exp(±Length · log2 L)
	number       int64   // of the job
	executable   int32
	again        bool // it asked for the same as the one before it
}

// asked is what is computed once for each requested time.
type asked struct {
	limit, ln   float64
	long, short float64
	bucket      int
}

type spread struct{ ln, wide, narrow float64 }

// mean holds running means that forget.
type mean struct {
	n float64
	m [3]float64
}

// drawn are means of few drawn towards others, after so many completions of all.
type drawn struct {
	after float64
	m     [3]float64
}

// NewKernel returns a kernel with its constants.
func NewKernel(o KernelOptions) *Kernel {
	k := &Kernel{o: o, fade: Exp(-1 / o.Memory), fades: make([]float64, o.Window)}
	for r := range k.fades {
		k.fades[r] = Exp(-float64(r) / o.Memory)
	}
	return k
}

// Reset prepares for a new simulation.
func (k *Kernel) Reset(w *Work) {
	k.work = *w
	for i := range k.users {
		u := &k.users[i]
		u.last, u.kinds = u.last[:0], u.kinds[:0]
	}
	k.users = k.users[:0]
	k.named.reset()
	k.kinds, k.unused, k.changed = k.kinds[:0], k.unused[:0], k.changed[:0]
	k.lowest = 0
	k.all = mean{}
	clear(k.buckets[:])
	k.drawn.after = -1
	for i := range k.prior {
		k.prior[i].after = -1
	}
	if cap(k.of) < len(w.Jobs) {
		k.of = make([]int32, len(w.Jobs))
	}
	k.of = k.of[:len(w.Jobs)]
	for i := range k.of {
		k.of[i] = -1
	}
	for i := range w.History {
		p := &w.History[i]
		k.learn(&p.Job, p.Run)
	}
}

// user returns the index of a user.
func (k *Kernel) user(number int32) int32 {
	i, found := k.named.find(uint64(uint32(number)))
	if !found {
		if int(i) < cap(k.users) { // with the memory of an earlier simulation
			k.users = k.users[:i+1]
		} else {
			k.users = append(k.users, kernelUser{})
		}
	}
	return i
}

// asks returns what is known of a requested time, by its index in reqs.
func (k *Kernel) asks(limit model.Time) int32 {
	i, found := k.limit.find(uint64(limit))
	if !found {
		l := float64(limit)
		ln := Log(l)
		x := float64(k.o.Length*ln) / math.Ln2
		k.reqs = append(k.reqs, asked{l, ln, Exp(x), Exp(-x), bits.Len64(uint64(limit)) - 1})
	}
	return i
}

// spreads returns exp(±Width · log2 q).
func (k *Kernel) spreads(procs int32) spread {
	for int(procs) >= len(k.wide) && len(k.wide) < 1<<12 {
		k.wide = append(k.wide, k.spread(max(1, len(k.wide))))
	}
	if int(procs) < len(k.wide) {
		return k.wide[procs]
	}
	return k.spread(int(procs))
}

func (k *Kernel) spread(procs int) spread {
	ln := Log(float64(procs))
	x := float64(k.o.Width*ln) / math.Ln2
	return spread{ln, Exp(x), Exp(-x)}
}

// learn takes a completion into the user's samples and the priors.
func (k *Kernel) learn(job *model.Job, run model.Time) (user int32, s *sample) {
	a := &k.reqs[k.asks(job.Limit)]
	share := float64(run) / a.limit
	y := [3]float64{share, Log(share), a.limit / greater(float64(run), tail)}
	k.all.add(&y, k.o.Span)
	k.buckets[a.bucket].add(&y, k.o.Span)
	w := k.spreads(job.Procs)
	user = k.user(job.User)
	u := &k.users[user]
	if most := max(1, k.o.Window); len(u.last) >= 2*most {
		u.last = u.last[:copy(u.last, u.last[len(u.last)-most:])]
	}
	one := sample{share, y[1], w.wide, w.narrow, a.long, a.short, job.Number, job.Executable, false}
	if share > 1 {
		one.share = 1
	}
	if y[1] > 0 {
		one.ln = 0
	}
	if n := len(u.last); n > 0 {
		before := &u.last[n-1]
		one.again = before.executable == one.executable && before.wide == one.wide && before.narrow == one.narrow && before.long == one.long && before.short == one.short
	}
	u.last = append(u.last, one)
	return user, &u.last[len(u.last)-1]
}

func (m *mean) add(y *[3]float64, span float64) {
	m.n++
	n := lesser(m.n, span)
	for i := range y {
		m.m[i] += (y[i] - m.m[i]) / n
	}
}

// shrunk draws means of few towards others.
func (m *mean) shrunk(to *[3]float64, o *KernelOptions) (out [3]float64) {
	n := lesser(m.n, o.Span)
	by := n + o.Shrink
	for i := range out {
		out[i] = (float64(n*m.m[i]) + float64(o.Shrink*to[i])) / by
	}
	return out
}

// Submit puts a job into its kind.
func (k *Kernel) Submit(j model.JobID) {
	job := &k.work.Jobs[j]
	user := k.user(job.User)
	u := &k.users[user]
	for i := len(u.kinds) - 1; i >= 0; i-- {
		one := &k.kinds[u.kinds[i]]
		if one.after != k.all.n {
			break // kinds of a user stand in order of submission, and priors change with every completion
		}
		if one.Limit == job.Limit && one.Procs == job.Procs && one.Executable == job.Executable {
			one.Jobs++
			k.of[j] = u.kinds[i]
			return
		}
	}
	at := k.slot()
	u.kinds = append(u.kinds, at)
	k.of[j] = at
	one := &k.kinds[at]
	*one = Kind{Limit: job.Limit, Procs: job.Procs, Executable: job.Executable, User: user, Jobs: 1, after: k.all.n, req: k.asks(job.Limit), fresh: one.fresh}
	a, w := &k.reqs[one.req], k.spreads(job.Procs)
	one.LnProcs, one.wide, one.narrow = w.ln, w.wide, w.narrow
	k.sum(one, u, a)
	k.predict(at)
}

// slot returns the first place that is not used, so that those in use lie close
// together.
func (k *Kernel) slot() int32 {
	for ; k.lowest < len(k.unused); k.lowest++ {
		if word := &k.unused[k.lowest]; *word != 0 {
			i := bits.TrailingZeros64(*word)
			*word &= *word - 1
			return int32(64*k.lowest + i)
		}
	}
	if len(k.kinds)%64 == 0 {
		k.unused = append(k.unused, 0)
	}
	k.kinds = append(k.kinds, Kind{})
	return int32(len(k.kinds) - 1)
}

// lastOf returns the samples of a user that are summed, the latest at the end.
func (k *Kernel) lastOf(u *kernelUser) []sample {
	return u.last[max(0, len(u.last)-k.o.Window):]
}

// sum adds up the last samples of a user for a kind, the latest first. It is most of
// what foresight costs, so it calls nothing, except where a sample asked for something
// else than the one after it: a call is dear in WebAssembly.
func (k *Kernel) sum(one *Kind, u *kernelUser, a *asked) {
	var s0, s1, s2, s3, like float64
	last, least, most, ln := k.lastOf(u), k.o.Least, a.limit, a.ln
	again := false
	for r, fade := range k.fades[:len(last)] {
		x := &last[len(last)-1-r]
		if !again {
			like = k.like(one, a, x)
		}
		again = x.again
		weight := float64(fade * like)
		if weight < least {
			continue
		}
		v, log := x.scaled(most, ln)
		s0 += weight
		s1 += float64(weight * v)
		s2 += float64(weight * log)
		s3 += weight / greater(v, tail)
	}
	one.s = [4]float64{s0, s1, s2, s3}
}

// scaled returns the run time that a sample says for a request, 1 s … the request, and its
// logarithm.
func (x *sample) scaled(limit, ln float64) (v, log float64) {
	log = x.ln + ln
	return greater(float64(x.share*limit), 1), 0.5 * (log + math.Abs(log))
}

// like returns how like a sample is to a kind.
func (k *Kernel) like(one *Kind, a *asked, x *sample) float64 {
	like := float64(lesser(float64(x.wide*one.narrow), float64(x.narrow*one.wide)) * lesser(float64(x.long*a.short), float64(x.short*a.long)))
	if x.executable != one.Executable {
		like *= k.o.Executable
	}
	return like
}

// Basis returns the completions that count for a waiting job, by weight, then the
// latest first.
func (k *Kernel) Basis(j model.JobID) *report.Basis {
	if k.of[j] < 0 {
		return nil
	}
	var list []report.Sample
	one := &k.kinds[k.of[j]]
	a, last := &k.reqs[one.req], k.lastOf(&k.users[one.User])
	for r, fade := range k.fades[:len(last)] {
		x := &last[len(last)-1-r]
		if weight := float64(fade * k.like(one, a, x)); weight >= k.o.Least {
			v, _ := x.scaled(a.limit, a.ln)
			list = append(list, report.Sample{Number: x.number, Says: model.Time(v + 0.5), Weight: weight})
		}
	}
	order.Stable(list, func(a, b report.Sample) int { return cmp.Compare(b.Weight, a.Weight) })
	return &report.Basis{Rule: "kernel", Count: len(list), Samples: list}
}

// predict has a kind predicted again, from its sums and the priors as they are now.
// The estimate itself is computed when it is asked for.
func (k *Kernel) predict(at int32) {
	one := &k.kinds[at]
	bucket := k.reqs[one.req].bucket
	p := &k.prior[bucket]
	if p.after != k.all.n {
		if k.drawn.after != k.all.n {
			k.drawn = drawn{k.all.n, k.all.shrunk(&[3]float64{k.o.Mean, k.o.Log, k.o.Inverse}, &k.o)}
		}
		*p = drawn{k.all.n, k.buckets[bucket].shrunk(&k.drawn.m, &k.o)}
	}
	one.abc, one.due = p.m, true
	if !one.fresh {
		one.fresh = true
		k.changed = append(k.changed, at)
	}
}

// Kind returns the kind at a place, with its estimate. It is valid until the next
// call of another method.
func (k *Kernel) Kind(at int32) *Kind {
	one := &k.kinds[at]
	if !one.due {
		return one
	}
	one.due = false
	a, abc := &k.reqs[one.req], &one.abc
	by := 1 / (k.o.Prior + one.s[0])
	one.Mean = float64((float64(float64(k.o.Prior*abc[0])*a.limit) + one.s[1]) * by)
	one.LnGeo = float64((float64(k.o.Prior*(abc[1]+a.ln)) + one.s[2]) * by)
	one.Slow = float64((float64(k.o.Prior*abc[2])/a.limit + one.s[3]) * by)
	one.LnMean, one.LnSlow = Log(one.Mean), Log(one.Slow)
	one.Ln = float64(0.25 * (a.ln + one.LnMean + one.LnGeo - one.LnSlow))
	return one
}

// Start takes a job out of its kind.
func (k *Kernel) Start(j model.JobID) {
	at := k.of[j]
	if at < 0 {
		return
	}
	k.of[j] = -1
	one := &k.kinds[at]
	if one.Jobs--; one.Jobs > 0 {
		return
	}
	u := &k.users[one.User]
	for i, kind := range u.kinds {
		if kind == at {
			u.kinds = u.kinds[:i+copy(u.kinds[i:], u.kinds[i+1:])]
			break
		}
	}
	k.unused[at/64] |= 1 << (at % 64)
	k.lowest = min(k.lowest, int(at/64))
}

// End learns from a completion and predicts the user's waiting jobs again.
func (k *Kernel) End(j model.JobID, run model.Time) {
	user, s := k.learn(&k.work.Jobs[j], run)
	for _, at := range k.users[user].kinds {
		one := &k.kinds[at]
		for i := range one.s {
			one.s[i] *= k.fade
		}
		a := &k.reqs[one.req]
		if weight := k.like(one, a, s); weight >= k.o.Least {
			v, ln := s.scaled(a.limit, a.ln)
			one.s[0] += weight
			one.s[1] += float64(weight * v)
			one.s[2] += float64(weight * ln)
			one.s[3] += weight / greater(v, tail)
		}
		k.predict(at)
	}
}

// Estimate says what is thought now of a waiting job.
func (k *Kernel) Estimate(j model.JobID) Estimate { return k.Kind(k.of[j]).Estimate }

// KindOf returns the kind of a waiting job, by its place.
func (k *Kernel) KindOf(j model.JobID) int32 { return k.of[j] }

// Changed returns the places of the kinds whose estimates are new since the last call. It is
// valid until the next call of another method.
func (k *Kernel) Changed() []int32 {
	list := k.changed
	for _, at := range list {
		k.kinds[at].fresh = false
	}
	k.changed = k.changed[:0]
	return list
}

// table gives keys numbers from 0, in order of their first appearance.
type table struct {
	slots []int32 // number + 1; 0: none
	keys  []uint64
	shift uint
}

func (t *table) reset() {
	clear(t.slots)
	t.keys = t.keys[:0]
}

// find returns the number of a key, and whether it was there.
func (t *table) find(key uint64) (number int32, found bool) {
	if 2*len(t.keys) >= len(t.slots) {
		t.grow()
	}
	mask := len(t.slots) - 1
	for at := int(key * 0x9e3779b97f4a7c15 >> t.shift); ; at = (at + 1) & mask {
		n := t.slots[at]
		if n == 0 {
			t.keys = append(t.keys, key)
			t.slots[at] = int32(len(t.keys))
			return int32(len(t.keys) - 1), false
		}
		if t.keys[n-1] == key {
			return n - 1, true
		}
	}
}

func (t *table) grow() {
	size := max(64, 4*len(t.slots))
	t.slots = make([]int32, size)
	t.shift = uint(64 - bits.TrailingZeros(uint(size)))
	mask := size - 1
	for i, key := range t.keys {
		at := int(key * 0x9e3779b97f4a7c15 >> t.shift)
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = int32(i + 1)
	}
}

// place returns where what belongs to a number stands in a list, which grows by one
// where it is new.
func place[T any](named *table, list *[]T, number int32) int32 {
	i, found := named.find(uint64(uint32(number)))
	if !found {
		var none T
		*list = append(*list, none)
	}
	return i
}
