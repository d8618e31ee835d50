package intake

import (
	"bytes"
	"errors"
	"strings"
)

// sniffPBS knows accounting lines: 11/23/2026 08:20:47;E;12.server;user=…
func sniffPBS(head []byte) bool {
	first, _ := line(head)
	parts := bytes.SplitN(first, []byte(";"), 4)
	return len(parts) == 4 && len(parts[1]) == 1 && bytes.Count(parts[0], []byte("/")) == 2
}

// readPBS reads the accounting of PBS Professional, OpenPBS and Torque: the records of
// ends (E), and those of starts (S) of jobs that have not ended.
func readPBS(data []byte, b *builder) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return errors.New("the file is empty")
	}
	type begun struct {
		line int
		text []byte
	}
	starts := map[string]begun{}
	var order []string
	others := 0
	for at := 1; len(data) > 0; at++ {
		var row []byte
		row, data = line(data)
		if len(bytes.TrimSpace(row)) == 0 {
			continue
		}
		parts := bytes.SplitN(row, []byte(";"), 4)
		if len(parts) < 4 || len(parts[1]) != 1 {
			b.problem(at, "", string(row), "is no line of accounting: date;type;job;fields is expected")
			continue
		}
		id := string(parts[2])
		if strings.Contains(id, "[]") {
			others++ // a whole array: its tasks have records of their own
			continue
		}
		switch parts[1][0] {
		case 'S':
			if _, ok := starts[id]; !ok {
				order = append(order, id)
			}
			starts[id] = begun{at, parts[3]}
		case 'E':
			delete(starts, id)
			b.pbsJob(id, parts[3], at, ended)
		default:
			others++
		}
	}
	for _, id := range order {
		if s, ok := starts[id]; ok {
			b.pbsJob(id, s.text, s.line, running)
		}
	}
	if others > 0 {
		b.assume("Lines of other kinds than S and E are in the file", "left out: jobs deleted while they waited are not known", "", "")
	}
	return nil
}

// pbsJob takes one record.
func (b *builder) pbsJob(id string, text []byte, at int, state stateClass) {
	j := blank(at)
	setID(b, &j, []byte(id))
	if i := strings.IndexAny(id, ".["); i > 0 {
		if n, rest, ok := number([]byte(id[:i])); ok && len(rest) == 0 && id[i] == '.' {
			j.raw = n
		}
	}
	if array, _, ok := strings.Cut(id, "["); ok {
		j.array = array
	}
	j.state = state
	var nodes, ncpus, exec int64 = none, none, 0
	bad := ""
	read := func(to *int64, value []byte, as func([]byte) (int64, bool), name string) {
		n, ok := as(value)
		if !ok && bad == "" {
			bad = name
		}
		*to = n
	}
	stamp := func(v []byte) (int64, bool) { return b.stamp(v) }
	gpus := int64(0)
	for _, field := range bytes.Fields(text) {
		name, value, ok := bytes.Cut(field, []byte("="))
		if !ok {
			continue
		}
		value = bytes.Trim(value, `"`)
		switch string(name) {
		case "user":
			j.user = value
		case "group":
			j.group = value
		case "account", "project":
			if len(j.account) == 0 || string(name) == "account" {
				j.account = value
			}
		case "jobname":
			j.name = value
		case "queue":
			j.queue, j.partition = value, value
		case "ctime":
			read(&j.submit, value, stamp, "ctime")
		case "qtime":
			if j.submit == none {
				read(&j.submit, value, stamp, "qtime")
			}
		case "etime":
			read(&j.eligible, value, stamp, "etime")
		case "start":
			read(&j.start, value, stamp, "start")
		case "end":
			read(&j.end, value, stamp, "end")
		case "Resource_List.walltime":
			read(&j.limit, value, duration, "Resource_List.walltime")
		case "Resource_List.nodect":
			read(&j.nodes, value, count, "Resource_List.nodect")
		case "Resource_List.ncpus", "Resource_List.procs", "total_execution_slots":
			read(&ncpus, value, count, string(name))
		case "Resource_List.ngpus":
			read(&gpus, value, count, "Resource_List.ngpus")
		case "Resource_List.select":
			n, c, g := pbsChunks(value)
			nodes, exec = n, c
			gpus = max(gpus, g)
		case "Resource_List.nodes":
			if _, c, g := pbsChunks(value); c > 0 {
				exec = c
				gpus = max(gpus, g)
			}
		case "Exit_status":
			if string(value) != "0" {
				j.state = failed
			}
		}
	}
	if bad != "" {
		b.problem(at, bad, id, "cannot be read")
		return
	}
	if j.procs = max(ncpus, exec); j.procs <= 0 { // Torque says ncpus=1 of its own accord beside nodes=2:ppn=8 {
		j.procs = max(j.nodes, nodes)
	}
	j.asked, j.gpus = j.procs, gpus
	b.add(&j)
}

// pbsChunks adds up 2:ncpus=8:ngpus=1+1:ncpus=4, and Torque's 2:ppn=8+1:ppn=4 or
// named nodes: how many nodes, processors and GPUs.
func pbsChunks(s []byte) (nodes, procs, gpus int64) {
	for _, chunk := range bytes.Split(s, []byte("+")) {
		times, each, gpu := int64(1), int64(1), int64(0)
		for i, part := range bytes.Split(chunk, []byte(":")) {
			if n, rest, ok := number(part); i == 0 && ok && len(rest) == 0 {
				times = n
			}
			name, value, _ := bytes.Cut(part, []byte("="))
			n, ok := count(value)
			if !ok || n < 0 {
				continue
			}
			switch string(name) {
			case "ncpus", "ppn":
				each = n
			case "ngpus", "gpus":
				gpu = n
			}
		}
		times, each, gpu = min(times, 1<<20), min(each, 1<<20), min(gpu, 1<<20)
		nodes, procs, gpus = nodes+times, procs+times*each, gpus+times*gpu
	}
	return nodes, min(procs, 1<<31), min(gpus, 1<<31)
}
