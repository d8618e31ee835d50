package worker

import (
	"fmt"
	"runtime"
	"syscall/js"

	"batchlab/wasm/bridge"
)

// What a worker takes on, in bytes. Go's memory in a browser ends at 4 GiB.
const (
	perJob  = 400 // of a job in a simulation, beside the workload: schedule, measures, columns
	perKept = 195 // of a job in a log and the workload made of it
)

// mostMemory is how much memory a worker uses, in bytes. A test may give another bound.
func mostMemory() float64 {
	if v := js.Global().Get("batchlabMemory"); v.Type() == js.TypeNumber {
		return v.Float()
	}
	return 3.2 * (1 << 30)
}

// used is how much memory is in use, where that is more than enough what is left of it when
// all that nothing needs any more is gone.
func used(enough float64) float64 {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); float64(m.HeapAlloc) > enough {
		runtime.GC()
		runtime.ReadMemStats(&m)
	}
	return float64(m.HeapAlloc)
}

// fits says why so many jobs cannot be simulated here, and how many could.
func fits(jobs int) error {
	most, need := mostMemory(), float64(jobs)*perJob
	held := used(most - need)
	if held+need <= most {
		return nil
	}
	return failure{bridge.CodeMemory, fmt.Sprintf("%d jobs need about %.1f GB of memory, more than the %.1f GB that a browser gives; about %d jobs fit"+noBrowser, jobs, (held+need)/1e9, most/1e9, int(most/(perJob+perKept)))}
}
