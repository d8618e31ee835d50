package metric

import (
	"strconv"

	"batchlab/core/report"
)

// fewJobs is how many jobs a comparison wants at least: below that it is an example.
const fewJobs = 30

// Caveats says what voids or limits a comparison of runs, worst first: that nobody
// waits, that the log does not say what schedulers go by, that there are too few jobs,
// and that there is one workload only. Everybody who words a comparison says it in
// these words, and first. The runs may be of several schedulers and repetitions.
func Caveats(runs []*report.Run) (list []report.Caveat) {
	if len(runs) == 0 {
		return nil
	}
	schedulers, workloads := map[int]bool{}, 1
	most, p99, known := 0.0, 0.0, true
	for _, r := range runs {
		schedulers[r.Scheduler] = true
		if !r.Copy && (r.Draws == nil || r.Draws.By != report.ByPhases) {
			workloads = max(workloads, r.Repetition+1)
		}
		longest, high := valueOf(r, "max-wait", -1), valueOf(r, "p99-wait", -1)
		if known = known && longest != nil && high != nil; known {
			most, p99 = max(most, longest.Value), max(p99, high.Value)
		}
	}
	r := runs[0]
	switch {
	case !known:
	case most == 0:
		list = append(list, report.Caveat{Reason: report.NobodyWaits, Void: true,
			Text: "Nobody waits: the machine always has room, so these jobs cannot show a difference between schedulers."})
	case p99 == 0:
		list = append(list, report.Caveat{Reason: report.FewWait, Void: true,
			Text: "Fewer than 1 job in 100 waits: differences between schedulers rest on a handful of jobs."})
	}
	if 2*r.Unrequested > r.Jobs {
		list = append(list, report.Caveat{Reason: report.NoRequests, Void: true,
			Text: thousands(r.Unrequested) + " of " + thousands(r.Jobs) + " jobs state no requested time. Schedulers were given their true run times instead, so the results say little about backfilling with users' own estimates."})
	}
	if r.Jobs > 0 && r.Jobs < fewJobs {
		list = append(list, report.Caveat{Reason: report.FewJobs,
			Text: "With " + strconv.Itoa(r.Jobs) + " jobs this is an example, not a measurement."})
	}
	if workloads < 2 && len(schedulers) > 1 {
		list = append(list, report.Caveat{Reason: report.OneWorkload,
			Text: "This is one workload: we can't tell whether others would agree."})
	}
	return list
}

// thousands writes a count with commas: 113,613.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
