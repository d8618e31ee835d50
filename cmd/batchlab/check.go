package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/reference"
)

// checked is what check prints.
type checked struct {
	Case    string    `json:"case"`
	Valid   bool      `json:"valid"`
	Faults  []string  `json:"faults"`  // why it is not
	Same    []string  `json:"same"`    // schedulers that give every job the same starts
	Differs []parting `json:"differs"` // the others
}

// parting is where a schedule first parts from a scheduler's.
type parting struct {
	Scheduler string `json:"scheduler"`
	Job       int64  `json:"job"`
	Start     string `json:"start"`    // as in the files of starts: several with blanks, "-" rejected
	Expected  string `json:"expected"` // the scheduler's
}

// check sets a schedule that somebody else made beside a reference case.
func check(c *call) action {
	c.intro = "Whether a schedule of a reference case can be, which schedulers give the same, and where it parts from the others. The schedule is a CSV with the columns job (or job_id) and start (or starting_time), a line for each start."
	name := c.text("case", "NAME", "", "The case, as in the folder reference/cases of the sources.")
	as := c.text("as", "SCHEDULER", "", "Exit status 3 unless this scheduler, a column of the case, gives the same starts.")
	return func(rest []string) (any, error) {
		if len(rest) != 1 || *name == "" {
			return nil, errors.New("check: give one schedule and --case NAME")
		}
		one, found := reference.Find(*name)
		if !found {
			return nil, fmt.Errorf("check: no case %q%s", *name, catalog.DidYouMean(*name, reference.Names()))
		}
		text, err := os.ReadFile(rest[0])
		if err != nil {
			return nil, err
		}
		starts, err := readStarts(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rest[0], err)
		}
		out, err := checkCase(*name, one, starts)
		if err != nil {
			return nil, err
		}
		names := slices.Clone(out.Same)
		for _, p := range out.Differs {
			names = append(names, p.Scheduler)
		}
		if *as != "" && !slices.Contains(names, *as) {
			return nil, fmt.Errorf("check: --as: %s has no scheduler %q%s", *name, *as, catalog.DidYouMean(*as, names))
		}
		if !out.Valid || *as != "" && !slices.Contains(out.Same, *as) {
			return out, status(notTheSame)
		}
		return out, nil
	}
}

// notTheSame is the exit status where all was done, and the outcome is not the one
// that was to be reproduced.
const notTheSame = 3

// readStarts reads the starts of each job, ascending. A start below 0 or "-" is none.
func readStarts(text []byte) (map[int64][]int64, error) {
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("line 1: there are no columns")
	}
	column := func(names ...string) int {
		return slices.IndexFunc(rows[0], func(s string) bool { return slices.Contains(names, strings.TrimSpace(s)) })
	}
	job, start := column("job", "job_id"), column("start", "starting_time")
	if job < 0 || start < 0 {
		return nil, errors.New("line 1: the columns job and start (or job_id and starting_time) are wanted")
	}
	starts := map[int64][]int64{}
	for i, row := range rows[1:] {
		n, err := strconv.ParseInt(strings.TrimSpace(row[job]), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: job: %q is no whole number", i+2, row[job])
		}
		list := starts[n]
		for _, word := range strings.Fields(row[start]) {
			if word == "-" {
				continue
			}
			at, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: start: %q is no whole number of seconds", i+2, word)
			}
			if at >= 0 {
				list = append(list, at)
			}
		}
		starts[n] = list
	}
	for _, list := range starts {
		slices.Sort(list)
	}
	return starts, nil
}

// cell is how the files of starts write the starts of a job.
func cell(list []int64) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Trim(fmt.Sprint(list), "[]")
}

// checkCase compares starts with a case's.
func checkCase(name string, c reference.Case, starts map[int64][]int64) (*checked, error) {
	out := &checked{Case: name, Same: []string{}, Differs: []parting{}}
	rows, err := csv.NewReader(bytes.NewReader(c.Starts)).ReadAll()
	if err != nil {
		return nil, err
	}
	known := map[int64]bool{}
	for column := 1; column < len(rows[0]); column++ {
		first, at := parting{Scheduler: rows[0][column]}, int64(math.MaxInt64)
		for _, row := range rows[1:] {
			job, err := strconv.ParseInt(row[0], 10, 64)
			if err != nil {
				return nil, err
			}
			known[job] = true
			got := cell(starts[job])
			want := strings.TrimSpace(strings.ReplaceAll(" "+row[column]+" ", " - ", " ")) // of jobs that share a number, some may be rejected
			if want = cmp.Or(want, "-"); want == got {
				continue
			}
			if when := earlier(want, got); when < at {
				at, first.Job, first.Start, first.Expected = when, job, got, want
			}
		}
		if at == math.MaxInt64 {
			out.Same = append(out.Same, first.Scheduler)
		} else {
			out.Differs = append(out.Differs, first)
		}
	}
	out.Faults, err = impossible(c, starts, known)
	out.Valid = len(out.Faults) == 0
	return out, err
}

// earlier returns when two different cells of starts part: the first start that only
// one of them has.
func earlier(a, b string) int64 {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := 0; ; i++ {
		if i < len(x) && i < len(y) && x[i] == y[i] {
			continue
		}
		at := int64(math.MaxInt64 - 1)
		for _, list := range [][]string{x, y} {
			if i < len(list) {
				if n, err := strconv.ParseInt(list[i], 10, 64); err == nil {
					at = min(at, n)
				}
			}
		}
		return at
	}
}

