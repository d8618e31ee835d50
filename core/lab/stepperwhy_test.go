//go:build !small

package lab

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/tell"
)

// What the second reader reads of reasons: plans and optimisers, what is missing beside
// processors and where, thresholds, limits and who holds them, what is reserved or out
// of order and until when, and what users have used. All of it is derived from the
// schedule, the requests and the platform.

var (
	sayNow      = regexp.MustCompile(`(?:they are|it is|as many are) free from now on`)
	sayDraft    = regexp.MustCompile(` begins with this plan[^:]*: (.*)\.$`)
	sayStart    = regexp.MustCompile(`job (\d+) at T(\d+)`)
	sayLooked   = regexp.MustCompile(`^The optimiser looks at (\d+) moves? and keeps (none|\d+)`)
	sayScore    = regexp.MustCompile(`(mean wait|makespan) S(\d+) instead of S(\d+)`)
	sayFirst    = regexp.MustCompile(`has waited S(\d+), more than S(\d+), and stands first`)
	sayTogether = regexp.MustCompile(`not together where it could run(?:: (?:at most (\d+) on one machine|(.*?))[,.])?`)
	sayOn       = regexp.MustCompile(`(\d+) on ([^\s,.]+)`)
	sayHas      = regexp.MustCompile(`([^\s,]+) has (\d+) of (\d+) GPUs? free`)
	sayHasMem   = regexp.MustCompile(`([^\s,]+) has (\d+) (?:GB|B) of (\d+) GB of memory free`)
	sayTakes    = regexp.MustCompile(`the (outage|failure|reservation)(?: “([^”]*)”| of job (\d+))? (?:takes (\d+)( on .*?)? from T(\d+) to T(\d+)|holds (\d+)( on .*?)? until T(\d+))`)
	sayOver     = regexp.MustCompile(`T(\d+)(?:, S\d+ (?:earlier|later))?, when (the .*?) (?:is|are) over`)
	sayTaker    = regexp.MustCompile(`the (outage|failure|reservation)(?: “([^”]*)”| of job (\d+))?`)
	sayOthers   = regexp.MustCompile(`; (\d+) others are in its way`)
	sayUsed     = regexp.MustCompile(`^Job \d+ of user (\d+), who has used (\S+) processor-hours?,`)
)

// places says whether the scheduler places who comes at the earliest fit beside what
// runs and all that is planned.
func (r *secondReader) places() bool {
	return r.plain && (strings.Contains(r.scheduler, `"key":"conservative"`) || strings.Contains(r.scheduler, `"key":"plan-rs"`)) && !strings.Contains(r.scheduler, "prediction") && !strings.Contains(r.scheduler, `"order"`)
}

// earliest is the first time at which a job fits beside what runs, by requests, and
// beside the plan as told so far.
func (r *secondReader) earliest(now model.Time, job *model.Job) model.Time {
	type held struct {
		from, to model.Time
		procs    int32
	}
	var list []held
	jobs := r.schedule.Workload.Jobs
	for j := range jobs {
		one := &jobs[j]
		if e := r.running(int32(j), now); e != nil {
			list = append(list, held{now, e.Start + one.Limit, e.Procs})
		} else if at, ok := r.plans[one.Number]; ok && one.Number != job.Number {
			list = append(list, held{at, at + one.Limit, one.Procs})
		}
	}
	for _, j := range r.begun {
		list = append(list, held{now, now + jobs[j].Limit, jobs[j].Procs})
	}
	fits := func(at model.Time) bool {
		free := func(t model.Time) int32 {
			n := r.total
			for _, h := range list {
				if h.from <= t && t < h.to {
					n -= h.procs
				}
			}
			return n
		}
		if free(at) < job.Procs {
			return false
		}
		return !slices.ContainsFunc(list, func(h held) bool { return at < h.from && h.from < at+job.Limit && free(h.from) < job.Procs })
	}
	at := model.Never
	if fits(now) {
		return now
	}
	for _, h := range list {
		if h.to > now && h.to < at && fits(h.to) {
			at = h.to
		}
	}
	return at
}

