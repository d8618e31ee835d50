package draft

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Limits of inputs that the catalog has no row for.
const (
	maxRepeats    = 100
	maxProcessors = 100_000_000
)

// bindings are the inputs that belong to the document itself.
var bindings = map[string]binding{
	"seed": {
		name: "Seed", help: "Starts every stream of random numbers: the same seed gives the same jobs and the same result everywhere.",
		get: func(e *experiment.Experiment) string { return strconv.FormatUint(e.Seed, 10) },
		set: func(e *experiment.Experiment, t string) error {
			n, err := whole(t)
			if err != nil {
				return err
			}
			if n < 0 || n > maxSeed {
				return errors.New("between 0 and 9,007,199,254,740,991")
			}
			e.Seed = uint64(n)
			return nil
		},
	},
	"repeats": {
		name: "Repeats", help: "How often each scheduler runs, each time on other jobs. The same jobs are run once, however often they are repeated.", empty: "mixed",
		get: func(e *experiment.Experiment) string {
			for i := range e.Schedulers {
				if e.Schedulers[i].Repeat != e.Schedulers[0].Repeat {
					return ""
				}
			}
			if len(e.Schedulers) == 0 {
				return "1"
			}
			return words.Whole(max(1, e.Schedulers[0].Repeat))
		},
		set: func(e *experiment.Experiment, t string) error {
			n, err := within(t, 1, maxRepeats)
			for i := range e.Schedulers {
				if err == nil {
					e.Schedulers[i].Repeat = n
				}
			}
			return err
		},
	},
	"tau": {
		name: "Slowdown τ", help: "Jobs shorter than this count as this long in the bounded slowdown.", unit: "s",
		get: func(e *experiment.Experiment) string { return words.Typed(e.Measures.Tau) },
		set: func(e *experiment.Experiment, t string) error {
			n, err := words.Seconds(t)
			if err == nil && n < 1 {
				err = errors.New("at least 1 s")
			}
			if err == nil {
				e.Measures.Tau = n
			}
			return err
		},
	},
	"processors": {
		name: "Processors", help: "Size of the machine. Empty: as the log states it.", empty: "as the log says",
		get: func(e *experiment.Experiment) string { return zeroEmpty(e.Platform.Processors) },
		set: bound(1, maxProcessors, func(e *experiment.Experiment) *int64 { return &e.Platform.Processors }),
	},
	"power-scales": {
		name: "Faster machines run jobs faster", help: "Run times and requested times are divided by the machine's power. Off: power only says which machine is used first.", check: true,
		get: func(e *experiment.Experiment) string { return truth(e.Platform.PowerScales) },
		set: func(e *experiment.Experiment, t string) error { e.Platform.PowerScales = t == "true"; return nil },
	},
	"due.share": {
		name: "With a deadline", help: "Share of the jobs, drawn at random, that get the deadline submission + factor × requested time + margin. 0: none.",
		get: func(e *experiment.Experiment) string { return real64(e.Workload.Annotate.Deadlines.Share) },
		set: real64In(0, 1, func(e *experiment.Experiment) *float64 { return &e.Workload.Annotate.Deadlines.Share }),
	},
	"due.factor": {
		name: "Factor", help: "A job is due this many requested times after its submission, plus the margin.",
		get: func(e *experiment.Experiment) string { return real64(e.Workload.Annotate.Deadlines.Factor) },
		set: real64In(1, 1000, func(e *experiment.Experiment) *float64 { return &e.Workload.Annotate.Deadlines.Factor }),
	},
	"due.margin_min": {
		name: "Margin from", help: "Smallest margin of a deadline; drawn uniformly.", unit: "s",
		get: func(e *experiment.Experiment) string { return words.Typed(e.Workload.Annotate.Deadlines.MarginMin) },
		set: seconds(func(e *experiment.Experiment) *int64 { return &e.Workload.Annotate.Deadlines.MarginMin }),
	},
	"due.margin_max": {
		name: "Margin to", help: "Largest margin of a deadline.", unit: "s",
		get: func(e *experiment.Experiment) string { return words.Typed(e.Workload.Annotate.Deadlines.MarginMax) },
		set: seconds(func(e *experiment.Experiment) *int64 { return &e.Workload.Annotate.Deadlines.MarginMax }),
	},
	"due.on_due": {
		name: "At the deadline", help: "What happens to a job that has not ended at its deadline.",
		options: []catalog.Option{
			{Key: "count", Name: "its lateness counts", Help: "It goes on"},
			{Key: "kill", Name: "it is stopped", Help: "The due date is the time at which the job is stopped, done or not; one that has not started by then is rejected"},
		},
		get: func(e *experiment.Experiment) string { return or(e.Workload.Annotate.Deadlines.OnDue, "count") },
		set: func(e *experiment.Experiment, t string) error { e.Workload.Annotate.Deadlines.OnDue = t; return nil },
	},
	"weights.min": {
		name: "Weight from", help: "Smallest weight of a job's tardiness; drawn uniformly.",
		get: func(e *experiment.Experiment) string { return real64(e.Workload.Annotate.Weights.Min) },
		set: real64In(experiment.MinWeight, experiment.MaxWeight, func(e *experiment.Experiment) *float64 { return &e.Workload.Annotate.Weights.Min }),
	},
	"weights.max": {
		name: "Weight to", help: "Largest weight. 1 and 1: all jobs weigh the same.",
		get: func(e *experiment.Experiment) string { return real64(e.Workload.Annotate.Weights.Max) },
		set: real64In(experiment.MinWeight, experiment.MaxWeight, func(e *experiment.Experiment) *float64 { return &e.Workload.Annotate.Weights.Max }),
	},
	"setup.min": {
		name: "Set-up from", help: "Shortest set-up time of a job (loading libraries, moving data), added to its run and requested time; drawn uniformly.", unit: "s",
		get: func(e *experiment.Experiment) string { return words.Typed(e.Workload.Annotate.Setup.Min) },
		set: seconds(func(e *experiment.Experiment) *int64 { return &e.Workload.Annotate.Setup.Min }),
	},
	"setup.max": {
		name: "Set-up to", help: "Longest set-up time of a job. 0: none.", unit: "s",
		get: func(e *experiment.Experiment) string { return words.Typed(e.Workload.Annotate.Setup.Max) },
		set: seconds(func(e *experiment.Experiment) *int64 { return &e.Workload.Annotate.Setup.Max }),
	},
	"limit.user": {
		name: "Most of one user", help: "Most processors of a cluster that the jobs of one user hold at a time. Empty: no limit.", empty: "no limit", unit: "processors",
		get: func(e *experiment.Experiment) string { return zeroEmpty(e.Platform.Limits.UserProcessors) },
		set: bound(1, maxProcessors, func(e *experiment.Experiment) *int64 { return &e.Platform.Limits.UserProcessors }),
	},
	"load": {
		name: "Load ×", help: "Submissions come closer together (above 1) or further apart (below 1); jobs stay the same.",
		get: func(e *experiment.Experiment) string { return factorText(e.Workload.Scale.Load) },
		set: factor(func(e *experiment.Experiment) *float64 { return &e.Workload.Scale.Load }),
	},
	"time": {
		name: "Times ×", help: "Multiplies run time and requested time of every job.",
		get: func(e *experiment.Experiment) string { return factorText(e.Workload.Scale.Time) },
		set: factor(func(e *experiment.Experiment) *float64 { return &e.Workload.Scale.Time }),
	},
	"known": {
		name: "Run times known", help: "How well users know their run times. 0: requests as they are; 1: requests equal run times.",
		get: func(e *experiment.Experiment) string { return real64(e.Workload.Scale.Known) },
		set: real64In(0, 1, func(e *experiment.Experiment) *float64 { return &e.Workload.Scale.Known }),
	},
	"from": {
		name: "From", help: "Only jobs submitted at this time of the log or later.", empty: "start",
		get: func(e *experiment.Experiment) string { return pointText(e.Workload.Window.From) },
		set: point(func(e *experiment.Experiment) **int64 { return &e.Workload.Window.From }),
	},
	"to": {
		name: "To", help: "Only jobs submitted before this time of the log.", empty: "end",
		get: func(e *experiment.Experiment) string { return pointText(e.Workload.Window.To) },
		set: point(func(e *experiment.Experiment) **int64 { return &e.Workload.Window.To }),
	},
	"measure-from": {
		name: "Measure from", help: "Jobs submitted before are run, but left out of every measure (warm-up).", empty: "start",
		get: func(e *experiment.Experiment) string { return pointText(e.Measures.From) },
		set: point(func(e *experiment.Experiment) **int64 { return &e.Measures.From }),
	},
	"measure-to": {
		name: "Measure to", help: "Jobs submitted then or later are run, but left out of every measure (cool-down).", empty: "end",
		get: func(e *experiment.Experiment) string { return pointText(e.Measures.To) },
		set: point(func(e *experiment.Experiment) **int64 { return &e.Measures.To }),
	},
	"users": {
		name: "Only users", help: "User numbers of the log, separated by commas. Empty: all.", empty: "all",
		get: func(e *experiment.Experiment) string { return listText(e.Workload.Filter.Users) },
		set: list(func(e *experiment.Experiment) *[]int64 { return &e.Workload.Filter.Users }),
	},
	"exclude-users": {
		name: "Without users", help: "User numbers to leave out, separated by commas.", empty: "none",
		get: func(e *experiment.Experiment) string { return listText(e.Workload.Filter.ExcludeUsers) },
		set: list(func(e *experiment.Experiment) *[]int64 { return &e.Workload.Filter.ExcludeUsers }),
	},
	"min-procs": {
		name: "Processors from", help: "Only jobs that ask for at least this many processors.", empty: "any",
		get: func(e *experiment.Experiment) string { return zeroEmpty(e.Workload.Filter.MinProcs) },
		set: bound(1, maxProcessors, func(e *experiment.Experiment) *int64 { return &e.Workload.Filter.MinProcs }),
	},
	"max-procs": {
		name: "Processors to", help: "Only jobs that ask for at most this many processors.", empty: "any",
		get: func(e *experiment.Experiment) string { return zeroEmpty(e.Workload.Filter.MaxProcs) },
		set: bound(1, maxProcessors, func(e *experiment.Experiment) *int64 { return &e.Workload.Filter.MaxProcs }),
	},
	"min-run": {
		name: "Run time from", help: "Only jobs that ran at least this long.", empty: "any",
		get: func(e *experiment.Experiment) string { return zeroSeconds(e.Workload.Filter.MinRun) },
		set: seconds(func(e *experiment.Experiment) *int64 { return &e.Workload.Filter.MinRun }),
	},
	"max-run": {
		name: "Run time to", help: "Only jobs that ran at most this long.", empty: "any",
		get: func(e *experiment.Experiment) string { return zeroSeconds(e.Workload.Filter.MaxRun) },
		set: seconds(func(e *experiment.Experiment) *int64 { return &e.Workload.Filter.MaxRun }),
	},
	"overrun": {
		name: "Ran too long", help: "Jobs whose run time is above the requested time.",
		options: []catalog.Option{
			{Key: "kill", Name: "stop at the request"},
			{Key: "extend", Name: "extend the request"},
			{Key: "drop", Name: "leave the job out"},
		},
		get: func(e *experiment.Experiment) string { return or(e.Workload.Clean.Overrun, "kill") },
		set: func(e *experiment.Experiment, t string) error { e.Workload.Clean.Overrun = t; return nil },
	},
	"dependencies": {
		name: "Waits for others", help: "Jobs that wait for other jobs, a time, or a place in their array before they are eligible.",
		options: []catalog.Option{
			{Key: "ignore", Name: "eligible when submitted"},
			{Key: "keep", Name: "wait until then"},
		},
		get: func(e *experiment.Experiment) string { return or(e.Workload.Dependencies, "ignore") },
		set: func(e *experiment.Experiment, t string) error {
			e.Workload.Dependencies = strings.TrimPrefix(t, "ignore")
			return nil
		},
	},
	"withdrawn": {
		name: "Left the queue", help: "Jobs that left the queue before they ran, at a time that is known.",
		options: []catalog.Option{
			{Key: "drop", Name: "leave the job out"},
			{Key: "keep", Name: "leave at that time"},
		},
		get: func(e *experiment.Experiment) string { return or(e.Workload.Withdrawn, "drop") },
		set: func(e *experiment.Experiment, t string) error {
			e.Workload.Withdrawn = strings.TrimPrefix(t, "drop")
			return nil
		},
	},
	"oversize": {
		name: "Too large", help: "Jobs that ask for more processors than the machine has.",
		options: []catalog.Option{
			{Key: "drop", Name: "leave the job out"},
			{Key: "clamp", Name: "cut to the machine"},
		},
		get: func(e *experiment.Experiment) string { return or(e.Workload.Clean.Oversize, "drop") },
		set: func(e *experiment.Experiment, t string) error { e.Workload.Clean.Oversize = t; return nil },
	},
}

