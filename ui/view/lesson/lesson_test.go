package lesson

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/result"
)

// fake runs nothing: what a reader may do while nothing is known.
func fake(e *experiment.Experiment) *result.Aside { return &result.Aside{Doc: e} }

// Intent: a reader cannot pass a question, cannot change an answer that was
// shown, and comes back to where they were.
func TestReading(t *testing.T) {
	p := NewPlayer("hole", own("hole"), Progress{})
	p.Run(0, fake)
	p.Go(1)
	if p.At != 1 || !p.Open() {
		t.Fatalf("at %d", p.At)
	}
	p.Go(1)
	p.Jump(3)
	if p.At != 1 {
		t.Errorf("a question was passed: at %d", p.At)
	}
	p.Show()
	if p.Shown[1] != 0 {
		t.Error("an answer is shown before one was chosen")
	}
	p.Pick(7)
	p.Pick(2)
	p.Show()
	if p.Picked[1] != 2 || p.Shown[1] != 0 {
		t.Errorf("picked %d, shown %d, while nothing has run", p.Picked[1], p.Shown[1])
	}
	p.Shown[1] = 1
	p.Pick(0)
	if p.Picked[1] != 2 {
		t.Error("a shown answer was changed")
	}
	p.Go(1)
	again := NewPlayer("hole", own("hole"), p.Progress)
	if again.At != 2 || again.Picked[1] != 2 || again.Shown[1] != 1 {
		t.Errorf("comes back at %d with %v", again.At, again.Picked)
	}
	if other := NewPlayer("fair", own("fair"), p.Progress); other.At != 0 || other.Picked[1] != -1 {
		t.Error("progress of another lesson is taken")
	}
}

// Intent: answers that are handed in open as what was chosen, and those to
// another version of a lesson do not.
func TestHandIn(t *testing.T) {
	p := NewPlayer("hole", own("hole"), Progress{})
	for _, i := range p.questions() {
		p.Picked[i], p.Shown[i] = 1, 1
	}
	p.Name = "Ada"
	sheet, err := experiment.DecodeSheetLink(experiment.EncodeSheetLink(p.Sheet()))
	if err != nil {
		t.Fatal(err)
	}
	back, why := FromSheet(sheet)
	if why != "" || back.Name != "Ada" || back.Picked[1] != 1 || back.Step() != nil {
		t.Errorf("%+v, %s", back, why)
	}
	sheet.Identity = strings.Repeat("0", 64)
	if _, why := FromSheet(sheet); !strings.Contains(why, "another version") {
		t.Errorf("another version: %q", why)
	}
	sheet.Key = "nothing"
	if _, why := FromSheet(sheet); !strings.Contains(why, "does not have") {
		t.Errorf("an unknown lesson: %q", why)
	}
}

// Intent: names and texts of somebody's own lesson are text on the page, and
// nothing else.
func TestHostileLesson(t *testing.T) {
	l := own("hole")
	bad := `<img src=x onerror=alert(1)>"'`
	l.Title, l.Course, l.Due = bad, bad, bad
	for i := range l.Steps {
		l.Steps[i].Text = bad
		if q := l.Steps[i].Ask; q != nil {
			q.Prompt, q.After = bad, bad
		}
	}
	p := NewPlayer("", l, Progress{})
	p.Name = bad
	for p.At = range len(l.Steps) + 1 {
		p.Run(p.At, fake)
		if html := p.TextHTML() + p.PictureHTML(600); strings.Contains(html, "<img") {
			t.Fatalf("step %d: %s", p.At, html)
		}
	}
}

// Intent: the list names every lesson once, with what is done of it.
func TestList(t *testing.T) {
	html := ListHTML(func(key string) Progress {
		if key == "fair" {
			return Progress{Picked: []int{-1, 0, -1, -1, -1}, Shown: []int{0, 1, 0, 0, 0}}
		}
		return Progress{}
	})
	for _, want := range []string{`data-open="hole"`, "EASY&#39;s promise", "1 of 4 answered", "6 steps"} {
		if !strings.Contains(html, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
}