// optimiser reads with which plan it begins, and what its moves came to.
func (r *secondReader) optimiser(s *tell.Step, text string) {
	if m := sayDraft.FindStringSubmatch(text); m != nil {
		r.draft = maps.Clone(r.plans)
		told := sayStart.FindAllStringSubmatch(m[1], -1)
		if !strings.Contains(m[1], "more later") && len(told) != len(r.draft) {
			r.failf(s, "%q: planned are %v", text, r.draft)
		}
		for _, one := range told {
			if at, ok := r.draft[toInt(one[1])]; !ok || at != toTime(one[2]) {
				r.failf(s, "%q: job %s is planned for %d", text, one[1], at)
			}
		}
		r.read["draft"]++
	}
	if m := sayLooked.FindStringSubmatch(text); m != nil && !strings.Contains(text, "more jobs") {
		if r.read["looked"]++; r.draft == nil {
			r.failf(s, "%q: with which plan it began was not told", text)
		}
		if n := len(r.draft); n < 1 || n < 2 && strings.Contains(r.scheduler, "hill") {
			r.failf(s, "%q: a plan of %d jobs has no moves", text, n)
		}
		for _, one := range sayScore.FindAllStringSubmatch(text, -1) {
			if old, ok := r.score(s, one[1], r.draft); ok && old != toTime(one[3]) {
				r.failf(s, "%q: the plan with which it began has a %s of %d s", text, one[1], old)
			}
			if r.scores == nil {
				r.scores = map[string]model.Time{}
			}
			r.scores[one[1]] = toTime(one[2])
		}
	}
}

// score is a criterion of a plan, by requests.
func (r *secondReader) score(s *tell.Step, name string, plans map[int64]model.Time) (model.Time, bool) {
	if !r.plain || strings.Contains(r.scheduler, "prediction") {
		return 0, false
	}
	jobs, last, sum, n := r.schedule.Workload.Jobs, s.Now, model.Time(0), 0
	for j := range jobs {
		one := &jobs[j]
		if one.Submit > s.Now {
			continue
		}
		n++
		at, ok := plans[one.Number]
		if ok {
			last = max(last, at+one.Limit)
		} else {
			for _, i := range r.starts[j] {
				at = r.schedule.Executions[i].Start
			}
			if r.running(int32(j), s.Now) != nil {
				last = max(last, at+one.Limit)
			}
		}
		sum += at - one.Submit
	}
	if name == "makespan" {
		return last - s.Now, strings.Contains(r.scheduler, "hill")
	}
	return model.Time(float64(sum)/float64(n) + .5), true
}

// after sets the plan as it was told, sentence by sentence, beside the queue's.
func (r *secondReader) after(s *tell.Step, plans map[int64]model.Time) {
	if s.Untold > 0 || s.Waits > tell.MostListed || !strings.Contains(r.scheduler, `"key":"conservative"`) && !strings.Contains(r.scheduler, `"key":"plan-rs"`) && !strings.Contains(r.scheduler, `"key":"hill`) && !r.planned {
		return
	}
	for n, at := range plans {
		if told, ok := r.plans[n]; !ok || told != at {
			r.failf(s, "job %d is planned for %d, told was %d", n, at, told)
		}
	}
	if r.read["after"]++; r.draft != nil {
		whole := maps.Clone(plans)
		for _, j := range r.begun {
			whole[r.schedule.Workload.Jobs[j].Number] = s.Now
		}
		for name, want := range r.scores {
			if got, ok := r.score(s, name, whole); ok && got != want {
				r.failf(s, "the plan after the moves has a %s of %d s, told was %d", name, got, want)
			}
		}
	}
}

// open says whether a job has been submitted and has not ended.
func (r *secondReader) open(j int32, now model.Time) bool {
	if r.schedule.Workload.Jobs[j].Submit > now {
		return false
	}
	for _, i := range r.starts[j] {
		if e := &r.schedule.Executions[i]; e.End <= now && e.Reason.Final() || e.Reason == model.EndRejected && e.Start <= now {
			return false
		}
	}
	return true
}

