package experiment

import (
	"reflect"
	"strings"
	"testing"
)

// guarded has outages, failures and limits that differ from their defaults.
const guarded = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"platform":{
"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":8}]},{"name":"b","groups":[{"processors":16}]}],
"outages":[{"name":"maintenance","from":100,"to":200,"cluster":"a","nodes":[0,3],"announced":true},{"from":-5,"to":50,"cluster":"b","processors":4}],
"failures":{"key":"exponential","params":{"mtbf":86400}},
"limits":{"user_processors":24,"classes":[{"longer_than":604800,"share":0.7},{"longer_than":60,"share":0.9,"whole":true}]}}}`

// Outages, failures and limits reach their fields, come back from file and
// link, belong to the identity, and stay out of documents without them.
func TestGuards(t *testing.T) {
	e := mustDecode(t, guarded)
	want := []Outage{{Name: "maintenance", From: 100, To: 200, Cluster: "a", Nodes: []int64{0, 3}, Announced: true}, {From: -5, To: 50, Cluster: "b", Procs: 4}}
	if !reflect.DeepEqual(e.Platform.Outages, want) {
		t.Errorf("%+v", e.Platform.Outages)
	}
	if mtbf, _ := e.Platform.Failures.Params.Int("mtbf"); mtbf != 86400 {
		t.Errorf("%+v", e.Platform.Failures)
	}
	if !reflect.DeepEqual(e.Platform.Limits, Limits{24, []LimitClass{{LongerThan: 604800, Share: 0.7}, {LongerThan: 60, Share: 0.9, Whole: true}}}) {
		t.Errorf("%+v", e.Platform.Limits)
	}
	comesBack(t, e)
	eachCounts(t, guarded, `"from":100|"from":101`, `[0,3]|[0,2]`, `"announced":true|"announced":false`, `"whole":true|"whole":false`, `"processors":4|"processors":5`, "86400|86401", "24|25", "604800|604801", "0.7|0.8")
	c := e.Clone()
	c.Platform.Outages[0].Nodes[0], c.Platform.Limits.Classes[0].Share, c.Platform.Failures.Params[0].Value = 1, 1, int64(60)
	if !reflect.DeepEqual(e, mustDecode(t, guarded)) {
		t.Error("a clone shares memory")
	}
	plain := mustDecode(t, minimal)
	if text := string(Encode(plain)); plain.Platform.Guarded() || strings.Contains(text, "limits") || strings.Contains(text, "outages") || strings.Contains(text, "failures") {
		t.Error("a document without them has them")
	}
}

// Each fault names its place.
func TestGuardFaults(t *testing.T) {
	for change, want := range map[string]string{
		`"to":200|"to":100`:             `platform.outages[0].to: must be later than from, 100`,
		`"to":50|"to":9007199254740991`: `platform.outages[1].to: must be at most a hundred years later`,
		`"to":50|"till":50`:             `platform.outages[1].to: missing`,
		`"cluster":"a"|"cluster":"c"`:   `platform.outages[0].cluster: unknown cluster "c"`,
		`"cluster":"a",|`:               `platform.outages[0].cluster: missing: there are several clusters`,
		`[0,3]|[0,4]`:                   `platform.outages[0].nodes[1]: there is no machine 4 in cluster "a", which has 0 to 3`,
		`"nodes":[0,3]|"processors":8`:  `platform.outages[0].processors: cluster "a" has machines`,
		`"cluster":"b","processors":4|"cluster":"b","nodes":[0]`:     `platform.outages[1].nodes: cluster "b" only counts processors`,
		`"cluster":"b","processors":4|"cluster":"b","processors":17`: `platform.outages[1].processors: must be at most 16`,
		`"key":"exponential"|"key":"exponentiel"`:                    `platform.failures.key: unknown generator of failures "exponentiel"; did you mean "exponential"?`,
		`"mtbf":86400|"mtbf":1`:                                      `platform.failures.params.mtbf: must be between 60`,
		`"share":0.7|"share":1.5`:                                    `platform.limits.classes[0].share: must be between 0 and 1, not 1.5`,
		`"user_processors":24|"user_processor":24`:                   `platform.limits.user_processor: unknown key; did you mean "user_processors"?`,
		`"longer_than":604800,|`:                                     `platform.limits.classes[0].longer_than: missing`,
	} {
		old, with, _ := strings.Cut(change, "|")
		text := strings.Replace(guarded, old, with, 1)
		if text == guarded {
			t.Fatalf("%s changes nothing", change)
		}
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", change, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"processors":8,"outages":[{"from":0,"to":1,"processors":9}]}`:   `platform.outages[0].processors: must be at most 8`,
		`{"processors":8,"outages":[{"from":0,"to":1,"cluster":"main"}]}`: `platform.outages[0].cluster: unknown cluster "main"`,
		`{"processors":8,"outages":[{"from":0,"to":1,"nodes":[1]}]}`:      `platform.outages[0].nodes: the platform only counts processors`,
	} {
		if _, err := Decode([]byte(strings.Replace(minimal, `"schedulers"`, `"platform":`+text+`,"schedulers"`, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
}

// Intent: a required key is written whatever its value, so that what is written can be read
// again: an outage or a reservation from second 0, a class of all jobs, a share of none.
func TestRequiredIsWritten(t *testing.T) {
	for _, text := range []string{
		`"workload":{"source":{"bundled":"demo"}},"platform":{"limits":{"classes":[{"longer_than":0,"share":1},{"longer_than":5,"share":0}]}}`,
		`"workload":{"source":{"bundled":"demo"}},"platform":{"outages":[{"from":0,"to":10},{"from":-5,"to":0}]}`,
		`"workload":{"source":{"bundled":"demo"}},"platform":{"reservations":[{"processors":1,"from":0,"to":10},{"processors":1,"from":-5,"to":0}]}`,
		`"workload":{"source":{"bundled":"demo"},"annotate":{"needs":[{"share":0,"gpus":1}],"licences":[{"licence":"cad","share":0}],"jobs":[{"job":0,"due":5}]}},
		 "platform":{"licences":[{"name":"cad","copies":1}],"clusters":[{"name":"a","packing":"machine","groups":[{"gpus":1,"licences":["cad"]}]}]}`,
	} {
		e, err := Decode([]byte(`{"batchlab":1,` + text + `,"schedulers":[{"key":"fcfs"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(EncodeCompact(e))
		if err != nil || again.Identity() != e.Identity() {
			t.Errorf("%v: %s", err, EncodeCompact(e))
		}
	}
}
