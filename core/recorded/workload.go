package recorded

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/slurm"
)

// readWorkload reads what was submitted, and which numbers Slurm gave it.
func (r *run) readWorkload(text string, sent []byte) error {
	var s struct {
		T0   int64 `json:"t0"`
		Sent []struct{ ID, JobID string }
	}
	if err := json.Unmarshal(sent, &s); err != nil {
		return err
	}
	r.t0 = s.T0
	ids := map[string]int64{}
	for _, one := range s.Sent {
		if n := number(one.JobID); n > 0 {
			ids[one.ID] = n
		}
	}
	rows, err := table(text)
	if err != nil {
		return err
	}
	r.noteColumns(rows)
	for i, row := range rows {
		id, ok := ids[row["id"]]
		if !ok {
			continue // refused as it was submitted
		}
		fail := func(column string) error {
			return fmt.Errorf("line %d: %s: %q cannot be read", i+2, column, row[column])
		}
		a := ask{cancel: -1, id: id, exit: int(number(row["exit"])), reservation: row["reservation"]}
		if a.submit, err = millis(row["submit"]); err != nil {
			return fail("submit")
		}
		if v := row["cancel_s"]; v != "" {
			if a.cancel, err = millis(v); err != nil {
				return fail("cancel_s")
			}
		}
		for _, v := range strings.Split(row["run_s"], "/") {
			ms, err := millis(v)
			if err != nil {
				return fail("run_s")
			}
			a.runs = append(a.runs, ms)
		}
		j := slurm.Job{ID: id, Task: -1, Tag: len(r.asks), Name: id, QOS: -1, Assoc: -1, Reserved: -1,
			MinNodes: int32(number(row["nodes"])), Tasks: int32(number(row["ntasks"])), PerTask: int32(number(row["cpus_per_task"])),
			MemNode: number(row["mem_mb"]), MemCPU: number(row["mem_per_cpu_mb"]), GPUs: int32(number(row["gpus_per_node"])),
			Limit: number(row["limit_min"]) * 60, MinLimit: number(row["time_min"]) * 60, Nice: number(row["nice"])}
		j.MaxNodes = j.MinNodes
		j.Whole = row["exclusive"] != "" && row["exclusive"] != "0"
		if v := row["begin_s"]; v != "" {
			ms, err := millis(v)
			if err != nil {
				return fail("begin_s")
			}
			j.Begin = ms
		}
		for k, one := range r.cluster.Assocs {
			if one.User >= 0 && one.Name == row["user"] && (row["account"] == "" || r.cluster.Assocs[one.Parent].Name == row["account"]) {
				j.Assoc, j.User = k, one.User
			}
		}
		j.QOS = slices.IndexFunc(r.cluster.QOS, func(q slurm.QOS) bool { return q.Name == row["qos"] })
		if row["qos"] == "" {
			j.QOS = slices.IndexFunc(r.cluster.QOS, func(q slurm.QOS) bool { return q.Name == "normal" })
		}
		if row["partition"] == "" {
			j.Parts = []int{0}
		}
		for _, n := range strings.FieldsFunc(row["partition"], func(c rune) bool { return c == ',' }) {
			k := slices.IndexFunc(r.cluster.Partitions, func(p slurm.Partition) bool { return p.Name == n })
			if k < 0 {
				return fail("partition")
			}
			j.Parts = append(j.Parts, k)
		}
		j.Features = strings.FieldsFunc(row["constraint"], func(c rune) bool { return c == '&' })
		for _, one := range strings.FieldsFunc(row["licenses"], func(c rune) bool { return c == ',' }) {
			name, count, counted := strings.Cut(one, ":")
			k := slices.IndexFunc(r.cluster.Licences, func(l slurm.Licence) bool { return l.Name == name })
			if k < 0 {
				return fail("licenses")
			}
			need := slurm.Need{Licence: k, Count: 1}
			if counted {
				need.Count = number(count)
			}
			j.Licences = append(j.Licences, need)
		}
		if j.After, ok = dependency(row["dependency"], ids); !ok {
			return fail("dependency")
		}
		if v := row["array"]; v != "" {
			if j.Array, j.Throttle, ok = array(v); !ok {
				return fail("array")
			}
		}
		r.jobs = append(r.jobs, j)
		r.asks = append(r.asks, a)
	}
	return nil
}

