package intake

import (
	"cmp"
	"fmt"
	"slices"

	"batchlab/core/report"
	"batchlab/core/swf"
)

// seen counts what stands in the rows, for the report.
type seen struct {
	states                               [7]int
	split                                int // waiting tasks that were split off
	noSubmit                             int
	negativeWait, negativeRun, noStart   tally
	unlimited, partitionLimit            tally
	unknownDependency, missingDependency tally
	steps, realigned, sharedGPU          tally
	twice, reused, overrun, more         tally
	unknownState, suspended              tally
}

// tally counts rows and keeps the first lines.
type tally struct {
	count int
	lines []int
}

func (t *tally) add(line int) {
	t.count++
	if len(t.lines) < 5 {
		t.lines = append(t.lines, line)
	}
}

// missing notes once what the files do not say.
func (b *builder) missing(what, costs string) {
	if m := (report.Missing{What: what, Costs: costs}); !slices.Contains(b.report.Missing, m) {
		b.report.Missing = append(b.report.Missing, m)
	}
}

// assume notes once what was guessed, and how to choose otherwise.
func (b *builder) assume(what, taken, otherwise, choice string) {
	a := report.Assumed{What: what, Taken: taken, Else: otherwise, Choice: choice}
	if !slices.Contains(b.report.Assumed, a) {
		b.report.Assumed = append(b.report.Assumed, a)
	}
}

// summarise counts, checks and says what was assumed. zero is the first submission.
func (b *builder) summarise(zero int64) {
	r, l := &b.report, b.log
	r.Jobs = len(l.Records)
	for s, n := range b.saw.states {
		if n > 0 {
			r.Became = append(r.Became, report.OutcomeCount{What: stateNames[s], Count: n})
		}
	}
	limits := 0
	for i := range l.Records {
		rec := &l.Records[i]
		if rec.RequestedTime > 0 && rec.RunTime > rec.RequestedTime {
			b.saw.overrun.add(int(rec.Line))
		}
		if rec.RequestedProcessors > 0 && rec.AllocatedProcessors > rec.RequestedProcessors && rec.WaitTime >= 0 {
			b.saw.more.add(int(rec.Line))
		}
		x := &b.extra[i]
		if x.Withdrawn > 0 {
			r.Withdrawn++
		}
		if x.GPUs > 0 || x.Share > 0 {
			r.GPUs++
		}
		if x.Array > 0 {
			r.InArrays++
		}
		if l.Records[i].RequestedTime > 0 {
			limits++
		}
	}
	for _, f := range []report.OutcomeCount{
		{What: "the same job again: left out", Count: b.twice},
		{What: "steps of jobs: left out (-X leaves them out at once)", Count: b.saw.steps.count},
		{What: "could not be read: left out", Count: l.Malformed},
	} {
		if f.Out = true; f.Count > 0 {
			r.Became = append(r.Became, f)
		}
	}
	r.Rows += b.saw.steps.count
	r.Arrays, r.HetGroups = len(b.arrays.names), len(b.hets.names)
	if len(r.Dependencies) == 0 {
		r.Dependencies = nil
	}
	b.peaks()
	b.use()
	b.assumptions()
	if limits == 0 && !slices.ContainsFunc(r.Missing, func(m report.Missing) bool { return m.What == "requested time" }) {
		b.missing("requested time", "schedulers that backfill get the run times themselves for requests: better informed than any real one")
	}
	b.check()
}

