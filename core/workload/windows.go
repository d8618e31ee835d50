package workload

import (
	"fmt"
	"sort"

	"batchlab/core/model"
)

// Lengths of windows with a name, in seconds.
const (
	Week  model.Time = 7 * 86400
	Month model.Time = 30 * 86400
)

// MaxWindows bounds how many windows a workload is cut into.
const MaxWindows = 100_000

// Window is a slice of a workload: the jobs submitted in [From, To), which keep
// their absolute times and are simulated from an empty machine to their last
// end (rule 13). It may be empty.
type Window struct {
	Index    int // ⌊(submit − origin) ÷ length⌋ of its jobs
	From, To model.Time
	First    int // index in the whole workload of its first job
	Workload model.Workload
}

// Cut divides a workload into equal windows of length seconds, counted from
// origin in the workload's own time (0: the log's own beginning; OnDate gives
// that of a date). Window i of the result has index i. Jobs submitted before
// the origin are in none; left tells how many there are. The windows share the
// memory of w: nothing is copied. A window in which nothing is submitted is
// empty. Cut fails when no job is in any window and when there would be more
// than MaxWindows.
func Cut(w *model.Workload, length, origin model.Time) (windows []Window, left int, err error) {
	if length < 1 {
		return nil, 0, fmt.Errorf("workload: windows of %d s: at least 1 is expected", length)
	}
	at := sort.Search(len(w.Jobs), func(i int) bool { return w.Jobs[i].Submit >= origin })
	left = at
	if at == len(w.Jobs) {
		return nil, left, fmt.Errorf("workload: no job is submitted at %d s or later, where the windows begin: %w", origin, ErrNoJobs)
	}
	_, last := w.Span()
	count := (last-origin)/length + 1
	if count > MaxWindows {
		return nil, left, fmt.Errorf("workload: windows of %d s cut the workload into %d pieces, more than %d", length, count, MaxWindows)
	}
	windows = make([]Window, count)
	for i := range windows {
		v := &windows[i]
		v.Index, v.First = i, at
		v.From = origin + model.Time(i)*length
		v.To = v.From + length
		for at < len(w.Jobs) && w.Jobs[at].Submit < v.To {
			at++
		}
		v.Workload = *w
		v.Workload.Jobs, v.Workload.Truth = w.Jobs[v.First:at:at], w.Truth[v.First:at:at]
	}
	return windows, left, nil
}
