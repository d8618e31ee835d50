package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/tidwall/gjson"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/report"
)

// ran is what run prints before runs or points.
type ran struct {
	Title    string `json:"title"`
	Identity string `json:"identity"` // SHA-256 of the canonical document
	Digest   string `json:"digest"`
	experiment.Build
	Link       string `json:"link"` // the part of an address, from "#" on, that opens this in the page
	Expected   string `json:"expected,omitempty"`
	Reproduced *bool  `json:"reproduced,omitempty"` // only with an expected digest
	Difference string `json:"difference,omitempty"` // where the result parts from the expected one
	Summary    string `json:"summary,omitempty"`    // the file of --summary
	Lines      int    `json:"lines,omitempty"`      // in that file
}

type oneRun struct {
	Scheduler   int                `json:"scheduler"`
	Key         string             `json:"key"`
	Label       string             `json:"label"`
	Repetition  int                `json:"repetition"`
	Jobs        int                `json:"jobs"`
	Processors  int                `json:"processors"`
	Workload    string             `json:"workload"`
	Copy        bool               `json:"copy,omitempty"`  // repetition 0 once more
	Draws       *report.Draws      `json:"draws,omitempty"` // what repetitions were drawn from
	Waves       *report.Waves      `json:"waves,omitempty"` // what intervals of one log go by; of repetition 0
	Users       [][5]float64       `json:"users,omitempty"` // the same: user, jobs, processor-seconds, mean wait, mean bounded slowdown
	Params      map[string]any     `json:"params"`          // of the scheduler, without what is not set
	Metrics     map[string]float64 `json:"metrics"`
	Simulate    float64            `json:"simulate_s,omitempty"`  // with --times
	Providers   []report.Provider  `json:"providers,omitempty"`   // of a grid of several
	Optimised   *report.Optimised  `json:"optimised,omitempty"`   // what the scheduler's optimiser did
	Unrequested int                `json:"unrequested,omitempty"` // jobs that state no requested time
	Missing     []string           `json:"missing,omitempty"`     // what the log does not state that predictors go by
	Beside      *report.Logged     `json:"beside,omitempty"`      // of the log's own schedule: how it goes with the platform
}

// newRecord makes the record of a run.
func newRecord(e *experiment.Experiment, got *lab.Result, traced bool) (*record, error) {
	one := got.Report
	r := &record{workload: []byte(one.Workload), values: one.Metrics, traced: traced}
	var waves *report.Waves
	var users [][5]float64
	if one.Repetition == 0 {
		if waves = one.Waves; waves != nil && len(e.Vary) == 0 {
			for _, u := range one.Users {
				users = append(users, [5]float64{float64(u.User), float64(u.Jobs), float64(u.Area), u.MeanWait, u.MeanSlowdown})
			}
		}
	}
	r.run = plainJSON(oneRun{
		Scheduler: one.Scheduler, Key: one.Key, Label: one.Label, Repetition: one.Repetition, Jobs: one.Jobs,
		Processors: one.Processors, Workload: one.Workload, Copy: one.Copy, Draws: one.Draws, Waves: waves, Users: users, Params: printedParams(e.Schedulers[one.Scheduler]), Metrics: metrics(one), Simulate: one.Simulate, Providers: one.Providers, Optimised: one.Optimised, Unrequested: one.Unrequested, Missing: one.Missing, Beside: one.Beside,
	})
	r.summary = bytes.TrimSuffix(withoutHeader(report.SummaryCSV([]*report.Run{one})), []byte("\n"))
	r.providers = withoutHeader(report.ProvidersCSV([]*report.Run{one}))
	var err error
	if r.block, err = experiment.PackBlock(nil, got.Block); err == nil && traced {
		r.trace, err = experiment.PackBlock(nil, experiment.AppendTraceRun(nil, traceRun(got)))
	}
	return r, err
}

// withoutHeader is a CSV file without its first line.
func withoutHeader(table []byte) []byte {
	_, rest, _ := bytes.Cut(table, []byte("\n"))
	return rest
}

