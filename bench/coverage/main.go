// Coverage measures how often the 95 % intervals of one log hold the truth. It
// draws many logs from processes whose typical quotients are known from many more,
// makes the page's intervals for each log, and counts. It is run by hand:
//
//	go run ./bench/coverage -out DIR -logs 100         # goes on where it was ended, one log of each cell after another
//	go run ./bench/coverage -out DIR -table            # the tables of docs/intervals.md (that of processes stands in intervals.csv) of what is there
//	go run ./bench/coverage -out DIR -again -table     # after a rule has changed: the same logs, intervals of today
//	python3 bench/coverage/check.py DIR                # the same intervals and counts, by a program of its own
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// cell is a process at a load, with logs of so many weeks, and what is asked of them.
type cell struct {
	process string
	load    float64
	weeks   int
	asks    []int // of questions
	each    int   // logs of it that come to one of the others
	most    int   // rounds; 0: as many as are asked for

	of    *process
	logs  []tried
	truth []values // of further logs, from which the typical quotients are known
	file  *os.File
}

var (
	differ = []int{0, 1, 2}
	alike  = []int{3, 4, 5}
)

// cells are those of the study.
var cells = []*cell{
	{process: "stays", load: .6, weeks: 12, asks: differ}, {process: "heavy", load: .6, weeks: 12, asks: differ}, {process: "regulars", load: .6, weeks: 12, asks: differ}, {process: "weeks", load: .6, weeks: 12, asks: differ}, {process: "season", load: .6, weeks: 12, asks: differ},
	{process: "stays", load: .75, weeks: 12, asks: differ}, {process: "heavy", load: .75, weeks: 12, asks: differ}, {process: "regulars", load: .75, weeks: 12, asks: differ}, {process: "weeks", load: .75, weeks: 12, asks: differ}, {process: "season", load: .75, weeks: 12, asks: differ},
	{process: "stays", load: .9, weeks: 12, asks: differ}, {process: "heavy", load: .9, weeks: 12, asks: differ}, {process: "regulars", load: .9, weeks: 12, asks: differ}, {process: "weeks", load: .9, weeks: 12, asks: differ}, {process: "season", load: .9, weeks: 12, asks: differ},
	{process: "stays", load: .75, weeks: 4, asks: differ}, {process: "heavy", load: .75, weeks: 24, asks: differ}, {process: "stays", load: .75, weeks: 36, asks: differ},
	{process: "stays", load: .75, weeks: 12, asks: alike}, {process: "heavy", load: .75, weeks: 12, asks: alike}, {process: "regulars", load: .75, weeks: 12, asks: alike}, {process: "weeks", load: .75, weeks: 12, asks: alike}, {process: "season", load: .75, weeks: 12, asks: alike},
	{process: "stays", load: .75, weeks: 4, asks: alike, each: 5}, {process: "heavy", load: .75, weeks: 4, asks: alike, each: 5}, {process: "regulars", load: .75, weeks: 4, asks: alike, each: 5}, {process: "weeks", load: .75, weeks: 4, asks: alike, each: 5}, {process: "season", load: .75, weeks: 4, asks: alike, each: 5},
}

func (c *cell) String() string { return fmt.Sprintf("%s, %v, %d", c.process, c.load, c.weeks) }

func (c *cell) name() string {
	name := fmt.Sprintf("%s-%v-%d", c.process, c.load, c.weeks)
	if c.asks[0] == alike[0] {
		name += "-alike"
	}
	return name
}

// seed of the i-th log that is tried.
func (c *cell) seed(i int) [2]uint64 {
	return [2]uint64{uint64(i), uint64(c.weeks)*1000 + uint64(100*c.load)}
}

// fewestAlike is how many rounds the cells of cases without a difference take part in:
// they give 2,000 questions of each kind by then, but for draws of weeks.
const fewestAlike = 34

// further is how many more logs there are for each that is tried; of these the
// typical quotients are known. Their seeds begin with 1,000,000.
const further = 3

