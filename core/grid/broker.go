package grid

import (
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/reserve"
	"batchlab/core/resource"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// Broker is the grid level over providers of any packing, each with a scheduler of
// its own that decides on its cluster as if it were alone: it sends each batch job
// to one of them and chooses the provider of each reservation, which its desk
// accepts. Floating licences belong to all providers; what one holds the others see
// as booked.
//
// What concerns accepting stands in the desk, and what concerns a provider in its
// scheduler.
type Broker struct {
	Options
	Locals []sim.Scheduler // by cluster

	random *rand.Rand
	v      *sim.View
	views  []sim.View // by cluster
	at     []int32    // provider by JobID, −1: not sent yet
	batch  []bool     // by JobID: it was sent there as a batch job
	left   []bool     // by JobID: withdrawn at its provider
	waits  []int      // waiting jobs by provider
	booked []bookedAt // by JobID, with Options.Load
	count  [][3]int   // reservations by provider and what they are
	noted  struct {
		at          model.Time
		over, begun int
	}
	queue    []model.JobID
	late     []model.JobID   // of the queue, to be rejected: they would be stopped by now, or have left
	sent     [][]model.JobID // by provider, at this instant
	back     []model.JobID   // of View.Back, counted already
	halted   []model.JobID   // that providers stopped at the last instant
	reserved int             // providers, from the first, that take reservations only
	base     model.Time
	floating bool
	holds    map[model.JobID]sim.Booking // running jobs with floating licences
	free     *resource.Pool              // at this instant, after what providers have started
	told     []tell.Facts                // what they say of themselves, where an instant is told
}

var (
	_ sim.Planner     = (*Broker)(nil)
	_ sim.SpaceUser   = (*Broker)(nil)
	_ sim.Holder      = (*Broker)(nil)
	_ sim.Unlimited   = (*Broker)(nil)
	_ reserve.Chooser = (*Broker)(nil)
)

// Schedulers returns those of the providers.
func (b *Broker) Schedulers() []sim.Scheduler { return b.Locals }

// NeedsSpace says that the broker asks View.Space.
func (b *Broker) NeedsSpace() {}

// Seed gives the experiment's seed and the repetition of the next simulation.
func (b *Broker) Seed(seed uint64, repetition int) {
	b.random = model.Stream(seed, "grid/allocation", repetition)
	for _, local := range b.Locals {
		if s, ok := local.(interface{ Seed(uint64, int) }); ok {
			s.Seed(seed, repetition)
		}
	}
}

// Unlimited says whether batch jobs that state no limit have none (sim.Unlimited).
func (b *Broker) Unlimited() bool { return b.NoLimit }

// Reset prepares for a new simulation.
func (b *Broker) Reset(v *sim.View) {
	if b.random == nil {
		b.Seed(1, 0)
	}
	n := len(v.Site.Platform.Clusters)
	b.v, b.base, b.queue, b.late, b.halted = nil, 0, b.queue[:0], b.late[:0], b.halted[:0]
	if v.Pool == nil && len(v.Jobs) > 0 {
		b.base = v.Jobs[0].Submit
	}
	b.at = resize(b.at, len(v.Jobs))
	for j := range b.at {
		b.at[j] = -1
	}
	b.batch, b.left = make([]bool, len(v.Jobs)), make([]bool, len(v.Jobs))
	b.waits, b.sent = make([]int, n), make([][]model.JobID, n)
	b.booked, b.count, b.noted.at = make([]bookedAt, len(v.Jobs)), make([][3]int, n), -model.Never
	b.reserved = b.Reserve(n)
	b.floating = slices.ContainsFunc(v.Site.Platform.Licences, func(l model.Licence) bool { return l.Copies > 0 })
	b.holds = map[model.JobID]sim.Booking{}
	b.free, b.told = v.Site.NewPool(), make([]tell.Facts, n)
	b.views = make([]sim.View, n)
	for c := range b.views {
		b.views[c] = *v
		b.views[c].Only = int32(c) + 1
		b.views[c].Ended, b.views[c].Back, b.views[c].Begun, b.views[c].Over = nil, nil, nil, nil // lists of its own: the engine uses its memory again
		b.views[c].Bookings = nil
		if b.Locals[c].Reset(&b.views[c]); b.views[c].Fault != nil {
			v.Fault = b.views[c].Fault
			return
		}
	}
}

// Reserve returns how many of so many providers take reservations only.
func (o *Options) Reserve(providers int) int {
	if o.Reservations != Partition {
		return 0
	}
	if o.Reserved == 0 {
		return min(providers/2, providers-1)
	}
	return min(o.Reserved, providers-1)
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Wake returns the next time at which the broker or a provider has something to
// do.
func (b *Broker) Wake() model.Time {
	wake := model.Never
	if b.v != nil && len(b.queue) > 0 {
		wake = b.v.Now + b.Delta - (b.v.Now-b.base)%b.Delta
	}
	for _, local := range b.Locals {
		if p, ok := local.(sim.Planner); ok {
			wake = min(wake, p.Wake())
		}
	}
	return wake
}

// Decide sends what has come to the providers and lets each decide.
func (b *Broker) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	b.Served(v)
	if b.Load != CountBatch {
		b.note()
	}
	freed := b.ended(v)
	for _, j := range b.late {
		out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
	}
	b.late = b.late[:0]
	b.free.CopyFrom(v.Free)
	for c := range b.Locals {
		view, run := &b.views[c], b.views[c]
		*view = *v
		view.Only = int32(c) + 1
		view.Free, view.New, view.Facts = b.free, b.sent[c], b.facts(v, c)
		view.Ended = b.of(run.Ended[:0], v.Ended, int32(c))
		view.Back = b.of(run.Back[:0], v.Back, int32(c))
		view.Begun, view.Over = b.of(run.Begun[:0], v.Begun, int32(c)), b.of(run.Over[:0], v.Over, int32(c))
		if b.floating {
			var all []sim.Booking
			all, view.Booked, view.Freed = b.others(v, run.Bookings.All(), int32(c), freed)
			view.Bookings = sim.BookingsOf(all)
		}
		begun := len(out)
		mark := v.Space.Mark()
		out = b.Locals[c].Decide(view, out)
		v.Space.Back(mark)
		for i := begun; i < len(out); i++ {
			b.decided(v, view, &out[i], int32(c))
		}
		b.sent[c] = b.sent[c][:0]
	}
	return out
}

// Served sends the jobs of the queue, if it is time.
func (b *Broker) Served(v *sim.View) {
	b.v = v
	b.returned()
	b.enqueue()
	if len(b.queue) > 0 && b.due() {
		b.dispatch(model.JobID(len(v.Jobs)))
	}
}

// enqueue takes what has come into the queue, and out of it what would be stopped by now.
func (b *Broker) enqueue() {
	b.queue = append(b.queue, b.v.New...)
	b.v.New = b.v.New[:0]
	b.queue = slices.DeleteFunc(b.queue, func(j model.JobID) bool {
		late := b.v.Kills(j) && b.v.Due[j] <= b.v.Now
		if late {
			b.late = append(b.late, j)
		}
		return late
	})
}

// due says whether the queue is served now.
func (b *Broker) due() bool { return b.Delta == 0 || (b.v.Now-b.base)%b.Delta == 0 }

// of appends the jobs of a list that a provider has.
func (b *Broker) of(to, list []model.JobID, cluster int32) []model.JobID {
	for _, j := range list {
		if b.at[j] == cluster {
			to = append(to, j)
		}
	}
	return to
}

// ended books what runs no longer, and returns what holds no licences any more.
func (b *Broker) ended(v *sim.View) (freed []sim.Booking) {
	gone := func(j model.JobID) {
		if h, ok := b.holds[j]; ok {
			delete(b.holds, j)
			h.From = v.Now
			freed = append(freed, h)
		}
	}
	for _, j := range v.Ended {
		gone(j)
	}
	for _, j := range v.Back {
		gone(j)
	}
	for _, j := range b.halted {
		gone(j)
	}
	b.halted = b.halted[:0]
	b.returned()
	b.back = b.back[:0]
	return freed
}

// returned counts the jobs that wait again among those of their provider, and no more
// those that have been withdrawn. A reservation that goes on as a batch job stays where it
// was.
func (b *Broker) returned() {
	for _, j := range b.v.Gone {
		if b.at[j] >= 0 && !b.left[j] {
			b.left[j] = true
			b.waits[b.at[j]]--
		}
	}
	for _, j := range b.v.Back {
		if slices.Contains(b.back, j) {
			continue
		}
		b.back = append(b.back, j)
		if b.waits[b.at[j]]++; !b.batch[j] {
			b.batch[j] = true
			b.v.Needs[j] = b.v.Site.On(&b.v.Needs[j], b.at[j])
		}
	}
}

// send gives a batch job to a provider.
func (b *Broker) send(j model.JobID, cluster int32) {
	if b.v.Facts != nil {
		b.v.Facts.Sends(j, b.v.Site.Platform.Clusters[cluster].Name, b.Batch == Random, b.length(cluster), b.v.Space.FreeNow(cluster))
	}
	b.at[j], b.batch[j] = cluster, true
	b.v.Needs[j] = b.v.Site.On(&b.v.Needs[j], cluster)
	b.waits[cluster]++
	b.sent[cluster] = append(b.sent[cluster], j)
}

// decided notes what a provider decides, so that those after it know.
func (b *Broker) decided(v, view *sim.View, d *sim.Decision, cluster int32) {
	need := &v.Needs[d.Job]
	switch d.Verb {
	case sim.Start:
		b.waits[cluster]--
		view.Free.Take(need, d.Claim)
		v.Commit(d.Job, d.Claim)
		if b.floating && len(need.Licences) > 0 {
			b.holds[d.Job] = sim.Booking{Job: d.Job, Need: need, Claim: d.Claim, From: v.Now, To: v.Ends(d.Job, d.Claim)}
		}
	case sim.Reject:
		if !b.left[d.Job] {
			b.waits[cluster]--
		}
	case sim.Stop, sim.Suspend: // what it held is there for others from the next instant on
		b.waits[cluster]++
		b.halted = append(b.halted, d.Job)
	}
}

// others adds to the bookings what other providers' jobs hold that have floating
// licences.
func (b *Broker) others(v *sim.View, before []sim.Booking, cluster int32, freed []sim.Booking) (all, booked, given []sim.Booking) {
	all = slices.Clone(v.Bookings.All())
	booked = append(booked, v.Booked...)
	given = append(given, v.Freed...)
	for _, h := range freed {
		if b.at[h.Job] != cluster && h.From < h.To && slices.ContainsFunc(before, func(k sim.Booking) bool { return k.Job == h.Job }) {
			given = append(given, h) // it was told of it
		}
	}
	jobs := make([]model.JobID, 0, len(b.holds))
	for j := range b.holds {
		jobs = append(jobs, j)
	}
	slices.Sort(jobs)
	for _, j := range jobs {
		h := b.holds[j]
		if b.at[j] == cluster {
			continue
		}
		all = append(all, h)
		if b.news(before, j, h.From) {
			booked = append(booked, h)
		}
	}
	return all, booked, given
}

// news says whether a provider has not been told of what a job holds.
func (b *Broker) news(known []sim.Booking, j model.JobID, from model.Time) bool {
	return !slices.ContainsFunc(known, func(k sim.Booking) bool { return k.Job == j && k.From == from })
}

// dispatch sends the jobs of the queue before one to providers, first come, first
// served (section 4.4.2).
func (b *Broker) dispatch(before model.JobID) {
	n := 0
	for ; n < len(b.queue) && b.queue[n] < before; n++ {
		b.send(b.queue[n], int32(b.allocate(b.queue[n])))
	}
	b.queue = b.queue[:copy(b.queue, b.queue[n:])]
}

// allocate chooses the provider of a batch job, among those that may serve it;
// those of the static partition only if there is no other.
func (b *Broker) allocate(j model.JobID) int {
	best, count := -1, 0
	for _, skip := range [...]int{b.reserved, 0} {
		for c := skip; c < len(b.Locals); c++ {
			if !b.v.Space.Serves(&b.v.Needs[j], int32(c)) {
				continue
			}
			count++
			switch {
			case best < 0:
				best = c
			case b.Batch == Random: // each of count with the same probability
				if b.random.IntN(count) == 0 {
					best = c
				}
			case b.shorter(c, best):
				best = c
			}
		}
		if best >= 0 {
			break
		}
	}
	return max(0, best)
}

// shorter says whether provider a has the shorter queue: fewer waiting jobs, then
// more free processors.
func (b *Broker) shorter(a, c int) bool {
	if x, y := b.length(int32(a)), b.length(int32(c)); x != y {
		return x < y
	}
	return b.v.Space.FreeNow(int32(a)) > b.v.Space.FreeNow(int32(c))
}

// length is that of a provider's queue, as Options.Load counts.
func (b *Broker) length(cluster int32) int {
	v := b.v
	if b.Load == CountBatch {
		return b.waits[cluster]
	}
	b.note()
	n := b.waits[cluster] + b.count[cluster][isAhead]
	if b.Load == CountAll {
		n += b.count[cluster][isUnderway]
		for _, j := range v.Running() {
			if b.batch[j] && v.Held[j].Cluster == cluster {
				n++
			}
		}
	}
	return n
}

// What a reservation is, for Options.Load.
const (
	isNone     = iota
	isAhead    // accepted
	isUnderway // its job runs
)

// becomes notes what a reservation is at its provider.
func (b *Broker) becomes(j model.JobID, state uint8) {
	if old := b.booked[j]; old.state != isNone {
		b.count[old.cluster][old.state]--
	}
	b.booked[j] = bookedAt{b.at[j], state}
	if state != isNone {
		b.count[b.at[j]][state]++
	}
}

// bookedAt is where a reservation is counted.
type bookedAt struct {
	cluster int32
	state   uint8
}

// note takes note of the reservations that have begun or run no longer, as far
// as it has not yet at this instant.
func (b *Broker) note() {
	v := b.v
	if b.noted.at != v.Now {
		b.noted.at, b.noted.over, b.noted.begun = v.Now, 0, 0
	}
	for ; b.noted.over < len(v.Over); b.noted.over++ {
		b.becomes(v.Over[b.noted.over], isNone)
	}
	for ; b.noted.begun < len(v.Begun); b.noted.begun++ {
		b.becomes(v.Begun[b.noted.begun], isUnderway)
	}
	b.returned()
}

// Choose chooses the offer that a reservation takes: in its interval as the
// allocation says; if it cannot be kept anywhere, the earliest completion after
// it, unless such requests are rejected (section 5.4).
func (b *Broker) Choose(d *reserve.Desk, v *sim.View, q *reserve.Request) (reserve.Offer, bool) {
	b.v = v
	b.returned()
	if b.Load != CountBatch {
		b.note()
		b.becomes(q.Job, isNone) // where it was asked for before
	}
	if !b.First && b.due() { // in its turn: behind the batch jobs before it
		b.enqueue()
		b.dispatch(q.Job)
	}
	from, to := 0, len(b.Locals)
	switch b.Reservations {
	case Partition:
		for c := range b.reserved {
			if b.serves(q.Need, int32(c)) {
				to = b.reserved
			}
		}
	case Random, LoadBalance: // the provider is chosen before it is asked
		if from = b.single(q); from < 0 {
			return reserve.Offer{}, false
		}
		to = from + 1
	}
	first := 0
	if q.Effort == model.EffortExact && b.Reservations != Priority && !d.Reject && !b.Spread {
		first = 1 // the earliest completion of all is in time if any is: one search is enough
	}
	for late := first; late < 2; late++ {
		if late == 1 && d.Reject {
			break
		}
		var best reserve.Offer
		where, found, count := 0, false, 0
		for c := from; c < to; c++ {
			o, ok := d.Ask(int32(c), q, late == 1)
			if !ok {
				continue
			}
			if !found {
				best, where, found, count = o, c, true, 1
				if b.Reservations == Priority && late == 0 {
					break // "sends AR request until it gets positive answer"
				}
				continue
			}
			switch k := q.Better(&o, &best); {
			case k < 0:
				best, where, count = o, c, 1
			case k == 0 && b.Reservations == Priority: // the one with the higher priority stays
			case k == 0 && b.Spread:
				if count++; b.random.IntN(count) == 0 {
					best, where = o, c
				}
			case k == 0 && b.shorter(c, where):
				best, where = o, c
			}
		}
		if found {
			if b.at[q.Job] = int32(where); b.Load != CountBatch {
				b.becomes(q.Job, isAhead)
			}
			return best, true
		}
	}
	return reserve.Offer{}, false
}

// single chooses a provider for a reservation without asking it.
func (b *Broker) single(q *reserve.Request) int {
	best, count := -1, 0
	for c := range b.Locals {
		if !b.serves(q.Need, int32(c)) {
			continue
		}
		count++
		switch {
		case best < 0:
			best = c
		case b.Reservations == Random:
			if b.random.IntN(count) == 0 {
				best = c
			}
		case b.shorter(c, best):
			best = c
		}
	}
	return best
}

// serves says whether a provider is large enough for a reservation; one that takes as
// many processors, or nodes, as there are is served by each that has any for it.
func (b *Broker) serves(n *resource.Need, cluster int32) bool {
	if n.Fewer {
		n = n.Fewest(max(1, n.PerNode))
	}
	return b.v.Space.Serves(n, cluster)
}
