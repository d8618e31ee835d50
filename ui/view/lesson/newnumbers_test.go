package lesson

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Intent: where each try has other numbers, a wrong answer is followed by another board
// on which every option may be chosen again; the last page, the link and the lecturer's
// table judge each answer by the numbers that it was given to, and a kept visit goes on
// where it was.
func TestEachTryHasOtherNumbers(t *testing.T) {
	a := &experiment.Assignment{Key: "promise", Numbers: experiment.NumbersTry, Tries: 3, Seal: experiment.SealKey("x")}
	if b, err := experiment.DecodeAssignmentLink(experiment.EncodeAssignmentLink(a)); err != nil || b.Numbers != experiment.NumbersTry {
		t.Fatal(err)
	}
	if o := (&Offer{Assignment: *a, Rule: experiment.NumbersTry}); true {
		if o.Prove(); o.Numbers != experiment.NumbersTry || o.Proof.All != experiment.Boards {
			t.Errorf("%s, %d boards to prove", o.Numbers, o.Proof.All)
		}
	}
	var store Progress
	p, why := FromAssignment(a, "Ann", nothing)
	if p == nil {
		t.Fatal(why)
	}
	first := p.Lesson.Steps[0].Text
	for k, i := range p.questions() {
		for p.At < i {
			p.Go(1)
		}
		for try := range 3 {
			p.Run(i, begin)
			if want := mustWith(t, p.Whole, p.seedHere()); want.Steps[i].Text != p.Lesson.Steps[i].Text || want.Of(i).Identity() != p.Lesson.Of(i).Identity() {
				t.Fatalf("question %d, try %d: not the numbers of seed %d", k+1, try+1, p.seedHere())
			}
			answer, err := p.Answer(i)
			if err != nil {
				t.Fatal(err)
			}
			n := answer.Right
			if k == 0 && try < 2 || k == 1 && try < 1 {
				n = (n + 1) % len(p.options())
			}
			p.Pick(n)
			before := p.seedHere()
			if p.Show(); p.Shown[i] == 1 {
				break
			}
			if p.seedHere() != before || !p.missed(i) {
				t.Fatal("the board changes while it is said what the answer would break")
			}
			store = p.Progress
			if q, _ := FromAssignment(a, "Ann", func(string) Progress { return store }); !q.missed(i) || q.seedHere() != before {
				t.Error("a kept visit does not go on where it was")
			}
			if p.Retry(); p.seedHere() == before || p.missed(i) || p.Picked[i] != -1 {
				t.Error("the next try has the same numbers")
			}
			for n := range p.options() {
				if p.tried(i, int64(n), -1) {
					t.Error("an option of the board before is left out")
				}
			}
		}
	}
	if p.Lesson.Steps[0].Text == first {
		t.Error("what was told before the first question has the numbers of the first try")
	}
	if len(p.Missed) != 3 || p.boardAt(0, 0) != p.Seed || p.boardAt(0, 2) == p.boardAt(0, 1) || p.boardAt(1, 0) != p.boardAt(0, 2) {
		t.Errorf("%d wrong answers, boards %d, %d", len(p.Missed), p.boardAt(0, 2), p.boardAt(1, 0))
	}
	p.At = len(p.Lesson.Steps)
	sheet := p.Sheet()
	if html := p.TextHTML(); !strings.Contains(string(html), "right at try 3") || sheet.Identity != p.base.Identity() || sheet.Changed(a.Seal) != nil {
		t.Errorf("%s\n%+v", html, sheet)
	}
	pile := ReadPile(experiment.EncodeSheetLink(sheet))
	pile.Check("", a.Seal)
	if left := pile.Judge(begin); left > 0 || len(pile.Faults) > 0 {
		t.Fatal(left, pile.Faults)
	}
	h := pile.Classes[0].Handed[0]
	if h.Points() != len(p.questions()) || h.Note != "" || h.Seal != "as made" {
		t.Errorf("%d points, %q, %s", h.Points(), h.Note, h.Seal)
	}
	// What was chosen first is said in the first board's numbers, and counted by what it stands for.
	board := mustWith(t, p.Whole, p.Seed).Steps[p.questions()[0]].Ask
	choice := sheet.MissedAt(0)[0].Choice
	if got, want := h.said(0, p.questions()[0], 0, h.first(0)), "At "+words.Minutes(board.Options[choice]); got != want {
		t.Errorf("first said %s, not %s", got, want)
	}
	if m := pile.Classes[0].Questions()[0]; m.Missed != 1 || m.counts[board.Written(int(choice))] != 1 {
		t.Errorf("%+v", m)
	}
}

func mustWith(t *testing.T, l *experiment.Lesson, seed int64) *experiment.Lesson {
	t.Helper()
	one, err := l.With(seed)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// Intent: other numbers come at each try until all boards have been.
func TestBoardAfter(t *testing.T) {
	seen := map[int64]bool{}
	for n := range experiment.Boards {
		b := experiment.BoardAfter(7, n)
		if b < 1 || b > experiment.Boards || seen[b] {
			t.Fatalf("board %d after %d", b, n)
		}
		seen[b] = true
	}
}