// check looks at what other readers of such files were found to get wrong. What is
// well is said, too, of the checks that matter for every file.
func (b *builder) check() {
	waits, zeroWaits := 0, 0
	for i := range b.log.Records {
		if w := b.log.Records[i].WaitTime; w >= 0 {
			if waits++; w == 0 {
				zeroWaits++
			}
		}
	}
	add := func(key string, t tally, bad, well string) {
		c := report.Check{Key: key, What: bad, Count: t.count, Lines: t.lines}
		if t.count == 0 {
			c.What = well
		}
		if c.What != "" {
			b.report.Checks = append(b.report.Checks, c)
		}
	}
	var none, mixed, paused, clusters tally
	if n := len(b.clusters.names); n > 1 {
		clusters.count = n
	}
	if waits > 1 && zeroWaits == waits {
		none.count = waits
	}
	if b.zones.wall > 0 && (b.zones.offset > 0 || b.zones.unix > 0) {
		mixed.count = b.zones.wall
	}
	paused.count = len(b.report.Pauses)
	waited := "no job has started"
	if waits > 0 {
		waited = fmt.Sprintf("waits are real: %d of %d jobs that started had waited", waits-zeroWaits, waits)
	}
	add("waits", none, "every job starts in the second of its submission: these may be times of the start, not of the submission", waited)
	add("negative-wait", b.saw.negativeWait, "starts before its submission (a clock that was put back, or two zones): taken to start at once", "no job starts before its submission")
	add("negative-run", b.saw.negativeRun, "ends before its start: taken to have run for no time", "no job ends before its start")
	add("twice", b.saw.twice, "stands in the files more than once (files by month share the jobs of their border): counted once", "no job is there twice")
	add("reused", b.saw.reused, "shares its number with another job: the submission distinguishes them, and it gets a new number", "no number stands for two jobs")
	add("clock", mixed, "some times state a zone and some do not", "all times are of one clock")
	add("clusters", clusters, "clusters share the file: all jobs are taken to be of one machine; sacct -M NAME asks for those of one", "")
	add("pauses", paused, "nothing ran for an hour or more although jobs waited: perhaps an outage", "never did nothing run for an hour while jobs waited")
	add("steps", b.saw.steps, "is a step of a job: left out (-X leaves them out at once)", "")
	add("overrun", b.saw.overrun, "ran longer than its limit (Slurm looks every 30 s and waits KillWait): it ends at the limit, unless overruns extend the request (as in the document that batchlab import writes)", "")
	add("suspended", b.saw.suspended, "ran shorter than from its start to its end (it was suspended, or the clock was changed): it runs as long as the file says, without a break", "")
	add("more-than-asked", b.saw.more, "was given more processors than it asked for (whole nodes, or all threads of a core): it asks for as many as the command did", "")
	add("no-start", b.saw.noStart, "is said to have ended but has no start: does not run", "")
	add("unlimited", b.saw.unlimited, "has no limit: no requested time", "")
	add("partition-limit", b.saw.partitionLimit, "has its partition's limit, which is not in this file: no requested time", "")
	add("unknown-dependency", b.saw.unknownDependency, "waits for others in a way that is not known: that condition is left out", "")
	add("missing-dependency", b.saw.missingDependency, "waits for a job that is not in this file: that condition is left out", "")
	add("realigned", b.saw.realigned, "has a separator in free text; its columns were put in place again", "")
	add("gpu-share", b.saw.sharedGPU, "asks for a share of a GPU: counts as one whole GPU", "")
	add("unknown-state", b.saw.unknownState, "has a state that is not known: taken as ended if it has an end", "")
}

func (b *builder) assumptions() {
	r := &b.report
	if b.zones.wall > 0 && b.o.Offset == nil {
		b.assume("The file's times state no zone", "taken as UTC", "--zone +01:00 or --zone Europe/Prague", "zone")
	}
	if b.saw.noSubmit > 0 {
		b.assume(fmt.Sprintf("%d jobs state no submission", b.saw.noSubmit), "taken as submitted when they became eligible or started", "", "")
	}
	if r.PeakProcs > 0 {
		b.assume("The file does not say how large the machine is", fmt.Sprintf("taken as %d processors, the most that were in use at once", r.PeakProcs), "--processors N, or --conf slurm.conf", "processors")
	} else {
		b.assume("The file does not say how large the machine is", "nor when jobs ran, so that it cannot be told from them", "--processors N, or --conf slurm.conf", "processors")
	}
}

// parts is into how many equal parts the time of a file is cut to show its load.
const parts = 60

