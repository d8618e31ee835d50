package intake

import "bytes"

// sniffPBS knows accounting lines: 11/23/2026 08:20:47;E;12.server;user=…
func sniffPBS(head []byte) bool {
	first, _ := line(head)
	parts := bytes.SplitN(first, []byte(";"), 4)
	return len(parts) == 4 && len(parts[1]) == 1 && bytes.Count(parts[0], []byte("/")) == 2
}

// readPBS reads the accounting of PBS Professional, OpenPBS and Torque: the records of
// ends (E), and those of starts (S) of jobs that have not ended.
func readPBS(s *source, b *builder) error {
	type begun struct {
		line int
		text []byte
	}
	starts := map[string]begun{}
	var order []string
	others := 0
	for at := 1; ; at++ {
		row, more := s.line()
		if !more {
			break
		}
		if isBlank(row) {
			continue
		}
		_, rest := cut(row, ';')
		kind, rest := cut(rest, ';')
		id, text := cut(rest, ';')
		if text == nil || len(kind) != 1 {
			b.problem(at, "", string(row), "is no line of accounting: date;type;job;fields is expected")
			continue
		}
		if i := bytes.IndexByte(id, '['); i >= 0 && bytes.HasPrefix(id[i:], []byte("[]")) {
			others++ // a whole array: its tasks have records of their own
			continue
		}
		switch kind[0] {
		case 'S':
			if _, ok := starts[string(id)]; !ok {
				order = append(order, string(id))
			}
			starts[string(id)] = begun{at, bytes.Clone(text)}
		case 'E':
			if len(starts) > 0 {
				delete(starts, string(id))
			}
			b.pbsJob(id, text, at, ended)
		default:
			others++
		}
	}
	for _, id := range order {
		if s, ok := starts[id]; ok {
			b.pbsJob([]byte(id), s.text, s.line, running)
		}
	}
	if others > 0 {
		b.assume("Lines of other kinds than S and E are in the file", "left out: jobs deleted while they waited are not known", "", "")
	}
	return nil
}

// pbsJob takes one record.
func (b *builder) pbsJob(id, text []byte, at int, state stateClass) {
	j := b.fresh(at)
	setID(b, j, id)
	if n, rest, ok := number(id); ok && len(rest) > 0 && rest[0] == '.' {
		j.raw = n
	}
	if i := bytes.IndexByte(id, '['); i >= 0 {
		j.array = id[:i]
	}
	j.state = state
	var nodes, ncpus, exec int64 = none, none, 0
	bad := ""
	read := func(to *int64, value []byte, as func([]byte) (int64, bool), name []byte) {
		n, ok := as(value)
		if !ok && bad == "" {
			bad = string(name)
		}
		*to = n
	}
	readTime := func(to *int64, value, name []byte) { read(to, value, b.stamp, name) }
	gpus := int64(0)
	for text = spaced(text); len(text) > 0; {
		var field []byte
		field, text = cut(text, ' ')
		equals := bytes.IndexByte(field, '=')
		if equals < 0 {
			continue
		}
		name, value := field[:equals], field[equals+1:]
		if n := len(value); n > 0 && (value[0] == '"' || value[n-1] == '"') {
			value = bytes.Trim(value, `"`)
		}
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
			readTime(&j.submit, value, name)
		case "qtime":
			if j.submit == none {
				readTime(&j.submit, value, name)
			}
		case "etime":
			readTime(&j.eligible, value, name)
		case "start":
			readTime(&j.start, value, name)
		case "end":
			readTime(&j.end, value, name)
		case "Resource_List.walltime":
			read(&j.limit, value, duration, name)
		case "Resource_List.nodect":
			read(&j.nodes, value, count, name)
		case "Resource_List.ncpus", "Resource_List.procs", "total_execution_slots":
			read(&ncpus, value, count, name)
		case "Resource_List.ngpus":
			read(&gpus, value, count, name)
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
		b.problem(at, bad, string(id), "cannot be read")
		return
	}
	if j.procs = max(ncpus, exec); j.procs <= 0 { // Torque says ncpus=1 of its own accord beside nodes=2:ppn=8 {
		j.procs = max(j.nodes, nodes)
	}
	j.asked, j.gpus = j.procs, gpus
	b.add(j)
}

// pbsChunks adds up 2:ncpus=8:ngpus=1+1:ncpus=4, and Torque's 2:ppn=8+1:ppn=4 or
// named nodes: how many nodes, processors and GPUs.
func pbsChunks(s []byte) (nodes, procs, gpus int64) {
	for last := false; !last; {
		chunk, more := cut(s, '+')
		last, s = more == nil, more
		times, each, gpu := int64(1), int64(1), int64(0)
		for first, end := true, false; !end; first = false {
			part, more := cut(chunk, ':')
			end, chunk = more == nil, more
			if n, rest, ok := number(part); first && ok && len(rest) == 0 {
				times = n
			}
			name, value := cut(part, '=')
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