// under are the schedulers that the cell's questions compare.
func (c *cell) under(dear bool) (out []int) {
	seen := [schedulers]bool{conservative: !dear}
	for _, i := range c.asks {
		for _, s := range []int{questions[i].a, questions[i].b} {
			if !seen[s] {
				out, seen[s] = append(out, s), true
			}
		}
	}
	return out
}

// line is one of a cell's file.
type line struct {
	Cell    string  `json:",omitempty"` // of the first line
	Asks    []int   `json:",omitempty"`
	Log     *tried  `json:",omitempty"`
	Further *values `json:",omitempty"`
}

// open reads what was tried before, up to its last whole line.
func (c *cell) open(folder string) error {
	name := filepath.Join(folder, c.name()+".jsonl")
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		if l.Log != nil {
			c.logs = append(c.logs, *l.Log)
		}
		if l.Further != nil {
			c.truth = append(c.truth, *l.Further)
		}
	}
	if c.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if err := c.file.Truncate(int64(len(data))); err != nil {
		return err
	}
	if _, err := c.file.Seek(int64(len(data)), 0); err != nil {
		return err
	}
	if len(data) == 0 {
		return c.write(line{Cell: c.String(), Asks: c.asks})
	}
	return nil
}

// again writes the cell's file again, with intervals of today.
func (c *cell) again() error {
	err := c.file.Truncate(0)
	if err == nil {
		_, err = c.file.Seek(0, 0)
	}
	if err == nil {
		err = c.write(line{Cell: c.String(), Asks: c.asks})
	}
	for i := 0; err == nil && i < len(c.truth); i++ {
		err = c.write(line{Further: &c.truth[i]})
	}
	for i := 0; err == nil && i < len(c.logs); i++ {
		c.logs[i].judge(c.asks)
		err = c.write(line{Log: &c.logs[i]})
	}
	return err
}

func (c *cell) write(l line) error { return json.NewEncoder(c.file).Encode(l) }

// on tries logs until there are so many, with the further ones that go with them.
func (c *cell) on(b *bench, logs int, folder string) error {
	for len(c.logs) < logs {
		for len(c.truth) < further*(len(c.logs)+1) {
			i := len(c.truth)
			seed := c.seed(1_000_000 + i)
			r := rand.New(rand.NewPCG(seed[0], seed[1]))
			v, err := b.all(c.of.log(c.weeks, c.load, r), c.under(i%dearFurther == 0), nil)
			if err != nil {
				return err
			}
			c.truth = append(c.truth, v)
			if err := c.write(line{Further: &v}); err != nil {
				return err
			}
		}
		t, w, err := b.try(c, len(c.logs))
		if err != nil {
			return err
		}
		if len(c.logs) == 0 {
			if err := b.export(filepath.Join(folder, c.name()+"-jobs.csv"), w); err != nil {
				return err
			}
		}
		c.logs = append(c.logs, t)
		if err := c.write(line{Log: &t}); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	out := flag.String("out", "", "the folder of draws and jobs")
	logs := flag.Int("logs", 0, "logs of each cell that are tried")
	again := flag.Bool("again", false, "make the intervals of what is there again, after a rule has changed")
	show := flag.Bool("table", false, "print the tables")
	flag.Parse()
	if err := study(*out, *logs, *again, *show); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func study(out string, logs int, again, show bool) error {
	if out == "" {
		return fmt.Errorf("-out is missing: the folder of the study")
	}
	for _, c := range cells {
		for i := range processes {
			if processes[i].name == c.process {
				c.of = &processes[i]
			}
		}
		if c.each = max(1, c.each); c.asks[0] == alike[0] {
			c.most = fewestAlike
		}
		if err := c.open(out); err != nil {
			return err
		}
		if again {
			if err := c.again(); err != nil {
				return err
			}
		}
	}
	b := newBench()
	for i := 1; i <= logs; i++ { // of all cells alike, so that it can be ended at any time
		for _, c := range cells {
			rounds := i
			if c.most > 0 {
				rounds = min(i, c.most)
			}
			if err := c.on(b, rounds*c.each, out); err != nil {
				return err
			}
		}
	}
	if show {
		return tables(os.Stdout)
	}
	return nil
}
