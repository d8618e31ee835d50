//go:build !small

package lab

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/tell"
)

// toldByHand are instants of the catalog's cases, with what is decided then, derived
// by hand from the rules of simulation: case, index of the scheduler, minute,
// sentences. A browser test reads the same (e2e/step.test.mjs).
//
//go:embed testdata/told.json
var toldByHand []byte

// toldCases are cases for what only few of the catalog's show: plans and what optimisers
// make of them, needs beside processors, thresholds, limits, reservations, and what users
// have used. Each says how its sentences were derived on paper.
//
//go:embed testdata/toldcases.json
var toldCases []byte

// handTold is an instant of a case of the catalog, or of a document of its own.
type handTold struct {
	Case      string
	Name      string          // of a document of its own
	Document  json.RawMessage // else that of the case
	Derived   string          // how
	Scheduler int
	Minute    model.Time
	Told      []string
	News      []string // some of what has just happened, and of what users do
	Held      []string // all jobs that are not eligible, and what they wait for
}

// The sentences of small cases are what the rules say, word for word and number for
// number.
func TestToldByHand(t *testing.T) {
	byHand := handTolds(t, toldByHand, 30)
	for i := range byHand {
		c := catalog.FindCase(byHand[i].Case)
		if c == nil {
			t.Fatalf("no case %q", byHand[i].Case)
		}
		byHand[i].Name, byHand[i].Document = c.Key, json.RawMessage(c.Document)
	}
	readByHand(t, byHand)
}

// The sentences of twenty cases more, each derived on paper: what a plan was before an
// optimiser changed it, what is missing and where, who holds it, and until when.
func TestToldCasesByHand(t *testing.T) {
	byHand := handTolds(t, toldCases, 20)
	for i := range byHand {
		if byHand[i].Derived == "" || len(byHand[i].Told) == 0 {
			t.Errorf("%s: how it is derived is not said", byHand[i].Name)
		}
	}
	readByHand(t, byHand)
}

func handTolds(t *testing.T, text []byte, least int) (byHand []handTold) {
	t.Helper()
	if err := json.Unmarshal(text, &byHand); err != nil || len(byHand) < least {
		t.Fatalf("%d instants: %v", len(byHand), err)
	}
	return byHand
}

func readByHand(t *testing.T, byHand []handTold) {
	t.Helper()
	for _, h := range byHand {
		doc, err := experiment.Decode(h.Document)
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
			t.Errorf("%s, scheduler %d: nothing happens at %d min", h.Name, h.Scheduler, h.Minute)
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
				t.Errorf("%s, scheduler %d, %d min: %q is not among %q", h.Name, h.Scheduler, h.Minute, want, news)
			}
		}
		var held []string
		for i := range step.Held {
			held = append(held, fmt.Sprintf("%d: %s", step.Held[i].Number, tell.Fill(step.Held[i].Text, tell.Clock)))
		}
		if !slices.Equal(held, h.Held) {
			t.Errorf("%s, scheduler %d, %d min: not eligible are\n%q\nwant\n%q", h.Name, h.Scheduler, h.Minute, held, h.Held)
		}
		if !slices.Equal(got, h.Told) {
			t.Errorf("%s, scheduler %d, %d min: told is\n%q\nwant\n%q", h.Name, h.Scheduler, h.Minute, got, h.Told)
		}
	}
}
