//go:build !small

package lab

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Intent: beside reservations and outages, by every rule of booking, a run by counts
// reports what the general form reports, columns and digest included; and what only the
// general form can do goes there.
func TestCountsAheadAreAFormOnly(t *testing.T) {
	schedulers := []string{
		`{"key":"fcfs"}`, `{"key":"fcfs","params":{"ties":"newest"}}`, `{"key":"easy"}`, `{"key":"conservative"}`,
		`{"key":"easy","params":{"order":"lexp","backfill":"saf","ties":"newest","threshold":400}}`,
	}
	requests := []struct {
		annotate, platform string
		counted            bool
	}{
		{`"reservations":{"share":0.3,"ready":"drawn","lead_min":60,"lead_max":900}`, ``, true},
		{`"reservations":{"share":0.6}`, `,"outages":[{"from":900,"to":1300,"processors":5,"announced":true},{"from":1000,"to":1100,"processors":9,"announced":true}]`, true},
		{`"reservations":{"share":0.5}`, `,"booking":{"end":"early","mode":"reject","unused":"hold","slot":60,"delta":300}`, true},
		{``, `,"outages":[{"from":900,"to":1300,"processors":5,"announced":true}],"reservations":[{"processors":3,"from":1000,"to":1500},{"processors":16,"from":2000,"to":2900,"length":300}]`, true},
		{`"reservations":{"share":0.3}`, `,"booking":{"end":"suspend"}`, false},
		{`"reservations":{"share":0.3}`, `,"booking":{"running":"suspend"}`, false},
		{`"reservations":{"share":0.3}`, `,"outages":[{"from":700,"to":900,"processors":4}]`, false},
		{`"reservations":{"share":0.3},"deadlines":{"share":0.6,"on_due":"kill"}`, ``, false},
	}
	const text = `{"batchlab":1,"seed":7,"workload":{"source":{"log":{"name":"small.swf","sha256":"0000000000000000000000000000000000000000000000000000000000000000","size":1}},"annotate":{%[1]s}},"platform":{"processors":16%[2]s},"schedulers":[%[3]s]}`
	ran := 0
	for round := range 4 {
		env := smallLog(t, 80, uint64(round))
		for _, request := range requests {
			for _, scheduler := range schedulers {
				var reports [2]string
				for k := range reports {
					p, err := Prepare(decode(t, fmt.Sprintf(text, request.annotate, request.platform, scheduler)), env)
					if err != nil {
						t.Fatal(err)
					}
					p.generally = k == 1
					out, err := p.Run(RunID{}, Options{Columns: true})
					if err != nil {
						t.Fatal(request, scheduler, err)
					}
					if k == 0 && request.counted == (p.schedulers[0] != nil) {
						ran++
					}
					text, err := json.Marshal(out.Report)
					if err != nil {
						t.Fatal(err)
					}
					reports[k] = fmt.Sprintf("%s\n%+v\n%v", text, out.Report.Columns, out.Block)
				}
				if reports[0] != reports[1] {
					t.Errorf("round %d, %+v, %s: by counts\n%.3000s\nin general\n%.3000s", round, request, scheduler, reports[0], reports[1])
				}
			}
		}
	}
	if want := 4 * len(requests) * len(schedulers); ran != want {
		t.Errorf("%d of %d runs went by the form that was meant", ran, want)
	}
}
