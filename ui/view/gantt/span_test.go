package gantt

import (
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/model"
)

// Intent: a span that came with a link is shown once there is something to show,
// in whatever order runs end, and stays when a longer run comes; so does the
// reader's own after it has been told to the page.
func TestSpanOfALinkIsShown(t *testing.T) {
	told := [2]model.Time{86400, 2 * 86400}
	var s Span
	s.Follow([2]model.Time{}, told, false) // drawn before anything has run
	s.Follow([2]model.Time{0, 90000}, told, false)
	s.Follow([2]model.Time{0, 355 * 86400}, told, false)
	if s.From != 86400 || s.To != 2*86400 {
		t.Errorf("shown: %v to %v", s.From, s.To)
	}
	s.Show(5.5*86400, 6*86400)
	s.Follow([2]model.Time{0, 355 * 86400}, told, true) // a draw before the page is told
	if s.From != 5.5*86400 {
		t.Error("the page's span came in between")
	}
	from, to := s.Tell()
	s.Follow([2]model.Time{0, 400 * 86400}, [2]model.Time{from, to}, false)
	if s.From != 5.5*86400 || s.To != 6*86400 {
		t.Errorf("after it was told: %v to %v", s.From, s.To)
	}
	s.Follow([2]model.Time{0, 400 * 86400}, [2]model.Time{}, false) // "show everything" elsewhere
	if s.From != 0 || s.To != 400*86400 {
		t.Errorf("everything: %v to %v", s.From, s.To)
	}
	s.Follow([2]model.Time{0, 500 * 86400}, [2]model.Time{}, true)
	if s.To != 500*86400 {
		t.Error("everything does not grow with what there is")
	}
}

// Intent: whatever comes, the span lies inside what there is and is no shorter
// than it may be; what is told is taken back as it was.
func TestSpanStaysInside(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var s Span
		end := rapid.Int64Range(leastSpan, 1e9).Draw(r, "end")
		full := [2]model.Time{0, model.Time(end)}
		s.Follow(full, [2]model.Time{}, false)
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			a := rapid.Float64Range(-1e9, 2e9).Draw(r, "from")
			s.Show(a, a+rapid.Float64Range(-10, 2e9).Draw(r, "length"))
			if s.From < 0 || s.To > float64(end) || s.To-s.From < leastSpan-1e-6 {
				t.Fatalf("%v to %v of %d", s.From, s.To, end)
			}
			from, to := s.Tell()
			was := s
			s.Follow(full, [2]model.Time{from, to}, false)
			if s != was && !(from == to && s.From == 0 && s.To == float64(end)) {
				t.Fatalf("told %d to %d: %+v became %+v", from, to, was, s)
			}
		}
	})
}
