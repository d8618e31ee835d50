package state

import (
	"errors"
	"math"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
)

// searchFake is an engine that answers searches by a rule: in week w order or
// vector c has the value 1 + (7c + 3w) mod 11.
type searchFake struct {
	fake
	weeks  []engine.Week
	err    error
	asked  []experiment.Experiment
	pieces []engine.Piece
	news   func(engine.News)
	ended  bool
}

func (f *searchFake) Weeks(e experiment.Experiment, done func([]engine.Week, error)) {
	f.asked = append(f.asked, e)
	done(f.weeks, f.err)
}

func (f *searchFake) Pieces(_ experiment.Experiment, pieces []engine.Piece, news func(engine.News)) engine.Control {
	f.pieces, f.news, f.ended = pieces, news, false
	return f
}

func (f *searchFake) Stop() { f.ended = true }

func (f *searchFake) GoOn() {}

func (f *searchFake) Drop() { f.ended = true }

func rule(w, c int) float64 { return 1 + float64((7*c+3*w)%11) }

// answers answers pieces of the list by their places, in that order.
func (f *searchFake) answers(order ...int) {
	pieces, news := f.pieces, f.news
	for k, i := range order {
		p := &pieces[i]
		a := engine.Answer{Piece: i}
		for w := p.Week; w <= p.Last; w++ {
			empty := f.weeks[w].Jobs == 0
			switch p.Kind {
			case engine.PiecePure, engine.PieceCoverage:
				for c := p.From; c < p.To; c++ {
					v := rule(w, c)
					if empty {
						v = math.NaN()
					}
					a.Values = append(a.Values, v)
				}
			case engine.PieceXNES:
				a.Found = &engine.Found{Weights: []float64{0.5, -0.25, 0.25}, Value: float64(w + 1), Evaluations: 10}
			default:
				v := 100 + float64(w)
				if empty {
					v = math.NaN()
				}
				a.Values = append(a.Values, v)
			}
		}
		news(engine.News{Answers: []engine.Answer{a}, Done: float64(k + 1), Seconds: 1, Over: k == len(order)-1})
	}
}

func all(n int, back bool) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
		if back {
			order[i] = n - 1 - i
		}
	}
	return order
}

// searching is a store with a loaded workload of some weeks, the third empty.
func searching(t *testing.T, weeks int, settings map[string]string) (*Store, *searchFake) {
	t.Helper()
	f := &searchFake{fake: fake{t: t}}
	for w := range weeks {
		jobs := 500
		if w == 2 {
			jobs = 0
		}
		f.weeks = append(f.weeks, engine.Week{Number: w + 1, Index: w, From: 604800 * 7, To: 604800 * 8, Jobs: jobs})
	}
	s := New(f)
	s.Start("")
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	for key, text := range settings {
		s.SetField("search."+key, text)
		if in, _ := s.Input("search." + key); in.Error != "" {
			t.Fatalf("%s: %s", key, in.Error)
		}
	}
	return s, f
}

// Intent: whatever the order in which pieces come back, the same search gives
// the same numbers, to the last bit.
func TestSearchDoesNotDependOnOrder(t *testing.T) {
	var prints []uint64
	for _, back := range []bool{false, true} {
		s, f := searching(t, 6, map[string]string{"method": "both", "points": "12", "budget": "10"})
		s.StartSearch()
		for s.Searching() {
			f.answers(all(len(f.pieces), back)...)
		}
		r := s.SearchNow()
		if r.Status != engine.Done || r.Error != "" {
			t.Fatalf("status %v: %s", r.Status, r.Error)
		}
		prints = append(prints, r.Fingerprint())
		for w := range 6 {
			for c := range r.Cover.Candidates() {
				if v := r.Cover.At(w, c); w != 2 && v != rule(w, c) || w == 2 && !math.IsNaN(v) {
					t.Fatalf("week %d, vector %d: %v", w, c, v)
				}
			}
		}
		if r.Trained == nil || r.Trained.Value != 2 {
			t.Errorf("trained %+v: the first half has two weeks with jobs", r.Trained)
		}
		if r.After[1] != 101 || !math.IsNaN(r.After[0]) || !math.IsNaN(r.After[2]) || r.After[3] != 103 || r.Fixed[5] != 105 {
			t.Errorf("after %v, fixed %v", r.After, r.Fixed)
		}
		if r.Done < float64(r.Total-30) && r.Total == 0 {
			t.Errorf("%v of %v done", r.Done, r.Total)
		}
	}
	if prints[0] != prints[1] || prints[0] == 0 {
		t.Errorf("fingerprints %x", prints)
	}
}