// assembler puts what the runs leave behind together, in whatever order they
// come: the JSON that is printed, the tables, and the digest over all of them.
// A point that is complete is written as soon as those before it are, and
// forgotten.
type assembler struct {
	doc    *experiment.Experiment
	points *experiment.Points
	items  *experiment.Items
	keys   []string // of the measures
	window int      // how many points may be under way

	mu      sync.Mutex
	moved   sync.Cond
	failed  bool
	waiting map[int]*gathered // points that are not complete
	ready   map[int]*composed // points that are, and wait for those before them
	next    int               // the point that is written next
	count   int               // runs that were written

	digest                       *experiment.Digester
	block                        []byte // what was taken into it last, to be used again
	json, summary, providerLines spool
	table                        *runTable // with --summary: it stands in the place of printed runs
	comparison                   []byte    // comparison.csv of a document that does not vary
	pays                         payer
	trace                        tracer
	notes                        []string
}

// gathered is what has come of a point, by place in its digest.
type gathered struct {
	records []*record
	left    int
}

// composed is a point as it is written.
type composed struct {
	json, summary, providers []byte
	table                    []byte
	records                  []*record     // in order of the digest
	runs                     []*report.Run // the same
	names                    []string      // of the runs, where all have traces
	notes                    []string      // on repetitions, of the first point
	comparison               []byte        // comparison.csv of a document that does not vary
}

// newAssembler returns an assembler, whose table of runs, "" none, is the file summary.
// It has to be closed even where there is an error.
func newAssembler(doc *experiment.Experiment, points *experiment.Points, items *experiment.Items, summary string) (a *assembler, err error) {
	a = &assembler{
		doc: doc, points: points, items: items, keys: catalog.MetricKeys(), window: max(8, 4096*points.Len()/max(1, items.Len())),
		waiting: map[int]*gathered{}, ready: map[int]*composed{}, digest: experiment.NewDigester(),
	}
	a.moved.L = &a.mu
	if summary != "" {
		a.table, err = openTable(summary, a)
	}
	return a, err
}

// room waits until a point is near enough to those that are written, so that
// what waits stays bounded; false when somebody has failed.
func (a *assembler) room(point int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.failed && point >= a.next+a.window {
		a.moved.Wait()
	}
	return !a.failed
}

// stop ends the waiting of all others.
func (a *assembler) stop() {
	a.mu.Lock()
	a.failed = true
	a.mu.Unlock()
	a.moved.Broadcast()
}

// add takes the record of an item.
func (a *assembler) add(item int, rec *record) error {
	point, within := a.items.Point(item)
	_, place, err := a.runs(point)
	if err != nil {
		return err
	}
	a.mu.Lock()
	g := a.waiting[point]
	if g == nil {
		g = &gathered{make([]*record, len(place)), len(place)}
		a.waiting[point] = g
	}
	g.records[place[within]] = rec
	if g.left--; g.left == 0 {
		delete(a.waiting, point)
	}
	complete := g.left == 0
	a.mu.Unlock()
	if !complete {
		return nil
	}
	c, err := a.compose(point, g.records)
	if err != nil {
		return err
	}
	return a.put(point, c)
}

// runs lists a point's runs in order of items, and their places in its digest.
func (a *assembler) runs(point int) ([]experiment.RunID, []int, error) {
	if a.items.Uniform() {
		runs, place := a.items.Of(nil)
		return runs, place, nil
	}
	e, err := a.points.At(point)
	if err != nil {
		return nil, nil, err
	}
	runs, place := a.items.Of(e)
	return runs, place, nil
}

