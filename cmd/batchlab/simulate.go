package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// simulate runs one scheduler on one log.
func simulate(args []string, stdout, stderr io.Writer) int {
	f := newFlags("simulate", stderr)
	path := f.String("log", "", "workload log in Standard Workload Format, .gz or not")
	algorithm := f.String("algorithm", "", "scheduler: "+strings.Join(catalog.SchedulerKeys(), ", "))
	order := f.String("order", "fcfs", "queue order: "+strings.Join(orderKeys(), ", "))
	backfill := f.String("backfill", "fcfs", "backfill order: one of the queue orders")
	ties := f.String("ties", "oldest", "who goes first of two jobs that the order leaves equal: oldest or newest")
	threshold := f.Int64("threshold", -1, "jobs that have waited more seconds stand first; not given: no threshold")
	overrun := f.String("overrun", "kill", "job that ran longer than requested: kill it at the request, extend the request, or drop it")
	oversize := f.String("oversize", "drop", "job larger than the machine: drop it, or clamp it to the machine")
	processors := f.Int64("processors", 0, "machine size; not given: as the log states")
	tau := f.Int64("tau", 10, "τ of the bounded slowdown, in seconds")
	jobsPath := f.String("jobs", "", "write the jobs as CSV with the columns of Batsim's jobs file")
	swfPath := f.String("swf", "", "write the simulated schedule as a workload log")
	skip := f.Bool("skip-malformed", false, "go on although more than 1 % of the lines are damaged")
	rest, status, ok := parseFlags(f, args)
	if !ok {
		return status
	}
	given := map[string]bool{}
	f.Visit(visitName(given))
	switch {
	case len(rest) > 0:
		return fail(stderr, fmt.Errorf("simulate: what is %q? Flags begin with --", rest[0]))
	case *path == "":
		return fail(stderr, errors.New("simulate: which log? --log FILE"))
	case *algorithm == "":
		return fail(stderr, errors.New("simulate: which scheduler? --algorithm "+strings.Join(catalog.SchedulerKeys(), "|")))
	case given["threshold"] && *threshold < 0:
		return fail(stderr, fmt.Errorf("simulate: --threshold %d: 0 or more seconds are expected", *threshold))
	case given["processors"] && *processors < 1:
		return fail(stderr, fmt.Errorf("simulate: --processors %d: 1 or more are expected", *processors))
	}
	scheduler, err := experiment.NewScheduler(*algorithm)
	if err != nil {
		return fail(stderr, fmt.Errorf("simulate: --algorithm: %s", message(err)))
	}
	set := func(flag string, value any, neutral bool) error {
		if _, has := scheduler.Params.Get(flag); !has {
			if neutral {
				return nil
			}
			return fmt.Errorf("simulate: --%s %v: %s has no %s", flag, value, *algorithm, flag)
		}
		if err := scheduler.SetParam(flag, value); err != nil {
			return fmt.Errorf("simulate: --%s: %s", flag, message(err))
		}
		return nil
	}
	err = errors.Join(set("order", *order, *order == "fcfs"), set("backfill", *backfill, *backfill == "fcfs"), set("ties", *ties, *ties == "oldest"))
	if given["threshold"] {
		err = errors.Join(err, set("threshold", *threshold, false))
	}
	if err != nil {
		return fail(stderr, err)
	}

	file, err := readLog(*path)
	if err != nil {
		return fail(stderr, err)
	}
	if err := file.checkMalformed(*skip, stderr); err != nil {
		return fail(stderr, err)
	}
	e := experiment.New()
	e.Workload.Source.Log = &file.ref
	e.Workload.Clean.Overrun, e.Workload.Clean.Oversize = *overrun, *oversize
	e.Platform.Processors = *processors
	e.Measures.Tau = *tau
	e.Schedulers = []experiment.Scheduler{scheduler}
	p, err := lab.Prepare(e, lab.Env{Log: func(experiment.Log) (*swf.Log, error) { return file.log, nil }})
	if err != nil {
		return fail(stderr, fmt.Errorf("simulate: %w", err))
	}
	w, clean, err := p.Workload(0)
	if err != nil {
		if errors.Is(err, workload.ErrNoJobs) {
			noteCleaning(stderr, *path, clean)
		}
		return fail(stderr, explain(*path, err))
	}
	noteCleaning(stderr, *path, clean)
	result, err := p.Run(lab.RunID{}, lab.Options{Now: seconds})
	if err != nil {
		return fail(stderr, explain(*path, err))
	}
	if *jobsPath != "" {
		if err := os.WriteFile(*jobsPath, lab.AppendJobsCSV(nil, result.Schedule), 0o666); err != nil {
			return fail(stderr, err)
		}
	}
	if *swfPath != "" {
		out := workload.Export(file.log, w, result.Schedule, p.Label(0))
		if err := os.WriteFile(*swfPath, out.Append(nil), 0o666); err != nil {
			return fail(stderr, err)
		}
	}
	r := result.Report
	return printJSON(stdout, stderr, simulated{
		Algorithm: r.Key, Order: scheduler.Params.Text("order"), Backfill: scheduler.Params.Text("backfill"),
		Log: file.ref.Name, SHA256: file.ref.SHA256,
		Jobs: r.Jobs, Processors: r.Processors,
		MeanWait: measure(r, "mean-wait"), MeanBoundedSlowdown: measure(r, "mean-bounded-slowdown"), Tau: *tau,
		Utilization: measure(r, "utilization"), Makespan: int64(measure(r, "makespan")),
		Digest: experiment.Digest(result.Block), Metrics: metrics(r),
		Elapsed: elapsed{file.parseS, r.Simulate},
	})
}

// simulated is what simulate prints.
type simulated struct {
	Algorithm           string             `json:"algorithm"`
	Order               string             `json:"order,omitempty"`
	Backfill            string             `json:"backfill,omitempty"`
	Log                 string             `json:"log"`
	SHA256              string             `json:"sha256"`
	Jobs                int                `json:"jobs"`
	Processors          int                `json:"processors"`
	MeanWait            float64            `json:"mean_wait_s"`
	MeanBoundedSlowdown float64            `json:"mean_bounded_slowdown"`
	Tau                 int64              `json:"tau_s"`
	Utilization         float64            `json:"utilization"`
	Makespan            int64              `json:"makespan_s"`
	Digest              string             `json:"digest"`
	Metrics             map[string]float64 `json:"metrics"` // every measure of the catalog that exists here
	Elapsed             elapsed            `json:"elapsed"`
}

type elapsed struct {
	Parse    float64 `json:"parse_s"`    // packed bytes to records
	Simulate float64 `json:"simulate_s"` // cleaned jobs to schedule
}

// began anchors the clock that is handed to lab.
var began = time.Now()

func seconds() float64 { return time.Since(began).Seconds() }

// measure returns one measure of a run, 0 where it does not exist.
func measure(r *report.Run, key string) float64 { return metrics(r)[key] }

// metrics returns the measures of a run by key.
func metrics(r *report.Run) map[string]float64 {
	m := make(map[string]float64, len(r.Metrics))
	for _, v := range r.Metrics {
		if v.Valid {
			m[v.Key] = v.Value
		}
	}
	return m
}

func orderKeys() []string {
	var keys []string
	for _, o := range catalog.Orders {
		keys = append(keys, o.Key)
	}
	return keys
}
