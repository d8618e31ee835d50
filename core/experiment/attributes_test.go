package experiment

import (
	"reflect"
	"strings"
	"testing"
)

// attributed has attributes of jobs that differ from their defaults.
const attributed = `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"annotate":{
"deadlines":{"share":0.5,"on_due":"kill"},"weights":{"min":0.5,"max":3},"setup":{"min":10,"max":60},
"eligible":[{"on":["a","fast"],"share":0.25}],"jobs":[{"job":3,"weight":2.5,"setup":30,"on":["b"]},{"job":4,"on":[]}]}},
"schedulers":[{"key":"hill-climbing"}]}`

// Attributes reach their fields, come back from file and link, belong to the
// identity, and stay out of documents without them.
func TestAttributes(t *testing.T) {
	e := mustDecode(t, attributed)
	a := &e.Workload.Annotate
	if a.Deadlines.OnDue != "kill" || !a.Stops() || !a.Drawn() || a.Weights != (WeightRule{0.5, 3}) || a.Setup != (SetupRule{10, 60}) ||
		!reflect.DeepEqual(a.Eligible, []EligibleRule{{[]string{"a", "fast"}, 0.25}}) {
		t.Errorf("%+v", a)
	}
	if j := a.Jobs[0]; *j.Weight != 2.5 || *j.Setup != 30 || (*j.On)[0] != "b" || a.Jobs[1].On == nil || len(*a.Jobs[1].On) != 0 || a.Jobs[1].Weight != nil {
		t.Errorf("%+v", a.Jobs)
	}
	comesBack(t, e)
	eachCounts(t, attributed, `"on_due":"kill"|"on_due":"count"`, `"min":0.5|"min":0.6`, `"max":60|"max":61`, `"fast"]|"slow"]`, `"share":0.25|"share":0.5`,
		`"weight":2.5|"weight":3`, `"setup":30|"setup":31`, `["b"]|["c"]`, `"on":[]|"on":null`)
	c := e.Clone()
	*c.Workload.Annotate.Jobs[0].Weight, *c.Workload.Annotate.Jobs[0].Setup, (*c.Workload.Annotate.Jobs[0].On)[0], c.Workload.Annotate.Eligible[0].On[0] = 9, 9, "x", "x"
	if !reflect.DeepEqual(e, mustDecode(t, attributed)) {
		t.Error("a clone shares memory")
	}
	plain := strings.Replace(attributed, `"on_due":"kill"},"weights":{"min":0.5,"max":3},"setup":{"min":10,"max":60},`, `"on_due":"count"},"weights":{"min":1},"setup":{},`, 1)
	plain = strings.Replace(plain, `"eligible":[{"on":["a","fast"],"share":0.25}],`, `"eligible":[],`, 1)
	plain = strings.Replace(plain, `"weight":2.5,"setup":30,"on":["b"]`, `"weight":null,"setup":null`, 1)
	plain = strings.Replace(plain, `,{"job":4,"on":[]}`, "", 1)
	old := strings.Replace(plain, `,"on_due":"count"},"weights":{"min":1},"setup":{},`, `},`, 1)
	old = strings.Replace(old, `"eligible":[],`, "", 1)
	old = strings.Replace(old, `,"weight":null,"setup":null`, "", 1)
	if one, two := mustDecode(t, plain), mustDecode(t, old); one.Identity() != two.Identity() || strings.Contains(string(one.Canonical()), "weight") {
		t.Errorf("attributes at their defaults are another experiment:\n%s\n%s", one.Canonical(), two.Canonical())
	}
}

// Each fault names its place.
func TestAttributeFaults(t *testing.T) {
	for change, want := range map[string]string{
		`"on_due":"kill"|"on_due":"stop"`: `workload.annotate.deadlines.on_due: unknown rule "stop"`,
		`"min":0.5|"min":5`:               `workload.annotate.weights.max: must be at least min, 5, not 3`,
		`"min":0.5|"min":0`:               `workload.annotate.weights.min: must be between 0.001`,
		`"max":60|"max":5`:                `workload.annotate.setup.max: must be at least min, 10, not 5`,
		`"max":60|"max":99999999`:         `workload.annotate.setup.max: must be between 0 and 2678400`,
		`["a","fast"]|[]`:                 `workload.annotate.eligible[0].on: must name at least one`,
		`["a","fast"]|["a","a"]`:          `workload.annotate.eligible[0].on[1]: "a" stands already`,
		`"weight":2.5|"weight":"2"`:       `workload.annotate.jobs[0].weight: must be a number or null`,
		`"weight":2.5|"weight":0`:         `workload.annotate.jobs[0].weight: must be between 0.001`,
		`"setup":30|"setup":-1`:           `workload.annotate.jobs[0].setup: must be between 0`,
		`["b"]|[1]`:                       `workload.annotate.jobs[0].on[0]: must be a string`,
		`"weight":2.5|"wieght":2.5`:       `workload.annotate.jobs[0].wieght: unknown key; did you mean "weight"?`,
	} {
		old, with, _ := strings.Cut(change, "|")
		text := strings.Replace(attributed, old, with, 1)
		if text == attributed {
			t.Fatalf("%s changes nothing", change)
		}
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", change, err, want)
		}
	}
}

// A platform by itself takes the place of what it speaks of, and of nothing
// else; its faults name their place.
func TestWithPlatform(t *testing.T) {
	e := mustDecode(t, guarded)
	got, err := e.WithPlatform([]byte(`{"limits":{"user_processors":5}}`))
	if err != nil || got.Platform.Limits.UserProcessors != 5 || len(got.Platform.Limits.Classes) != 0 || len(got.Platform.Clusters) != 2 || len(got.Platform.Outages) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = e.WithPlatform([]byte(`{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":9,"gpus":2}]},{"name":"b","groups":[{"processors":8}]}]}`))
	if err != nil || got.Platform.Clusters[0].Groups[0].Count != 9 || got.Platform.Limits.UserProcessors != 24 || len(got.Platform.Outages) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = mustDecode(t, minimal).WithPlatform([]byte(`{"generator":{"key":"cerit-sc"}}`))
	if err != nil || got.Platform.Generator == nil || got.Schedulers[0].Key != "easy" {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"processors":8}`:                 `platform.outages[0].cluster: unknown cluster "a"`,
		`{"outages":[{"from":1,"to":0}]}`:  `platform.outages[0].to: must be later`,
		`{"outages":[{"form":1,"to":10}]}`: `platform.outages[0].form: unknown key; did you mean "from"?`,
		`{"limits":3}`:                     `platform.limits: must be an object`,
		`{"limitz":{}}`:                    `platform.limitz: unknown key; did you mean "limits"?`,
		`[]`:                               `platform: must be an object`,
		`{"limits":`:                       `ends too early`,
	} {
		if _, err := e.WithPlatform([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
	for text, want := range map[string]bool{`{"outages":[]}`: true, `{"clusters":[]}`: true, guarded: false, `{"jobs":[]}`: false, `[]`: false, `{`: false} {
		if IsPlatform([]byte(text)) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
