package recorded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// readInstants reads instants.csv; where there is none, what slurmctld's log says.
func (r *run) readInstants(text, log string) error {
	if text == "" && log != "" {
		if r.instants = logInstants(log, r.t0); len(r.instants) == 0 {
			return fmt.Errorf("is not there, and slurmctld's log says nothing of passes or cycles: it wants SlurmctldDebug=debug2, DebugFlags=Backfill and LogTimeFormat=iso8601_ms")
		}
	} else {
		rows, err := table(text)
		if err != nil {
			return err
		}
		for i, row := range rows {
			at, err := millis(row["t"])
			if err != nil {
				return fmt.Errorf("line %d: %w", i+2, err)
			}
			r.instants = append(r.instants, instant{at: at, what: row["what"], which: row["which"], by: row["by"]})
		}
	}
	slices.SortStableFunc(r.instants, func(a, b instant) int { return int(a.at - b.at) })
	for _, e := range r.instants {
		switch e.what {
		case "epilog":
			r.epilogs[e.which] = append(r.epilogs[e.which], e.at)
		case "main", "backfill":
			r.passes = append(r.passes, e.at)
		}
	}
	return nil
}

// telling are the lines of slurmctld's log at which something happened, by a piece of
// each, with what it was and which kind. The functions that write them: _schedule,
// _attempt_backfill, job_time_limit, _slurm_rpc_submit_batch_job, job_complete.
var telling = []struct{ piece, more, what, which, by string }{
	{"Running job scheduler for full queue", "", "main", "full", ""},
	{"Running job scheduler for", "", "main", "depth", ""},
	{"_attempt_backfill: beginning", "", "backfill", "", ""},
	{"Testing job time limits", "", "limits", "", ""},
	{"_slurm_rpc_submit_batch_job: JobId=", "", "submit", "JobId", ""},
	{"sched: Allocate JobId=", "", "start", "JobId", "main"},
	{"_start_job: Started JobId=", "", "start", "JobId", "bf"},
	{"_job_complete: JobId=", " WEXITSTATUS", "end", "JobId", ""},
	{"_job_complete: JobId=", " WTERMSIG", "end", "JobId", ""},
	{"Time limit exhausted for JobId=", "", "end", "JobId", ""},
	{"_slurm_rpc_epilog_complete: JobId=", "", "epilog", "JobId", ""},
}

// logInstants reads what instants.csv holds off slurmctld's log.
func logInstants(text string, t0 int64) (list []instant) {
	for line := range strings.Lines(text) {
		at, rest, ok := logTime(line, t0)
		if !ok {
			continue
		}
		for _, one := range telling {
			if !strings.Contains(rest, one.piece) || !strings.Contains(rest, one.more) {
				continue
			}
			e := instant{at: at, what: one.what, which: one.which, by: one.by}
			if e.which == "JobId" {
				e.which = jobOf(rest)
			}
			list = append(list, e)
			break
		}
	}
	return list
}

// logTime takes the time off a line of slurmctld's log, in milliseconds since t0.
func logTime(line string, t0 int64) (at int64, rest string, ok bool) {
	if len(line) < 26 || line[0] != '[' || line[20] != '.' {
		return 0, "", false
	}
	return (stamp(line[1:20])-t0)*1000 + number(line[21:24]), line[25:], true
}

// InstantsCSV reads off slurmctld's log what --instants of simulate reads: t (Unix
// seconds), what and which, with when nodes were free again and when priorities were
// computed first.
func InstantsCSV(log string) string {
	r := &run{}
	r.readLog(log)
	list := logInstants(log, 0)
	var free []instant
	for id, one := range r.released {
		free = append(free, instant{at: one.free, what: "epilog", which: id})
	}
	slices.SortFunc(free, func(a, b instant) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.which, b.which)) })
	if list = append(list, free...); r.began > 0 {
		list = append(list, instant{at: r.began, what: "priorities"})
	}
	slices.SortStableFunc(list, func(a, b instant) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	b.WriteString("t,what,which\n")
	for _, e := range list {
		fmt.Fprintf(&b, "%d.%03d,%s,%s\n", e.at/1000, e.at%1000, e.what, e.which)
	}
	return b.String()
}