// compose makes of a point's records, in order of its digest, what is written.
func (a *assembler) compose(point int, records []*record) (*composed, error) {
	ids, place, err := a.runs(point)
	if err != nil {
		return nil, err
	}
	c := &composed{records: records}
	size := 0
	for _, rec := range records {
		size += len(rec.run) + len(rec.head) + 10
	}
	c.json = make([]byte, 0, size+size/4)
	runs := make([]*report.Run, len(records))
	for i, id := range ids {
		rec := records[place[i]]
		run := &report.Run{Scheduler: id.Scheduler, Repetition: id.Repetition, Workload: string(rec.workload), Metrics: rec.values}
		run.Copy = gjson.GetBytes(rec.run, "copy").Bool()
		run.Jobs, run.Unrequested = int(gjson.GetBytes(rec.run, "jobs").Int()), int(gjson.GetBytes(rec.run, "unrequested").Int())
		if d := gjson.GetBytes(rec.run, "draws"); d.Exists() {
			run.Draws = &report.Draws{By: d.Get("by").Str, Pieces: d.Get("pieces").Num}
		}
		if w := gjson.GetBytes(rec.run, "waves"); w.Exists() {
			run.Waves = &report.Waves{Days: int(w.Get("days").Int())}
			for k := range run.Waves.Wait {
				at := "." + strconv.Itoa(k)
				run.Waves.Wait[k], run.Waves.Slowdown[k] = w.Get("wait"+at).Num, w.Get("slowdown"+at).Num
			}
			for _, u := range gjson.GetBytes(rec.run, "users").Array() {
				v := u.Array()
				run.Users = append(run.Users, report.UserRow{User: int32(v[0].Int()), Jobs: int(v[1].Int()), Area: v[2].Int(), MeanWait: v[3].Num, MeanSlowdown: v[4].Num})
			}
		}
		runs[place[i]] = run
	}
	values := ""
	if len(a.doc.Vary) > 0 {
		list := a.points.Values(point)
		c.json = append(append(c.json, `{"values":`...), plainJSON(list)...)
		c.json = append(c.json, ',')
		if slices.ContainsFunc(a.doc.Vary, func(x experiment.Axis) bool { return x.Names != nil || x.Cases != nil }) {
			c.json = append(append(append(c.json, `"name":`...), plainJSON(a.points.Name(point))...), ',')
		}
		choice := a.points.Choice(point)
		for k, v := range list {
			text := v.String()
			if name := a.doc.Vary[k].Called(choice[k]); name != "" {
				text = name
			}
			values += report.CSVText(text) + ","
		}
	}
	c.json = append(c.json, records[0].head...)
	if a.table == nil {
		c.json = append(c.json, `"runs":[`...)
	}
	for i, rec := range records {
		if a.table == nil {
			if i > 0 {
				c.json = append(c.json, ',')
			}
			if len(a.doc.Vary) > 0 {
				c.json = append(c.json, "\n      "...)
			}
			c.json = append(c.json, rec.run...)
		} else {
			c.table = append(append(c.table, values...), rec.summary...)
			c.table = a.table.line(c.table, rec)
		}
		c.summary = append(append(append(c.summary, values...), rec.summary...), '\n')
		for line := range bytes.Lines(rec.providers) {
			c.providers = append(append(c.providers, values...), line...)
		}
	}
	c.runs = runs
	if point == 0 {
		c.notes = repeats(runs)
	}
	if a.table == nil {
		c.json = append(c.json, "],"...)
	}
	comparison := metric.SideBySide(runs, 0)
	c.json = append(append(c.json, `"comparison":`...), plainJSON(comparison)...)
	if len(a.doc.Vary) == 0 {
		c.comparison = report.ComparisonCSV(comparison)
	}
	if list := metric.Caveats(runs); len(list) > 0 {
		c.json = append(append(c.json, `,"caveats":`...), plainJSON(list)...)
	}
	if len(a.doc.Vary) > 0 {
		c.json = append(c.json, '}')
		if a.table != nil { // points are not printed
			c.json = nil
		}
	}
	if slices.ContainsFunc(records, func(rec *record) bool { return !rec.traced }) { // or shards of documents that expect different things
		return c, nil
	}
	e, err := a.points.At(point)
	if err != nil {
		return nil, err
	}
	labels := e.Labels()
	for _, r := range runs {
		name := fmt.Sprintf("%s, repetition %d", labels[r.Scheduler], r.Repetition)
		if len(a.doc.Vary) > 0 {
			name = a.points.Name(point) + ": " + name
		}
		c.names = append(c.names, name)
	}
	return c, nil
}

