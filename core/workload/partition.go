//go:build !small

package workload

import (
	"fmt"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// Sharing is what the platform's partitions, QOS and accounts say of jobs, each list
// parallel to that of the platform.
type Sharing struct {
	Overrun                   string  // as in Options: of jobs that ran longer than their partition's default
	Scale                     float64 // as Options.Time
	Partitions, QOS, Accounts []Share
	Default                   int32 // 1 + index of the partition of jobs that name none; 0: they are in none
}

// Share is how jobs name a partition, a QOS or an account, and its limits.
type Share struct {
	Number int64
	Limits []ShareLimit
}

// ShareLimit is a limit on what the jobs of a share hold, or on what one may ask for.
type ShareLimit struct {
	Unit model.Unit
	By   model.QuotaBy
	Job  bool // bounds each job by itself
	Time bool // bounds the requested seconds of a job
	Most int64
}

// Reasons of AskShares, in the order of its counts.
const (
	shareNone = iota // no partition
	shareDefaulted
	shareUnknown
	shareSeveral
	shareDefault
	shareOver
	shareNarrow
	shareLimit
	shareReasons
)

var shareTexts = [shareReasons]struct {
	reason, text string
	drops        bool
}{
	{"no-partition", "Names no partition: any machine may run it", false},
	{"default-partition", "Names no partition: in the default one", false},
	{"unknown-share", "Names a partition, QOS or account that the platform does not have: ignored", false},
	{"several-partitions", "Names several partitions: on the machines of all that bind it as its own, the first in which it could run", false},
	{"default-time", "No requested time: its partition's default time", false},
	{"over-partition", "Over its partition's limit, where Slurm lets it wait for ever: left out", true},
	{"partition-too-small", "The machines of its partition could never hold it: left out", true},
	{"over-share", "Asks for more than its QOS or account lets one job hold: left out", true},
}

// AskShares gives jobs the machines, times and limits of the partitions, QOS and
// accounts that they name: l.Extra says which, else fields 16 (partition) and 15 (QOS).
// Jobs that could never start are left out. Limits become quotas, which the platform
// counts beside its licences; those that all jobs together could not reach bind nobody
// and are not counted. w is not changed, p gets the quotas.
func AskShares(w *model.Workload, l *swf.Log, p *model.Platform, s *Sharing) (*model.Workload, []report.Count, error) {
	a := asking{p: p, s: s, nodes: p.Nodes(), on: map[onKey][]int32{}, widest: 1, room: map[roomKey]bool{}, quotas: map[model.Quota]*quota{}}
	for i, list := range [...][]Share{s.Partitions, s.QOS, s.Accounts} {
		a.at[i] = make(map[int64]int32, len(list))
		for k := range list {
			a.at[i][list[k].Number] = int32(k)
		}
	}
	for i := range a.nodes {
		a.widest = max(a.widest, int64(a.nodes[i].Procs))
	}
	out := ownDemands(w)
	out.Truth = slices.Clone(w.Truth)
	keep := make([]bool, len(out.Jobs))
	kept := 0
	for j := range out.Jobs {
		job, d := &out.Jobs[j], &out.Demands[j]
		if job.Record < 0 || int(job.Record) >= len(l.Records) || d.Reservation != nil {
			keep[j] = true
			kept++
			continue
		}
		a.look(l, job)
		a.names(d, a.r, a.x)
		if keep[j] = a.bounds(job, d, &out.Truth[j], a.r); keep[j] {
			kept++
		}
	}
	out = only(out, keep, kept)
	a.count(out, l)
	counts := counts(a.tallies[:], func(i int) (key, text string, drops bool) {
		return shareTexts[i].reason, shareTexts[i].text, shareTexts[i].drops
	})
	if kept == 0 {
		return nil, counts, fmt.Errorf("workload: partitions and limits let none of %d jobs start: %w", len(w.Jobs), ErrNoJobs)
	}
	return out, counts, nil
}

// asking is the state of AskShares.
type asking struct {
	p       *model.Platform
	s       *Sharing
	nodes   []model.Node
	at      [3]map[int64]int32 // by number: index of a partition, a QOS, an account
	on      map[onKey][]int32  // machines of a partition that a job may run on, each list once
	room    map[roomKey]bool   // whether a partition could hold a job like that
	quotas  map[model.Quota]*quota
	order   []*quota
	tallies [shareReasons]tally
	r       *swf.Record // of the job that is looked at
	x       *swf.Extra  // nil: none
	widest  int64       // processors of the largest machine
}

// onKey is one or several partitions and the machines that a job may run on anyway.
type onKey struct {
	partitions string
	first      *int32
	count      int
}

// roomKey is what a job asks of machines.
type roomKey struct {
	on                          *int32
	count                       int
	procs, nodes, perNode, gpus int32
	mem, disk                   int64
}

// fits says whether the machines that a job may run on could hold it; jobs that ask for
// the same are answered at once.
func (a *asking) fits(job *model.Job, d *model.Demand) bool {
	key := roomKey{count: len(d.On), procs: job.Procs, nodes: d.Nodes, perNode: d.PerNode, gpus: d.GPUsPerNode, mem: d.MemPerNode, disk: d.DiskPerNode}
	if len(d.On) > 0 {
		key.on = &d.On[0]
	}
	fit, ok := a.room[key]
	if !ok {
		fit = holds(a.p, a.nodes, job, d, nil)
		a.room[key] = fit
	}
	return fit
}

// look turns to a job of the log.
func (a *asking) look(l *swf.Log, job *model.Job) {
	a.r, a.x = &l.Records[job.Record], nil
	if l.Extra != nil {
		a.x = &l.Extra[job.Record]
	}
}

// quota is a limit in the making.
type quota struct {
	model.Quota
	most, all int64 // what may be held; what all its jobs ask for together
	index     int32 // of Platform.Licences, −1 none
}

// names notes which partitions, QOS and account a job names.
func (a *asking) names(d *model.Demand, r *swf.Record, x *swf.Extra) {
	unknown := false
	find := func(list int, number int64) int32 {
		if number <= 0 {
			return -1
		}
		k, ok := a.at[list][number]
		if !ok {
			unknown = unknown || len(a.at[list]) > 0
			return -1
		}
		return k
	}
	qos := int64(r.QueueNumber)
	if x != nil {
		for _, number := range x.Partitions {
			if k := find(0, int64(number)); k >= 0 && !slices.Contains(d.Partitions, k) {
				d.Partitions = append(d.Partitions, k)
			}
		}
		if x.QOS > 0 {
			qos = int64(x.QOS)
		}
		d.Account = find(2, int64(x.Account)) + 1
	}
	if x == nil || len(x.Partitions) == 0 {
		if k := find(0, int64(r.PartitionNumber)); k >= 0 {
			d.Partitions = []int32{k}
		}
	}
	if r.PartitionNumber <= 0 && (x == nil || len(x.Partitions) == 0) && a.s.Default > 0 {
		d.Partitions = []int32{a.s.Default - 1}
		a.tallies[shareDefaulted].add(r.Line)
	}
	if len(a.s.QOS) > 0 {
		d.QOS = find(1, qos) + 1
	}
	if unknown {
		a.tallies[shareUnknown].add(r.Line)
	} else if len(d.Partitions) == 0 && len(a.s.Partitions) > 0 {
		a.tallies[shareNone].add(r.Line)
	}
	if len(d.Partitions) > 1 {
		a.tallies[shareSeveral].add(r.Line)
	}
}

// bounds gives a job the machines and times of its partition and says whether it may
// run at all. Of several that it names, those in which it could never run are passed
// over; the first of the others is its own.
func (a *asking) bounds(job *model.Job, d *model.Demand, t *model.Truth, r *swf.Record) bool {
	request := job.Limit - d.Setup
	if len(d.Partitions) > 0 {
		var own, first entry
		for i, k := range d.Partitions {
			e := a.enter(k, *job, *d, t, r)
			if e.fault == shareNone {
				own, d.Partitions = e, slices.Concat(d.Partitions[i:i+1], d.Partitions[:i], d.Partitions[i+1:])
				break
			}
			if i == 0 {
				first = e
			}
		}
		if own.defaulted || own.part == nil && first.defaulted {
			a.tallies[shareDefault].add(r.Line)
		}
		if own.part == nil {
			if first.fault < shareReasons {
				a.tallies[first.fault].add(r.Line)
			}
			return false
		}
		job.Limit, request = own.limit, own.request
		alike := []int32{d.Partitions[0]}
		kept := 1
		for _, k := range d.Partitions[1:] {
			e := a.enter(k, *job, *d, t, r)
			if e.fault != shareNone || e.part.MaxTime > 0 && request > e.part.MaxTime {
				continue
			}
			if d.Partitions[kept], kept = k, kept+1; a.alike(d.Partitions[0], k) {
				alike = append(alike, k)
			}
		}
		d.Partitions = d.Partitions[:kept]
		a.bind(d, alike)
	} else if a.over(job, d, request) {
		a.tallies[shareLimit].add(r.Line)
		return false
	}
	return true
}

// over says whether a job asks for more than its QOS or account lets one hold.
func (a *asking) over(job *model.Job, d *model.Demand, request model.Time) (over bool) {
	a.limits(d, func(_ model.QuotaOf, _ int32, limit *ShareLimit) {
		over = over || a.exceeded(limit, job, d, request)
	})
	return over
}

// entry is a job in one of its partitions.
type entry struct {
	part           *model.Partition // nil: it could never run there
	fault          int              // shareNone, the reason why not, or shareReasons where none is counted
	limit, request model.Time
	defaulted      bool // it has the partition's default time
}

// enter says how a job would be bound in a partition that it names.
func (a *asking) enter(k int32, job model.Job, d model.Demand, t *model.Truth, r *swf.Record) (e entry) {
	part := &a.p.Partitions[k]
	request := job.Limit - d.Setup
	switch given := model.Time(r.RequestedTime); {
	case given <= 0:
		if request = part.DefaultTime; request == 0 {
			request = part.MaxTime
		}
		if request == 0 {
			request = job.Limit - d.Setup
			break
		}
		e.defaulted = true
		job.Limit = request + d.Setup
		if t.Run > job.Limit {
			switch a.s.Overrun {
			case OverrunDrop:
				e.fault = shareReasons
				return e
			case OverrunExtend:
				job.Limit = t.Run
			}
		}
	case model.Time(r.RunTime) > given && a.s.Overrun == OverrunExtend: // what was asked for counts, not what it became
		request = scaled(given, a.s.Scale)
	}
	if part.MaxTime > 0 && request > part.MaxTime || a.exceeds(a.s.Partitions[k].Limits, &job, &d, request) {
		e.fault = shareOver
		return e
	}
	if part.Nodes != nil {
		a.bind(&d, []int32{k})
		if !a.fits(&job, &d) || len(d.Licences) > 0 && !holds(a.p, a.nodes, &job, &d, d.Licences) {
			e.fault = shareNarrow
			return e
		}
	}
	if d.Partitions = []int32{k}; a.over(&job, &d, request) {
		e.fault = shareLimit
		return e
	}
	e.part, e.limit, e.request = part, job.Limit, request
	return e
}

// alike says whether two partitions bind the jobs in them in the same way: by the same
// QOS, and without limits of their own on what these hold.
func (a *asking) alike(k, other int32) bool {
	holds := func(k int32) bool {
		return slices.ContainsFunc(a.s.Partitions[k].Limits, func(l ShareLimit) bool { return !l.Job })
	}
	return a.p.Partitions[k].QOS == a.p.Partitions[other].QOS && !holds(k) && !holds(other)
}

// bind leaves a job the machines of some partitions.
func (a *asking) bind(d *model.Demand, list []int32) {
	key := onKey{count: len(d.On)}
	if len(d.On) > 0 {
		key.first = &d.On[0]
	}
	for _, k := range list {
		if a.p.Partitions[k].Nodes == nil { // all machines
			return
		}
		key.partitions += fmt.Sprint(k, " ")
	}
	on, ok := a.on[key]
	if !ok {
		for _, k := range list {
			on = append(on, a.p.Partitions[k].Nodes...)
		}
		slices.Sort(on)
		if on = slices.Compact(on); d.On != nil {
			on = both(d.On, on)
		}
		a.on[key] = on
	}
	eligible := d.Eligible
	bindTo(d, on, a.nodes)
	if len(eligible) > 0 {
		d.Eligible = both(slices.Sorted(slices.Values(d.Eligible)), slices.Sorted(slices.Values(eligible)))
	}
}

// exceeds says whether a single job asks for more than one of some limits lets it.
func (a *asking) exceeds(list []ShareLimit, job *model.Job, d *model.Demand, request model.Time) bool {
	return slices.ContainsFunc(list, func(l ShareLimit) bool { return a.exceeded(&l, job, d, request) })
}

func (a *asking) exceeded(l *ShareLimit, job *model.Job, d *model.Demand, request model.Time) bool {
	if l.Time {
		return int64(request) > l.Most
	}
	return a.asks(l.Unit, job, d) > l.Most
}

// asks is how much of what a limit counts the job asks for that is looked at: what its
// log says, else what it needs of each machine, of as many as the largest of all would do.
func (a *asking) asks(unit model.Unit, job *model.Job, d *model.Demand) int64 {
	switch unit {
	case model.UnitJobs:
		return 1
	case model.UnitNodes:
		switch {
		case a.x != nil && a.x.Nodes > 0:
			return int64(a.x.Nodes)
		case d.Nodes > 0:
			return int64(d.Nodes)
		}
		return (int64(job.Procs) + a.widest - 1) / a.widest
	case model.UnitGPUs:
		switch {
		case a.x != nil && a.x.GPUs > 0:
			return int64(a.x.GPUs)
		case d.GPUsPerNode > 0:
			return int64(d.GPUsPerNode) * a.asks(model.UnitNodes, job, d)
		}
		return 0
	case model.UnitMemory:
		switch {
		case d.MemPerNode > 0:
			return mebibytes(d.MemPerNode, a.asks(model.UnitNodes, job, d))
		case a.r.RequestedMemory > 0:
			return mebibytes(a.r.RequestedMemory, int64(job.Procs)<<10)
		}
		return 0
	}
	return int64(job.Procs)
}

// mebibytes are so many bytes so many times in MiB, rounded up; more than any limit has
// where that is more.
func mebibytes(bytes, times int64) int64 {
	if bytes > math.MaxInt64>>1/times {
		return math.MaxInt32 + 1
	}
	return (bytes*times + 1<<20 - 1) >> 20
}

// limits calls f for every limit that binds a job beside those of its partition itself.
// Of limits on the same the first counts: of the partition's QOS, of the job's, of its
// accounts, where all of them up to the root count together.
func (a *asking) limits(d *model.Demand, f func(of model.QuotaOf, index int32, l *ShareLimit)) {
	type key struct {
		unit      model.Unit
		by        model.QuotaBy
		job, time bool
	}
	taken := map[key]bool{}
	each := func(of model.QuotaOf, index int32, list []ShareLimit) {
		for i := range list {
			if l := &list[i]; !taken[key{l.Unit, l.By, l.Job, l.Time}] {
				f(of, index, l)
			}
		}
	}
	for _, q := range [...]int32{a.partitionQOS(d), d.QOS} {
		if q > 0 {
			each(model.QuotaQOS, q-1, a.s.QOS[q-1].Limits)
			for _, l := range a.s.QOS[q-1].Limits {
				taken[key{l.Unit, l.By, l.Job, l.Time}] = true
			}
		}
	}
	for k := d.Account; k > 0; k = a.p.Accounts[k-1].Parent {
		each(model.QuotaAccount, k-1, a.s.Accounts[k-1].Limits)
	}
}

func (a *asking) partitionQOS(d *model.Demand) int32 {
	if len(d.Partitions) == 0 {
		return 0
	}
	return a.p.Partitions[d.Partitions[0]].QOS
}

// count makes quotas of limits, and jobs need copies of them.
func (a *asking) count(w *model.Workload, l *swf.Log) {
	type need struct {
		quota *quota
		copy  int32
	}
	needs := make([][]need, len(w.Jobs))
	for j := range w.Jobs {
		job, d := &w.Jobs[j], &w.Demands[j]
		if len(d.Partitions) == 0 && d.QOS == 0 && d.Account == 0 {
			continue
		}
		a.look(l, job)
		ask := func(of model.QuotaOf, index int32, l *ShareLimit) {
			q := model.Quota{Of: of, Index: index, By: l.By, Unit: l.Unit}
			copies := a.asks(l.Unit, job, d)
			switch {
			case l.Job || copies == 0:
				return
			case l.By == model.QuotaUser:
				q.Who = job.User
			case l.By == model.QuotaGroup:
				q.Who = job.Group
			case l.By == model.QuotaByAccount && d.Account > 0:
				q.Who = a.p.Accounts[d.Account-1].Number
			}
			one, ok := a.quotas[q]
			if !ok {
				one = &quota{Quota: q, most: l.Most, index: -1}
				a.quotas[q] = one
				a.order = append(a.order, one)
			}
			one.all += copies
			needs[j] = append(needs[j], need{one, int32(copies)}) // no more than the limit
		}
		if len(d.Partitions) > 0 {
			k := d.Partitions[0]
			for i := range a.s.Partitions[k].Limits {
				ask(model.QuotaPartition, k, &a.s.Partitions[k].Limits[i])
			}
		}
		a.limits(d, ask)
	}
	for _, q := range a.order {
		if q.all > q.most {
			q.index = int32(len(a.p.Licences))
			a.p.Licences = append(a.p.Licences, model.Licence{Name: a.p.QuotaName(&q.Quota), Copies: int32(q.most), Quota: q.Quota})
		}
	}
	for j := range needs {
		d := &w.Demands[j]
		d.Licences = slices.Clip(d.Licences) // several jobs may share them
		for _, n := range needs[j] {
			if n.quota.index >= 0 && !slices.ContainsFunc(d.Licences, func(l model.LicenceNeed) bool { return l.Licence == n.quota.index }) {
				d.Licences = append(d.Licences, model.LicenceNeed{Licence: n.quota.index, Copies: n.copy})
			}
		}
	}
}

// Long says whether a limit on jobs with long requests counts a job. It counts no
// reservation beside the jobs.
func Long(w *model.Workload, j model.JobID, c *model.LimitClass) bool {
	d := w.Demand(j)
	return w.Jobs[j].Limit > c.LongerThan && (d == nil || d.Reservation == nil)
}

// AskWhole has the jobs of a class, the document's so many-th, need copies of a quota of
// the whole platform, one for each processor; none where all of them together ask for no
// more. w is not changed, p gets the quota.
func AskWhole(w *model.Workload, p *model.Platform, place int32, c *model.LimitClass) *model.Workload {
	all, most := int64(0), c.Procs(p.Procs())
	for j := range w.Jobs {
		if Long(w, model.JobID(j), c) {
			all += int64(w.Jobs[j].Procs)
		}
	}
	if all <= int64(most) {
		return w
	}
	quota := int32(len(p.Licences))
	p.Licences = append(p.Licences, model.Licence{Name: "jobs of more than " + rounded(c.LongerThan), Copies: most, Quota: model.Quota{Of: model.QuotaLong, Index: place}})
	out := ownDemands(w)
	for j := range out.Jobs {
		if Long(out, model.JobID(j), c) {
			d := &out.Demands[j]
			d.Licences = append(slices.Clip(d.Licences), model.LicenceNeed{Licence: quota, Copies: out.Jobs[j].Procs})
		}
	}
	return out
}

// rounded writes seconds in the largest unit of which they are a whole number.
func rounded(t model.Time) string {
	switch {
	case t > 0 && t%86400 == 0:
		return fmt.Sprint(int64(t)/86400, " d")
	case t > 0 && t%3600 == 0:
		return fmt.Sprint(int64(t)/3600, " h")
	}
	return fmt.Sprint(int64(t), " s")
}

// only returns the jobs of a workload with demands of its own that are to be kept, of
// which there are so many.
func only(w *model.Workload, keep []bool, kept int) *model.Workload {
	if kept == len(w.Jobs) {
		return w
	}
	out := *w
	out.Jobs, out.Truth = make([]model.Job, 0, kept), make([]model.Truth, 0, kept)
	for j := range w.Jobs {
		if keep[j] {
			out.Jobs, out.Truth = append(out.Jobs, w.Jobs[j]), append(out.Truth, w.Truth[j])
		}
	}
	out.Demands = make([]model.Demand, len(out.Jobs))
	for j := range out.Jobs {
		d := w.Demands[out.Jobs[j].Demand-1]
		out.Demands[j], out.Jobs[j].Demand = d, int32(j)+1
	}
	return &out
}
