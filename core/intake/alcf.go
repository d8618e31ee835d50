package intake

import "bytes"

func sniffALCF(head []byte) bool {
	first, _ := line(head)
	return bytes.Contains(first, []byte("QUEUED_TIMESTAMP")) && bytes.Contains(first, []byte("RUNTIME_SECONDS"))
}

// readALCF reads the job history that Argonne publishes of its machines
// (DIM_JOB_COMPOSITE). Its jobs ask for nodes; cores are those that they used.
func readALCF(s *source, b *builder) error {
	return readColumns(s, b, ',', map[string]string{"submit": "QUEUED_TIMESTAMP", "run": "RUNTIME_SECONDS"}, nil, func(_ *builder, j *job) bool {
		if j.nodes > 0 {
			j.procs, j.asked = j.nodes, j.nodes // whole nodes are what is scheduled there
		}
		return true
	})
}
