package experiment

import (
	"strings"
	"testing"
)

// A scheduler that the platform does not suit is named with its place, the
// parameter's where one is to blame, before anybody reads a log.
func TestUnsuited(t *testing.T) {
	machines := `{"clusters":[{"name":"farm","packing":"machine","groups":[{"count":2,"processors":4}]}]}`
	for _, c := range []struct{ platform, annotate, scheduler, path, says string }{
		{`{}`, `{}`, `"as-logged"`, "", ""},
		{machines, `{}`, `"as-logged"`, "schedulers[0]", "as-logged knows interchangeable processors only, and here there are machines"},
		{machines, `{}`, `"easy","params":{"order":"saf"}`, "", ""},
		{machines, `{}`, `"easy","params":{"order":"mixed","weights":[0,0,1]}`, "", ""},
		{`{"power_scales":true}`, `{}`, `"easy","params":{"order":"formula","formula":"q"}`, "", ""},
		{`{}`, `{"deadlines":{"share":1,"on_due":"kill"}}`, `"as-logged"`, "schedulers[0]", "stopped at their deadlines"},
		{machines, `{}`, `"bf-mod","params":{"deadline-min":30}`, "schedulers[0].params.deadline-max", "deadline-max is 20, less than deadline-min, which is 30"},
		{`{}`, `{}`, `"plan-rs","params":{"cold":5}`, "", ""},
		{`{}`, `{}`, `"plan-rs","params":{"cold":5,"optimiser":"annealing"}`, "schedulers[0].params.temperature", "less than cold"},
		{`{"limits":{"user_processors":3}}`, `{}`, `"fcfs"`, "schedulers[0]", "does not know limits"},
		{`{"limits":{"user_processors":3}}`, `{}`, `"conservative"`, "", ""},
		{`{}`, `{"reservations":{"share":0.5}}`, `"easy"`, "schedulers[0]", "does not know advance reservations"},
		{machines, `{}`, `"grid"`, "schedulers[0]", `cluster "farm" has the packing machine`},
		{`{"outages":[{"from":1,"to":2}]}`, `{}`, `"grid","params":{"binding":"static"}`, "schedulers[0]", "knows no failures"},
		{`{"outages":[{"from":1,"to":2,"announced":true}]}`, `{}`, `"grid","params":{"binding":"static"}`, "", ""},
		{`{"generator":{"key":"farm-machines"}}`, `{}`, `"grid"`, "schedulers[0]", "neither generated machines nor licences"},
	} {
		e, err := Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"},"annotate":` + c.annotate + `},"platform":` + c.platform + `,"schedulers":[{"key":` + c.scheduler + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		fault := e.Unsuited(0)
		if fault == nil {
			fault = &Error{}
		}
		if fault.Path != c.path || !strings.Contains(fault.Message, c.says) || (c.says == "") != (fault.Message == "") {
			t.Errorf("%s on %s %s: %v\nwant %s: %s", c.scheduler, c.platform, c.annotate, fault, c.path, c.says)
		}
	}
}
