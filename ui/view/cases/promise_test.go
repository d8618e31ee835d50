package cases

import (
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
)

// kept returns a puzzle of a case with the rule of the promise.
func kept(t *testing.T, key string) *Puzzle {
	t.Helper()
	p, why := NewPuzzle(Open(key))
	if why != "" {
		t.Fatal(why)
	}
	p.Promise = true
	return p
}

func plain(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

// Intent: in whatever order jobs are placed, one that keeps the head from its
// promise is named: what was placed before is looked at again after each placement.
func TestPromiseInAnyOrder(t *testing.T) {
	const broken = "The head, job 2, can start at 60 min; job 3 keeps it waiting until 100 min."
	p := kept(t, "promise") // 4 processors; 1: 3 for 60 min; 2 at 5: 4 for 60; 3 at 10: 1 for 90; 4 at 15: 1 for 40
	if why := p.Place(2, 600); why != "" || len(p.Broken()) > 0 {
		t.Fatalf("job 3 alone, the head fits beside it: %q, %v", why, p.Broken())
	}
	if why := p.Place(0, 0); why != "" || plain(p.Broken()[2]) != broken {
		t.Errorf("after job 1, which makes job 2 the head: %q, %v", why, p.Broken())
	}
	if why, at := p.Check(1, 3600); plain(why) != "At 60 min 3 of 4 processors are free; job 2 needs 4." || at != 6000 {
		t.Errorf("job 2 at its promise: %q, %d", why, at)
	}
	p.Place(1, 6000)
	p.Place(3, 900)
	if plain(p.Broken()[2]) != broken || len(p.Broken()) != 1 {
		t.Errorf("all placed: %v", p.Broken())
	}
	p.Take(2)
	if plain(p.Broken()[1]) != "Job 2 is first in the queue and fits at 60 min; it cannot start later." {
		t.Errorf("without job 3 the head has no reason to wait: %v", p.Broken())
	}
	p.Take(1)
	for _, c := range []struct {
		job     int
		at      model.Time
		why     string
		allowed model.Time
	}{
		{1, 7200, "Job 2 is first in the queue and fits at 60 min; it cannot start later.", 3600},
		{2, 600, "The head, job 2, can start at 60 min; job 3 would keep it waiting until 100 min.", -1},
	} {
		if why, allowed := p.Check(c.job, c.at); plain(why) != c.why || allowed != c.allowed {
			t.Errorf("job %d at %d: %q, %d", c.job+1, c.at, why, allowed)
		}
	}
	if why := p.Place(1, 3600) + p.Place(2, 7200); why != "" || len(p.Broken()) > 0 {
		t.Errorf("EASY's own schedule: %q, %v", why, p.Broken())
	}
	p = kept(t, "promise")
	p.Promise = false
	for i, at := range []model.Time{0, 6000, 600, 900} {
		p.Place(i, at)
	}
	if p.Broken() != nil {
		t.Error("no rule, nothing is broken")
	}
	if p.Promise = true; len(p.Broken()) != 1 {
		t.Errorf("the rule came last: %v", p.Broken())
	}
}

// Intent: EASY's own schedules keep the promise, whatever the case and the order in
// which they are placed; so does the best that is found, which is never worse.
func TestEasyKeepsThePromise(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tables := []*Table{Open("hole"), Open("promise"), Open("beside"), Open("everyone"), Open("orders"), Open("starves"), Open("plan"), Open("ties")}
	for seed := uint64(1); seed <= 40; seed++ {
		tables = append(tables, Random(seed))
	}
	for _, table := range tables {
		p, why := NewPuzzle(table)
		if why != "" {
			t.Fatal(why)
		}
		p.Promise = true
		doc := table.Rivals()
		doc.Schedulers = doc.Schedulers[1:2] // EASY
		starts := easyStarts(t, doc)
		for _, job := range rng.Perm(len(starts)) {
			p.Start[job] = starts[job]
		}
		if broken := p.Broken(); len(broken) > 0 {
			t.Errorf("%s%s: EASY %v: %v", table.Key, table.Doc.Title, starts, broken)
		}
		mean, _ := p.Score()
		if best, exact := p.Best(); best > mean || exact {
			t.Errorf("%s%s: the best found is %v, EASY has %v", table.Key, table.Doc.Title, best, mean)
		}
	}
}

// easyStarts are the starts of an experiment's jobs under its first scheduler.
func easyStarts(t *testing.T, doc *experiment.Experiment) []model.Time {
	t.Helper()
	var starts []model.Time
	_, err := lab.Run(doc, lab.Env{}, lab.Options{}, func(id lab.RunID, p *lab.Prepared, r *lab.Result) error {
		starts = make([]model.Time, len(r.Schedule.Workload.Jobs))
		for _, x := range r.Schedule.Executions {
			starts[r.Schedule.Workload.Jobs[x.Job].Number-1] = x.Start
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return starts
}

// Intent: with the promise the best that is found is what trying all starts finds,
// and without it a better one may be there.
func TestBestKeepsThePromise(t *testing.T) {
	for _, key := range []string{"hole", "promise", "beside", "everyone"} {
		p := kept(t, key)
		least := -1.0
		var try func(job int)
		try = func(job int) {
			if job == len(p.Start) {
				if mean, _ := p.Score(); len(p.Broken()) == 0 && (least < 0 || mean < least) {
					least = mean
				}
				return
			}
			for at := p.Jobs.Submit[job]; at <= 12900; at += 300 {
				if _, no := p.clash(p.Start, job, at); no {
					continue
				}
				p.Start[job] = at
				if mean, _ := p.score(p.Start[:job+1]); least < 0 || mean*float64(job+1) < least*float64(len(p.Start)) {
					try(job + 1)
				}
				p.Start[job] = -1
			}
		}
		try(0)
		if best, _ := p.Best(); best != least {
			t.Errorf("%s: best found %v, of all starts %v", key, best, least)
		}
	}
	p := kept(t, "everyone")
	with, _ := p.Best()
	p.Promise = false
	if without, exact := p.Best(); !exact || without > with {
		t.Errorf("without the rule %v, with it %v", without, with)
	}
}
