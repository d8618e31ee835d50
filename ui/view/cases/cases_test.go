package cases

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// Intent: what is typed into a field is taken over, or stays there with what is
// wrong with it, and the jobs stay as they were.
func TestTyping(t *testing.T) {
	tab := Open("hole")
	if !tab.Set(2, 0, "20m") || tab.inline().Rows[2][0] != 1200 || tab.Cell(2, 0) != "20m" {
		t.Errorf("typed 20m: %v, shown %q", tab.inline().Rows[2], tab.Cell(2, 0))
	}
	for text, want := range map[string]string{"much": "is not a duration", "": "is needed", "-3": "cannot be negative"} {
		if tab.Set(2, 3, text); !strings.Contains(tab.Faults["2/3"], want) || tab.inline().Rows[2][3] != 1800 || tab.Cell(2, 3) != text {
			t.Errorf("%q: fault %q, shown %q, jobs %v", text, tab.Faults["2/3"], tab.Cell(2, 3), tab.inline().Rows[2])
		}
	}
	if tab.Set(2, 3, "30m"); len(tab.Faults) != 0 {
		t.Errorf("a fault stays: %v", tab.Faults)
	}
	if tab.Set(1, 1, "0"); !strings.Contains(tab.Faults["1/1"], "needs a processor") {
		t.Errorf("no processors: %v", tab.Faults)
	}
	if !tab.Undo() || tab.inline().Rows[2][0] != 600 {
		t.Errorf("undone: %v", tab.inline().Rows)
	}
	if err := tab.Doc.Validate(); err != nil {
		t.Error(err)
	}
}

// Intent: what is dragged stays within the machine and the table, one drag is one
// step back, and a job that asks for what it runs goes on doing so.
func TestDrag(t *testing.T) {
	tab := Open("hole") // 4 processors; job 3: submitted at 10 min, 1 processor for 30 min
	row := func() []int64 { return tab.inline().Rows[2] }
	tab.Hold()
	for _, v := range []int64{2400, 3000, 3600} {
		if !tab.Drag(2, "run", v, 4) {
			t.Fatalf("run %d: nothing changed", v)
		}
	}
	tab.Release()
	if !slices.Equal(row(), []int64{600, 1, 3600, 3600}) {
		t.Errorf("dragged to an hour: %v", row())
	}
	if !tab.Undo() || !slices.Equal(row(), []int64{600, 1, 1800, 1800}) || tab.Undo() {
		t.Errorf("one drag is not one step back: %v", row())
	}
	tab.Set(2, 2, "50m")
	tab.Drag(2, "run", 1200, 4)
	if !slices.Equal(row(), []int64{600, 1, 3000, 1200}) || !tab.Grips(0, 2).Requested || tab.Grips(0, 1).Requested {
		t.Errorf("the request followed: %v", row())
	}
	for _, c := range []struct {
		column   string
		to, want int64
	}{{"procs", 9, 4}, {"procs", -2, 1}, {"submit", -60, 0}, {"run", 0, 1}, {"user", 3, 0}} {
		if tab.Drag(2, c.column, c.to, 4); tab.Value(2, c.column) != c.want {
			t.Errorf("%s dragged to %d is %d, want %d", c.column, c.to, tab.Value(2, c.column), c.want)
		}
	}
	g := DraggedNumber{Column: "run", From: 1800, X: 100, Y: 50, Per: 10, Height: 26, Grain: 300}
	if g.At(161, 0) != 2400 || g.At(-900, 0) != 300 || g.Key(-1, false) != 1500 || g.Key(1, true) != 1860 {
		t.Errorf("%d, %d, %d, %d", g.At(161, 0), g.At(-900, 0), g.Key(-1, false), g.Key(1, true))
	}
	if g.Column, g.From = "procs", 2; g.At(0, 50-53) != 4 || g.At(0, 50+40) != 0 {
		t.Errorf("%d, %d", g.At(0, -3), g.At(0, 90))
	}
	if err := tab.Doc.Validate(); err != nil {
		t.Error(err)
	}
}