// Intent: a search that is stopped keeps what has come, compares only weeks
// that are complete, and does not begin another part.
func TestSearchStopKeeps(t *testing.T) {
	s, f := searching(t, 4, map[string]string{"points": "12"})
	s.StartSearch()
	f.answers(all(len(f.pieces), false)...) // pure orders
	pieces, news := f.pieces, f.news
	if pieces[0].Kind != engine.PieceCoverage {
		t.Fatalf("%+v", pieces[0])
	}
	part := make([]float64, 146)
	for c := range part {
		part[c] = rule(0, c)
	}
	news(engine.News{Answers: []engine.Answer{{Piece: 0, Values: part}}, Done: 146, Seconds: 1})
	s.StopSearch()
	if !f.ended || s.Searching() {
		t.Fatal("the engine was not told to stop")
	}
	news(engine.News{Answers: []engine.Answer{{Piece: 1, Values: part[:7]}}, Done: 153, Seconds: 1, Over: true})
	r := s.SearchNow()
	if r.Status != engine.Cancelled || !r.Known(0) || r.Known(1) || r.Cover.Missing() != 4*146-146-7 {
		t.Errorf("status %v, known %v %v, missing %d", r.Status, r.Known(0), r.Known(1), r.Cover.Missing())
	}
	if len(f.pieces) != len(pieces) {
		t.Error("another part was begun")
	}
	if len(r.Strategies()) == 0 || r.Best()[0].Candidate < 0 {
		t.Error("nothing is shown of what was found")
	}
	if sum, weeks := r.BestSoFar(); weeks < 1 || !(sum >= float64(weeks)) || r.Count(2) != "2\u00a0weeks" {
		t.Errorf("best so far %v in %d weeks, %q", sum, weeks, r.Count(2))
	}
}

// Intent: sums, best weights and followers are those of the definitions, over
// the weeks with jobs of each part of the split.
func TestStrategies(t *testing.T) {
	s, f := searching(t, 6, map[string]string{"points": "12", "sliding": "2", "formula": "-p"})
	s.StartSearch()
	for s.Searching() {
		f.answers(all(len(f.pieces), false)...)
	}
	r := s.SearchNow()
	by := map[string]engine.Strategy{}
	for _, x := range r.Strategies() {
		by[x.Key] = x
	}
	train, test := r.SplitName()
	if train != "1–2" || test != "4–6" {
		t.Errorf("split %s, %s", train, test)
	}
	if x := by["fcfs"]; x.Train != rule(0, 0)+rule(1, 0) || x.Test != rule(3, 0)+rule(4, 0)+rule(5, 0) {
		t.Errorf("fcfs %+v", x)
	}
	if x := by["best"]; x.Train != 2 || x.Test != 3 || x.None != 0 {
		t.Errorf("best %+v: every week has a vector of value 1", x)
	}
	if x := by["greedy"]; x.None != 1 || x.Values[3] != rule(3, r.Best()[1].Candidate) {
		t.Errorf("greedy %+v", x)
	}
	if x := by["own"]; x.Train != 201 || !x.Pure {
		t.Errorf("own order %+v", x)
	}
	if !by["sliding"].Ours || !by["leader"].Ours || by["train"].Ours {
		t.Error("what is ours is not marked so")
	}
	last := math.Inf(-1)
	for _, x := range r.Strategies() {
		if x.Test < last {
			t.Errorf("%s is out of order", x.Key)
		}
		last = x.Test
	}
	if r.Sums()[r.Ranked()[0]] > r.Sums()[r.Ranked()[1]] {
		t.Error("orders are not ranked")
	}
}