func truth(on bool) string {
	if on {
		return "true"
	}
	return ""
}

func real64(f float64) string { return words.Shown(strconv.FormatFloat(f, 'g', -1, 64)) }

func real64In(low, high float64, of func(*experiment.Experiment) *float64) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error {
		f, err := number(t)
		if err == nil && (f < low || f > high) {
			err = fmt.Errorf("between %s and %s", words.Number(low, digits(low)), words.Number(high, digits(high)))
		}
		if err == nil {
			*of(e) = f
		}
		return err
	}
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func zeroEmpty(n int64) string {
	if n == 0 {
		return ""
	}
	return words.Whole(n)
}

func zeroSeconds(n int64) string {
	if n == 0 {
		return ""
	}
	return words.Typed(n)
}

func pointText(p *int64) string {
	if p == nil {
		return ""
	}
	return words.Typed(*p)
}

func listText(users []int64) string {
	parts := make([]string, len(users))
	for i, u := range users {
		parts[i] = strconv.FormatInt(u, 10)
	}
	return strings.Join(parts, ", ")
}

func factorText(f float64) string {
	if f == 0 {
		f = 1
	}
	return words.Shown(strconv.FormatFloat(f, 'g', -1, 64))
}

func within(text string, low, high int64) (int64, error) {
	n, err := whole(text)
	if err == nil && (n < low || n > high) {
		err = fmt.Errorf("between %s and %s", words.Int(low), words.Int(high))
	}
	return n, err
}