// Intent: a random case is one that can be run, its seed stands in it, and the same
// seed draws the same jobs.
func TestRandom(t *testing.T) {
	for seed := uint64(1); seed <= 300; seed++ {
		a, b := Random(seed), Random(seed)
		if err := a.Doc.Validate(); err != nil || a.Doc.Identity() != b.Doc.Identity() || a.Doc.Seed != seed || a.Doc.Identity() == Random(seed+1).Doc.Identity() {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := a.Rivals().Validate(); err != nil || len(a.Rivals().Schedulers) != 3 {
			t.Fatalf("seed %d: what a schedule is set beside: %v", seed, err)
		}
		if _, why := NewPuzzle(a); why != "" || a.Rows() < 5 || a.Rows() > 9 {
			t.Fatalf("seed %d: %d jobs, %s", seed, a.Rows(), why)
		}
		if hash := experiment.EncodeLink(a.Doc); len(hash) > 600 {
			t.Errorf("seed %d: a link of %d characters", seed, len(hash))
		}
		if a.Drag(0, "run", 60, 4); a.Seed != 0 || a.Doc.Title != "" {
			t.Error("changed, it is no longer what the seed draws")
		}
	}
}

// Intent: tables from spreadsheets, logs and mails are read; a fault names the
// line and leaves the jobs as they were.
func TestPaste(t *testing.T) {
	for _, text := range []string{"0\t4\t100\t80\n5\t8\t60\t60\n", "0,4,100,80\r\n5,8,60,60", "submit;procs;requested;run\n0;4;100;80\n5;8;60;60", "0 4 100 80\n\n5 8 1m 60", "run procs submit requested\n80 4 0 100\n60 8 5 60"} {
		tab := Open("hole")
		if why := tab.Paste(text); why != "" {
			t.Errorf("%q: %s", text, why)
			continue
		}
		in := tab.inline()
		get := func(row int, key string) int64 { return in.Rows[row][slices.Index(in.Columns, key)] }
		if tab.Rows() != 2 || get(0, "run") != 80 || get(1, "procs") != 8 || get(0, "requested") != 100 || get(1, "submit") != 5 || in.Processors != 8 {
			t.Errorf("%q: %v %v on %d", text, in.Columns, in.Rows, in.Processors)
		}
		if err := tab.Doc.Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{"0\t4\t1,5h\t1,5h", "0;4;1,5h;1,5h", "0 4 1,5h 1,5h", "0 4 5,400 5,400"} { // decimals and thousands as spreadsheets write them
		tab := Open("hole")
		if why := tab.Paste(text); why != "" || !slices.Equal(tab.inline().Rows[0], []int64{0, 4, 5400, 5400}) {
			t.Errorf("%q: %s, %v", text, why, tab.inline().Rows[0])
		}
	}
	for text, want := range map[string]string{
		"0,4,1,5h,1,5h":                   "line 1: 6 values, and 4 columns",
		"0 1,5 60 60":                     "line 1, procs: “1,5” is no whole number",
		"0 4 100 80\n5 8 60":              "line 2: 3 values, and 4 columns",
		"0 4 100 80\n5 x 60 60":           "line 2, procs: “x” is no whole number",
		"submit procs\n0 4":               "no column run",
		"submit procs rum\n0 4 5":         "line 1: “rum” is no column",
		"\n \n":                           "no job",
		strings.Repeat("0 1 1 1\n", 1001): "more than 1,000 jobs",
	} {
		tab := Open("hole")
		if why := tab.Paste(text); !strings.Contains(strings.ReplaceAll(why, " ", ","), strings.ReplaceAll(want, " ", ",")) || tab.Rows() != 3 {
			t.Errorf("%.30q: %q, want %q; %d jobs", text, why, want, tab.Rows())
		}
	}
}

// Intent: a puzzle says what is not allowed and why, with the earliest time at
// which it would be, as derived by hand.
func TestPuzzleByHand(t *testing.T) {
	p, why := NewPuzzle(Open("promise")) // 4 processors; 1: 3 for 60 min; 2 at 5: 4 for 60; 3 at 10: 1 for 90; 4 at 15: 1 for 40
	if why != "" {
		t.Fatal(why)
	}
	if why := p.Place(0, 0); why != "" {
		t.Fatal(why)
	}
	for _, c := range []struct {
		job     int
		at      model.Time
		why     string
		allowed model.Time
	}{
		{1, 60, "Job 2 is not submitted before 5 min.", 3600},
		{1, 600, "At 10 min 1 of 4 processors is free; job 2 needs 4.", 3600},
		{2, 600, "", 600},
	} {
		if why, allowed := p.Check(c.job, c.at); strings.ReplaceAll(why, "\u00a0", " ") != c.why || allowed != c.allowed {
			t.Errorf("job %d at %d: %q, %d", c.job+1, c.at, why, allowed)
		}
	}
	p.Promise = true
	why, _ = p.Check(2, 600)
	if want := "The head, job 2, can start at 60 min; job 3 would keep it waiting until 100 min."; strings.ReplaceAll(why, "\u00a0", " ") != want {
		t.Errorf("%q", why)
	}
	if why := p.Place(3, 900); why != "" {
		t.Errorf("job 4 ends before the head starts: %s", why)
	}
	if mean, longest := p.Score(); mean != (0+55+110+0)*60/4.0 || longest != 110*60 {
		t.Errorf("score %v, %v", mean, longest)
	}
	if best, exact := p.Best(); exact || best != (0+55+110+0)*60/4.0 {
		t.Errorf("best that keeps the promise %v", best)
	}
	if _, why := NewPuzzle(Open("estimates")); !strings.Contains(why, "knowing the future") {
		t.Errorf("estimates: %q", why)
	}
	// What the rules of placing do not know would be left out of the reader's schedule,
	// and not of those beside it.
	for _, key := range []string{"limit", "due-stop", "react", "outage", "reservation", "licence", "grid"} {
		if _, why := NewPuzzle(Open(key)); !strings.Contains(why, "plain jobs") {
			t.Errorf("%s: %q", key, why)
		}
	}
}

// Intent: whatever is placed, no instant has more processors in use than there
// are, no job starts before its submission, and what Check allows can be placed.
func TestPuzzleAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, key := range []string{"hole", "promise", "everyone", "orders", "starves", "plan"} {
		for range 50 {
			p, why := NewPuzzle(Open(key))
			if why != "" {
				t.Fatal(key, why)
			}
			p.Promise = rng.IntN(2) == 0
			for range 40 {
				job := rng.IntN(len(p.Start))
				p.Take(job)
				why, allowed := p.Check(job, model.Time(rng.Int64N(8000)))
				if again := p.Place(job, allowed); again != "" && !p.Promise {
					t.Fatalf("%s: %q allows job %d at %d, and then: %s", key, why, job+1, allowed, again)
				}
			}
			c := p.Columns()
			for i, s := range p.Start {
				if s >= 0 && s < p.Jobs.Submit[i] {
					t.Fatalf("%s: job %d before its submission", key, i+1)
				}
			}
			held := make([]int32, len(p.Start))
			for k, a := range c.Spans {
				held[a.Job] += a.Count
				for _, b := range c.Spans[:k] {
					if a.First < b.First+b.Count && b.First < a.First+a.Count && c.Start[a.Job] < c.End[b.Job] && c.Start[b.Job] < c.End[a.Job] {
						t.Fatalf("%s: jobs %d and %d hold the same processor", key, a.Job+1, b.Job+1)
					}
				}
			}
			for i, s := range p.Start {
				if s >= 0 && held[i] != p.Jobs.Procs[i] {
					t.Fatalf("%s: job %d holds %d of %d processors", key, i+1, held[i], p.Jobs.Procs[i])
				}
			}
		}
	}
}

// Intent: every column that a table of jobs may have has a name over it, and those of no
// time are no times: partition 120 of a case is not "2m".
func TestColumnsHaveNames(t *testing.T) {
	times := 0
	for _, c := range experiment.Columns {
		if names[c.Key] == "" {
			t.Errorf("%s has no name", c.Key)
		}
		if isTime(c.Key) {
			times++
		}
	}
	if times != 6 || isTime("partition") || isTime("qos") || isTime("account") {
		t.Errorf("%d columns are times", times)
	}
}
