package intake

import "bytes"

func sniffOpenb(head []byte) bool {
	first, _ := line(head)
	return bytes.Contains(first, []byte("cpu_milli")) && bytes.Contains(first, []byte("creation_time"))
}

// readOpenb reads the pods of Alibaba's cluster-trace-gpu-v2023. Times count from the
// trace's own beginning; a pod asks for thousandths of processors, and of one GPU
// where it shares it. Pods state no limit and are not queued: they start when they
// were scheduled.
func readOpenb(data []byte, b *builder) error {
	return readColumns(data, b, ',', nil, map[string]column{
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
