//go:build !small

package lab

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/tell"
)

// A second reader: takes the numbers out of the sentences themselves and sets them
// beside the state as it follows from the schedule, the requests and the platform,
// on machines, licences, limits, reservations, grids and with users who react. It
// knows nothing of how the sentences were made but their words.
type secondReader struct {
	failf    func(s *tell.Step, format string, args ...any)
	schedule *model.Schedule
	job      map[int64]int32 // index in the workload, by number
	starts   [][]int32       // executions, by job
	total    int32           // processors
	counts   bool            // what is free follows from what runs, what is booked, and the calendar
	tallies  bool            // so do the copies of licences that are free: nothing is booked
	limits   bool            // requests are not shortened by deadlines or earlier runs
	plans    map[int64]model.Time
	late     map[int32]bool // reservations that cannot be had in time
	shadow   string         // of the head of this instant, as its sentence says it
	read     map[string]int // how often a form was read

	scheduler string
	plain     bool                 // one machine of counted processors, and nothing else
	taken     bool                 // or with outages and reservations of the platform as well
	planned   bool                 // all who wait have planned starts, at the providers of a grid
	threshold model.Time           // of the scheduler, −1: none
	nodes     []model.Node         // of the platform
	begun     []int32              // jobs that start at this instant, as far as told
	draft     map[int64]model.Time // the plan that the optimiser begins with; nil: it has not begun
	scores    map[string]model.Time
	used      float64 // of the user of the job before, where jobs stand by that
}

func newSecondReader(schedule *model.Schedule, pair [2]string, scheduler string, failf func(s *tell.Step, format string, args ...any)) *secondReader {
	w, p := schedule.Workload, schedule.Platform
	r := &secondReader{failf: failf, schedule: schedule, job: map[int64]int32{}, starts: make([][]int32, len(w.Jobs)), plans: map[int64]model.Time{}, read: map[string]int{}, late: map[int32]bool{}}
	for i := range w.Jobs {
		r.job[w.Jobs[i].Number] = int32(i)
	}
	for i := range schedule.Executions {
		j := schedule.Executions[i].Job
		r.starts[j] = append(r.starts[j], int32(i))
	}
	for i := range p.Clusters {
		r.total += int32(p.Clusters[i].Procs())
	}
	r.counts = pair != [2]string{"grid", "reservations"} // whose providers keep books of their own
	r.tallies = pair[1] != "reservations" && pair[1] != "all"
	r.limits = pair[1] != "due stops" && pair[1] != "all" && pair[1] != "reservations"
	r.scheduler, r.plain, r.nodes, r.threshold = scheduler, pair == [2]string{"counts", "plain"}, p.Nodes(), -1
	r.taken, r.planned = pair[0] == "taken", strings.Contains(scheduler, `"key":"grid"`) && regexp.MustCompile(`"local":"(conservative|plan-rs|hill-climbing)"`).MatchString(scheduler)
	if m := regexp.MustCompile(`"threshold":(\d+)`).FindStringSubmatch(scheduler); m != nil {
		r.threshold = toTime(m[1])
	}
	return r
}

// running is the execution of a job that runs at a time, begun before it.
func (r *secondReader) running(j int32, now model.Time) *model.Execution {
	for _, i := range r.starts[j] {
		if e := &r.schedule.Executions[i]; e.Reason != model.EndRejected && e.Start < now && e.End > now {
			return e
		}
	}
	return nil
}