// held is what an execution holds while it lasts.
type held struct {
	who      int64
	from, to int64
	procs    int64
	user     int32
	request  int64
	licences []model.LicenceNeed
}

// impossible returns what is wrong with starts whoever made them, wherever jobs were placed:
// what has to hold of all clusters together.
func impossible(c reference.Case, starts map[int64][]int64, known map[int64]bool) ([]string, error) {
	faults := []string{}
	doc, err := experiment.Decode(c.Document)
	if err != nil {
		return nil, err
	}
	log, err := swf.Parse(c.Log)
	if err != nil {
		return nil, err
	}
	p, err := lab.Prepare(doc, lab.Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
	if err != nil {
		return nil, err
	}
	w, _, err := p.Workload(0)
	if err != nil {
		return nil, err
	}
	kill := doc.Workload.Annotate.Deadlines.OnDue == "kill"
	jobs, holds := map[int64][]model.JobID{}, []held(nil)
	for j := range w.Jobs {
		jobs[w.Jobs[j].Number] = append(jobs[w.Jobs[j].Number], model.JobID(j))
	}
	for _, n := range slices.Sorted(maps.Keys(jobs)) {
		list, same := starts[n], jobs[n]
		for i, at := range list {
			j := same[min(i, len(same)-1)]
			job, length := &w.Jobs[j], int64(1)
			if i == len(list)-1 && len(list) <= len(same) && !doc.Platform.PowerScales {
				length = int64(w.Executed(j)) // of earlier attempts nobody says when they ended
			}
			one := held{n, at, at + length, int64(job.Procs), job.User, int64(job.Limit), nil}
			if at < int64(job.Submit) && doc.Workload.React == nil {
				faults = append(faults, fmt.Sprintf("job %d starts at %d, before its submission at %d", n, at, job.Submit))
			}
			if d := w.Demand(j); d != nil {
				one.licences = d.Licences
				if kill && d.Due > 0 {
					one.to = at + 1 // it may be suspended, and rejected when it is due
				}
				if d.Reservation != nil {
					one.procs, one.to = 1, at+1 // it may get less than it asks for
				}
			}
			holds = append(holds, one)
		}
		if len(list) < len(same) && !kill && len(doc.Platform.Reservations) == 0 {
			faults = append(faults, fmt.Sprintf("job %d never starts", n))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(starts)) {
		if !known[n] {
			faults = append(faults, fmt.Sprintf("there is no job %d", n))
		}
	}
	return append(faults, crowded(doc, int64(w.Processors), holds)...), nil
}

// crowded says at which starts more is held than there is: processors, copies of
// licences, and on one cluster what limits allow.
func crowded(doc *experiment.Experiment, processors int64, holds []held) (faults []string) {
	for _, at := range holds {
		now := at.from
		sum := func(count func(h *held) int64) (n int64) {
			for i := range holds {
				if h := &holds[i]; h.from <= now && now < h.to {
					n += count(h)
				}
			}
			return n
		}
		say := func(what string, n, most int64) {
			text := fmt.Sprintf("at %d %s are held: %d of %d", now, what, n, most)
			if n > most && !slices.Contains(faults, text) {
				faults = append(faults, text)
			}
		}
		say("processors", sum(func(h *held) int64 { return h.procs }), there(doc, processors, now))
		for l, licence := range doc.Platform.Licences {
			say("copies of "+licence.Name, sum(func(h *held) (n int64) {
				for _, need := range h.licences {
					if int(need.Licence) == l {
						n += int64(need.Copies)
					}
				}
				return n
			}), licence.Copies)
		}
		if len(doc.Platform.Clusters) > 1 {
			continue // limits hold on each cluster, and nobody says where jobs are
		}
		if most := doc.Platform.Limits.UserProcessors; most > 0 {
			say(fmt.Sprintf("processors of user %d", at.user), sum(func(h *held) int64 {
				if h.user == at.user {
					return h.procs
				}
				return 0
			}), most)
		}
		for _, class := range doc.Platform.Limits.Classes {
			say(fmt.Sprintf("processors by jobs of more than %d s", class.LongerThan), sum(func(h *held) int64 {
				if h.request > class.LongerThan {
					return h.procs
				}
				return 0
			}), int64(class.Share*float64(there(doc, processors, -1))))
		}
	}
	return faults
}

// there returns how many processors there are at a time beside outages and failures.
func there(doc *experiment.Experiment, processors, at int64) (all int64) {
	clusters := doc.Platform.Clusters
	if len(clusters) == 0 {
		clusters = []experiment.Cluster{{Groups: []experiment.NodeGroup{{Count: 1, Processors: cmp.Or(doc.Platform.Processors, processors)}}}}
	}
	for _, c := range clusters {
		var nodes []int64
		total := int64(0)
		for _, g := range c.Groups {
			for range g.Count {
				nodes, total = append(nodes, g.Processors), total+g.Processors
			}
		}
		left := total
		for _, o := range doc.Platform.Outages {
			switch {
			case at < o.From || at >= o.To || o.Cluster != "" && o.Cluster != c.Name:
			case len(o.Nodes) > 0:
				for _, n := range o.Nodes { // nodes that two outages name are gone once
					left, nodes[n] = left-nodes[n], 0
				}
			case o.Procs > 0:
				left -= o.Procs
			default:
				left = 0
			}
		}
		all += max(0, left)
	}
	return all
}
