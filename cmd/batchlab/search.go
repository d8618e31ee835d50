package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"batchlab/cmd/batchlab/shard"
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/windows"
)

// searchCommand searches for queue orders, as the page's tab Search does.
func searchCommand(c *call) action {
	c.intro = "Searches for queue orders, window by window, as the page's tab Search does from the same document; - is standard input."
	w := c.work("Folder for experiment.json, windows.csv, strategies.csv and, where the search has one, coverage.csv.")
	return func(rest []string) (any, error) {
		if err := w.check(c, rest); err != nil {
			return nil, err
		}
		r, err := w.open(nil, c.stderr)
		if err != nil {
			return nil, err
		}
		s, err := r.openSearch()
		if err == nil {
			err = w.folder()
		}
		if err == nil && w.part.of > 0 {
			return s.shard(w.part, *w.out)
		}
		if err == nil {
			err = s.all()
		}
		if err != nil {
			return nil, err
		}
		return finishSearch(&s.Search, r.doc, *w.out, w.document)
	}
}

// searcher does a search natively.
type searcher struct {
	windows.Search
	runner *runner
	labs   []*lab.Searcher // by worker, made on first use
}

// openSearch cuts the workload of the runner's document into windows.
func (r *runner) openSearch() (*searcher, error) {
	if r.varies() {
		return nil, fmt.Errorf("%s: vary: a search is of one workload; take vary out, or put values in", r.name)
	}
	if fault := r.doc.Unsearchable(); fault != nil {
		return nil, fmt.Errorf("%s: %w", r.name, fault)
	}
	doc := *r.doc.Clone()
	doc.Search = windows.Params(&doc)
	s := &searcher{Search: windows.Search{Doc: doc}, runner: r, labs: make([]*lab.Searcher, r.workers)}
	first, err := s.lab(0)
	if err != nil {
		return nil, err
	}
	s.Weeks = first.Weeks()
	if err := s.Prepare(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return s, nil
}

func (s *searcher) lab(worker int) (*lab.Searcher, error) {
	if s.labs[worker] == nil {
		made, err := lab.NewSearcher(&s.Doc, s.runner.env)
		if err != nil {
			return nil, s.runner.explain(errors.New(strings.TrimPrefix(err.Error(), "mixed: ")))
		}
		s.labs[worker] = made
	}
	return s.labs[worker], nil
}

// do does a piece.
func (s *searcher) do(worker int, p windows.Piece, before int) (a windows.Answer, err error) {
	l, err := s.lab(worker)
	if err != nil {
		return a, err
	}
	a.Values, a.Found, err = l.Do(p, func(done, total int) bool {
		s.runner.prog.amount(worker, float64(before)+float64(p.Work)*float64(done)/float64(max(1, total)))
		return true
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", s.runner.name, err)
	}
	return a, err
}

// all does the whole search, phase by phase.
func (s *searcher) all() error {
	prog := s.runner.prog
	total := 0
	phases := s.Phases()
	for _, p := range phases {
		total += p.Work
	}
	prog.start("simulations", total, 0, s.runner.workers)
	defer prog.end()
	var taking sync.Mutex
	for _, phase := range phases {
		pieces := phase.Pieces()
		if err := each(s.runner.workers, len(pieces), func(worker, i int) error {
			a, err := s.do(worker, pieces[i], 0)
			if err != nil {
				return err
			}
			prog.finished(worker, pieces[i].Work)
			taking.Lock()
			defer taking.Unlock()
			return s.Take(&pieces[i], &a)
		}); err != nil {
			return err
		}
	}
	return nil
}

// answered is the answer of a piece in a shard.
type answered struct {
	Piece  windows.Piece  `json:"piece"`
	Values []byte         `json:"values,omitempty"` // bits of float64, little-endian
	Found  *windows.Found `json:"found,omitempty"`
}

// searchOptions is what shards of a search agree in beside the document.
type searchOptions struct {
	Weeks []windows.Week `json:"windows"`
}

// header says what the shards of a search are of.
func (s *searcher) header(part *shardFlag) shard.Header {
	h := s.runner.header(part)
	h.Command, h.Items, h.Options = "search", s.Items(), plainJSON(searchOptions{s.Weeks})
	return h
}

// shard does one shard of the search: whole windows.
func (s *searcher) shard(part *shardFlag, dir string) (any, error) {
	return doShard(dir, s.header(part), s.runner.workers, s.runner.prog, func(worker, item int) ([]byte, error) {
		var list []answered
		work, done := max(1, s.Work(item)), 0
		err := s.Item(item, func(p windows.Piece) (windows.Answer, error) {
			a, err := s.do(worker, p, 0)
			done += p.Work
			s.runner.prog.amount(worker, float64(done)/float64(work))
			return a, err
		}, func(p windows.Piece, a windows.Answer) {
			one := answered{Piece: p, Found: a.Found}
			for _, v := range a.Values {
				one.Values = binary.LittleEndian.AppendUint64(one.Values, math.Float64bits(v))
			}
			list = append(list, one)
		})
		if err != nil {
			return nil, err
		}
		return plainJSON(list), nil
	})
}

// mergeSearch merges shards of a search.
func mergeSearch(set *shard.Set, dir string) (any, error) {
	e, err := documentOf(set, dir)
	if err != nil {
		return nil, err
	}
	var options searchOptions
	if err := json.Unmarshal(set.Options, &options); err != nil {
		return nil, fmt.Errorf("%s: the windows in shards: %w", dir, err)
	}
	s := &windows.Search{Doc: *e, Weeks: options.Weeks}
	s.Doc.Search = windows.Params(e)
	if err := s.Prepare(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if s.Items() != set.Items {
		return nil, fmt.Errorf("%s: shards of %d items, the search has %d", dir, set.Items, s.Items())
	}
	if err := set.All(func(item int, data []byte) error {
		var list []answered
		if json.Unmarshal(data, &list) != nil {
			return set.Damaged(item)
		}
		for i := range list {
			a := windows.Answer{Found: list[i].Found}
			for bits := list[i].Values; len(bits) >= 8; bits = bits[8:] {
				a.Values = append(a.Values, math.Float64frombits(binary.LittleEndian.Uint64(bits)))
			}
			p := &list[i].Piece
			if p.Week < 0 || p.Last >= len(s.Weeks) || p.Week > p.Last {
				return set.Damaged(item)
			}
			if err := s.Take(p, &a); err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return finishSearch(s, e, dir, keptDocument(dir, e))
}

// searchResult is what search prints.
type searchResult struct {
	Title    string `json:"title"`
	Identity string `json:"identity"`
	experiment.Build
	Print      string           `json:"fingerprint"` // of all values, to the last bit
	Features   int              `json:"features"`    // that a mixed order weighs
	Train      []int            `json:"train"`       // numbers of the windows on which weights are learned
	Test       []int            `json:"test"`        // and of those on which they are tested
	Orders     []orderSum       `json:"orders"`
	Strategies []strategyResult `json:"strategies"`
	Trained    *windows.Found   `json:"trained,omitempty"` // of xNES over the training windows
	Windows    []windowResult   `json:"windows"`
}

// orderSum is a pure order with its sum over the windows with jobs.
type orderSum struct {
	Key  string   `json:"key"`
	Name string   `json:"name"`
	Sum  *float64 `json:"sum"`
}

// strategyResult is one way of choosing the order of each window.
type strategyResult struct {
	Key    string     `json:"key"`
	Name   string     `json:"name"`
	Ours   bool       `json:"ours"` // not in the study
	Pure   bool       `json:"pure"` // a pure order in every window
	Train  *float64   `json:"sum_train"`
	Test   *float64   `json:"sum_test"`
	None   int        `json:"none"`   // windows without a choice
	Values []*float64 `json:"values"` // window by window
}

// windowResult is what was found in a window.
type windowResult struct {
	windows.Week
	Orders []*float64     `json:"by_order"`       // of the pure orders, in the order of "orders" in the catalog
	Best   *bestWeights   `json:"best,omitempty"` // of the coverage
	XNES   *windows.Found `json:"xnes,omitempty"`
}

type bestWeights struct {
	Weights []float64 `json:"weights"`
	Value   float64   `json:"value"`
}

// known is a value that JSON can hold, nil for none.
func known(v float64) *float64 {
	if !finite(v) {
		return nil
	}
	return &v
}

func knowns(list []float64) []*float64 {
	out := make([]*float64, len(list))
	for i, v := range list {
		out[i] = known(v)
	}
	return out
}

func numbersOf(s *windows.Search, weeks []int) []int {
	list := []int{}
	for _, w := range weeks {
		list = append(list, s.Weeks[w].Number)
	}
	return list
}

// finishSearch writes and returns the results of a search.
func finishSearch(s *windows.Search, doc *experiment.Experiment, dir, read string) (any, error) {
	r := searchResult{Title: doc.Title, Identity: doc.Identity(), Build: experiment.ThisBuild(), Print: fmt.Sprintf("%016x", s.Fingerprint()), Features: s.Features(), Trained: s.Trained}
	train, test := s.Split()
	r.Train, r.Test = numbersOf(s, train), numbersOf(s, test)
	keys := orderKeys(s)
	for _, c := range s.Ranked() {
		r.Orders = append(r.Orders, orderSum{keys[c], s.Orders[c], known(s.Sums()[c])})
	}
	for _, one := range s.Strategies() {
		r.Strategies = append(r.Strategies, strategyResult{one.Key, one.Name, one.Ours, one.Pure, known(one.Train), known(one.Test), one.None, knowns(one.Values)})
	}
	best := s.Best()
	for w, week := range s.Weeks {
		one := windowResult{Week: week, Orders: knowns(s.Pure.Row(w))}
		if week.Jobs == 0 {
			one.Orders = []*float64{}
		}
		if best != nil && best[w].Candidate >= 0 {
			one.Best = &bestWeights{make([]float64, s.Features()), best[w].Value}
			s.Coverage.At(best[w].Candidate, one.Best.Weights)
		}
		if s.Found != nil {
			one.XNES = s.Found[w]
		}
		r.Windows = append(r.Windows, one)
	}
	if dir != "" {
		err := errors.Join(
			writeWhole(filepath.Join(dir, "windows.csv"), windowsCSV(s, keys, &r)),
			writeWhole(filepath.Join(dir, "strategies.csv"), strategiesCSV(s, &r)))
		if s.Cover != nil && err == nil {
			err = writeWhole(filepath.Join(dir, "coverage.csv"), coverageCSV(s))
		}
		if path := filepath.Join(dir, "experiment.json"); err == nil && !sameFile(path, read) {
			err = os.WriteFile(path, experiment.Encode(doc), 0o666)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// orderKeys are the keys of the pure orders, the formula's last.
func orderKeys(s *windows.Search) []string {
	var keys []string
	for i := range s.Orders {
		if i < len(catalog.Orders) {
			keys = append(keys, catalog.Orders[i].Key)
		} else {
			keys = append(keys, "own")
		}
	}
	return keys
}

// csvTable writes lines of a CSV file.
type csvTable struct{ bytes.Buffer }

func (t *csvTable) line(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			t.WriteByte(',')
		}
		switch c := c.(type) {
		case float64:
			if finite(c) {
				t.WriteString(strconv.FormatFloat(c, 'f', -1, 64))
			}
		case *float64:
			if c != nil {
				t.WriteString(strconv.FormatFloat(*c, 'f', -1, 64))
			}
		default:
			t.WriteString(report.CSVText(fmt.Sprint(c)))
		}
	}
	t.WriteByte('\n')
}

// weightNames are the features that weights belong to, in their order.
var weightNames = []string{"q", "p", "wait", "rho", "exp", "a"}

func headed(before []any, prefix string, names []string, after ...any) []any {
	for _, n := range names {
		before = append(before, prefix+n)
	}
	return append(before, after...)
}

// windowsCSV has a line for each window.
func windowsCSV(s *windows.Search, keys []string, r *searchResult) []byte {
	var t csvTable
	names := weightNames[:s.Features()]
	head := headed([]any{"window", "from", "to", "jobs"}, "", keys)
	if s.Cover != nil {
		head = headed(head, "best_", names, "best")
	}
	if s.Found != nil {
		head = headed(head, "xnes_", names, "xnes", "xnes_evaluations")
	}
	t.line(head...)
	for w := range r.Windows {
		one := &r.Windows[w]
		row := []any{one.Number, one.From, one.To, one.Jobs}
		for c := range keys {
			row = append(row, s.Pure.At(w, c))
		}
		weights := func(list []float64, more ...any) {
			for i := range names {
				if v := math.NaN(); i < len(list) {
					row = append(row, list[i])
				} else {
					row = append(row, v)
				}
			}
			row = append(row, more...)
		}
		if s.Cover != nil {
			if one.Best != nil {
				weights(one.Best.Weights, one.Best.Value)
			} else {
				weights(nil, math.NaN())
			}
		}
		if s.Found != nil {
			if one.XNES != nil {
				weights(one.XNES.Weights, one.XNES.Value, one.XNES.Evaluations)
			} else {
				weights(nil, math.NaN(), "")
			}
		}
		t.line(row...)
	}
	return t.Bytes()
}

// strategiesCSV has a line for each way of choosing, and a column for each
// window.
func strategiesCSV(s *windows.Search, r *searchResult) []byte {
	var t csvTable
	head := []any{"key", "name", "sum_train", "sum_test", "none"}
	for _, w := range s.Weeks {
		head = append(head, w.Number)
	}
	t.line(head...)
	for _, one := range r.Strategies {
		row := []any{one.Key, one.Name, one.Train, one.Test, one.None}
		for _, v := range one.Values {
			row = append(row, v)
		}
		t.line(row...)
	}
	return t.Bytes()
}

// coverageCSV has a line for each vector of the coverage, and a column for each
// window.
func coverageCSV(s *windows.Search) []byte {
	var t csvTable
	head := headed(nil, "", weightNames[:s.Features()])
	for _, w := range s.Weeks {
		head = append(head, w.Number)
	}
	t.line(head...)
	v := make([]float64, s.Features())
	for i := range s.Coverage.Len() {
		s.Coverage.At(i, v)
		row := make([]any, 0, len(head))
		for _, x := range v {
			row = append(row, x)
		}
		for w := range s.Weeks {
			row = append(row, s.Cover.At(w, i))
		}
		t.line(row...)
	}
	return t.Bytes()
}

// writeWhole writes a file whole or not at all.
func writeWhole(path string, data []byte) error {
	var s spool
	s.add(data)
	return writeSpool(path, "", &s)
}