// free is what neither jobs nor the calendar hold when decisions begin, nor what is
// booked and held although its job does not run. Reservations that begin now may have
// their processors already: then begun is true.
func (r *secondReader) free(s *tell.Step) (n int32, begun bool) {
	now := s.Now
	n = r.total
	for j := range r.starts {
		if e := r.running(int32(j), now); e != nil {
			n -= e.Procs
		}
	}
	p, out := r.schedule.Platform, map[int32]bool{} // an outage and a failure may take one machine
	for i := range p.Calendar {
		if c := &p.Calendar[i]; c.From <= now && now < c.To {
			n -= c.Procs
			for _, node := range c.Nodes {
				if !out[node] {
					out[node] = true
					n -= p.Nodes()[node].Procs
				}
			}
		}
	}
	starts := int32(0)
	for i := range s.Decisions {
		if d := &s.Decisions[i]; d.Kind == tell.Books && r.ran(r.job[d.Number], "", now) {
			starts += r.schedule.Workload.Jobs[r.job[d.Number]].Procs
		}
	}
	if starts > 0 && s.Free == n-starts {
		return n - starts, true
	}
	return n, false
}

// copies are those of a licence that a job asks for.
func (r *secondReader) copies(j int32, licence int) int32 {
	if d := r.schedule.Workload.Demand(model.JobID(j)); d != nil {
		for _, l := range d.Licences {
			if int(l.Licence) == licence {
				return l.Copies
			}
		}
	}
	return 0
}

// left are the copies that are free when decisions begin.
func (r *secondReader) left(licence int, now model.Time) int32 {
	n := r.schedule.Platform.Licences[licence].Copies
	for j := range r.starts {
		if r.running(int32(j), now) != nil {
			n -= r.copies(int32(j), licence)
		}
	}
	return n
}

var (
	sayNeeds  = regexp.MustCompile(`^Job \d+(?: of user \d+, who has used \S+ processor-hours?,)?(?: has waited S\d+, more than S\d+, and stands first\. It)? needs (\d+)(?: processors?)?(?:(?:,| and) [^;]*)?; (\d+)(?: processors?)? (?:is|are) free`)
	sayCopies = regexp.MustCompile(`needs (\d+) cop(?:y|ies) of (\S+); (\d+) of (\d+) are free`)
	sayEnds   = regexp.MustCompile(`(?:must end by|may run until) T(\d+)`)
	sayHead   = regexp.MustCompile(`It is the head: at T(\d+)(?:, when jobs? ([\d, and]+?)(?: and (\d+) more)? must have ended,)?(?:, when the .+? (?:is|are) over,)? (?:(\d+) will be|it can start)`)
	sayPast   = regexp.MustCompile(`(?:past|before) T(\d+)[,.]`)
	sayEmpty  = regexp.MustCompile(`(\d+) stays? empty`)
	sayMoves  = regexp.MustCompile(`moves from T(\d+) to (?:T(\d+)|now), S(\d+) (earlier|later)`)
	sayKeeps  = regexp.MustCompile(`^Job \d+.* keeps T(\d+)\.`)
	sayPlace  = regexp.MustCompile(`The earliest place for (\d+) processors?(?:(?:,| and) [^×]*)? × S(\d+) is T(\d+)`)
	sayOffer  = regexp.MustCompile(`It offers T(\d+) to T(\d+)`)
	sayLooks  = regexp.MustCompile(`T(\d+) (?:holds|no, (\d+) free(?: at T(\d+))?)`)
	sayGets   = regexp.MustCompile(`gets its reservation at (\S+), T(\d+) to T(\d+)`)
	sayGoes   = regexp.MustCompile(`goes to ([^\s:,]+)(?:, drawn by lot|: (\d+) in its queue, (\d+) processors? free)\.`)
	sayUser   = regexp.MustCompile(`^User (\d+) (?:waits for jobs? ([\d, and]+)|thinks since T(\d+)|will submit more, without waiting for jobs? ([\d, and]+))\.`)
	sayEnded  = regexp.MustCompile(`^ ended, (?:S(\d+) before its request|just by its request)\.`)
	sayFree   = regexp.MustCompile(`(\d+) of (\d+) processors? (?:is|are) free\.$`)
	sayFew    = regexp.MustCompile(`^(\d+) free, needs (\d+)`)
	sayCopied = regexp.MustCompile(`^(\d+) of (\d+) (\S+) free, needs (\d+)$`)
	sayBound  = regexp.MustCompile(`(?:on (\S+) )?(?:user (\d+)|jobs of more than S(\d+)) may hold (\d+)(?:, and jobs? ([\d, and]+?)(?: and (\d+) more)? holds? (\d+))?`)
	sayOutage = regexp.MustCompile(`^: (?:(\d+) processors? cannot be used until T(\d+)|over, (?:(\d+) processors?|but (\d+) of (\d+) processors?) can be used again)\.`)
	sayNumber = regexp.MustCompile(`\d+`)
)