// has is how much of a machine neither running jobs hold nor those that start at this
// instant, as far as told: processors, GPUs and bytes of memory.
func (r *secondReader) has(node int32, now model.Time) (procs, gpus, mem int64) {
	n := &r.nodes[node]
	procs, gpus, mem = int64(n.Procs), int64(n.GPUs), n.Mem
	for j := range r.starts {
		for _, i := range r.starts[j] {
			e := &r.schedule.Executions[i]
			runs := e.Start < now && e.End > now || e.Start == now && slices.Contains(r.begun, int32(j))
			if e.Reason == model.EndRejected || !runs || e.Claim == 0 {
				continue
			}
			for _, p := range r.schedule.Claims[e.Claim-1].Parts {
				if p.Node != node {
					continue
				}
				procs -= int64(p.Procs)
				if d := r.schedule.Workload.Demand(model.JobID(j)); d != nil {
					gpus, mem = gpus-int64(d.GPUsPerNode), mem-d.MemPerNode
				}
			}
		}
	}
	return procs, gpus, mem
}

// machine is a machine's index by its name, −1: it is a cluster's.
func (r *secondReader) machine(name string) int32 {
	for i := range r.nodes {
		if r.schedule.Platform.NodeName(int32(i)) == name {
			return int32(i)
		}
	}
	return -1
}

// why reads a sentence's reasons.
func (r *secondReader) why(s *tell.Step, j int32, text string, find func(*regexp.Regexp, string) []string, no func(string, ...any)) {
	p, job := r.schedule.Platform, &r.schedule.Workload.Jobs[j]
	demand := &model.Demand{}
	if d := r.schedule.Workload.Demand(model.JobID(j)); d != nil {
		demand = d
	}
	first := strings.Contains(text, "It is the head") || strings.Contains(text, "The queue stops here") || sayNeeds.MatchString(text) && strings.HasSuffix(text, "free. It starts.")
	over := r.threshold >= 0 && s.Now-job.Submit > r.threshold
	if m := find(sayFirst, "threshold"); m != nil && (!over || toTime(m[1]) != s.Now-job.Submit || toTime(m[2]) != r.threshold) {
		no("it has waited %d, the threshold is %d", s.Now-job.Submit, r.threshold)
	} else if m == nil && first && over {
		no("it stands first since it has waited %d s, more than %d", s.Now-job.Submit, r.threshold)
	}
	if r.threshold >= 0 && !strings.Contains(s.Ready, "waited more than") {
		r.failf(s, "the order is %q: of the threshold nothing is said", s.Ready)
	}
	counted := r.counts && len(p.Calendar) == 0 && len(r.schedule.Holds) == 0
	if m := find(sayTogether, "together"); m != nil && counted {
		for c := range p.Clusters {
			sum := int64(0)
			for n := range r.nodes {
				procs, gpus, mem := r.has(int32(n), s.Now)
				if int(r.nodes[n].Cluster) != c || int64(demand.GPUsPerNode) > gpus || r.nodes[n].Mem > 0 && demand.MemPerNode > mem || len(demand.On)+len(demand.Eligible)+len(demand.Licences) > 0 {
					continue
				}
				if sum += procs; p.Clusters[c].Packing != model.PackNodes || demand.Nodes == 1 {
					sum = procs
				}
				if sum >= int64(job.Procs) && demand.Nodes <= 1 {
					no("%d are free together on %s", sum, p.Clusters[c].Name)
				}
			}
		}
		for _, one := range sayOn.FindAllStringSubmatch(m[2], -1) {
			if n := r.machine(one[2]); n >= 0 {
				if procs, _, _ := r.has(n, s.Now); procs != toInt(one[1]) {
					no("%d are free on %s", procs, one[2])
				}
				r.read["on"]++
			}
		}
		if strings.HasSuffix(m[0], "run") {
			no("how many are free where is not said")
		}
	}
	for _, m := range sayHas.FindAllStringSubmatch(text, -1) {
		r.read["GPUs"]++
		n := r.machine(m[1])
		if n < 0 {
			no("there is no machine %s", m[1])
		}
		if _, gpus, _ := r.has(n, s.Now); counted && gpus != toInt(m[2]) || int64(r.nodes[n].GPUs) != toInt(m[3]) || toInt(m[2]) >= int64(demand.GPUsPerNode) {
			no("%s has %d of %d GPUs free, needed are %d", m[1], gpus, r.nodes[n].GPUs, demand.GPUsPerNode)
		}
	}
	for _, m := range sayHasMem.FindAllStringSubmatch(text, -1) {
		r.read["memory"]++
		n := r.machine(m[1])
		if _, _, mem := r.has(n, s.Now); counted && mem != toInt(m[2])*1e9 || r.nodes[n].Mem != toInt(m[3])*1e9 || toInt(m[2])*1e9 >= demand.MemPerNode {
			no("%s has %d of %d bytes free, needed are %d", m[1], mem, r.nodes[n].Mem, demand.MemPerNode)
		}
	}
	for _, m := range sayBound.FindAllStringSubmatch(text, -1) {
		r.bound(s, j, m, no)
	}
	for _, m := range sayTakes.FindAllStringSubmatch(text, -1) {
		r.read["takes"]++
		if !r.takes(m[1], m[2], m[3], m[5]+m[9], func(from, to model.Time, procs int64) bool {
			if m[4] != "" {
				return from == toTime(m[6]) && to == toTime(m[7]) && procs == toInt(m[4]) && from > s.Now
			}
			return from <= s.Now && to == toTime(m[10]) && procs == toInt(m[8])
		}) {
			no("neither the calendar nor a reservation says so of %q", m[0])
		}
	}
	r.inTheWay(s, j, text, no)
	if m := find(sayOver, "over"); m != nil {
		for _, one := range sayTaker.FindAllStringSubmatch(m[2], -1) {
			if !r.takes(one[1], one[2], one[3], "-", func(_, to model.Time, _ int64) bool { return to == toTime(m[1]) }) {
				no("nothing of that name is over then: %q", one[0])
			}
		}
	}
	if strings.Contains(text, "reserved or out of order") {
		no("what it is, and until when, is not said")
	}
	if m := find(sayUsed, "used"); m != nil {
		used := r.consumed(int32(toInt(m[1])), s.Now)
		if int64(job.User) != toInt(m[1]) || r.plain && strconv.FormatFloat(used/3600, 'g', 4, 64) != m[2] {
			no("user %d has used %v processor-hours", job.User, used/3600)
		}
		if r.plain && used < r.used {
			no("who has used more was told before")
		}
		r.used = used
	} else if r.plain && (strings.Contains(r.scheduler, `"key":"fair-share"`) || strings.Contains(r.scheduler, `"key":"orig-bf"`)) && !strings.Contains(text, "turned down") {
		no("what its user has used is not said")
	}
}

