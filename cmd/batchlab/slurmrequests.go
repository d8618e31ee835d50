package main

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/intake"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// askedOf is what the jobs of accounting have asked for, as their commands say it. Jobs wait in
// all partitions that they named, and a job that was requeued is one.
func askedOf(file *logFile) map[int64]lab.SlurmAsk {
	list, rows := intake.Asked(string(file.text))
	r, err := intake.Read(intake.Options{}, file.text)
	if err != nil || list == nil || file.log.Extra == nil {
		return nil
	}
	oneTry(file.log, rows)
	for i := range file.log.Records {
		number, x := file.log.Records[i].JobNumber, &file.log.Extra[i]
		a, ok := list[number]
		if !ok {
			continue
		}
		// Slurm's own loops see to arrays; a time from which it was eligible is that of
		// what it has waited for, unless it has named one.
		a.Throttle, x.ArrayLimit = x.ArrayLimit, 0
		if list[number] = a; !a.Begin {
			x.Begin = 0
		}
		var parts []int32
		for _, name := range a.Partitions {
			if k := slices.Index(r.Names.Partitions, name); k >= 0 {
				parts = append(parts, int32(k)+1)
			}
		}
		if len(parts) > 1 && len(parts) == len(a.Partitions) {
			x.Partitions = parts
		}
	}
	return list
}

// memory settles what jobs ask of memory: nothing where Slurm does not share it out, and
// what slurm.conf says where they do not.
func memory(asked map[int64]lab.SlurmAsk, conf []report.Setting) {
	shares, node, cpu := false, int64(0), int64(0)
	for _, one := range conf {
		switch strings.ToLower(one.Name) {
		case "selecttypeparameters":
			shares = strings.Contains(strings.ToLower(one.Value), "memory")
		case "defmempernode":
			node, _ = strconv.ParseInt(one.Value, 10, 64)
		case "defmempercpu":
			cpu, _ = strconv.ParseInt(one.Value, 10, 64)
		}
	}
	for n, a := range asked {
		switch {
		case !shares:
			a.MemNode, a.MemCPU = -1, 0
		case a.MemNode == 0 && a.MemCPU == 0:
			a.MemNode, a.MemCPU = node, cpu
		}
		asked[n] = a
	}
}

// oneTry leaves of the tries of a job the last one, submitted when the first was: whether
// it is preempted is decided again.
func oneTry(l *swf.Log, rows map[int32]int64) {
	first, kept := map[int64]int{}, 0
	for i := range l.Records {
		r := l.Records[i]
		if n, ok := rows[r.Line]; ok { // a later try has a number of its own
			r.JobNumber = n
		}
		at, again := first[r.JobNumber]
		if again {
			r.SubmitTime = l.Records[at].SubmitTime
		} else {
			at, kept = kept, kept+1
			first[r.JobNumber] = at
		}
		l.Records[at] = r
		if l.Extra != nil {
			x := l.Extra[i]
			if again {
				x.Begin = l.Extra[at].Begin
			}
			l.Extra[at] = x
		}
	}
	l.Records = l.Records[:kept]
	if l.Extra != nil {
		l.Extra = l.Extra[:kept]
	}
}