// Intent: each vector of three features stands where its weights say, once on
// a map or on both where it has no q.
func TestGridOfVectors(t *testing.T) {
	s, f := searching(t, 3, map[string]string{"points": "8"})
	s.StartSearch()
	for s.Searching() {
		f.answers(all(len(f.pieces), false)...)
	}
	g := s.SearchNow().Grid()
	seen := map[int32]int{}
	for half := range g.At {
		for i, c := range g.At[half] {
			p, wait := float64(i/9-4)/4, float64(i%9-4)/4
			if c < 0 {
				if math.Abs(p)+math.Abs(wait) <= 1 {
					t.Fatalf("nothing at p %v, wait %v", p, wait)
				}
				continue
			}
			seen[c]++
			v := g.Vecs[c]
			if v[1] != p || v[2] != wait || half == 0 && v[0] > 0 || half == 1 && v[0] < 0 {
				t.Fatalf("half %d, p %v, wait %v has %v", half, p, wait, v)
			}
		}
	}
	if len(seen) != len(g.Vecs) {
		t.Errorf("%d of %d vectors are on the map", len(seen), len(g.Vecs))
	}
}

// Intent: bad input is told at its field: what cannot be read at once, what
// only the workload can tell after the search was asked for, until it is
// corrected.
func TestSearchFaultsStandAtTheirFields(t *testing.T) {
	s, f := searching(t, 3, nil)
	for key, bad := range map[string][2]string{
		"formula": {"q ** p", "column 4"}, "scales": {"0, 0, 0", "between"}, "points": {"1", "between"}, "origin": {"1998-05-04", "does not say"},
		"length": {"soon", "duration"}, "method": {"annealing", "choices"},
	} {
		s.SetField("search."+key, bad[0])
		in, ok := s.Input("search." + key)
		if !ok || !strings.Contains(in.Error, bad[1]) || in.Text != bad[0] {
			t.Errorf("%s: %+v", key, in)
		}
		if s.CanSearch() == "" {
			t.Errorf("%s: a search can start", key)
		}
		s.Forget("search.")
	}
	for key, err := range map[string]string{
		"first":   "mixed: week 1 would be window 9, but the log ends in window 2: the log is shorter than two windows",
		"length":  "mixed: jobs stand in 1 of 1 windows of 604800 s: the log is shorter than two windows; shorter windows may help",
		"formula": `formula "1/(q-1)" has no value for job 3 with p = 5 s and q = 1: column 2: division by zero`,
	} {
		f.err = errors.New(err)
		s.StartSearch()
		if s.SearchNow().Status != engine.Failed {
			t.Fatal("a fault did not end the search")
		}
		if in, _ := s.Input("search." + key); in.Error == "" || strings.HasPrefix(in.Error, "mixed: ") {
			t.Errorf("%s: %+v", key, in)
		}
	}
	f.err = nil
	s.SetField("search.split", "28-64")
	s.StartSearch()
	if in, _ := s.Input("search.split"); !strings.Contains(in.Error, "at least 65 windows") {
		t.Errorf("split: %+v", in)
	}
	s.SetField("search.split", "halves")
	if in, _ := s.Input("search.split"); in.Error != "" {
		t.Errorf("a corrected field still says %q", in.Error)
	}
	if !s.SearchStale() {
		t.Error("the search is not stale")
	}
}

