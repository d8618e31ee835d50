package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"batchlab/cmd/batchlab/shard"
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// shardFlag is --shard I/N; of is 0 where it is not given.
type shardFlag struct{ i, of int }

// shard defines the flag for one shard of the work.
func (f *flags) shard() *shardFlag {
	p := &shardFlag{}
	f.add("shard", "I/N", "Do every N-th item only, from the I-th on (1/N … N/N), and leave it in --out as shard-I-of-N.json; what was begun there is gone on with. batchlab merge puts the shards together.", func(s string) error {
		a, b, ok := strings.Cut(s, "/")
		i, err1 := parseWhole(a)
		n, err2 := parseWhole(b)
		switch {
		case !ok || err1 != nil || err2 != nil:
			return fmt.Errorf("%q: I/N is expected, such as 3/16", s)
		case n < 1 || n > shard.MaxShards:
			return fmt.Errorf("%q: between 1 and %d shards are expected", s, shard.MaxShards)
		case i < 1 || i > n:
			return fmt.Errorf("%q: shards of %d are counted from 1 to %d", s, n, n)
		}
		*p = shardFlag{int(i), int(n)}
		return nil
	})
	return p
}

// sharded is what a shard prints when it is complete.
type sharded struct {
	Shard    int    `json:"shard"`
	Of       int    `json:"of"`
	File     string `json:"file"`
	Identity string `json:"identity"`
	Items    int    `json:"items"`    // of this shard
	Taken    int    `json:"taken_up"` // of these, done before
}

// doShard does what is left of a shard, item by item, and prints what it is.
func doShard(dir string, h shard.Header, workers int, prog *progress, do func(worker, item int) ([]byte, error), stdout, stderr io.Writer) int {
	w, err := shard.Open(dir, h)
	if err != nil {
		return fail(stderr, err)
	}
	for _, note := range w.Notes {
		fmt.Fprintln(stderr, note)
	}
	var todo []int
	for item := h.Shard - 1; item < h.Items; item += h.Of {
		if !w.Complete && !w.Done(item) {
			todo = append(todo, item)
		}
	}
	result := sharded{h.Shard, h.Of, filepath.Join(dir, shard.Name(h.Shard, h.Of)), h.Identity, h.Count(), h.Count() - len(todo)}
	prog.start("items of shard "+fmt.Sprintf("%d/%d", h.Shard, h.Of), h.Count(), result.Taken, workers)
	err = each(workers, len(todo), func(worker, i int) error {
		data, err := do(worker, todo[i])
		if err == nil {
			err = w.Add(todo[i], data)
		}
		prog.finished(worker, 1)
		return err
	}, func(int) {})
	prog.end()
	if err == nil {
		err = w.Finish()
	}
	if err != nil {
		w.Close()
		return fail(stderr, err)
	}
	return printJSON(stdout, stderr, result)
}

// runOptions is what a shard of a run depends on beside its document.
type runOptions struct {
	Jobs     bool `json:"jobs"`     // jobs files are written
	Measures int  `json:"measures"` // that this version knows
}

// header says what the shards of the runner's work are of.
func (r *runner) header(part *shardFlag) shard.Header {
	h := shard.Header{Command: "run", Build: experiment.ThisBuild(), Identity: r.doc.Identity(), Logs: []string{}, Shard: part.i, Of: part.of, Items: r.sweep.Items.Len()}
	for _, l := range r.logs {
		h.Logs = append(h.Logs, l.ref.SHA256)
	}
	slices.Sort(h.Logs)
	h.Options = plainJSON(runOptions{r.jobs != "", len(catalog.Metrics)})
	h.Document = experiment.EncodeCompact(r.doc)
	return h
}

// shard does one shard of the runs.
func (r *runner) shard(part *shardFlag, dir string, stdout, stderr io.Writer) int {
	h := r.header(part)
	workers := make([]*lab.SweepWorker, r.workers)
	for i := range workers {
		workers[i] = r.sweep.Worker()
	}
	return doShard(dir, h, r.workers, r.prog, func(worker, item int) ([]byte, error) {
		rec, err := r.run(workers[worker], worker, item)
		if err != nil {
			return nil, err
		}
		return rec.append(nil), nil
	}, stdout, stderr)
}

const useMerge = "DIR [--log FILE]... [--summary FILE.csv.gz] [--parallel N]"