// plainWords say times and spans as numbers.
var plainWords = &tell.Words{
	Time: func(t model.Time) string { return "T" + strconv.Itoa(int(t)) },
	Span: func(t model.Time) string { return "S" + strconv.Itoa(int(t)) },
}

func toTime(text string) model.Time { return model.Time(toInt(text)) }

func toInt(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1 << 60
	}
	return n
}

// step reads all sentences of an instant.
func (r *secondReader) step(s *tell.Step) {
	plans := map[int64]model.Time{}
	free, begun := r.free(s)
	if r.counts && (s.Free != free || s.Procs != r.total) {
		r.failf(s, "%d of %d processors are free, told are %d of %d", free, r.total, s.Free, s.Procs)
	}
	for _, l := range s.Licences {
		for i := range r.schedule.Platform.Licences {
			if one := &r.schedule.Platform.Licences[i]; one.Name == l.Name && (l.Copies != one.Copies || r.tallies && l.Free != r.left(i, s.Now)) {
				r.failf(s, "%d of %d copies of %s are free", r.left(i, s.Now), one.Copies, l.Name)
			}
		}
		used := int32(0)
		for _, h := range l.Holds {
			if takes := h.Since == s.Now && slices.ContainsFunc(s.Decisions, func(d tell.Decision) bool { return d.Number == h.Number && d.Kind.Begins() && d.Kind != tell.Books }); takes != h.Takes {
				r.failf(s, "job %d takes copies of %s now: %v", h.Number, l.Name, takes)
			}
			if !h.Takes {
				used += h.Copies
			}
		}
		if r.tallies && len(l.Holds) < tell.MostListed && used != l.Copies-l.Free {
			r.failf(s, "jobs hold %d copies of %s, %d of %d are free", used, l.Name, l.Free, l.Copies)
		}
		r.read["holds"] += len(l.Holds)
	}
	for _, n := range s.News(plainWords) {
		r.news(s, &n, free)
	}
	for i := range s.Users {
		r.user(s, s.Users[i].Sentence(plainWords))
	}
	taken := make([]int32, len(r.schedule.Platform.Licences)) // by what has started now
	r.shadow, r.begun, r.draft, r.scores, r.used = "", r.begun[:0], nil, nil, 0
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Kind == tell.Leaves {
			delete(r.plans, d.Number)
		}
		if d.Job < 0 {
			r.optimiser(s, d.Sentence(plainWords))
		}
		if j, ok := r.job[d.Number]; ok && d.Job >= 0 {
			r.decision(s, j, d.Sentence(plainWords), free, taken)
			switch {
			case d.Kind == tell.Books && begun:
			case d.Kind.Begins():
				free -= r.schedule.Workload.Jobs[j].Procs
				r.begun = append(r.begun, j)
				for l := range taken {
					taken[l] += r.copies(j, l)
				}
			case d.Kind == tell.Stop || d.Kind == tell.Suspend || d.Kind == tell.End:
				free = -1 // what is given back is not read
			}
		}
	}
	for i := range s.Queue {
		q := &s.Queue[i]
		r.waits(s, q)
		if _, told := r.plans[q.Number]; r.planned && !q.Kind.Begins() && q.Kind != tell.Reject && q.Kind != tell.Leaves && !(q.Kind == tell.Queued && q.Sent == "") && !told {
			r.failf(s, "job %d waits at its provider, and when it is to start is not told", q.Number)
		} else if r.planned && told {
			r.read["planned at a provider"]++
		}
		if !q.Kind.Begins() && q.At < model.Never {
			plans[q.Number] = q.At
		}
	}
	r.after(s, plans)
	r.plans = plans
}

