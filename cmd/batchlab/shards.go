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
)

// shardFlag is --shard I/N; of is 0 where it is not given.
type shardFlag struct{ i, of int }

// shard defines the flag for one shard of the work.
func (f *flags) shard() *shardFlag {
	p := &shardFlag{}
	f.add("shard", "I/N", "Do every N-th item only, from the I-th on (1/N … N/N), and leave it in --out as shard-I-of-N.json, for batchlab merge; what was begun there is gone on with.", func(s string) error {
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

// doShard does what is left of a shard, item by item, and returns what it is.
func doShard(dir string, h shard.Header, workers int, prog *progress, do func(worker, item int) ([]byte, error)) (any, error) {
	w, err := shard.Open(dir, h)
	if err != nil {
		return nil, err
	}
	for _, note := range w.Notes {
		fmt.Fprintln(prog.w, note)
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
	})
	prog.end()
	if err == nil {
		err = w.Finish()
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return result, nil
}

// headerOf says what shards are of, but for their items, options and document.
func headerOf(command, identity string, logs []experiment.Log, part *shardFlag) shard.Header {
	h := shard.Header{Command: command, Build: experiment.ThisBuild(), Identity: identity, Logs: []string{}, Shard: part.i, Of: part.of}
	for _, l := range logs {
		h.Logs = append(h.Logs, l.SHA256)
	}
	slices.Sort(h.Logs)
	return h
}

// runOptions is what a shard of a run depends on beside its document.
type runOptions struct {
	Jobs     bool `json:"jobs"`     // jobs files are written
	Measures int  `json:"measures"` // that this version knows
}

// header says what the shards of the runner's work are of.
func (r *runner) header(part *shardFlag) shard.Header {
	var logs []experiment.Log
	for _, l := range r.logs {
		logs = append(logs, l.ref)
	}
	h := headerOf("run", r.doc.Identity(), logs, part)
	h.Items, h.Document = r.sweep.Items.Len(), experiment.EncodeCompact(r.doc)
	h.Options = plainJSON(runOptions{r.jobs != "", len(catalog.Metrics)})
	return h
}

// shard does one shard of the runs.
func (r *runner) shard(part *shardFlag, dir string) (any, error) {
	workers := r.sweepers()
	return doShard(dir, r.header(part), r.workers, r.prog, func(worker, item int) ([]byte, error) {
		rec, err := r.run(workers[worker], worker, item)
		if err != nil {
			return nil, err
		}
		return rec.append(nil), nil
	})
}

// merge puts the shards in a folder together.
func merge(c *call) action {
	c.intro = "Puts the shards in a folder together: prints and writes what the command would have without --shard, with the same digest."
	paths := c.files("log", "FILE", "A log that the shards were made with. Only presets of studies that compute for themselves need it (repeatable).")
	summary, workers := c.summary(), c.parallel()
	return func(rest []string) (any, error) {
		if err := checkSummary("merge", *summary); err != nil {
			return nil, err
		}
		if len(rest) != 1 {
			return nil, errors.New("merge: which folder? batchlab merge " + c.use)
		}
		set, err := shard.OpenSet(rest[0])
		if err != nil {
			return nil, err
		}
		defer set.Close()
		if why := experiment.EnginesApart(set.Engine, experiment.Engine); why != "" {
			return nil, fmt.Errorf("%s: shards of another version of Batchlab, %s", rest[0], why)
		}
		if *summary != "" && set.Command != "run" {
			return nil, fmt.Errorf("merge: --summary: these are shards of batchlab %s, not of runs", set.Command)
		}
		switch set.Command {
		case "run":
			return nil, mergeRuns(c, set, rest[0], *summary, int(*workers))
		case "search":
			return mergeSearch(set, rest[0])
		case "paper":
			logs, err := readLogs(*paths, true, c.stderr)
			if err != nil {
				return nil, err
			}
			return mergePreset(c, set, logs, rest[0], int(*workers))
		}
		return nil, fmt.Errorf("%s: shards of batchlab %s, which this version does not merge", rest[0], set.Command)
	}
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
func mergeRuns(c *call, set *shard.Set, dir, summary string, workers int) error {
	e, err := documentOf(set, dir)
	if err != nil {
		return err
	}
	points := e.Points()
	items, err := points.Items()
	if err == nil && items.Len() != set.Items {
		err = fmt.Errorf("%s: shards of %d runs, the document makes %d", dir, set.Items, items.Len())
	}
	if err != nil {
		return err
	}
	a, err := newAssembler(e, points, items, summary)
	defer a.close()
	if err != nil {
		return err
	}
	a.window = 2 * workers
	var reading sync.Mutex
	next := 0
	err = newProgress(c.stderr).each("points", workers, points.Len(), func(worker, _ int) error {
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
		return err
	})
	if err == nil {
		if _, err = set.Next(); err == io.EOF {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	return a.finish(c, dir, dir, keptDocument(dir, e))
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
