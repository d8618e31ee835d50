package search

import (
	"slices"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// lengths are the windows with a name.
var lengths = []struct{ name, text string }{{"Weeks", "7d"}, {"Months of 30 days", "30d"}, {"Days", "1d"}}

// start begins the search and puts its settings aside.
func start(s *state.Store) {
	if why := s.CanSearch(); why != "" {
		s.Shell.Act("say:" + why)
		return
	}
	s.Shell.Shut["search"] = true
	s.StartSearch()
	s.Shell.Focus("search-stop")
}

// about says what is searched.
func about(s *state.Store) string {
	r := s.SearchNow()
	if r == nil || len(r.Weeks) == 0 {
		return state.SearchTitle(&s.Settings)
	}
	return r.Count(len(r.Weeks)) + ", " + state.SearchTitle(&r.Doc)
}

// percent is how far the search is, as a whole number.
func percent(s *state.Store) string {
	if r := s.SearchNow(); r != nil {
		return r.Percent()
	}
	return "0"
}

// Text says how the search stands: "64 % · 6,412 of 10,000 simulations ·
// 1 min 48 s left".
func Text(s *state.Store) string {
	r := s.SearchNow()
	switch {
	case r == nil:
		return ""
	case r.Status == engine.Running && r.Total == 0:
		return r.Phase
	case r.Status == engine.Running:
		text := r.Percent() + words.NB + "% · " + words.Int(int(r.Done)) + " of " + words.Count(r.Total, "simulation", "simulations") + " · " + r.Phase
		if r.Left > 0 {
			text += " · " + words.Left(r.Left)
		}
		if v, sum := bestSoFar(r); v != "" {
			text += " · best so far " + v + sum
		}
		return text
	case r.Status == engine.Failed:
		return ""
	}
	text := words.Count(int(r.Done+.5), "simulation", "simulations") + " in " + words.Took(r.Seconds)
	if r.Seconds > 0 && r.Done > 100 {
		text += ", " + words.Int(int(r.Done/r.Seconds)) + " a second"
	}
	if v, sum := bestSoFar(r); v != "" {
		text += " · best " + v + sum
	}
	return text + words.When(r.Status == engine.Cancelled, " · stopped, what was found is kept")
}

// bestSoFar is the sum of the best of each week in which weights were tried.
func bestSoFar(r *state.Search) (value, of string) {
	sum, n := r.BestSoFar()
	if n == 0 {
		return "", ""
	}
	return words.Number(sum, 1), " over " + r.Count(n)
}

// worst says in which week the reference order lies farthest above the best that was
// tried; week is −1 while nothing can be said.
func worst(s *state.Store) (week int, text string) {
	r := s.SearchNow()
	if week = -1; !shown(s) || r.Status == engine.Running || len(r.Weeks) < 2 {
		return -1, ""
	}
	saf := slices.IndexFunc(catalog.Orders, func(o catalog.Order) bool { return o.Key == "saf" })
	above, value, least := 0.0, 0.0, 0.0
	for w, best := range r.Best() {
		if v := r.Pure.At(w, saf); best.Candidate >= 0 && best.Value > 0 && v/best.Value-1 > above {
			week, above, value, least = w, v/best.Value-1, v, best.Value
		}
	}
	if week < 0 {
		return -1, ""
	}
	return week, "SAF is worst in " + r.Called() + " " + strconv.Itoa(r.Weeks[week].Number) + ": " + words.Number(value, 1) + ", " + words.Number(above*100, 0) + words.NB + "% above the best that was tried, " + words.Number(least, 1)
}

// showWorst looks at that week.
func showWorst(s *state.Store) {
	if w, _ := worst(s); w >= 0 {
		s.Look(func(v *look.View) { v.Week = w })
	}
}

// problem is why the last search failed, unless it stands at a field.
func problem(s *state.Store) string {
	r := s.SearchNow()
	if r == nil || r.Status != engine.Failed || s.SearchStale() {
		return ""
	}
	return r.Error
}

// shown reports whether there are results to look at.
func shown(s *state.Store) bool {
	r := s.SearchNow()
	return r != nil && len(r.Weeks) > 0 && r.Pure != nil
}