// waits reads why a job of the queue waits, in the few words of the list.
func (r *secondReader) waits(s *tell.Step, q *tell.Waiting) {
	_, because, _ := q.Words(s, plainWords)
	job := &r.schedule.Workload.Jobs[r.job[q.Number]]
	if m := sayFew.FindStringSubmatch(because); m != nil {
		r.read["few"]++
		if toInt(m[2]) != int64(job.Procs) || toInt(m[1]) > int64(r.total) {
			r.failf(s, "job %d waits because of %q, and needs %d", q.Number, because, job.Procs)
		}
	}
	if m := sayCopied.FindStringSubmatch(because); m != nil {
		r.read["copied"]++
		ok := false
		for i := range r.schedule.Platform.Licences {
			l := &r.schedule.Platform.Licences[i]
			ok = ok || l.Name == m[3] && toInt(m[2]) == int64(l.Copies) && toInt(m[4]) == int64(r.copies(r.job[q.Number], i)) && toInt(m[1]) < toInt(m[4])
		}
		if !ok {
			r.failf(s, "job %d waits because of %q, and no licence is like that", q.Number, because)
		}
	}
}

// news reads what has ended, and what is free.
func (r *secondReader) news(s *tell.Step, n *tell.News, free int32) {
	if m := sayEnded.FindStringSubmatch(n.Rest); m != nil && strings.HasPrefix(n.Subject, "Job ") && r.limits {
		j := r.job[toInt(strings.TrimPrefix(n.Subject, "Job "))]
		early := model.Time(-1)
		for _, i := range r.starts[j] {
			if e := &r.schedule.Executions[i]; e.End == s.Now {
				early = e.Start + r.schedule.Workload.Jobs[j].Limit - e.End
			}
		}
		if early != max(0, toTime(m[1])) {
			r.failf(s, "%s%s: it is %d s early", n.Subject, n.Rest, early)
		}
		r.read["ended"]++
	}
	if m := sayOutage.FindStringSubmatch(n.Rest); m != nil {
		r.read["outage"]++
		p, ok := r.schedule.Platform, false
		for i := range p.Calendar {
			c, procs := &p.Calendar[i], int64(p.Calendar[i].Procs)
			for _, node := range c.Nodes {
				procs += int64(p.Nodes()[node].Procs)
			}
			back := procs
			for n := range p.Calendar { // by machines, or where one cluster counts
				e := &p.Calendar[n]
				if n == i || e.From > s.Now || e.To <= s.Now {
					continue
				}
				if e.Cluster == c.Cluster && len(e.Nodes)+len(c.Nodes) == 0 {
					back = min(back, int64(p.Clusters[c.Cluster].Procs())-int64(e.Procs)) // two at a time
				}
				for _, node := range e.Nodes {
					if slices.Contains(c.Nodes, node) {
						back -= int64(p.Nodes()[node].Procs)
					}
				}
			}
			begins := m[2] != "" && c.From == s.Now && c.To == toTime(m[2]) && procs == toInt(m[1])
			all := m[3] != "" && c.To == s.Now && procs == toInt(m[3]) && back == procs
			some := m[4] != "" && c.To == s.Now && procs == toInt(m[5]) && back == toInt(m[4]) && back < procs
			ok = ok || begins || all || some
		}
		if !ok {
			r.failf(s, "%s%s: the calendar does not say so", n.Subject, n.Rest)
		}
	}
	if m := sayFree.FindStringSubmatch(n.Rest); m != nil && r.counts {
		if toInt(m[1]) != int64(free) || toInt(m[2]) != int64(r.total) {
			r.failf(s, "%q: %d of %d are free", n.Rest, free, r.total)
		}
		r.read["free"]++
	}
}

