package workload

import (
	"fmt"

	"batchlab/workloads"
)

// Bundled returns the SWF text of the bundled workload with the catalog's key,
// made by its recipe, which costs milliseconds and no bytes in any program. How
// each is made stands in workloads/README.md and in its own header; the files
// there hold the same text, which a test compares.
func Bundled(key string) ([]byte, error) {
	for _, r := range workloads.Recipes {
		if r.Key != key {
			continue
		}
		l, err := GenerateSeeded(r.Generator, r.Params, r.Seed, 0)
		if err != nil {
			return nil, err
		}
		return l.Append(nil), nil
	}
	return nil, fmt.Errorf("workload: there is no bundled workload %q", key)
}