// repeats says what the repetitions of an experiment are worth.
func repeats(runs []*report.Run) (notes []string) {
	copies, phases := 0, 0
	for _, r := range runs {
		if r.Copy {
			copies++
		}
		if r.Draws != nil && r.Draws.By == report.ByPhases {
			phases = max(phases, r.Repetition+1)
		}
	}
	if phases > 1 {
		notes = append(notes, fmt.Sprintf("phase: what differs over %d phases is what Slurm itself leaves open: least, median and greatest stand in band, and no interval", phases))
	}
	if copies > 0 {
		notes = append(notes, fmt.Sprintf("repeat: %d of %d runs are repetition 0 once more, since the jobs are the same at every repetition: they count once, and differences have no interval; workload.resample draws other weeks or users from the log", copies, len(runs)))
	}
	for _, v := range metric.Caveats(runs) {
		if v.Void {
			notes = append(notes, v.Reason+": "+v.Text)
		}
	}
	if d := runs[0].Draws; d != nil && d.Lacks() != "" {
		notes = append(notes, "resample: "+d.Lacks())
	}
	return notes
}

// put writes a point, or keeps it until those before it have come.
func (a *assembler) put(point int, c *composed) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ready[point] = c
	for c := a.ready[a.next]; c != nil; c = a.ready[a.next] {
		delete(a.ready, a.next)
		if err := a.pay(c); err != nil {
			return err
		}
		if a.next > 0 && c.json != nil {
			a.json.add([]byte(",\n    "))
		}
		a.json.add(c.json)
		a.summary.add(c.summary)
		a.providerLines.add(c.providers)
		a.comparison = c.comparison
		for i, rec := range c.records { // one at a time: a point may have thousands, each many times the size of its line
			if err := a.sum(rec, c.names, i); err != nil {
				return err
			}
		}
		if a.table != nil {
			if _, err := a.table.out.Write(c.table); err != nil {
				return err
			}
		}
		a.notes = append(a.notes, c.notes...)
		a.next++
	}
	a.moved.Broadcast()
	for _, s := range []*spool{&a.json, &a.summary, &a.providerLines, &a.pays.lines} {
		if s.err != nil {
			return s.err
		}
	}
	return nil
}

// sum takes a run into the digest and, where runs have names, into the trace.
func (a *assembler) sum(rec *record, names []string, i int) error {
	var err error
	if rec.again != nil {
		if rec, err = rec.again(); err != nil {
			return err
		}
	}
	if a.block, err = experiment.UnpackBlock(a.block[:0], rec.block); err != nil {
		return err
	}
	a.digest.Add(a.block)
	a.count++
	if names == nil || a.trace.full() {
		return nil
	}
	block, err := experiment.UnpackBlock(nil, rec.trace)
	if err == nil {
		a.trace.add(names[i], experiment.BlockRows(block))
	}
	return err
}

// finish writes and prints the report. read is where the document was read from:
// that file stays as its author wrote it.
func (a *assembler) finish(c *call, name, dir, read string) error {
	e, stderr := a.doc, c.stderr
	digest := a.digest.Sum()
	for _, note := range a.notes {
		fmt.Fprintln(stderr, note)
	}
	table, lines := "", 0
	if a.table != nil {
		if err := a.table.finish(); err != nil {
			return err
		}
		table, lines = a.table.path, a.count
	}
	result := ran{Summary: table, Lines: lines, Title: e.Title, Identity: e.Identity(), Digest: digest, Build: experiment.ThisBuild(), Link: a.trace.link(e, digest)}
	if e.Expect != "" {
		same := e.Expect == digest
		result.Expected, result.Reproduced = e.Expect, &same
		if !same {
			fmt.Fprintf(stderr, "%s: not reproduced: the digest is %s, expected was %s\n", name, digest, e.Expect)
			if result.Difference = a.trace.parted(e); result.Difference != "" {
				fmt.Fprintf(stderr, "%s: %s\n", name, result.Difference)
			}
		}
	}
	if dir != "" {
		if err := a.writeFiles(dir, read); err != nil {
			return err
		}
	}
	if err := a.print(result, c.stdout); err != nil {
		return unwritten{err}
	}
	if result.Reproduced != nil && !*result.Reproduced {
		return status(notTheSame)
	}
	return nil
}

