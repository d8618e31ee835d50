package intake

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/report"
)

// What sinfo and squeue print, in their own formats and in those of -o with blanks or
// bars between columns, as long as the header names them.

// columnsAt splits a header and finds the cells of a row below it: at bars where the
// header has some, else at blanks, the last column taking what is left.
func columnsAt(header string) (names []string, split func(row string) []string) {
	if strings.Contains(header, "|") {
		for _, n := range strings.Split(header, "|") {
			names = append(names, strings.ToUpper(strings.TrimSpace(n)))
		}
		return names, func(row string) []string {
			cells := strings.Split(row, "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			return cells
		}
	}
	names = strings.Fields(strings.ToUpper(header))
	return names, func(row string) []string {
		var cells []string
		for len(cells) < len(names)-1 {
			row = strings.TrimLeft(row, " \t")
			end := strings.IndexAny(row, " \t")
			if end < 0 {
				break
			}
			cells, row = append(cells, row[:end]), row[end:]
		}
		return append(cells, strings.TrimSpace(row))
	}
}

// headerOf returns the line that holds the header, and its number: sinfo -l and squeue
// -l write the date above it.
func headerOf(text string, is func(names []string) bool) (header string, number int) {
	at := 0
	for line := range strings.Lines(text) {
		if at++; at > 3 {
			break
		}
		line = strings.TrimRight(line, "\r\n")
		if len(line) > 4<<10 {
			continue
		}
		if names, _ := columnsAt(line); is(names) {
			return line, at
		}
	}
	return "", 0
}

func isSinfo(names []string) bool {
	has := func(n string) bool { return slices.Contains(names, n) }
	return (has("NODELIST") || has("HOSTNAMES")) && has("STATE") && (has("PARTITION") || has("CPUS")) && !has("JOBID") || has("NODELIST") && has("CPUS") && has("MEMORY") && !has("JOBID")
}

func isSqueue(names []string) bool {
	return slices.Contains(names, "JOBID") && (slices.Contains(names, "ST") || slices.Contains(names, "STATE")) && !slices.Contains(names, "SUBMIT") && !slices.Contains(names, "END") &&
		(slices.Contains(names, "NODELIST(REASON)") || slices.Contains(names, "REASON") || slices.Contains(names, "TIME"))
}

func sniffSinfo(text string) bool {
	header, _ := headerOf(text, isSinfo)
	return header != ""
}

func sniffSqueue(text string) bool {
	header, _ := headerOf(text, isSqueue)
	return header != ""
}

// tableRows calls f for every row below the header.
func tableRows(text string, is func([]string) bool, f func(line int, cell func(...string) string)) {
	header, at := headerOf(text, is)
	names, split := columnsAt(header)
	rowsBelow(text, at, names, func(row string) []string {
		cells := split(row)
		for i, c := range cells {
			if c == "N/A" || c == "(null)" {
				cells[i] = ""
			}
		}
		return cells
	}, f)
}

// readSinfo reads the state of nodes. Where a configuration has described them, only
// their state counts; else they are as far as the columns say.
func readSinfo(text string, m *machine) {
	configured := len(m.nodes) > 0 && !m.reported
	sized := false
	tableRows(text, isSinfo, func(line int, cell func(...string) string) {
		n := node{spec: spec{procs: 1, weight: 1}}
		for _, c := range []struct {
			name  string
			to    *int64
			scale int64
		}{{"CPUS", &n.procs, 1}, {"MEMORY", &n.memory, 1 << 20}, {"TMP_DISK", &n.disk, 1 << 20}, {"WEIGHT", &n.weight, 1}} {
			if text := strings.TrimSuffix(cell(c.name), "+"); text != "" {
				v, err := strconv.ParseInt(text, 10, 64)
				if err != nil || v < 0 || v > mostProcessors*100 {
					m.problem(line, c.name, text, "is no whole number")
					return
				}
				sized = sized || c.name == "CPUS"
				*c.to = v * c.scale
			}
		}
		if n.procs < 1 || n.procs > mostProcessors {
			m.problem(line, "CPUS", strconv.FormatInt(n.procs, 10), "is no number of processors")
			return
		}
		n.features = joined("", cell("AVAIL_FEATURES", "AVAIL_FE", "ACTIVE_FEATURES", "FEATURES"))
		n.gpus = m.gres(line, cell("GRES"), &n.features)
		n.away = awayState(cell("STATE", "STATES"))
		partition := -1
		if name := cell("PARTITION"); name != "" {
			plainName, isDefault := strings.CutSuffix(name, "*")
			partition = m.partition(plainName)
			p := &m.out.Partitions[partition]
			p.Default = p.Default || isDefault
			if up := cell("AVAIL"); up != "" {
				p.Up = strings.EqualFold(up, "up")
			}
			if limit := cell("TIMELIMIT"); limit != "" && !configured {
				seconds, ok := minutes(limit)
				if !ok {
					m.problem(line, "TIMELIMIT", limit, "is no time")
				}
				p.MaxTime = max(seconds, 0)
			}
		}
		list := cell("NODELIST", "HOSTNAMES")
		var err error
		m.left, err = hosts(list, m.left, func(name string) {
			i, known := m.byName[name]
			switch {
			case known:
				m.nodes[i].away = m.nodes[i].away || n.away
			case configured:
				return
			default:
				i = len(m.nodes)
				m.byName[name] = i
				m.nodes = append(m.nodes, n)
				m.reported = true
			}
			if partition >= 0 {
				m.into(i, partition)
			}
		})
		if err != nil {
			m.problem(line, "NODELIST", list, err.Error())
		}
	})
	if m.reported && !sized {
		m.unused(0, "CPUS", "this output of sinfo does not say how many processors nodes have, so each counts as one: ask for sinfo -N -l, or give slurm.conf")
	}
	if slices.ContainsFunc(m.nodes, func(n node) bool { return n.away }) {
		m.unused(0, "STATE", "nodes that are down or drained are counted as there: an outage takes them away")
	}
}

// awayState says whether a state of sinfo (idle, alloc, down*, drng, idle~ …) keeps
// jobs out.
func awayState(state string) bool {
	state = strings.ToLower(strings.TrimRight(state, "*~#!%$@^-+"))
	for _, s := range []string{"down", "drain", "drng", "fail", "maint", "unk", "inval", "plnd_down"} {
		if strings.HasPrefix(state, s) {
			return true
		}
	}
	return false
}

// readSqueue counts what runs and what waits, and why.
func readSqueue(text string, m *machine) {
	q := &report.ConfQueue{}
	reasons := map[string]int{}
	tableRows(text, isSqueue, func(line int, cell func(...string) string) {
		switch state := states[strings.ToUpper(cell("ST", "STATE"))]; state {
		case waiting:
			q.Waiting++
			reason := cell("NODELIST(REASON)", "REASON")
			if open := strings.LastIndexByte(reason, '('); open >= 0 && strings.HasSuffix(reason, ")") {
				reason = reason[open+1 : len(reason)-1]
			}
			reason, _, _ = strings.Cut(reason, ",")
			if !reasonWord(reason) {
				reason = "other"
			}
			reasons[reason]++
		case running:
			q.Running++
		default:
			m.problem(line, "ST", "", "no state of a job that waits or runs stands there: a blank in a name shifts the columns, which squeue -o with bars between them does not")
		}
	})
	for what, n := range reasons {
		q.Reasons = append(q.Reasons, report.OutcomeCount{What: what, Count: n})
	}
	slices.SortFunc(q.Reasons, func(a, b report.OutcomeCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	q.Reasons = q.Reasons[:min(len(q.Reasons), 50)]
	m.out.Queue = q
}

// reasonWord says whether a reason is one of Slurm's own words, and no list of nodes.
func reasonWord(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' {
			return false
		}
	}
	return s != "" && s[0] >= 'A' && s[0] <= 'Z'
}