// taker is what takes processors away for a time: an entry of the calendar, or a
// reservation that began when it was asked for.
type taker struct {
	name     string
	from, to model.Time
	procs    int32
	known    bool // before it begins
}

// takers are those of a machine of counted processors.
func (r *secondReader) takers() (list []taker) {
	for i := range r.schedule.Platform.Calendar {
		c := &r.schedule.Platform.Calendar[i]
		list = append(list, taker{c.Name, c.From, c.To, c.Procs, c.Kind != model.KindFailure})
	}
	for i := range r.schedule.Executions {
		e := &r.schedule.Executions[i]
		if d := r.schedule.Workload.Demand(e.Job); d != nil && d.Reservation != nil && e.Reason != model.EndRejected {
			list = append(list, taker{d.Reservation.Name, d.Reservation.Ready, d.Reservation.Deadline, e.Procs, true})
		}
	}
	return list
}

// inTheWay reads which outages and reservations are in a job's way: without them it
// could start now, and beside any one of them it could not.
func (r *secondReader) inTheWay(s *tell.Step, j int32, text string, no func(string, ...any)) {
	told := sayTakes.FindAllStringSubmatch(text, -1)
	if len(told) == 0 || !r.taken || !r.counts {
		return
	}
	job := &r.schedule.Workload.Jobs[j]
	var named, others []taker
	for _, t := range r.takers() {
		switch {
		case t.to <= s.Now || t.from > s.Now && !t.known:
		case slices.ContainsFunc(told, func(m []string) bool { return m[2] == t.name }):
			named = append(named, t)
		default:
			others = append(others, t)
		}
	}
	if len(named) != len(told) {
		no("%d are named, which are %+v", len(told), named)
	}
	runs := func(at model.Time) (n int32) {
		for k := range r.starts {
			one := &r.schedule.Workload.Jobs[k]
			if d := r.schedule.Workload.Demand(model.JobID(k)); d != nil && d.Reservation != nil {
				continue
			}
			until := model.Time(0)
			if e := r.running(int32(k), s.Now); e != nil {
				until = e.Start + one.Limit
			} else if slices.Contains(r.begun, int32(k)) {
				until = s.Now + one.Limit
			}
			if at < until {
				n += one.Procs
			}
		}
		return n
	}
	fits := func(end model.Time, with ...taker) bool {
		for _, at := range append([]taker{{from: s.Now}}, with...) {
			if at.from >= end {
				continue
			}
			free, when := r.total-runs(max(at.from, s.Now)), max(at.from, s.Now)
			for _, t := range with {
				if t.from <= when && when < t.to {
					free -= t.procs
				}
			}
			if free < job.Procs {
				return false
			}
		}
		return true
	}
	end := s.Now + job.Limit
	if !fits(s.Now+1, append(slices.Clone(others), named...)...) {
		end = s.Now + 1
	}
	if r.read["in the way"]++; len(named) > 1 {
		r.read["several in the way"]++
	}
	if m := sayOthers.FindStringSubmatch(text); m != nil {
		r.read["others in the way"]++
		return
	}
	if fits(end, append(slices.Clone(others), named...)...) || !fits(end, others...) {
		no("in its way are not just %+v beside %+v until %d", named, others, end)
	}
	for _, t := range named {
		if fits(end, append(slices.Clone(others), t)...) {
			no("%q is not in its way", t.name)
		}
	}
}