// user reads what a user does.
func (r *secondReader) user(s *tell.Step, text string) {
	m := sayUser.FindStringSubmatch(text)
	if m == nil {
		return
	}
	w := r.schedule.Workload
	for _, n := range sayNumber.FindAllString(m[2], -1) {
		j, ok := r.job[toInt(n)]
		if !ok || int64(w.Jobs[j].User) != toInt(m[1]) {
			r.failf(s, "%q: that is not a job of theirs", text)
		}
		for _, i := range r.starts[j] {
			if e := &r.schedule.Executions[i]; e.End <= s.Now && e.Reason.Final() {
				r.failf(s, "%q: job %s has ended at %d", text, n, e.End)
			}
		}
		r.read["waits for"]++
	}
	for _, n := range sayNumber.FindAllString(m[4], -1) {
		j, ok := r.job[toInt(n)]
		if !ok || int64(w.Jobs[j].User) != toInt(m[1]) || !r.open(j, s.Now) {
			r.failf(s, "%q: job %s is none of theirs, or has ended", text, n)
		}
		r.read["goes on"]++
	}
	if m[3] != "" {
		for j := range w.Jobs {
			if int64(w.Jobs[j].User) == toInt(m[1]) && r.open(int32(j), s.Now) {
				r.failf(s, "%q: their job %d has not ended", text, w.Jobs[j].Number)
			}
		}
		ended := false
		for i := range r.schedule.Executions {
			e := &r.schedule.Executions[i]
			ended = ended || e.End == toTime(m[3]) && int64(w.Jobs[e.Job].User) == toInt(m[1])
		}
		if !ended || toTime(m[3]) > s.Now {
			r.failf(s, "%q: none of their jobs has ended then", text)
		}
		r.read["thinks"]++
	}
}

// decision reads a sentence about a job when so many processors, and so many copies
// less than before, are free.
func (r *secondReader) decision(s *tell.Step, j int32, text string, free int32, taken []int32) {
	w := r.schedule.Workload
	job, demand := &w.Jobs[j], w.Demand(model.JobID(j))
	no := func(format string, args ...any) { r.failf(s, "%q: "+format, append([]any{text}, args...)...) }
	find := func(form *regexp.Regexp, what string) []string {
		m := form.FindStringSubmatch(text)
		if m != nil {
			r.read[what]++
		}
		return m
	}
	if m := find(sayNeeds, "needs"); m != nil {
		if toInt(m[1]) != int64(job.Procs) || r.counts && free >= 0 && toInt(m[2]) != int64(free) {
			no("it needs %d, and %d are free", job.Procs, free)
		}
	}
	if m := find(sayEmpty, "empty"); m != nil && r.counts && toInt(m[1]) != int64(free) {
		no("%d are free", free)
	}
	r.why(s, j, text, find, no)
	if m := find(sayCopies, "copies"); m != nil {
		known := false
		for i := range r.schedule.Platform.Licences {
			l := &r.schedule.Platform.Licences[i]
			if l.Name != m[2] {
				continue
			}
			known = true
			if left := r.left(i, s.Now) - taken[i]; toInt(m[1]) != int64(r.copies(j, i)) || toInt(m[4]) != int64(l.Copies) || r.tallies && (toInt(m[3]) != int64(left) || left >= r.copies(j, i)) {
				no("it needs %d copies, %d of %d are free", r.copies(j, i), left, l.Copies)
			}
		}
		if !known {
			no("there is no such licence")
		}
	}
	if m := find(sayEnds, "ends"); m != nil && r.limits && toTime(m[1]) != s.Now+job.Limit {
		no("by its request it ends at %d", s.Now+job.Limit)
	}
	if m := find(sayHead, "head"); m != nil {
		r.shadow = m[1]
		r.promised(s, job, m, no)
	}
	if m := find(sayPast, "past"); m != nil && m[1] != r.shadow {
		no("the head was promised %s", r.shadow)
	}
	if m := find(sayMoves, "moves"); m != nil {
		was, ok := r.plans[job.Number]
		to := s.Now
		if m[2] != "" {
			to = toTime(m[2])
		}
		by := was - to
		if m[4] == "later" {
			by = -by
		}
		if !ok || was != toTime(m[1]) || by != toTime(m[3]) || by <= 0 {
			no("it was planned for %d", was)
		}
		r.plans[job.Number] = to
	}
	if m := find(sayKeeps, "keeps"); m != nil {
		if was, ok := r.plans[job.Number]; !ok || was != toTime(m[1]) {
			no("it was planned for %d", was)
		}
	}
	if m := find(sayPlace, "place"); m != nil {
		if toInt(m[1]) != int64(job.Procs) || toTime(m[2]) != job.Limit || toTime(m[3]) < s.Now {
			no("it needs %d for %d s", job.Procs, job.Limit)
		}
		if at := r.earliest(s.Now, job); r.places() && at != toTime(m[3]) {
			no("beside the plan as it stands its earliest place is %d", at)
		}
		r.plans[job.Number] = toTime(m[3])
	}
	if m := find(sayNow, "now"); m != nil {
		if at := r.earliest(s.Now, job); r.places() && at != s.Now {
			no("beside the plan as it stands its earliest place is %d", at)
		}
	}
	if strings.HasSuffix(text, "It starts.") || strings.HasSuffix(text, "and starts.") || strings.HasSuffix(text, "it will not run.") {
		delete(r.plans, job.Number)
	}
	if m := find(sayGoes, "goes"); m != nil && !r.ran(j, m[1], -1) && r.ran(j, "", -1) { // else its deadline comes first
		no("it does not run there")
	} else if m != nil && m[3] != "" && toInt(m[3]) > r.most(m[1], s.Now) {
		no("at most %d are free there", r.most(m[1], s.Now))
	}
	if demand != nil && demand.Reservation != nil {
		r.reserved(s, j, demand.Reservation, text, find, no)
	}
}

