package intake

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/slurm"
)

// Queue is what runs and waits at a moment, as squeue prints it, without names.
type Queue struct {
	Jobs    []QueuedJob
	Held    int // rows that wait for their user, a time, another job or a limit: they are no part of it
	Unknown int // rows of users that the log does not have
}

// QueuedJob is a job of a Queue.
type QueuedJob struct {
	Procs  int64 // 0: only nodes are said
	Nodes  int64
	Limit  int64 // seconds, 0: no limit
	User   int32 // number of the log, −1: none
	Ran    int64 // seconds that it has run, −1: it waits
	Waited int64 // seconds that it has waited, −1: not said
	Line   int
}

// mostQueued bounds how many jobs are read of a queue, those of arrays one by one.
const mostQueued = 100_000

// queueFormat is what squeue is asked for.
const queueFormat = `squeue -h -o is too little; ask for squeue -a -o "%i|%u|%T|%M|%l|%C|%D|%V|%S|%r"`

// ReadQueue reads what squeue prints, in its default format with -l, or with bars between
// named columns. Users become numbers of the log by its names, which may be nil. Errors
// name the line; a table without time limits, or without sizes, is refused.
func ReadQueue(data []byte, names *Names) (*Queue, error) {
	all := string(text(data))
	header, _ := headerOf(all, isQueue)
	if header == "" {
		return nil, errors.New("this is not what squeue prints: no line at the top names its columns, JOBID and ST or STATE among them; " + queueFormat)
	}
	columns, _ := columnsAt(header)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(c string) bool { return slices.Contains(columns, c) })
	}
	switch {
	case !has("TIME_LIMIT", "TIME_LIMI", "TIMELIMIT"):
		return nil, errors.New("this queue does not say time limits; " + queueFormat)
	case !has("CPUS", "NODES"):
		return nil, errors.New("this queue does not say how large jobs are; " + queueFormat)
	}
	users := map[string]int32{}
	if names != nil {
		for i, name := range names.Users {
			users[name] = int32(i) + 1
		}
	}
	q := &Queue{}
	var stamps []int64 // of submission, of rows that wait
	now := int64(none)
	var fault error
	tableRows(all, isQueue, func(line int, cell func(...string) string) {
		if fault != nil {
			return
		}
		j, submit, start, err := queued(cell)
		if err != nil {
			fault = fmt.Errorf("line %d: %w", line, err)
			return
		}
		if j == nil {
			return
		}
		j.Line = line
		if j.Ran >= 0 {
			if start != none {
				now = max(now, start+j.Ran)
			}
		} else if now == none && submit != none {
			now = submit
		}
		if j.Ran < 0 && held(cell("NODELIST(REASON)", "REASON")) {
			q.Held++
			return
		}
		if number, known := users[cell("USER")]; known {
			j.User = number
		} else {
			q.Unknown++
		}
		for n := tasks(cell("JOBID", "ARRAY_JOB_ID")); n > 0 && len(q.Jobs) < mostQueued; n-- {
			q.Jobs, stamps = append(q.Jobs, *j), append(stamps, submit)
		}
	})
	if fault != nil {
		return nil, fault
	}
	if len(q.Jobs) == 0 {
		return nil, errors.New("nothing runs and nothing waits in this queue")
	}
	for _, at := range stamps { // the latest stamp is the earliest that now can be
		if at != none {
			now = max(now, at)
		}
	}
	for i := range q.Jobs {
		if j := &q.Jobs[i]; j.Ran < 0 && stamps[i] != none && now != none {
			j.Waited = now - stamps[i]
		}
	}
	return q, nil
}

// isQueue is isSqueue for headers that may name when jobs were submitted and start.
func isQueue(names []string) bool {
	return slices.Contains(names, "JOBID") && (slices.Contains(names, "ST") || slices.Contains(names, "STATE")) && !slices.Contains(names, "END") && slices.Contains(names, "TIME")
}

// queued reads a row: nil for a job that neither runs nor waits any more; stamps of its
// submission and start, none where they do not stand there.
func queued(cell func(...string) string) (j *QueuedJob, submit, start int64, err error) {
	j = &QueuedJob{User: -1, Ran: -1, Waited: -1}
	submit, start = none, none
	word := strings.ToUpper(cell("ST", "STATE"))
	if word == "CG" || word == "COMPLETING" { // gone in a moment
		return nil, none, none, nil
	}
	switch states[word] {
	case running:
		text := cell("TIME")
		ran, ok := slurm.Seconds(text)
		if !ok {
			return nil, none, none, fmt.Errorf("TIME: %q is no time", brief(text))
		}
		j.Ran = ran
	case waiting:
	default:
		return nil, none, none, errors.New("ST: no state of a job that waits or runs: a blank in a name shifts the columns, which bars between them do not")
	}
	limit := cell("TIME_LIMIT", "TIME_LIMI", "TIMELIMIT")
	seconds, ok := minutes(limit)
	if !ok {
		return nil, none, none, fmt.Errorf("TIME_LIMIT: %q is no time", brief(limit))
	}
	j.Limit = max(seconds, 0)
	for _, c := range []struct {
		name string
		to   *int64
	}{{"CPUS", &j.Procs}, {"NODES", &j.Nodes}} {
		if text := cell(c.name); text != "" {
			low, _, _ := strings.Cut(text, "-") // of a range of nodes, the least
			if *c.to, err = strconv.ParseInt(low, 10, 64); err != nil || *c.to < 0 || *c.to > mostProcessors {
				return nil, none, none, fmt.Errorf("%s: %q is no number", c.name, brief(text))
			}
		}
	}
	b := builder{}
	if at, ok := b.wallTime([]byte(cell("SUBMIT_TIME"))); ok {
		submit = at
	}
	if at, ok := b.wallTime([]byte(cell("START_TIME"))); ok {
		start = at
	}
	return j, submit, start, nil
}

// held says whether a reason is none that other jobs' ends take away.
func held(reason string) bool {
	reason = strings.Trim(reason, "()")
	for _, r := range []string{"Dependency", "BeginTime", "JobHeld", "AssocGrp", "AssocMax", "QOSGrp", "QOSMax", "PartitionDown", "PartitionInactive", "ReqNodeNotAvail", "JobArrayTaskLimit", "Reservation"} {
		if strings.HasPrefix(reason, r) {
			return true
		}
	}
	return false
}

// tasks is how many jobs a row stands for: 7_[1-4,9%2] are five.
func tasks(id string) int {
	open := strings.IndexByte(id, '[')
	if open < 0 {
		return 1
	}
	list, _, _ := strings.Cut(strings.TrimSuffix(id[open+1:], "]"), "%")
	n := 0
	for _, part := range strings.Split(list, ",") {
		n++
		if low, high, step, ok := taskSpan(part); ok && high-low < mostQueued {
			n += (high - low) / step
		}
	}
	return min(max(n, 1), mostQueued)
}
