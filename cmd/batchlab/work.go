package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// workFlags are what commands that read a document have in common: the document, what it
// names, and how its work is shared out.
type workFlags struct {
	document string // where it stands, - is standard input
	paths    []string
	besides
	out     *string
	workers *int64
	part    *shardFlag
	skip    *bool
}

// reading defines the flags of a command that reads a document and what it names, and
// does not share its work out.
func (c *call) reading() *workFlags {
	one := int64(1)
	w := &workFlags{out: new(string), workers: &one, part: new(shardFlag)}
	c.list(&w.paths, "log", "FILE", "A log; the one that the experiment names is found by its SHA-256 (repeatable).")
	c.list(&w.needs, "needs", "FILE.csv", "What single jobs need, if the experiment names such a file (repeatable).")
	c.list(&w.predictions, "predictions", "FILE.csv", "Predicted run times, if the experiment names such a file (repeatable).")
	c.list(&w.extra, "extra", "FILE.csv", "What stands beside the log, if the experiment names such a file (repeatable).")
	w.skip = c.toggle("skip-malformed", "Go on although more than 1 % of a log's lines are damaged.")
	return w
}

// work defines the flags of a command that does a document's work; out says what
// is written.
func (c *call) work(out string) *workFlags {
	w := c.reading()
	w.out = c.text("out", "DIR", "", out)
	w.workers, w.part = c.parallel(), c.shard()
	return w
}

// check takes the document from the arguments, and says what is missing.
func (w *workFlags) check(c *call, rest []string) error {
	switch {
	case len(rest) != 1:
		return fmt.Errorf("%s: which experiment? batchlab %s %s", c.name, c.name, c.use)
	case w.part.of > 0 && *w.out == "":
		return fmt.Errorf("%s: --shard: %s", c.name, noFolder)
	}
	w.document = rest[0]
	return nil
}

const noFolder = "--out DIR is missing: the folder that all shards have in common"

// open reads the document and what it names. Schedulers that are programs are
// started by own; nil refuses them.
func (w *workFlags) open(own *programs, stderr io.Writer) (*runner, error) {
	r, err := openRunner(w.document, w.paths, w.besides, *w.skip, own, newProgress(stderr))
	if err != nil {
		return nil, err
	}
	r.workers = int(*w.workers)
	return r, nil
}

// folder makes the folder for the results.
func (w *workFlags) folder() error {
	if *w.out == "" {
		return nil
	}
	return os.MkdirAll(*w.out, 0o777)
}

// parallel defines the flag for how many cores work at once.
func (f *flags) parallel() *int64 {
	return f.whole("parallel", "N", int64(numCores()), 1, 1024, "How many cores work at once (default: all of this computer). No result depends on it.")
}

// numCores is how many cores this program may use.
func numCores() int { return runtime.GOMAXPROCS(0) }

// each does n pieces of work on several workers and returns the error of the
// first piece that failed, by number.
func each(workers, n int, work func(worker, item int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	var telling sync.Mutex
	var first error
	at := n
	var all sync.WaitGroup
	for worker := range min(workers, n) {
		all.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(worker, i); err != nil {
					failed.Store(true)
					telling.Lock()
					if i < at {
						at, first = i, err
					}
					telling.Unlock()
				}
			}
		})
	}
	all.Wait()
	return first
}

// progress shows one line that is written over, on terminals only: a bar, what
// is done, and the time that is left. Its methods may be called by several
// workers at once.
type progress struct {
	w       io.Writer
	tty     bool
	mu      sync.Mutex
	what    string // "runs"
	total   int
	done    float64
	began   time.Time
	from    float64 // done when it began: what was found done already
	part    []float64
	last    atomic.Int64 // when the line was written, in nanoseconds
	written int          // characters of the line
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			p.tty = info.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

// start begins a line for total pieces, done of which are there already, that
// several workers do.
func (p *progress) start(what string, total, done, workers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.total, p.done, p.from, p.began = what, total, float64(done), float64(done), time.Now()
	p.part = make([]float64, workers)
}

// each does n pieces of work on several workers under a line of their own.
func (p *progress) each(what string, workers, n int, work func(worker, item int) error) error {
	p.start(what, n, 0, workers)
	defer p.end()
	return each(workers, n, func(worker, item int) error {
		err := work(worker, item)
		p.finished(worker, 1)
		return err
	})
}

// of returns what is told how far a worker is with its piece; it never asks to stop.
func (p *progress) of(worker int) func(done, total int) bool {
	return func(done, total int) bool {
		p.amount(worker, float64(done)/float64(max(1, total)))
		return true
	}
}

// amount is told how much a worker has done since it finished something.
func (p *progress) amount(worker int, done float64) {
	if p.tty && p.due() {
		p.mu.Lock()
		p.part[worker] = done
		p.write()
		p.mu.Unlock()
	}
}

// finished is told that a worker has done so many pieces.
func (p *progress) finished(worker, pieces int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += float64(pieces)
	p.part[worker] = 0
	if p.tty && p.due() {
		p.write()
	}
}

// due says whether the line may be written again, ten times a second at most.
func (p *progress) due() bool {
	now, last := time.Now().UnixNano(), p.last.Load()
	return now-last > 1e8 && p.last.CompareAndSwap(last, now)
}

func (p *progress) write() {
	done := p.done
	for _, part := range p.part {
		done += part
	}
	line := progressLine(p.what, done, p.from, p.total, time.Since(p.began))
	pad := max(0, p.written-len(line))
	p.written = len(line)
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", pad))
}

// progressLine words how far the work is, in ASCII.
func progressLine(what string, done, from float64, total int, took time.Duration) string {
	share := min(1, done/float64(max(1, total)))
	const width = 24
	full := int(share * width)
	line := fmt.Sprintf("[%s%s] %3d %%  %d of %d %s", strings.Repeat("=", full), strings.Repeat(" ", width-full), int(100*share), int(done), total, what)
	if did := done - from; did > 0 && took > 2*time.Second && share < 1 {
		left := time.Duration(float64(took) / did * (float64(total) - done))
		line += "  " + roughly(left) + " left"
	}
	return line
}

// roughly words a duration by its largest unit or two.
func roughly(d time.Duration) string {
	switch s := int(d.Seconds() + 0.5); {
	case s < 60:
		return fmt.Sprint(s, " s")
	case s < 3600:
		return fmt.Sprint((s+30)/60, " min")
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	default:
		return fmt.Sprint((s+43200)/86400, " days")
	}
}

// aside lets others print lines of their own.
func (p *progress) aside(print func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	print()
}

// end clears the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.tty && p.written > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.written))
		p.written = 0
	}
}