// print prints the report: one run a line where the experiment varies, since
// there may be very many.
func (a *assembler) print(result ran, stdout io.Writer) error {
	head := plainJSON(result)
	head = head[:len(head)-1]
	if len(a.doc.Vary) == 0 {
		var body, pretty bytes.Buffer
		if err := a.json.copyTo(&body); err != nil {
			return err
		}
		if err := json.Indent(&pretty, fmt.Appendf(head, ",%s}", body.Bytes()), "", "  "); err != nil {
			return err
		}
		pretty.WriteByte('\n')
		_, err := stdout.Write(pretty.Bytes())
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, append(head, '}'), "", "  "); err != nil {
		return err
	}
	pretty.Truncate(pretty.Len() - 2) // "\n}"
	if a.table != nil {
		pretty.WriteString("\n}\n")
		_, err := stdout.Write(pretty.Bytes())
		return err
	}
	fmt.Fprintf(&pretty, ",\n  \"vary\": %s,\n  \"points\": [\n    ", plainJSON(a.doc.Columns()))
	if _, err := stdout.Write(pretty.Bytes()); err != nil {
		return err
	}
	if err := a.json.copyTo(stdout); err != nil {
		return err
	}
	_, err := io.WriteString(stdout, "\n  ]\n}\n")
	return err
}

// blank is a run of which tables have a header.
func (a *assembler) blank() []*report.Run {
	one := &report.Run{Metrics: make([]report.Value, len(a.keys)), Providers: make([]report.Provider, 1)}
	for i, key := range a.keys {
		one.Metrics[i].Key = key
	}
	return []*report.Run{one}
}

// header is the first line of a table behind the columns of the axes.
func (a *assembler) header(table []byte) string {
	var axes string
	for _, name := range a.doc.Columns() {
		axes += report.CSVText(name) + ","
	}
	line, _, _ := bytes.Cut(table, []byte("\n"))
	return axes + string(line) + "\n"
}

// writeFiles writes what --out asks for beside the jobs files.
func (a *assembler) writeFiles(dir, read string) error {
	one := a.blank()
	err := writeSpool(filepath.Join(dir, "summary.csv"), a.header(report.SummaryCSV(one)), &a.summary)
	if err == nil && a.providerLines.size > 0 {
		err = writeSpool(filepath.Join(dir, "providers.csv"), a.header(report.ProvidersCSV(one)), &a.providerLines)
	}
	if err == nil && a.pays.lines.size > 0 {
		err = writeSpool(filepath.Join(dir, "pays.csv"), a.header([]byte(report.PaysCSVHeader)), &a.pays.lines)
	}
	if err == nil && a.comparison != nil {
		err = os.WriteFile(filepath.Join(dir, "comparison.csv"), a.comparison, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "CITATION.txt"), []byte(experiment.Citation(a.doc, a.digest.Sum(), "")), 0o666)
	}
	path := filepath.Join(dir, "experiment.json")
	if err != nil || sameFile(path, read) {
		return err
	}
	return os.WriteFile(path, experiment.Encode(a.trace.expecting(a.doc, a.digest.Sum())), 0o666)
}

func (a *assembler) close() {
	for _, s := range []*spool{&a.json, &a.summary, &a.providerLines, &a.pays.lines} {
		s.close()
	}
	if a.table != nil {
		a.table.drop()
	}
}
