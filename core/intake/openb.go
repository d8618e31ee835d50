package intake

import (
	"bytes"
	"strconv"
	"strings"
)

func sniffOpenb(head []byte) bool {
	first, _ := line(head)
	return bytes.Contains(first, []byte("cpu_milli")) && bytes.Contains(first, []byte("creation_time"))
}

// readOpenb reads the pods of Alibaba's cluster-trace-gpu-v2023. Times count from the
// trace's own beginning; a pod asks for thousandths of processors, and of one GPU
// where it shares it. Pods state no limit and are not queued: they start when they
// were scheduled.
func readOpenb(s *source, b *builder) error {
	return readColumns(s, b, ',', nil, map[string]column{
		"cpumilli":  {what: "thousandths of a processor", set: milli(procsOf)},
		"memorymib": {what: "megabytes", set: openbMemory},
		"gpumilli":  {what: "thousandths of a GPU", set: openbShare},
	}, func(b *builder, j *job) bool {
		if j.share > 0 && j.share < 1000 && j.gpus <= 1 {
			b.saw.sharedGPU.add(j.line)
			j.gpus = 1
		} else {
			j.share = none
		}
		if j.state == running && j.end != none {
			j.state = ended
		}
		j.procs = max(j.procs, 1)
		j.asked = j.procs
		return true
	})
}

func openbMemory(_ *builder, j *job, cell []byte) bool {
	n, ok := count(bytes.TrimSpace(cell))
	if ok && n > 0 {
		j.memory, j.memoryOfNode, j.nodes = n<<10, true, 1
	}
	return ok
}

func openbShare(_ *builder, j *job, cell []byte) (ok bool) {
	j.share, ok = count(cell)
	return ok
}

// sniffOpenbNodes knows the list of nodes that stands beside the pods.
func sniffOpenbNodes(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(strings.TrimSpace(first), "sn,cpu_milli,memory_mib,gpu")
}

// readOpenbNodes reads them: whole processors, memory, GPUs, and their model as a
// property.
func readOpenbNodes(text string, m *machine) {
	number := 0
	for row := range strings.Lines(text) {
		number++
		cells := strings.Split(strings.TrimRight(row, "\r\n"), ",")
		if number == 1 || strings.TrimSpace(row) == "" {
			continue
		}
		var n [3]int64
		ok := len(cells) >= 4
		for k := 0; ok && k < len(n); k++ {
			v, err := strconv.ParseInt(strings.TrimSpace(cells[k+1]), 10, 64)
			ok, n[k] = err == nil && v >= 0 && v < 1<<40, v
		}
		if !ok || n[0] < 1000 || n[0]/1000 > mostProcessors || n[2] > 1000 {
			m.problem(number, "", row, "is no node: a name, thousandths of processors, megabytes and GPUs are expected")
			continue
		}
		one := node{spec: spec{procs: n[0] / 1000, memory: n[1] << 20, gpus: n[2], weight: 1}}
		if len(cells) > 4 {
			one.features = joined("", cells[4])
		}
		m.addNodes(number, strings.NewReplacer("[", "", "]", "").Replace(cells[0]), one)
	}
}