// bound sets an optional whole number; empty text is 0, not bounded.
func bound(low, high int64, of func(*experiment.Experiment) *int64) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error {
		if t == "" {
			*of(e) = 0
			return nil
		}
		n, err := within(t, low, high)
		if err == nil {
			*of(e) = n
		}
		return err
	}
}

func seconds(of func(*experiment.Experiment) *int64) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error {
		if t == "" {
			*of(e) = 0
			return nil
		}
		n, err := words.Seconds(t)
		if err == nil {
			*of(e) = n
		}
		return err
	}
}

func point(of func(*experiment.Experiment) **int64) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error {
		if t == "" {
			*of(e) = nil
			return nil
		}
		n, err := words.Seconds(t)
		if err == nil {
			*of(e) = &n
		}
		return err
	}
}

func factor(of func(*experiment.Experiment) *float64) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error {
		f, err := number(t)
		if err == nil && (f < 0.01 || f > 100) {
			err = errors.New("between 0.01 and 100")
		}
		if err == nil {
			*of(e) = f
		}
		return err
	}
}

func list(of func(*experiment.Experiment) *[]int64) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error {
		var users []int64
		for part := range strings.FieldsFuncSeq(t, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
			n, err := strconv.ParseInt(part, 10, 64)
			if err != nil {
				return fmt.Errorf("%s is not a user number", part)
			}
			users = append(users, n)
		}
		*of(e) = users
		return nil
	}
}
