package experiment

import (
	"strings"
	"testing"
)

// Intent: rules of booking that contradict each other or the platform are named at
// their place; rules that say nothing are not there, so that the identity is that
// of the document without them.
func TestRulesOfBooking(t *testing.T) {
	document := func(platform string) string {
		return `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":{` + platform + `},"schedulers":[{"key":"easy"}]}`
	}
	for platform, want := range map[string]string{
		`"processors":100,"booking":{"binding":"static","running":"suspend"}`:                                   "with static binding batch jobs cannot be suspended",
		`"processors":100,"booking":{"binding":"static"},"outages":[{"from":1,"to":2,"processors":1}]`:          "static binding names processors in advance",
		`"clusters":[{"name":"a","groups":[{"processors":4}]}],"power_scales":true,"booking":{"end":"suspend"}`: "jobs cannot be suspended",
		`"processors":100,"booking":{"slots":3}`:                                                                "unknown key",
	} {
		if _, err := Decode([]byte(document(platform))); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "platform.booking") {
			t.Errorf("%s: %v", platform, err)
		}
	}
	plain, err := Decode([]byte(document(`"processors":100`)))
	if err != nil {
		t.Fatal(err)
	}
	said, err := Decode([]byte(document(`"processors":100,"booking":{"slot":1,"mode":"late"}`)))
	if err != nil {
		t.Fatal(err)
	}
	if plain.Identity() != said.Identity() || said.Platform.Booking != nil {
		t.Error("rules at their defaults change the identity")
	}
}
