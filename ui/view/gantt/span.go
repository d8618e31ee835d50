package gantt

import "batchlab/core/model"

// leastSpan is the shortest span that is shown, in seconds.
const leastSpan = 60

// Span is the part of the time axis on show. The page keeps one span for all
// charts over time (state.View), equal ends meaning everything; here it moves
// freely while the reader does, and the page is told afterwards.
type Span struct {
	From, To float64       // seconds
	Full     [2]model.Time // from the first submission to the last end of what is drawn; empty before anything has run
	told     [2]model.Time // the page's span that this one was last taken from or told to
}

// Follow takes over what there is to show and the page's span. Until there is
// something to show nothing happens, so that a span that came with a link waits
// for its run; it is taken again when another run makes the whole longer. While
// the reader moves, only a new span of the page counts.
func (s *Span) Follow(full, told [2]model.Time, moving bool) {
	if full[1] <= full[0] {
		return
	}
	whole := s.From == float64(s.Full[0]) && s.To == float64(s.Full[1])
	grown := full != s.Full
	s.Full = full
	switch another := told != s.told; {
	case told[0] != told[1] && (another || grown && !moving):
		s.From, s.To = float64(told[0]), float64(told[1])
	case told[0] == told[1] && (another || !moving), s.To <= s.From, whole:
		s.From, s.To = float64(full[0]), float64(full[1])
	}
	s.told = told
	s.clamp()
}

// Tell returns the span for the page and remembers it: equal ends when everything
// is shown.
func (s *Span) Tell() (from, to model.Time) {
	from, to = s.Ends()
	if from <= s.Full[0] && to >= s.Full[1] {
		from, to = 0, 0
	}
	s.told = [2]model.Time{from, to}
	return from, to
}

// Show moves to a span, inside what there is.
func (s *Span) Show(from, to float64) {
	s.From, s.To = from, to
	s.clamp()
}

// Ends are the whole seconds that hold the span.
func (s *Span) Ends() (from, to model.Time) {
	from, to = model.Time(s.From), model.Time(s.To)
	if float64(from) > s.From {
		from--
	}
	if float64(to) < s.To {
		to++
	}
	return from, to
}

func (s *Span) clamp() {
	a, b := float64(s.Full[0]), float64(s.Full[1])
	span := min(b-a, max(leastSpan, s.To-s.From))
	s.From = max(a, s.From)
	s.To = s.From + span
	if s.To > b {
		s.From, s.To = b-span, b
	}
}
