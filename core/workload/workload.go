// Package workload makes the jobs of a simulation out of a workload log. All
// sources go one way: an uploaded log, a bundled one (Bundled) and a generated
// one (Generate) are each a *swf.Log, and FromLog turns it into a
// *model.Workload: cleaned by simulation rule 2 (Clean), then filtered, cut to
// a window and scaled (Shape). Everything that is left out or changed on the
// way is counted in a report.Cleaning. Export goes back: it writes a simulated
// schedule as a log.
//
// Nothing here looks at a scheduler, and no option makes a job run longer than
// its request.
package workload

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// ErrNoMachineSize means that neither the options nor the log's header say how
// many processors the machine has. Ask for it; LargestJob is a lower bound.
var ErrNoMachineSize = errors.New("give the number of processors")

// ErrNoJobs means that no job is left to simulate.
var ErrNoJobs = errors.New("no jobs are left")

// ErrMachine means that a file describes a cluster and holds no jobs: ReadMachine
// reads it.
var ErrMachine = errors.New("this describes a cluster and holds no jobs")

// ErrStudies means that a build that leaves the studies out (tag small) was
// asked for what only they have.
var ErrStudies = errors.New("this needs the studies' simulator, which this program leaves out")

// What happens to a job that ran longer than it requested.
const (
	OverrunKill   = "kill"   // it ends at its requested time (the default)
	OverrunExtend = "extend" // its request becomes its run time
	OverrunDrop   = "drop"   // it is left out
)

// What happens to a job that is larger than the machine.
const (
	OversizeDrop  = "drop"  // it is left out (the default)
	OversizeClamp = "clamp" // it gets the whole machine
)

// What happens to a job that states no requested time.
const (
	NoRequestRun  = "run"  // its run time stands for it (the default)
	NoRequestDrop = "drop" // it is left out
)

// Options say how a log becomes a workload. The zero value is the default:
// machine size from the log, kill, drop, everything kept, nothing scaled.
type Options struct {
	Processors int64  // machine size; 0: as the log states (rule 3)
	Overrun    string // "" is OverrunKill
	Oversize   string // "" is OversizeDrop
	NoRequest  string // "" is NoRequestRun

	Users, ExcludeUsers []int64 // SWF user ids: only these, none of these
	MinProcs, MaxProcs  int64   // of the cleaned job, inclusive; 0: no bound
	MinRun, MaxRun      int64   // seconds it runs after cleaning, inclusive; 0: no bound
	From, To            *int64  // submit time in [From, To), the log's own seconds; nil: no bound

	Resample *Resample // draw other jobs from those that filter and window keep; nil: these

	Load float64 // submit = first + ⌊(submit − first) ÷ Load⌋; 0 is 1; 0.001 … 1000
	Time float64 // run and requested time = max(1, ⌊time × value⌋); 0 is 1; 0.001 … 1000
	// Known, from 0 to 1, takes so much of what is requested beyond the run time away,
	// before Time scales what is left.
	Known float64

	Withdrawn bool // keep jobs that left the queue before they ran: see Eligibility

	Dependencies bool // jobs wait for others: the report words by it what becomes of jobs that follow others
	React        bool // users react: the report words by it what becomes of jobs that follow others
}

