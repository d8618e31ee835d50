//go:build !small

package lab

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"batchlab/core/experiment"
)

// engineDigests is what testdata/engine.json holds: what every scheduler does with
// everything, as the engine of a number does it.
type engineDigests struct {
	Engine  string            `json:"engine"`
	Digests map[string]string `json:"digests"` // by scheduler and how many of its variants stand before it
}

// Intent: the engine's number says of two results whether they can be compared.
// Whatever moves a schedule has to make it grow, with the reason in words: here
// every scheduler runs on every platform with requests of every kind, on a busy
// log, and a digest that moves under the same number fails.
func TestEngineNumber(t *testing.T) {
	const file = "testdata/engine.json"
	env, now := smallLog(t, 24, 2), engineDigests{experiment.Engine, map[string]string{}}
	variants := map[string]int{}
	for _, scheduler := range everyScheduler() {
		h := sha256.New()
		key := ""
		for _, platform := range keysOf(everyPlatform) {
			for _, request := range []string{"plain", "due stops", "eligible", "outage", "failures", "user limit", "reservations", "requests", "users, dated", "all"} {
				if !together(platform, request) {
					continue
				}
				doc := conforming(t, platform, request, scheduler)
				doc.Workload.Scale.Load = 3
				key = doc.Schedulers[0].Key
				p, err := Prepare(doc, env)
				var r *Result
				if err == nil {
					r, err = p.Run(RunID{}, Options{})
				}
				var refused experiment.Errors
				switch {
				case err == nil:
					h.Write(r.Block)
				case !errors.As(err, &refused):
					t.Fatalf("%s, %s, %s: %v", platform, request, scheduler, err)
				}
			}
		}
		now.Digests[fmt.Sprint(key, " ", variants[key])] = fmt.Sprintf("%x", h.Sum(nil)[:8])
		variants[key]++
	}
	var then engineDigests
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &then) != nil {
		t.Fatalf("%s cannot be read", file)
	} else if err != nil && !*updateDrawn {
		t.Fatal(err)
	}
	var moved, new []string
	for _, key := range keysOf(now.Digests) {
		switch was, there := then.Digests[key]; {
		case !there:
			new = append(new, key)
		case was != now.Digests[key]:
			moved = append(moved, key)
		}
	}
	if len(moved) > 0 && then.Engine == now.Engine {
		t.Fatalf("other schedules than engine %s's: %v. If that is meant, say in core/experiment/engine.go what moved, as a new number, and run this test with -update; old links, documents and shards are then told that they are of another engine. If nobody has used engine %s yet, add to its words and remove %s first.", now.Engine, moved, now.Engine, file)
	}
	if *updateDrawn && *only == "" {
		text, err := json.MarshalIndent(now, "", " ")
		if err == nil {
			err = os.WriteFile(file, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if then.Engine != now.Engine || len(new) > 0 {
		t.Errorf("%s is of engine %s, this is %s; new are %v: run this test with -update", file, then.Engine, now.Engine, new)
	}
}
