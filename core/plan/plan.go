package plan

import (
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// slot is a job that waits or runs. Slots are used again once a job has ended. What
// compression reads of each job stands first, side by side in memory.
type slot struct {
	start   model.Time // planned, or real
	length  model.Time // seconds that it may take on its cluster
	after   model.Time // it is not to start before this; 0: whenever there is room
	left    model.Time // what those behind it have left since it was tried last begins then; Never: nothing
	classes uint64
	procs   int32
	kind    int32 // for resource.Kinds
	lane    int32
	job     model.JobID

	asked   model.Time // what is left of its request, or of what is predicted
	since   model.Time // since when it waits
	first   model.Time // the first start that was planned for it
	slow    int64      // planned bounded slowdown in units of 1/unit
	inverse float64    // unit ÷ max(request, τ)
	weight  int64      // of its wait and slowdown
	user    int32      // small number from 0
	active  int32      // index among the users of the plan, while it is optimised
	runs    bool
	fresh   bool // of a candidate: it stands elsewhere than in the plan as it is
}

// unit is the grain of a bounded slowdown: sums of multiples of 1/unit are
// exact whatever their order, so that a repaired plan has the very score of one
// that is rebuilt.
const unit = 1 << 16

// slowdown returns the bounded slowdown, in units times its weight, of a job that
// starts at a time and takes what it asked for.
func (s *slot) slowdown(start model.Time) int64 {
	return s.weight * max(unit, int64(float64(start-s.since+s.length)*s.inverse))
}

// weight returns how much a job of so many processors counts: all alike, or by their
// square root, in whole 32nds, so that sums stay exact.
func (p *Plan) weight(procs int32) int64 {
	if !p.roots {
		return 1
	}
	return int64(32*math.Sqrt(float64(procs)) + 0.5)
}

// lane is the plan of one cluster: its job list, its gap list and its limits
// list (section 3.1). The gaps are the steps of the profile; so are the limits, of
// each of which Plan.space has a profile of what it leaves free.
type lane struct {
	*resource.Lane       // of Plan.space
	mem            int64 // bytes of all nodes; 0: not counted

	jobs    []int32    // slots that wait, by planned start: the job list
	running []int32    // slots that run
	freed   model.Time // what has become free begins before this
	early   model.Time // freed of the next instant

	stale bool // the profiles no longer say what the lists say
}

// Plan is the execution plan of a platform: for every waiting job an expected
// start, a cluster and nodes (section 3.1). Lanes are clusters.
type Plan struct {
	site   *resource.Site
	limits *model.Limits
	space  *resource.Space // what is free beside what the lists say
	tau    model.Time
	now    model.Time

	lanes []lane
	slots []slot
	spare []int32          // slots to use again
	of    []int32          // slot by JobID, −1 none
	parts [][]model.Part   // by slot, on named nodes; nodes by power within the lane
	wants []*resource.Want // by slot × lane, named nodes only
	can   []bool           // by slot × lane

	users    []int32               // small number by index; see user
	byUser   map[int32]int32       // user to small number
	needs    [][]model.LicenceNeed // counted licences by slot; nil: no job needs any
	bookings *sim.Bookings         // of the view, as of this pass
	jobs     []model.Job           // of the view, as the next
	asks     []resource.Need       // by JobID
	scratch  []model.Part
	all      []int32
	moved    []int32
	tried    []trial       // scratch of update.go
	try      []model.JobID // scratch of order.go
	carry    carry         // scratch of carry.go
	least    int32         // processors of the narrowest job that has waited since none did
	kinds    resource.Kinds
	pulse    *sim.Pulse // of this pass
	foretold bool       // jobs stand for as long as is predicted
	roots    bool       // jobs weigh by √processors
	single   int        // jobs of a list up to which compression takes each by itself
	loose    bool       // the lists are not in order of job among equal starts
}

// newPlan returns an empty plan.
func newPlan(v *sim.View, tau model.Time) *Plan {
	p := &Plan{site: v.Site, limits: &v.Site.Platform.Limits, tau: tau, byUser: map[int32]int32{}, single: 256}
	platform := v.Site.Platform
	p.space = v.Site.NewSpace(0, false)
	p.lanes = make([]lane, len(platform.Clusters))
	for c := range p.lanes {
		l := &p.lanes[c]
		l.Lane = p.space.Lane(int32(c))
		for i := range l.Have {
			if l.mem += l.Have[i].Mem; l.Counted || l.Have[i].Mem == resource.Unlimited {
				l.mem = 0
				break
			}
		}
	}
	for i := range platform.Licences {
		if platform.Licences[i].Copies > 0 {
			p.needs = [][]model.LicenceNeed{}
		}
	}
	return p
}

// user returns the small number of a user.
func (p *Plan) user(id int32) int32 {
	n, ok := p.byUser[id]
	if !ok {
		n = int32(len(p.users))
		p.byUser[id] = n
		p.users = append(p.users, id)
	}
	return n
}

// Planned calls visit with the planned start and cluster of every waiting job,
// cluster by cluster, in the order of the job lists.
func (p *Plan) Planned(visit func(j model.JobID, start model.Time, cluster int32)) {
	for c := range p.lanes {
		for _, i := range p.lanes[c].jobs {
			visit(p.slots[i].job, p.slots[i].start, int32(c))
		}
	}
}

// Len returns the number of jobs that wait.
func (p *Plan) Len() int {
	n := 0
	for c := range p.lanes {
		n += len(p.lanes[c].jobs)
	}
	return n
}

// beat tells the pulse that a slot is placed, and says whether to go on. Profiles are
// as long as the plan, and dear where they are those of nodes or of what is shared.
func (p *Plan) beat(i int32) bool {
	l := &p.lanes[max(0, p.slots[i].lane)]
	if l.Counted && !p.limited(i, l) {
		return p.pulse.Beat(p.steps())
	}
	return p.pulse.Beat(16 + p.Len())
}

// steps estimates what a place among counted processors costs.
func (p *Plan) steps() int {
	if len(p.lanes) == 1 {
		return sim.ProfileSteps(p.Len())
	}
	return 16 + p.Len()
}

// Wake returns the next planned start, or model.Never.
func (p *Plan) Wake() model.Time {
	wake := model.Never
	for c := range p.lanes {
		if l := &p.lanes[c]; len(l.jobs) > 0 {
			wake = min(wake, p.slots[l.jobs[0]].start)
		}
	}
	return wake
}

// add makes a slot for a job that waits from now on; it stands in no list yet.
func (p *Plan) add(v *sim.View, j model.JobID) int32 {
	var i int32
	lanes := len(p.lanes)
	if n := len(p.spare); n > 0 {
		i, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		i = int32(len(p.slots))
		p.slots = append(p.slots, slot{})
		p.parts = append(p.parts, nil)
		p.wants = append(p.wants, make([]*resource.Want, lanes)...)
		p.can = append(p.can, make([]bool, lanes)...)
		if p.needs != nil {
			p.needs = append(p.needs, nil)
		}
	}
	for len(p.of) <= int(j) {
		p.of = append(p.of, -1)
	}
	p.of[j] = i
	job, need := &v.Jobs[j], &v.Needs[j]
	if need.Procs < p.least || p.Len() == 0 {
		p.least = need.Procs
	}
	asked := v.Left(j)
	if p.foretold {
		asked = v.Foretold(j)
	}
	p.slots[i] = slot{
		since: job.Submit, weight: p.weight(need.Procs), procs: need.Procs, user: p.user(job.User), job: j, lane: -1, length: asked, left: model.Never,
	}
	p.slots[i].tells(asked, p.tau)
	for c := range p.limits.Classes {
		if job.Limit > p.limits.Classes[c].LongerThan {
			p.slots[i].classes |= 1 << c
		}
	}
	for c := range p.lanes {
		l := &p.lanes[c]
		at := int(i)*lanes + c
		if p.can[at] = p.space.Serves(need, int32(c)); !l.Counted {
			p.wants[at] = p.space.Want(need, int32(c))
		}
	}
	if p.needs != nil {
		p.needs[i] = p.needs[i][:0]
		for _, n := range need.Licences {
			if v.Site.Platform.Licences[n.Licence].Copies > 0 {
				p.needs[i] = append(p.needs[i], n)
			}
		}
	}
	return i
}

// drop gives a slot back.
func (p *Plan) drop(i int32) {
	p.of[p.slots[i].job] = -1
	p.spare = append(p.spare, i)
}

// book reserves (sign −1) or releases (1) what a slot holds on its lane during
// [from, its end).
func (p *Plan) book(i int32, from model.Time, sign int32) {
	s := &p.slots[i]
	l, to := &p.lanes[s.lane], s.start+s.length
	switch {
	case from >= to:
	case l.Counted && !p.limited(i, l):
		l.Counts.Add(from, to, sign*s.procs)
	default:
		p.space.Add(&p.asks[s.job], s.lane, s.procs, p.parts[i], from, to, sign)
	}
}

// fit returns the earliest start of a slot on a lane in [from, before), with the
// nodes appended to parts.
func (p *Plan) fit(i, lane int32, length, from, before model.Time, parts []model.Part) (model.Time, []model.Part, bool) {
	s, l := &p.slots[i], &p.lanes[lane]
	from = max(from, s.after)
	if l.Counted && !p.limited(i, l) {
		at := l.Counts.FitFrom(s.procs, length, from)
		return at, parts, at < before
	}
	at, places, ok := p.space.FitAt(lane, &p.asks[s.job], length, from, before)
	return at, append(parts[:0], places...), ok
}

// limited says whether anything but the cluster itself may hold a slot back.
func (p *Plan) limited(i int32, l *lane) bool {
	return p.limits.UserProcs > 0 || p.slots[i].classes != 0 || p.needs != nil && len(p.needs[i]) > 0
}

// insert puts a slot with a planned start into the job list of its lane, behind
// what starts at the same time.
func (p *Plan) insert(i int32) {
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	lo, hi := 0, len(l.jobs)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if p.slots[l.jobs[mid]].start > s.start {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	l.jobs = append(l.jobs, 0)
	copy(l.jobs[lo+1:], l.jobs[lo:])
	l.jobs[lo] = i
	p.loose = p.loose || lo > 0 && s.stands(&p.slots[l.jobs[lo-1]])
}

// backfill places a slot into the earliest suitable gap over all clusters that
// may serve it, the first of equals, and reports whether there is one.
func (p *Plan) backfill(i int32) bool {
	s := &p.slots[i]
	best := model.Never
	lane, length := int32(-1), model.Time(0)
	for c := range p.lanes {
		if !p.can[int(i)*len(p.lanes)+c] {
			continue
		}
		l := &p.lanes[c]
		p.refresh(l)
		takes := p.space.Longest(int32(c), s.asked)
		at, parts, ok := p.fit(i, int32(c), takes, p.now, best, p.scratch)
		if p.scratch = parts[:0]; ok {
			best, lane, length = at, int32(c), takes
			p.parts[i] = append(p.parts[i][:0], parts...)
		}
	}
	if lane < 0 {
		return false
	}
	s.lane, s.start, s.length = lane, best, length
	p.book(i, s.start, -1)
	p.insert(i)
	return true
}

// refresh makes the profiles of a lane say again what its lists say.
func (p *Plan) refresh(l *lane) {
	if p.outdated(l) {
		p.rebuild(l)
	}
}

// outdated says whether the profiles of a lane no longer say what its lists say.
func (p *Plan) outdated(l *lane) bool {
	return l.stale || p.needs != nil && slices.ContainsFunc(p.lanes, func(l lane) bool { return l.stale }) // licences belong to all
}
