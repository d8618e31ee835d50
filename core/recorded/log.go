package recorded

import (
	"slices"
	"strings"

	"batchlab/core/intake"
)

// release is when a job ended and when its nodes were free, in milliseconds since t0.
type release struct{ end, free int64 }

// agent is a request that slurmctld has sent to nodes and that not all have answered.
type agent struct {
	job   string // that it is to end, "" of one that it is to start
	sent  int64
	nodes []string // that have not been said to have answered
	size  int
}

// readLog reads off slurmctld's log when the nodes of each job were free: slurmd
// answers the request to end a job with "already complete", which frees its nodes. The
// answers come as a line "Tree head got back N"; whose they were is told a little later
// (node_did_resp). instants.csv has this only for jobs whose epilog came as a message
// of its own. Without a log it is a constant (epilogAfter).
func (r *run) readLog(text string) {
	r.released = map[string]release{}
	on := map[string][]string{} // nodes of jobs
	var agents []*agent
	var answers [][2]int64 // time, how many
	pass := never
	for line := range strings.Lines(text) {
		at, rest, ok := logTime(line, r.t0)
		if !ok {
			continue
		}
		switch {
		case strings.Contains(rest, "Running job scheduler for"), strings.Contains(rest, "_attempt_backfill: beginning"):
			pass = at
		case strings.Contains(rest, "Priority MULTIFACTOR plugin loaded"):
			r.began = at
		case strings.Contains(rest, "Allocate JobId="), strings.Contains(rest, "Started JobId="):
			_, list, _ := strings.Cut(rest, "NodeList=")
			if list == "" {
				_, list, _ = strings.Cut(rest, " on ")
			}
			list, _, _ = strings.Cut(strings.TrimSpace(list), " ")
			names, err := intake.Hosts(list)
			if err != nil || len(names) == 0 {
				continue
			}
			on[jobOf(rest)] = names
			agents = append(agents, &agent{sent: at, nodes: slices.Clone(names[:1]), size: 1}) // the batch host
		case strings.Contains(rest, "_job_complete: JobId=") && strings.Contains(rest, " done"),
			strings.Contains(rest, "Time limit exhausted for JobId="),
			strings.Contains(rest, "preempted JobId="):
			id := jobOf(rest)
			if names := on[id]; names != nil {
				agents = append(agents, &agent{job: id, sent: at, nodes: slices.Clone(names), size: len(names)})
			}
		case strings.Contains(rest, "Tree head got back"):
			_, count, _ := strings.Cut(rest, "got back ")
			if n := number(count[:len(count)-len(strings.TrimLeft(count, "0123456789"))]); n > 0 {
				if at == pass { // the pass was before it, though in the same millisecond
					at++
				}
				answers = append(answers, [2]int64{at, n})
			}
		case strings.Contains(rest, "node_did_resp"):
			_, name, _ := strings.Cut(rest, "node_did_resp ")
			name = strings.TrimSpace(name)
			agents = slices.DeleteFunc(agents, func(a *agent) bool { return at-a.sent > 3000 })
			k := slices.IndexFunc(agents, func(a *agent) bool { return slices.Contains(a.nodes, name) })
			if k < 0 {
				continue
			}
			a := agents[k]
			a.nodes = slices.DeleteFunc(a.nodes, func(n string) bool { return n == name })
			if len(a.nodes) > 0 {
				continue
			}
			agents = slices.Delete(agents, k, k+1)
			i := slices.IndexFunc(answers, func(x [2]int64) bool { return x[0] >= a.sent-1 && x[0] <= at+1 && int(x[1]) == a.size })
			if i < 0 {
				continue
			}
			if a.job != "" {
				r.released[a.job] = release{a.sent, answers[i][0]}
			}
			answers = slices.Delete(answers, i, i+1)
		}
	}
}

// jobOf reads JobId=26_1(32) or JobId=7.
func jobOf(line string) string {
	_, id, _ := strings.Cut(line, "JobId=")
	for i := range id {
		if c := id[i]; c != '_' && (c < '0' || c > '9') {
			return id[:i]
		}
	}
	return id
}
