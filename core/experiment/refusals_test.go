package experiment

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// A scheduler that the platform does not suit is named with its place, the
// parameter's where one is to blame, before anybody reads a log.
func TestUnsuited(t *testing.T) {
	machines := `{"clusters":[{"name":"farm","packing":"machine","groups":[{"count":2,"processors":4}]}]}`
	for _, c := range []struct {
		platform, annotate, scheduler, path string
		code                                Code
		says                                string
	}{
		{`{}`, `{}`, `"as-logged"`, "", "", ""},
		{machines, `{}`, `"easy","params":{"order":"saf"}`, "", "", ""},
		{machines, `{}`, `"bf-mod","params":{"deadline-min":30}`, "schedulers[0].params.deadline-max", CodeParamOrder, "deadline-max is 20, less than deadline-min, which is 30"},
		{`{}`, `{}`, `"plan-rs","params":{"cold":5}`, "", "", ""},
		{`{}`, `{}`, `"plan-rs","params":{"cold":5,"optimiser":"annealing"}`, "schedulers[0].params.temperature", CodeParamOrder, "less than cold"},
		{`{"limits":{"user_processors":3}}`, `{}`, `"conservative"`, "", "", ""},
		{`{"outages":[{"from":1,"to":2}]}`, `{}`, `"grid","params":{"binding":"static"}`, "schedulers[0].params.binding", "no-failures", "with binding static, grid does not know failures"},
		{`{"outages":[{"from":1,"to":2,"announced":true}]}`, `{}`, `"grid","params":{"binding":"static"}`, "", "", ""},
		{`{"clusters":[{"name":"a","groups":[{"count":8}]}],"power_scales":true}`, `{}`, `"grid","providers":[{"key":"pppd"}]`, "schedulers[0].providers[0].params.preempted", "no-speeds", "with preempted suspend, pppd does not know run times that depend"},
		{`{"booking":{"binding":"static"}}`, `{"reservations":{"share":0.5}}`, `"conservative"`, "schedulers[0]", "no-static-binding", "conservative does not know processors that are bound when reservations are accepted (platform.booking.binding): it looks ahead with counts"},
		{`{"booking":{"binding":"static"}}`, `{"reservations":{"share":0.5}}`, `"easy"`, "", "", ""},
		{`{"booking":{"binding":"static"}}`, `{}`, `"pppd"`, "", "", ""},
		{`{"clusters":[{"name":"n","packing":"nodes","groups":[{"count":2}]}],"booking":{"binding":"static"}}`, `{"reservations":{"share":0.5}}`, `"plan-rs"`, "", "", ""},
		{`{}`, `{}`, `"grid","params":{"binding":"static","local":"conservative"}`, "schedulers[0].params.local", "no-static-binding", "with local conservative, grid does not know processors that are bound"},
		{`{}`, `{}`, `"grid","params":{"binding":"static"},"providers":[{"key":"orig-bf"}]`, "schedulers[0].providers[0]", "no-static-binding", "orig-bf does not know"},
		{machines, `{}`, `"grid","params":{"binding":"static","local":"hill-climbing"}`, "", "", ""},
		{machines, `{}`, `"grid","providers":[{"key":"easy"},{"cluster":"farm","key":"bf-mod","params":{"deadline-min":30}}]`, "schedulers[0].providers[1].params.deadline-max", CodeParamOrder, "less than deadline-min"},
	} {
		e, err := Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"},"annotate":` + c.annotate + `},"platform":` + c.platform + `,"schedulers":[{"key":` + c.scheduler + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		fault := e.Unsuited(0)
		if fault == nil {
			fault = &Error{}
		}
		if fault.Path != c.path || fault.Code != c.code || !strings.Contains(fault.Message, c.says) || (c.says == "") != (fault.Message == "") {
			t.Errorf("%s on %s %s: %v\nwant %s: %s %s", c.scheduler, c.platform, c.annotate, fault, c.path, c.code, c.says)
		}
	}
}

// What an experiment asks for is known feature by feature, each scheduler is
// refused exactly where its row has a gap, with the feature's code, and at the
// parameter to which the gap belongs.
func TestGaps(t *testing.T) {
	cluster := func(packing string) string {
		return `"clusters":[{"name":"a","packing":"` + packing + `","groups":[{"count":2,"processors":4,"licences":["cad"]}]}]`
	}
	asks := map[string]struct{ platform, workload string }{
		catalog.FeatureClusters:     {`{"clusters":[{"name":"a","groups":[{"processors":4}]},{"name":"b","groups":[{"processors":4}]}]}`, ``},
		catalog.FeatureNodes:        {"{" + cluster("nodes") + "}", ``},
		catalog.FeatureMachines:     {"{" + cluster("machine") + "}", ``},
		catalog.FeatureGenerated:    {`{"generator":{"key":"farm-machines"}}`, ``},
		catalog.FeatureSpeeds:       {"{" + cluster("processors") + `,"power_scales":true}`, ``},
		catalog.FeatureLicences:     {"{" + cluster("processors") + `,"licences":[{"name":"cad","copies":1}]}`, `,"annotate":{"licences":[{"licence":"*","share":0.5}]}`},
		catalog.FeatureOutages:      {`{"outages":[{"from":1,"to":2,"announced":true}]}`, ``},
		catalog.FeatureFailures:     {`{"failures":{"key":"exponential"}}`, ``},
		catalog.FeatureLimits:       {`{"limits":{"user_processors":3}}`, ``},
		catalog.FeatureDueStops:     {`{}`, `,"annotate":{"deadlines":{"share":1,"on_due":"kill"}}`},
		catalog.FeatureEligibility:  {`{}`, `,"annotate":{"eligible":[{"on":["main"],"share":1}]}`},
		catalog.FeatureReservations: {`{}`, `,"annotate":{"reservations":{"share":0.5}}`},
		catalog.FeatureBinding:      {`{"booking":{"binding":"static"}}`, `,"annotate":{"reservations":{"share":0.5}}`},
		catalog.FeatureReacting:     {`{}`, `,"react":{}`},
	}
	for _, f := range catalog.Features {
		c, ok := asks[f.Key]
		if !ok {
			t.Errorf("%s is not tried", f.Key)
		}
		for _, row := range catalog.Schedulers {
			e := mustDecode(t, `{"batchlab":1,"workload":{"source":{"bundled":"demo"}`+c.workload+`},"platform":`+c.platform+`,"schedulers":[{"key":"`+row.Key+`"}]}`)
			got := e.Asks()
			if f.Key == catalog.FeatureBinding { // which only reservations ask for
				got = slices.DeleteFunc(got, func(key string) bool { return key == catalog.FeatureReservations })
			}
			if !slices.Equal(got, []string{f.Key}) {
				t.Errorf("%s: the document asks for %v", f.Key, got)
			}
			gap, fault := row.Gap(f.Key, e.Schedulers[0].Params.Words), e.Unsuited(0)
			switch {
			case (gap == nil) != (fault == nil):
				t.Errorf("%s, %s: gap %v, %v", row.Key, f.Key, gap, fault)
			case gap != nil && (fault.Code != NoFeature(f.Key) || !strings.Contains(fault.Message, f.Name) || !strings.HasPrefix(fault.Path, "schedulers[0]")):
				t.Errorf("%s, %s: %+v", row.Key, f.Key, fault)
			}
		}
	}
}
