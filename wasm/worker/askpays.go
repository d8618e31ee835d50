//go:build js && wasm && !small

package worker

import (
	"encoding/json"

	"batchlab/core/lab"
)

// askPays does a run (a lab.RunID), to be set beside one of a changed experiment.
func askPays(p *lab.Prepared, in []byte, progress func(done, total int) bool) (any, error) {
	var id lab.RunID
	if err := json.Unmarshal(in, &id); err != nil {
		return nil, err
	}
	return p.PaidOf(id, progress)
}
