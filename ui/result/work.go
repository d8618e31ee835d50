package result

import (
	"strconv"

	"batchlab/ui/engine"
)

// Work is how far what workers do for a result is, and how it ended.
type Work struct {
	Status  engine.Status // Running, Done, Cancelled: stopped, Failed: it cannot go on
	Done    float64       // runs or simulations, of Total
	Total   int
	Left    float64 // seconds, 0 unknown
	Seconds float64 // of wall clock so far
	Error   string  // why it cannot go on, or of the first run that failed

	drawn float64 // Seconds at the last drawing
}

// Active reports whether something is still to come.
func (w *Work) Active() bool { return w.Status == engine.Running }

// Halted reports whether it ended with something left to do.
func (w *Work) Halted() bool {
	return w.Status >= engine.Cancelled && w.Done < float64(w.Total)
}

// Percent is how far it is, "42".
func (w *Work) Percent() string {
	return strconv.Itoa(int(100 * min(1, w.Done/float64(max(1, w.Total)))))
}

// Moved takes how much is done after how many seconds. The time left is told from so
// many seconds on.
func (w *Work) Moved(done, seconds, from float64) {
	w.Done, w.Seconds, w.Left = done, seconds, 0
	if done > 0 && seconds > from && w.Active() {
		w.Left = seconds * max(0, float64(w.Total)-done) / done
	}
}

// drawEvery is after how many seconds of work the page is drawn again: that takes time
// which workers want too.
const drawEvery = 1.0

// Due says whether the page is to be drawn again, and notes that it was.
func (w *Work) Due() bool {
	due := w.Seconds >= w.drawn+drawEvery
	if due {
		w.drawn = w.Seconds
	}
	return due
}
