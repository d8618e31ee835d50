package instant

import (
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// lecture is three jobs on four processors: the second waits for the first.
func lecture() *Board {
	return &Board{
		Jobs: &report.Jobs{Number: []int64{1, 2, 3}, Submit: []model.Time{0, 300, 600}, Limit: []model.Time{3600, 3600, 1800}, Run: []model.Time{3600, 3600, 1800}, Procs: []int32{3, 4, 1}},
		Run: &report.Columns{Start: []model.Time{0, 3600, 600}, End: []model.Time{3600, 7200, 2400},
			Spans: []report.Span{{Job: 0, First: 0, Count: 3}, {Job: 1, First: 0, Count: 4}, {Job: 2, First: 3, Count: 1}}},
		Processors: 4, Job: -1, Name: "EASY",
	}
}

// Intent: a board in which time stands still says what runs, what waits and
// what is over then, and nothing of what comes later.
func TestBoardStandsStill(t *testing.T) {
	b := lecture()
	if got := b.Sentence(); got != "EASY, whole schedule in minutes: jobs 1 from 0 to 60, 2 from 60 to 120, 3 from 10 to 40." {
		t.Error(got)
	}
	at := model.Time(600)
	b.At = &at
	if got := b.Sentence(); got != "EASY at 10 min, 4 processors. Running: jobs 1 on 3, 3 on 1. Waiting: job 2." {
		t.Error(got)
	}
	if got := b.Waiting(); len(got) != 1 || got[0] != 1 {
		t.Errorf("waiting %v", got)
	}
	// A question about who starts then would be answered by the picture.
	svg := b.SVG(600)
	b.Before = true
	if got := b.Sentence(); got != "EASY at 10 min, 4 processors. Running: job 1 on 3. Waiting: jobs 2, 3." || len(b.Waiting()) != 2 || b.SVG(600) == svg {
		t.Error(got)
	}
	if b.Before = false; b.SVG(600) != svg {
		t.Error("the picture changes")
	}
	b.Jobs.Marks = []int32{0, report.MarkReserved, 0} // a reservation does not wait
	if got := b.Sentence(); got != "EASY at 10 min, 4 processors. Running: jobs 1 on 3, 3 on 1. Booked: job 2 from 60 to 120." {
		t.Error(got)
	}
	b.Jobs.Marks = nil
	if at = 2400; !strings.Contains(b.Sentence(), "Ended: job 3.") {
		t.Error(b.Sentence())
	}
	if at = 299; strings.Contains(b.Sentence(), "2") && strings.Contains(b.Sentence(), "Waiting") {
		t.Errorf("job 2 is not there yet: %s", b.Sentence())
	}
}

// Intent: whatever happens after the instant, the board drawn at it is the same
// picture: run times of running jobs and all that starts later are not in it.
func TestBoardHidesTheFuture(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		b := lecture()
		at := model.Time(rng.Int64N(7000))
		b.At, b.Until = &at, 9000
		before := b.SVG(600)
		for i := range b.Jobs.Number {
			switch {
			case b.Run.Start[i] > at:
				b.Run.Start[i] += model.Time(rng.Int64N(500))
				b.Run.End[i] += 1000
			case b.Run.End[i] > at:
				b.Run.End[i] = at + 1 + model.Time(rng.Int64N(5000))
			}
			b.Jobs.Run[i] = 1
		}
		if after := b.SVG(600); after != before {
			t.Fatalf("at %d the board depends on what comes later:\n%s\n%s", at, before, after)
		}
	}
}