// promised reads a head's promise: who must have ended by then runs until then at
// the latest, and with them as many processors are free as it needs.
func (r *secondReader) promised(s *tell.Step, job *model.Job, m []string, no func(string, ...any)) {
	at := toTime(m[1])
	if at <= s.Now {
		no("that is past")
	}
	ended, named := int64(0), sayNumber.FindAllString(m[2], -1)
	begun := map[int64]bool{}
	for i := range s.Decisions {
		if d := &s.Decisions[i]; d.Kind.Begins() {
			begun[d.Number] = true
		}
	}
	for j := range r.starts {
		one := &r.schedule.Workload.Jobs[j]
		e := r.running(int32(j), s.Now)
		if until := s.Now + one.Limit; e != nil || begun[one.Number] {
			if e != nil {
				until = e.Start + one.Limit
			}
			if until <= at {
				ended++
			}
		}
	}
	for _, n := range named {
		j, ok := r.job[toInt(n)]
		e := r.running(j, s.Now)
		if !ok || e == nil && !begun[toInt(n)] || r.limits && e != nil && e.Start+r.schedule.Workload.Jobs[j].Limit > at {
			no("job %s does not run, or longer", n)
		}
	}
	if more := int64(len(named)) + max(0, toInt(m[3])); len(named) > 0 && r.limits && more > ended {
		no("only %d have ended by then", ended)
	}
}

// ran says whether a job has an execution, on a cluster if that is not "", at a time
// if that is not −1.
func (r *secondReader) ran(j int32, cluster string, at model.Time) bool {
	for _, i := range r.starts[j] {
		e := &r.schedule.Executions[i]
		if e.Reason != model.EndRejected && (cluster == "" || r.schedule.Platform.Clusters[e.Cluster].Name == cluster) && (at < 0 || e.Start == at) {
			return true
		}
	}
	return false
}