// use sums up how much of the machine was in use over time, and what the jobs of each
// partition did.
func (b *builder) use() {
	type list struct{ asked, used []int32 }
	r := &b.report
	rows := make([]report.PartitionUse, len(b.partitions.names))
	of, started := make([]list, len(rows)), make([]int, len(rows))
	for i := range b.log.Records {
		x := &b.log.Records[i]
		if x.WaitTime >= 0 && x.RunTime >= 0 {
			r.BusyTo = max(r.BusyTo, x.SubmitTime+int64(x.WaitTime)+int64(x.RunTime))
		}
	}
	part := (r.BusyTo + parts - 1) / parts
	if part > 0 {
		r.Busy = make([]float64, parts)
	}
	for i := range b.log.Records {
		x := &b.log.Records[i]
		procs := int64(procsIn(x))
		from := x.SubmitTime + int64(x.WaitTime)
		ran := x.WaitTime >= 0 && x.RunTime >= 0
		if to := from + int64(x.RunTime); ran {
			for k := from / max(part, 1); part > 0 && k*part < to && k < parts; k++ {
				r.Busy[k] += float64(procs) * float64(min(to, (k+1)*part)-max(from, k*part))
			}
		}
		if x.PartitionNumber < 1 {
			continue
		}
		k := x.PartitionNumber - 1
		rows[k].Jobs++
		if x.RequestedTime > 0 {
			of[k].asked = append(of[k].asked, x.RequestedTime)
		}
		if ran {
			rows[k].Work += float64(procs) * float64(x.RunTime)
			rows[k].Wait += float64(x.WaitTime)
			of[k].used = append(of[k].used, x.RunTime)
			started[k]++
		}
	}
	for k := range rows {
		rows[k].Number = k + 1
		rows[k].Wait /= float64(max(started[k], 1))
		rows[k].Asked, rows[k].Used = median(of[k].asked), median(of[k].used)
		if rows[k].Jobs > 0 {
			r.Partitions = append(r.Partitions, rows[k])
		}
	}
	slices.SortStableFunc(r.Partitions, func(a, b report.PartitionUse) int { return cmp.Compare(b.Jobs, a.Jobs) })
}

// median returns the lower median of numbers from 0 on, 0 of nothing; it changes the
// list. Of a long one the upper and the lower sixteen bits are counted.
func median(list []int32) int64 {
	if len(list) == 0 {
		return 0
	}
	at := (len(list) - 1) / 2
	if len(list) < 1<<14 {
		slices.Sort(list)
		return int64(list[at])
	}
	count := make([]int32, 1<<16)
	nth := func() (k int32) {
		for at >= int(count[k]) {
			at -= int(count[k])
			k++
		}
		return k
	}
	for _, v := range list {
		count[v>>16]++
	}
	high := nth()
	clear(count)
	for _, v := range list {
		if v>>16 == high {
			count[v&0xffff]++
		}
	}
	return int64(high<<16 | nth())
}

// pauseLeast is how long, in seconds, nothing must run for a pause to be offered.
const pauseLeast = 3600

// peaks finds the most that was in use at once, and the times at which nothing ran
// although jobs waited. What ends at an instant is gone before what starts then.
func (b *builder) peaks() {
	type busy struct{ procs, nodes int32 }
	n := len(b.log.Records)
	jobs, start, end, ready := make([]busy, 0, n), make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n)
	for i := range b.log.Records {
		r, x := &b.log.Records[i], &b.extra[i]
		procs := procsIn(r)
		if r.WaitTime < 0 || r.RunTime < 0 || procs == 0 {
			continue
		}
		at := r.SubmitTime + int64(r.WaitTime)
		jobs, start, end = append(jobs, busy{procs, x.Nodes}), append(start, at), append(end, at+int64(r.RunTime))
		ready = append(ready, min(max(x.Begin, r.SubmitTime), at))
	}
	starts, start := ordered(start)
	ends, end := ordered(end)
	_, ready = ordered(ready)
	var procs, nodes int64
	queue, idle := 0, int64(-1)
	s, r := 0, 0
	for e := 0; e < len(ends); {
		at := end[e]
		if s < len(start) {
			at = min(at, start[s])
		}
		if r < len(ready) {
			at = min(at, ready[r])
		}
		for ; e < len(end) && end[e] == at; e++ {
			j := &jobs[ends[e]]
			procs, nodes = procs-int64(j.procs), nodes-int64(j.nodes)
		}
		for ; s < len(start) && start[s] == at; s++ {
			j := &jobs[starts[s]]
			procs, nodes = procs+int64(j.procs), nodes+int64(j.nodes)
			queue--
		}
		for ; r < len(ready) && ready[r] == at; r++ {
			queue++
		}
		b.report.PeakProcs, b.report.PeakNodes = max(b.report.PeakProcs, procs), max(b.report.PeakNodes, nodes)
		empty := procs == 0 && queue > 0
		if empty && idle < 0 {
			idle = at
		}
		if !empty && idle >= 0 {
			if at-idle >= pauseLeast {
				b.report.Pauses = append(b.report.Pauses, report.Pause{From: idle, To: at})
			}
			idle = -1
		}
	}
}

// procsIn is how many processors a job had, or asked for; 0: unknown.
func procsIn(r *swf.Record) int32 {
	if r.AllocatedProcessors > 0 {
		return r.AllocatedProcessors
	}
	return max(r.RequestedProcessors, 0)
}