// takes says whether an entry of the calendar, or a reservation, is as told; on is the
// place, "-": it is not said.
func (r *secondReader) takes(what, name, number, on string, is func(from, to model.Time, procs int64) bool) bool {
	for i := range r.schedule.Platform.Calendar {
		c := &r.schedule.Platform.Calendar[i]
		procs, where := int64(c.Procs), ""
		for _, n := range c.Nodes {
			procs += int64(r.nodes[n].Procs)
			where += " " + r.schedule.Platform.NodeName(n)
		}
		if len(c.Nodes) > 3 {
			where = fmt.Sprintf(" %d machines", len(c.Nodes))
		} else if len(c.Nodes) == 0 && len(r.schedule.Platform.Clusters) > 1 {
			where = " " + r.schedule.Platform.Clusters[c.Cluster].Name
		}
		if told := strings.NewReplacer(" on", "", ",", "", " and ", " ").Replace(on); on != "-" && told != where {
			continue
		}
		kind := map[model.CalendarKind]string{model.KindReservation: "reservation", model.KindOutage: "outage", model.KindFailure: "failure"}[c.Kind]
		if number == "" && kind == what && c.Name == name && is(c.From, c.To, procs) {
			return true
		}
	}
	for j := range r.schedule.Workload.Jobs { // when it is may be moved by failures
		d := r.schedule.Workload.Demand(model.JobID(j))
		if d == nil || d.Reservation == nil || what != "reservation" || d.Reservation.Name != name {
			continue
		}
		if name != "" || r.schedule.Workload.Jobs[j].Number == toInt(number) {
			return true
		}
	}
	return false
}

// consumed are the processor-seconds of a user up to a time.
func (r *secondReader) consumed(user int32, now model.Time) (sum float64) {
	for i := range r.schedule.Executions {
		e := &r.schedule.Executions[i]
		if r.schedule.Workload.Jobs[e.Job].User == user && e.Start < now && e.Reason != model.EndRejected {
			sum += float64(e.Procs) * float64(min(now, e.End)-e.Start)
		}
	}
	return sum
}

