//go:build !small

package lab

import (
	"fmt"
	"testing"

	"batchlab/core/tell"
)

func TestSmoke(t *testing.T) {
	env := smallLog(t, 24, 1)
	for _, key := range []string{`{"key":"easy"}`, `{"key":"conservative"}`, `{"key":"orig-bf"}`, `{"key":"plan-rs","params":{"iterations":8}}`, `{"key":"hill-climbing"}`} {
		doc := conforming(t, "counts", "plain", key)
		p, err := Prepare(doc, env)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.NewStepper(RunID{}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(key, len(s.Times()))
		for i := range s.Times() {
			step, err := s.Step(i, nil)
			if err != nil {
				t.Fatal(err)
			}
			if i < 10 || i > 30 {
				continue
			}
			fmt.Println("--", tell.Clock(step.Now), "free", step.Free, "queue", len(step.Queue))
			for _, n := range step.News(nil) {
				fmt.Println("    *", n.Subject+n.Rest)
			}
			for _, d := range step.Decisions {
				v, _ := d.Verdict(nil)
				fmt.Println("    ", d.Sentence(nil), "["+v+"]")
			}
		}
	}
}