// Intent: a policy of the map becomes a scheduler with the search's rules in
// its week, once; the Gantt chart of it opens when it runs. The window that
// comes with it does not make the search stale.
func TestUsePolicy(t *testing.T) {
	s, f := searching(t, 3, map[string]string{"points": "12", "threshold": "", "ties": "oldest"})
	s.StartSearch()
	for s.Searching() {
		f.answers(all(len(f.pieces), false)...)
	}
	before := len(s.Settings.Schedulers)
	for range 2 {
		if err := s.UsePolicy(1, []float64{-0.5, 0, 0.5}); err != nil {
			t.Fatal(err)
		}
		if len(s.Settings.Schedulers) != before+1 {
			t.Fatalf("%d schedulers", len(s.Settings.Schedulers))
		}
		sch := s.Settings.Schedulers[before]
		if sch.Params.Text("order") != "mixed" || sch.Params.Text("backfill") != "spf" || sch.Params.Text("ties") != "oldest" || len(sch.Params.Numbers("weights")) != 3 {
			t.Errorf("%+v", sch)
		}
		if _, set := sch.Params.Int("threshold"); set {
			t.Error("there is a threshold")
		}
		if w := s.Settings.Workload.Window; *w.From != 604800*7 || *w.To != 604800*8 {
			t.Errorf("window %+v", w)
		}
		if s.View.A != before || s.View.Tab != "gantt" || s.Ran == nil || len(s.Ran.Schedulers) != before+1 {
			t.Errorf("view %+v", s.View)
		}
	}
	if s.SearchStale() {
		t.Error("looking at a week makes the search stale")
	}
	if err := s.UsePolicy(1, []float64{0, 0, 0}); err == nil || !strings.Contains(err.Error(), "not all be 0") {
		t.Errorf("weights of all zeros: %v", err)
	}
	for i := range draft.MaxSchedulers {
		s.UsePolicy(1, []float64{-0.5, float64(i) / 100, 0.5})
	}
	if err := s.UsePolicy(1, []float64{1, 1, 1}); err == nil || len(s.Settings.Schedulers) != draft.MaxSchedulers {
		t.Errorf("more than %d: %v", draft.MaxSchedulers, err)
	}
}

// Intent: the settings of a search travel in the link and change no result of
// the runs; the study's rules are set at once.
func TestSearchSettingsTravel(t *testing.T) {
	s, _ := searching(t, 3, nil)
	if strings.Contains(string(s.Document(false)), `"search"`) {
		t.Error("a document has a search that nobody asked for")
	}
	s.SetField("search.points", "72")
	if s.Stale() {
		t.Error("a search setting makes results stale")
	}
	link := s.LinkHash(false)
	s.AsStudied()
	if !s.Stale() || s.Settings.Measures.Tau != 60 || s.Settings.Workload.Clean.NoRequest != "drop" {
		t.Errorf("%+v", s.Settings)
	}
	if n, _ := s.Settings.Search.Int("points"); n != 72 {
		t.Error("the study's rules change how the space is searched")
	}
	s.FollowLink(link)
	if n, _ := s.Settings.Search.Int("points"); n != 72 || s.Settings.Measures.Tau != 10 {
		t.Errorf("link: %+v", s.Settings.Search)
	}
}

// A search replays its windows, whatever users do in the experiment, and says so.
func TestSearchTitleSaysThatUsersDoNotReact(t *testing.T) {
	e, _ := experiment.Preset("demo")
	plain := SearchTitle(e)
	e.Workload.React = experiment.Defaults(catalog.ReactParams)
	if got := SearchTitle(e); !strings.HasPrefix(got, plain) || !strings.Contains(got, "users do not react here") || strings.Contains(plain, "react") {
		t.Errorf("%q and %q", plain, got)
	}
}

// Intent: a search can be asked for on machines with licences, outages and stops
// at deadlines; the last leaves jobs out, and the search says so.
func TestSearchOnMachines(t *testing.T) {
	s, _ := searching(t, 6, nil)
	s.Change(func(e *experiment.Experiment) {
		e.Platform.Clusters = []experiment.Cluster{{Name: "a", Packing: "machine", Groups: []experiment.NodeGroup{{Count: 4, Processors: 64, Speed: 1}}}}
		e.Platform.Outages = []experiment.Outage{{Cluster: "a", From: 1, To: 2}}
		e.Workload.Annotate.Deadlines.Share, e.Workload.Annotate.Deadlines.OnDue = 1, "kill"
	})
	if why := s.CanSearch(); why != "" && !strings.Contains(why, "still being read") {
		t.Error(why)
	}
	if title := SearchTitle(&s.Settings); !strings.Contains(title, "left out of the means") {
		t.Error(title)
	}
}