// array reads 0-6%2 or 1,3,5.
func array(s string) (tasks []int, throttle int, ok bool) {
	list, most, limited := strings.Cut(s, "%")
	if limited {
		throttle = int(number(most))
	}
	for _, one := range strings.Split(list, ",") {
		from, to, ranged := strings.Cut(one, "-")
		a, err := strconv.Atoi(from)
		b := a
		if err == nil && ranged {
			b, err = strconv.Atoi(to)
		}
		if err != nil || a < 0 || b < a || b > 1<<20 {
			return nil, 0, false
		}
		for i := a; i <= b; i++ {
			tasks = append(tasks, i)
		}
	}
	return tasks, throttle, true
}

// dependency reads afterok:3:5,afterany:4 or with ? between its terms.
func dependency(s string, ids map[string]int64) (d slurm.Depend, ok bool) {
	if s == "" {
		return d, true
	}
	d.Any = strings.Contains(s, "?")
	kinds := map[string]slurm.DependKind{"after": slurm.After, "afterany": slurm.AfterAny, "afterok": slurm.AfterOK, "afternotok": slurm.AfterNotOK, "aftercorr": slurm.AfterCorr, "singleton": slurm.Singleton}
	for _, term := range strings.FieldsFunc(s, func(c rune) bool { return c == ',' || c == '?' }) {
		words := strings.Split(term, ":")
		kind, known := kinds[words[0]]
		if !known {
			return d, false
		}
		if kind == slurm.Singleton {
			d.Terms = append(d.Terms, slurm.Term{Kind: kind, Task: -1})
		}
		for _, w := range words[1:] {
			w, minutes, _ := strings.Cut(w, "+")
			d.Terms = append(d.Terms, slurm.Term{Kind: kind, Job: ids[w], Task: -1, Delay: 60 * number(minutes)})
		}
	}
	return d, true
}

// durations computes how long each attempt took from the pass that started it to its
// end, as the log has them.
func (r *run) durations() {
	ends, begins := map[string][]int64{}, map[string][]int64{}
	pass := int64(-1 << 62)
	for _, e := range r.instants {
		switch e.what {
		case "main", "backfill":
			pass = e.at
		case "start":
			begins[e.which] = append(begins[e.which], pass)
		case "end":
			ends[e.which] = append(ends[e.which], e.at)
		}
	}
	runs := map[string]int64{}
	for i, a := range r.asks {
		if r.jobs[i].Array == nil {
			runs[strconv.FormatInt(a.id, 10)] = a.runs[0]
		}
		for k, n := range r.jobs[i].Array {
			runs[fmt.Sprintf("%d_%d", a.id, n)] = a.runs[min(k, len(a.runs)-1)]
		}
	}
	var over []int64
	for _, id := range r.order {
		t := r.tasks[id]
		t.runs = runs[id]
		for k := range t.attempts {
			a := &t.attempts[k]
			if a.start == 0 || a.state != "COMPLETED" && a.state != "FAILED" {
				continue
			}
			began := int64(-1 << 62)
			for _, e := range r.instants {
				if (e.what == "main" || e.what == "backfill") && (e.what == "main") == a.byMain && floorSecond(e.at)+r.t0 == a.start {
					began = e.at
				}
			}
			for _, at := range begins[id] {
				if sec := floorSecond(at) + r.t0; sec >= a.start-1 && sec <= a.start {
					began = at
				}
			}
			for _, end := range ends[id] {
				if sec := floorSecond(end) + r.t0; began > -1<<62 && end > began && sec >= a.end-1 && sec <= a.end+1 {
					a.took = end - began
				}
			}
			if a.took > 0 && t.runs > 0 {
				over = append(over, a.took-t.runs)
			}
		}
	}
	slices.Sort(over)
	if len(over) > 0 {
		r.overhead = over[len(over)/2]
	}
}

// floorSecond is the whole second of milliseconds.
func floorSecond(ms int64) int64 {
	if ms < 0 {
		return -((-ms + 999) / 1000)
	}
	return ms / 1000
}
