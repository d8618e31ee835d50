//go:build !small

package lab

import (
	_ "embed"
	"encoding/json"
	"slices"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
)

// toldByHand are instants of the catalog's cases, with what is decided then, derived
// by hand from the rules of simulation: case, index of the scheduler, minute,
// sentences. A browser test reads the same (e2e/step.test.mjs).
//
//go:embed testdata/told.json
var toldByHand []byte

// The sentences of small cases are what the rules say, word for word and number for
// number.
func TestToldByHand(t *testing.T) {
	var byHand []struct {
		Case      string
		Scheduler int
		Minute    model.Time
		Told      []string
		News      []string // some of what has just happened, and of what users do
	}
	if err := json.Unmarshal(toldByHand, &byHand); err != nil || len(byHand) < 30 {
		t.Fatalf("%d instants: %v", len(byHand), err)
	}
	for _, h := range byHand {
		c := catalog.FindCase(h.Case)
		if c == nil {
			t.Fatalf("no case %q", h.Case)
		}
		doc, err := experiment.Decode([]byte(c.Document))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.NewStepper(RunID{Scheduler: h.Scheduler}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		step, err := s.Step(s.Find(60*h.Minute), nil)
		if err != nil {
			t.Fatal(err)
		}
		if step.Now != 60*h.Minute {
			t.Errorf("%s, scheduler %d: nothing happens at %d min", h.Case, h.Scheduler, h.Minute)
			continue
		}
		var got []string
		for i := range step.Decisions {
			got = append(got, step.Decisions[i].Sentence(nil))
		}
		var news []string
		for _, n := range step.News(nil) {
			news = append(news, n.Subject+n.Rest)
		}
		for i := range step.Users {
			news = append(news, step.Users[i].Sentence(nil))
		}
		for _, want := range h.News {
			if !slices.Contains(news, want) {
				t.Errorf("%s, scheduler %d, %d min: %q is not among %q", h.Case, h.Scheduler, h.Minute, want, news)
			}
		}
		if !slices.Equal(got, h.Told) {
			t.Errorf("%s, scheduler %d, %d min: told is\n%q\nwant\n%q", h.Case, h.Scheduler, h.Minute, got, h.Told)
		}
	}
}
