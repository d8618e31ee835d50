package recorded

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/intake"
)

// note keeps what a run's files say and is not gone by.
func (r *run) note(file string, line int, what string) {
	text := file + ": " + what
	if line > 0 {
		text = fmt.Sprintf("%s: line %d: %s", file, line, what)
	}
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// unfollowedOptions are those of lines of nodes and partitions that change decisions of
// Slurm's and none here, with the values, in lower case, that ask for nothing.
var unfollowedOptions = map[string][]struct{ option, idle string }{
	"nodename": {{"CoreSpecCount", "0"}, {"MemSpecLimit", "0"}, {"CpuSpecList", ""}, {"State", "unknown idle down drain fail future"}},
	"partitionname": {{"AllowAccounts", "all"}, {"AllowGroups", "all"}, {"AllowQos", "all"}, {"DenyAccounts", ""}, {"DenyQos", ""}, {"AllocNodes", "all"},
		{"MaxCPUsPerNode", "unlimited"}, {"MaxCPUsPerSocket", "unlimited"}, {"MaxMemPerCPU", "0 unlimited"}, {"MaxMemPerNode", "0 unlimited"},
		{"LLN", "no"}, {"ExclusiveUser", "no"}, {"ExclusiveTopo", "no"}, {"RootOnly", "no"}, {"ReqResv", "no"}, {"SelectTypeParameters", "none cr_core"}, {"Topology", ""},
		{"GraceTime", "0"}, {"State", "up"}, {"OverSubscribe", "no exclusive"}, {"Shared", "no exclusive"}, {"TRESBillingWeights", ""}, {"PowerDownOnIdle", "no"}, {"SuspendTime", "infinite"}},
}

// noteRow notes the options of a line that are not gone by.
func (r *run) noteRow(l *intake.ConfLine) {
	for _, one := range unfollowedOptions[l.Key] {
		if v := l.Get(one.option); v != "" && !slices.Contains(strings.Fields(one.idle), strings.ToLower(v)) {
			r.note("slurm.conf", l.Line, fmt.Sprintf("%s=%s", one.option, v))
		}
	}
}

// readVersion is the version of Slurm that made a run: sent.json, scontrol show config
// or slurmctld's log say it; 22.05 if none does, which is noted.
func (r *run) readVersion(f Files) int {
	for _, one := range []struct {
		text  []byte
		after string
	}{{f.Sent, `"version"`}, {f.Config, "SLURM_VERSION"}, {f.Log, "slurmctld version"}} {
		_, rest, ok := strings.Cut(string(one.text[:min(len(one.text), 1<<20)]), one.after)
		if !ok {
			continue
		}
		rest, _, _ = strings.Cut(rest, "\n")
		for i := range rest {
			if w := rest[i:]; len(w) >= 5 && w[2] == '.' && digits(w[:2]) && digits(w[3:5]) {
				end := 5
				for end < len(w) && (w[end] == '.' || w[end] >= '0' && w[end] <= '9') {
					end++
				}
				r.version = strings.Trim(w[:end], ".")
				return int(number(w[:2])*100 + number(w[3:5]))
			}
		}
	}
	r.note("sent.json", 0, "names no version of Slurm: 22.05 is taken")
	return 2205
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// readColumns are the columns of workload.csv that are read; id, submit and run_s all
// runs have.
var readColumns = strings.Fields("id submit user account partition nodes ntasks cpus_per_task mem_mb mem_per_cpu_mb gpus_per_node exclusive limit_min run_s exit dependency array qos nice begin_s reservation cancel_s time_min constraint licenses")

// noteColumns notes the columns of workload.csv that are not read, where something
// stands in them.
func (r *run) noteColumns(rows []map[string]string) {
	for i, row := range rows {
		var names []string
		for name, v := range row {
			if v != "" && v != "0" && !slices.Contains(readColumns, name) && !slices.ContainsFunc(r.notes, func(n string) bool { return strings.HasSuffix(n, " column "+name) }) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			r.note("workload.csv", i+2, "column "+name)
		}
	}
}

// unfollowedLimits are those of a QOS or an association that are not held.
var unfollowedLimits = strings.Fields("maxjobsaccrue maxjobsaccruepu grpjobsaccrue mintres minpriothresh maxwall maxwalldurationperjob")

// noteLimits notes the limits that are set and not held; those that are held against a
// job as it is submitted have shown there already.
func (r *run) noteLimits(file, whose string, get func(string) string) {
	for _, name := range unfollowedLimits {
		if get(name) != "" {
			r.note(file, 0, whose+": "+name)
		}
	}
}

// strangers notes the jobs of accounting that were not submitted by workload.csv: they
// held nodes of which nothing is known here.
func (r *run) strangers() {
	var known []int64
	for _, a := range r.asks {
		known = append(known, a.id)
	}
	slices.Sort(known)
	kept := r.order[:0]
	for _, id := range r.order {
		job, _, _ := cut(id)
		if _, ok := slices.BinarySearch(known, job); ok {
			kept = append(kept, id)
		} else {
			r.note("sacct-X.psv", 0, "job "+id+" is in no line of workload.csv")
		}
	}
	r.order = kept
}
