package workload

import (
	"fmt"

	"batchlab/core/swf"
	"batchlab/workloads"
)

// bundledLimit is far above the size of any bundled log.
const bundledLimit = 16 << 20

// Bundled returns the SWF text of the bundled workload with the catalog's key.
// How each was made stands in workloads/README.md and in its own header.
func Bundled(key string) ([]byte, error) {
	packed, err := workloads.Packed(key)
	if err != nil {
		return nil, fmt.Errorf("workload: there is no bundled workload %q", key)
	}
	return swf.Gunzip(packed, bundledLimit)
}