// bound reads a limit and who holds it: those named run, are counted by it, and hold
// together what is said.
func (r *secondReader) bound(s *tell.Step, j int32, m []string, no func(string, ...any)) {
	r.read["bound"]++
	p, jobs := r.schedule.Platform, r.schedule.Workload.Jobs
	most := []int64{int64(p.Limits.UserProcs)}
	if m[3] != "" {
		most = nil
		for i := range p.Limits.Classes {
			if c := &p.Limits.Classes[i]; c.LongerThan == toTime(m[3]) {
				for k := range p.Clusters {
					most = append(most, int64(c.Procs(p.Clusters[k].Procs())))
				}
			}
		}
	} else if toInt(m[2]) != int64(jobs[j].User) {
		no("its user is %d", jobs[j].User)
	}
	sum, held := int64(0), max(0, toInt(m[7]))
	for _, n := range sayNumber.FindAllString(m[5], -1) {
		k := r.job[toInt(n)]
		e := r.running(k, s.Now)
		switch {
		case e != nil:
			sum += int64(e.Procs)
		case slices.Contains(r.begun, k) || r.ran(k, "", s.Now) && r.schedule.Workload.Demand(model.JobID(k)).Reservation != nil:
			sum += int64(jobs[k].Procs)
		default:
			no("job %s does not run", n)
		}
		if m[3] == "" && jobs[k].User != jobs[j].User || m[3] != "" && jobs[k].Limit <= toTime(m[3]) {
			no("job %s is not counted by that limit", n)
		}
	}
	if !slices.Contains(most, toInt(m[4])) || held+int64(jobs[j].Procs) <= toInt(m[4]) || m[6] == "" && sum != held {
		no("limits are %d, %d are held", most, sum)
	}
}

// reserved reads the search for a reservation: within what was asked for, in order,
// and what it got is what runs.
func (r *secondReader) reserved(s *tell.Step, j int32, want *model.Reservation, text string, find func(*regexp.Regexp, string) []string, no func(string, ...any)) {
	job := &r.schedule.Workload.Jobs[j]
	length := want.Length
	if length == 0 {
		length = job.Limit
	}
	deadline := want.Deadline
	if r.late[j] || strings.Contains(r.scheduler, `"grid"`) { // turned down in time, it is asked for again, whenever it can be; a grid asks at once for the earliest end
		deadline = model.Never
	}
	r.late[j] = r.late[j] || strings.HasSuffix(text, "It has none.")
	before := max(s.Now, want.Ready) - 1
	for _, m := range sayLooks.FindAllStringSubmatch(text, -1) {
		at := toTime(m[1])
		if at <= before || at+length > deadline || m[3] != "" && (toTime(m[3]) <= at || toTime(m[3]) >= at+length) || m[2] != "" && toInt(m[2]) > int64(r.total) {
			no("looked at is %d, asked for ⟨%d, %d⟩ for %d s", at, want.Ready, want.Deadline, length)
		}
		before = at
		r.read["looks"]++
	}
	if m := find(sayOffer, "offers"); m != nil && (toTime(m[1]) < want.Ready || toTime(m[2]) > deadline || toTime(m[2])-toTime(m[1]) != length) {
		no("asked for is ⟨%d, %d⟩ for %d s", want.Ready, want.Deadline, length)
	}
	if m := find(sayGets, "gets"); m != nil && (!r.ran(j, m[1], toTime(m[2])) || toTime(m[3])-toTime(m[2]) != length) {
		no("it does not begin there then")
	}
}

// most is how many processors of a cluster are free at most: some may be booked.
func (r *secondReader) most(cluster string, now model.Time) (n int64) {
	p := r.schedule.Platform
	for c := range p.Clusters {
		if p.Clusters[c].Name != cluster {
			continue
		}
		n = int64(p.Clusters[c].Procs())
		for j := range r.starts {
			if e := r.running(int32(j), now); e != nil && e.Cluster == int32(c) {
				n -= int64(e.Procs)
			}
		}
	}
	return n
}