// merge puts the shards in a folder together.
func merge(args []string, stdout, stderr io.Writer) int {
	f := newFlags("merge", useMerge, "Puts the shards in a folder together: prints and writes what the command would have without --shard, with the same digest.")
	paths := f.files("log", "FILE", "A log that the shards were made with. Only presets of studies that compute for themselves need it. May be given several times.")
	summary := f.summary()
	workers := f.parallel()
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if err := checkSummary("merge", *summary); err != nil {
		return fail(stderr, err)
	}
	if len(rest) != 1 {
		return fail(stderr, errors.New("merge: which folder? batchlab merge "+useMerge))
	}
	set, err := shard.OpenSet(rest[0])
	if err != nil {
		return fail(stderr, err)
	}
	defer set.Close()
	if why := experiment.EnginesApart(set.Engine, experiment.Engine); why != "" {
		return fail(stderr, fmt.Errorf("%s: shards of another version of Batchlab, %s", rest[0], why))
	}
	prog := newProgress(stderr)
	if *summary != "" && set.Command != "run" {
		return fail(stderr, fmt.Errorf("merge: --summary: these are shards of batchlab %s, not of runs", set.Command))
	}
	switch set.Command {
	case "run":
		return mergeRuns(set, rest[0], *summary, int(*workers), prog, stdout, stderr)
	case "search":
		return mergeSearch(set, rest[0], stdout, stderr)
	case "paper":
		logs, err := readLogs(*paths, true, stderr)
		if err != nil {
			return fail(stderr, err)
		}
		return mergePreset(set, logs, rest[0], int(*workers), prog, stdout, stderr)
	}
	return fail(stderr, fmt.Errorf("%s: shards of batchlab %s, which this version does not merge", rest[0], set.Command))
}

// documentOf reads the document of shards.
func documentOf(set *shard.Set, dir string) (*experiment.Experiment, error) {
	e, err := experiment.Decode(set.Document)
	if err == nil && e.Identity() != set.Identity {
		err = errors.New("it is another experiment than the shards are of")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the document in shards: %w", dir, err)
	}
	return e, nil
}

// mergeRuns merges shards of run. Points are read one after the other, made into
// what is written by several workers, and written in order. Of what was read, no more
// stays than the points under way, and of a run's part of the digest only where it is.
func mergeRuns(set *shard.Set, dir, summary string, workers int, prog *progress, stdout, stderr io.Writer) int {
	e, err := documentOf(set, dir)
	if err != nil {
		return fail(stderr, err)
	}
	points := e.Points()
	items, err := points.Items()
	if err == nil && items.Len() != set.Items {
		err = fmt.Errorf("%s: shards of %d runs, the document makes %d", dir, set.Items, items.Len())
	}
	if err != nil {
		return fail(stderr, err)
	}
	a := newAssembler(e, points, items)
	defer a.close()
	a.window = 2 * workers
	if summary != "" {
		if a.table, err = openTable(summary, a); err != nil {
			return fail(stderr, err)
		}
	}
	var reading sync.Mutex
	next := 0
	prog.start("points", points.Len(), 0, workers)
	err = each(workers, points.Len(), func(worker, _ int) error {
		reading.Lock()
		point := next
		next++
		lines := make([]shard.Line, items.Count(point))
		var err error
		for i := range lines {
			if lines[i], err = set.Next(); err != nil {
				break
			}
		}
		reading.Unlock()
		if err == nil {
			err = a.addLines(set, point, lines)
		}
		if err != nil {
			a.stop()
		}
		prog.finished(worker, 1)
		return err
	}, func(int) {})
	prog.end()
	if err == nil {
		if _, err = set.Next(); err == io.EOF {
			err = nil
		}
	}
	if err != nil {
		return fail(stderr, err)
	}
	return a.finish(dir, dir, keptDocument(dir, e), stdout, stderr)
}

// keptDocument is the document in a folder, when it is the one of the shards
// there: it stays as it is. "" none.
func keptDocument(dir string, e *experiment.Experiment) string {
	path := filepath.Join(dir, "experiment.json")
	if old, err := readExperiment(path); err != nil || old.Identity() != e.Identity() {
		return ""
	}
	return path
}

// addLines takes a point as it stands in shard files.
func (a *assembler) addLines(set *shard.Set, point int, lines []shard.Line) error {
	if !a.room(point) {
		return nil
	}
	_, place, err := a.runs(point)
	if err != nil {
		return err
	}
	records := make([]*record, len(lines))
	for i, line := range lines {
		whole := func() (*record, error) {
			data, err := set.Read(line)
			if err != nil {
				return nil, err
			}
			rec, err := readRecord(data, a.keys)
			if err != nil {
				err = fmt.Errorf("%w: %w", set.Damaged(line.Item), err)
			}
			return rec, err
		}
		rec, err := whole()
		if err != nil {
			return err
		}
		records[place[i]] = rec.light(whole)
	}
	c, err := a.compose(point, records)
	if err != nil {
		return err
	}
	return a.put(point, c)
}
