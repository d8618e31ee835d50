//go:build js && wasm && !small

package worker

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// largeLog is from how many bytes of text on a log's jobs are kept instead of its records.
const largeLog = 96 << 20

// cleaned returns the jobs of a large log, which are then kept instead of its records; nil
// of another one.
func (w *worker) cleaned(m message, l experiment.Log, o workload.Options) (*workload.Cleaned, error) {
	if l.Size < largeLog || readAs(l.SHA256, l) != l.SHA256 || !m.file.Truthy() {
		return nil, nil
	}
	key := fmt.Sprint(l.SHA256, o.Processors, o.Overrun, o.Oversize, o.NoRequest)
	if w.cache.jobsOf == key {
		return w.cache.jobs, nil
	}
	w.cache.logs, w.cache.jobs, w.cache.jobsOf = nil, nil, ""
	watch := w.watch(m.ID)
	var jobs *workload.Cleaned
	hash, _, err := readFile(m.file, func(int, int) bool { return watch(0, 0) }, func(text *swf.Window) (err error) {
		jobs, err = workload.ReadClean(text, o)
		return err
	})
	if f, ours := err.(failure); ours {
		return nil, f
	}
	if err != nil || hash != l.SHA256 {
		return nil, nil // reading it as a log says what is wrong
	}
	w.cache.jobs, w.cache.jobsOf = jobs, key
	return jobs, nil
}
