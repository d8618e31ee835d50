package main

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/intake"
	"batchlab/core/lab"
	"batchlab/core/report"
)

// askedOf is what the jobs of accounting have asked for, as their commands say it. Jobs come
// when they came first, and wait in all partitions that they named.
func askedOf(file *logFile) map[int64]lab.SlurmAsk {
	list := intake.Asked(string(file.text))
	r, err := intake.Read(intake.Options{}, file.text)
	if err != nil || list == nil {
		return nil
	}
	for i := range file.log.Records {
		one := &file.log.Records[i]
		a, ok := list[one.JobNumber]
		if !ok {
			continue
		}
		if a.Earlier > 0 {
			one.SubmitTime -= a.Earlier
		}
		if file.log.Extra == nil {
			continue
		}
		x := &file.log.Extra[i]
		if a.Earlier > 0 {
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
