package experiment

import (
	"reflect"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// reacting is minimal with users who react and other factors of patience.
const reacting = `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"react":{"rhythm":"daily","think-gap":600}},"schedulers":[{"key":"easy"}],"measures":{"patience":{"factor-1":0.5}}}`

// Users who react travel in documents and links, and stay out of those that
// replay submissions, whose identities are as old as they are.
func TestReactSettings(t *testing.T) {
	e := mustDecode(t, reacting)
	gap, _ := e.Workload.React.Int("think-gap")
	factor, _ := e.Measures.Patience.Number("factor-1")
	if e.Workload.React.Text("rhythm") != "daily" || gap != 600 || e.Workload.React.Text("batches") != "last" || factor != 0.5 {
		t.Fatalf("%+v, %+v", e.Workload.React, e.Measures.Patience)
	}
	comesBack(t, e)
	c := e.Clone()
	c.Workload.React[0].Value, c.Measures.Patience[0].Value = "max", 3.0
	if !reflect.DeepEqual(e, mustDecode(t, reacting)) {
		t.Error("a clone shares its settings")
	}
	plain := mustDecode(t, minimal)
	if text := string(plain.Canonical()); plain.Workload.React != nil || strings.Contains(text, "react") || strings.Contains(text, "patience") {
		t.Error("a document that replays has users who react")
	}
	if e.Identity() == plain.Identity() {
		t.Error("users who react are not part of the identity")
	}
	if bare := mustDecode(t, strings.Replace(minimal, `"source"`, `"react":{},"source"`, 1)); bare.Workload.React == nil || bare.Identity() == plain.Identity() {
		t.Error("an empty react is not the same as none")
	} else if got := mustDecode(t, string(Encode(bare))); !reflect.DeepEqual(got, bare) || !bare.Studies() {
		t.Errorf("an empty react is lost: %+v", got.Workload)
	}
}

// Faults name their key, and what does not go together says so.
func TestReactFaults(t *testing.T) {
	for text, want := range map[string]string{
		`"react":{"rythm":"daily"}`:     `workload.react.rythm: unknown key; did you mean "rhythm"?`,
		`"react":{"rhythm":"monthly"}`:  `workload.react.rhythm: unknown value`,
		`"react":{"think-gap":-1}`:      `workload.react.think-gap: must be between 0`,
		`"react":[]`:                    `workload.react: must be an object`,
		`"react":{},"scale":{"load":2}`: `workload.react: users who react set the load themselves`,
		`"clean":{}},"measures":{"patience":{"from-3":60}},"platform":{"processors":0`:  `measures.patience: from-3 must be more than 10800`,
		`"clean":{}},"measures":{"patience":{"factor-9":2}},"platform":{"processors":0`: `measures.patience.factor-9: unknown key`,
	} {
		_, err := Decode([]byte(strings.Replace(minimal, `"source"`, text+`,"source"`, 1)))
		if strings.Contains(text, "platform") {
			_, err = Decode([]byte(strings.Replace(minimal, `"}},`, `"},`+text+`},`, 1)))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	e := mustDecode(t, minimal)
	e.Workload.React, e.Measures.Patience = Defaults(catalog.ReactParams), Defaults(catalog.PatienceParams)
	if err := e.Validate(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}
