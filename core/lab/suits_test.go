//go:build !small

package lab

import (
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/sim"
)

// What the document says of schedulers is what the code can do: which know
// machines, and which keep limits.
func TestUnsuitedAgreesWithTheCode(t *testing.T) {
	for _, row := range catalog.Schedulers {
		for _, platform := range []string{`{"outages":[{"from":0,"to":10}]}`, `{"limits":{"user_processors":50}}`} {
			e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":` + platform + `,"schedulers":[{"key":"` + row.Key + `"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			built, err := buildSite(&e.Schedulers[0])
			can := err == nil
			if _, keeps := built.(sim.LimitKeeper); e.Platform.Limited() {
				can = can && keeps
			}
			if fault := e.Unsuited(0); (fault == nil) != can {
				t.Errorf("%s on %s: the document says %v, the code %t", row.Key, platform, fault, can)
			}
		}
	}
}