// check fills in defaults and refuses what makes no sense.
func (o *Options) check() error {
	if o.Overrun == "" {
		o.Overrun = OverrunKill
	}
	if o.Oversize == "" {
		o.Oversize = OversizeDrop
	}
	if o.NoRequest == "" {
		o.NoRequest = NoRequestRun
	}
	if o.Load == 0 {
		o.Load = 1
	}
	if o.Time == 0 {
		o.Time = 1
	}
	switch {
	case o.Overrun != OverrunKill && o.Overrun != OverrunExtend && o.Overrun != OverrunDrop:
		return fmt.Errorf("workload: overrun %q: kill, extend or drop is expected", o.Overrun)
	case o.Oversize != OversizeDrop && o.Oversize != OversizeClamp:
		return fmt.Errorf("workload: oversize %q: drop or clamp is expected", o.Oversize)
	case o.NoRequest != NoRequestRun && o.NoRequest != NoRequestDrop:
		return fmt.Errorf("workload: no request %q: run or drop is expected", o.NoRequest)
	case o.Processors < 0 || o.Processors > math.MaxInt32:
		return fmt.Errorf("workload: platform.processors: %d: 1 … %d are expected", o.Processors, math.MaxInt32)
	case !(o.Load >= 0.001 && o.Load <= 1000):
		return fmt.Errorf("workload: workload.scale.load: %v: 0.001 … 1000 is expected", o.Load)
	case !(o.Time >= 0.001 && o.Time <= 1000):
		return fmt.Errorf("workload: workload.scale.time: %v: 0.001 … 1000 is expected", o.Time)
	case !(o.Known >= 0 && o.Known <= 1):
		return fmt.Errorf("workload: workload.scale.known: %v: 0 … 1 is expected", o.Known)
	}
	return nil
}

// FromLog cleans, filters, cuts, resamples and scales the jobs of a log. The workload's
// jobs stand in order of (Submit, Number, line) and its Processors is the
// machine size that was used. The cleaning report is filled even when the
// error is ErrNoJobs. The log itself is not changed.
func FromLog(l *swf.Log, o Options) (*model.Workload, report.Cleaning, error) {
	w, clean, err := Clean(l, o)
	if err != nil {
		return nil, clean, err
	}
	w, counts, err := Shape(w, o)
	clean.Counts = append(clean.Counts, counts...)
	return w, clean, err
}

// MachineSize returns the number of processors by rule 3: given if it is not
// 0, else the first integer of MaxProcs, else of MaxNodes, else an error that
// is ErrNoMachineSize and says what stands in the header instead.
func MachineSize(l *swf.Log, given int64) (int, error) {
	n, _, _, err := machineSize(l, given)
	return n, err
}

// machineSize is MachineSize. It also says which field of the header is used
// ("" none: the size was given), and which one before it holds no number of
// processors, "" none.
func machineSize(l *swf.Log, given int64) (n int, field, unusable string, err error) {
	if given > math.MaxInt32 {
		return 0, "", "", fmt.Errorf("workload: platform.processors: %d processors are too many: at most %d", given, math.MaxInt32)
	}
	if given > 0 {
		return int(given), "", "", nil
	}
	var said []string
	for _, size := range []struct {
		n     int64
		field string
	}{{l.Header.MaxProcs, "MaxProcs"}, {l.Header.MaxNodes, "MaxNodes"}} {
		text, line := l.Header.Get(size.field), l.Header.Line(size.field)
		switch {
		case size.n > math.MaxInt32:
			return 0, "", "", fmt.Errorf("workload: line %d, %s: %d processors are too many: at most %d", line, size.field, size.n, math.MaxInt32)
		case size.n > 0:
			return int(size.n), size.field, unusable, nil
		case line == 0:
			said = append(said, "it has no "+size.field)
		case text == "-1":
			said = append(said, fmt.Sprintf("line %d, %s: −1 is unknown", line, size.field))
		default:
			unusable = fmt.Sprintf("line %d, %s: %q is no number of processors", line, size.field, shortened(text))
			said = append(said, unusable)
		}
	}
	return 0, "", "", fmt.Errorf("workload: the log does not state the size of its machine (%s): %w", strings.Join(said, "; "), ErrNoMachineSize)
}

// shortened is the beginning of a header's text, for messages.
func shortened(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// LargestJob returns the processors of the log's largest job that ran, which
// the machine must have had at least; 0 without one.
func LargestJob(l *swf.Log) int {
	largest := int32(0)
	for i := range l.Records {
		if r := &l.Records[i]; r.RunTime > 0 {
			largest = max(largest, procs(r))
		}
	}
	return int(largest)
}

// procs are a job's processors by rule 2: requested, else allocated; 0 or less
// when neither is known.
func procs(r *swf.Record) int32 {
	if r.RequestedProcessors > 0 {
		return r.RequestedProcessors
	}
	return r.AllocatedProcessors
}
