package bench

import (
	"fmt"
	"testing"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// BenchmarkProgress prints the longest time in milliseconds between two calls of
// Progress in a run under each scheduler, on workloads that overload the machine:
// what a cancel may have to wait for. Ten calls a second are expected.
func BenchmarkProgress(b *testing.B) {
	const (
		daily  = `{"generator":{"key":"daily","params":{"jobs":%d,"load":1.3}}}`
		spread = `{"generator":{"key":"node-jobs","params":{"jobs":%d,"interarrival":60}}}`
		nodes  = `"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":25,"processors":4}]}]}`
		farm   = `"platform":{"generator":{"key":"farm-machines"}}`
		grid   = `"platform":{"clusters":[{"name":"a","groups":[{"count":1,"processors":64}]},{"name":"b","groups":[{"count":1,"processors":64}]}]}`
	)
	for _, c := range []struct{ name, source, rest, scheduler string }{
		{"fcfs", fmt.Sprintf(daily, 100_000), "", `{"key":"fcfs"}`},
		{"easy-lexp", fmt.Sprintf(daily, 30_000), "", `{"key":"easy","params":{"order":"lexp","backfill":"spf"}}`},
		{"conservative", fmt.Sprintf(daily, 20_000), "", `{"key":"conservative"}`},
		{"conservative-nodes", fmt.Sprintf(daily, 2_000), nodes, `{"key":"conservative"}`},
		{"orig-bf", fmt.Sprintf(daily, 4_000), "", `{"key":"orig-bf"}`},
		{"orig-bf-nodes", fmt.Sprintf(daily, 2_000), nodes, `{"key":"orig-bf"}`},
		{"plan-rs", fmt.Sprintf(daily, 2_000), "", `{"key":"plan-rs"}`},
		{"plan-rs-300000", fmt.Sprintf(daily, 100), "", `{"key":"plan-rs","params":{"iterations":300000}}`},
		{"plan-rs-nodes", fmt.Sprintf(daily, 300), nodes, `{"key":"plan-rs"}`},
		{"plan-rs-nodes-lns", fmt.Sprintf(daily, 300), nodes, `{"key":"plan-rs","params":{"optimiser":"lns"}}`},
		{"hill-climbing", fmt.Sprintf(daily, 300), "", `{"key":"hill-climbing"}`},
		{"hill-climbing-nodes", fmt.Sprintf(daily, 200), nodes, `{"key":"hill-climbing"}`},
		{"easy-farm", `{"generator":{"key":"farm","params":{"jobs":10000,"interarrival":20}}}`, farm, `{"key":"easy"}`},
		{"bf-unmod", `{"generator":{"key":"farm","params":{"jobs":8000,"interarrival":20}}}`, farm, `{"key":"bf-unmod"}`},
		{"bf-mod", `{"generator":{"key":"farm","params":{"jobs":8000,"interarrival":20}}}`, farm, `{"key":"bf-mod"}`},
		{"grid", `{"generator":{"key":"two-level","params":{"jobs":20000,"interarrival":400}}},"annotate":{"reservations":{"share":0.5}}`, grid, `{"key":"grid"}`},
		{"grid-conservative", `{"generator":{"key":"two-level","params":{"jobs":6000,"interarrival":400}}},"annotate":{"reservations":{"share":0.5}}`, grid, `{"key":"grid","params":{"local":"conservative"}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			doc := fmt.Sprintf(`{"batchlab":1,"workload":{"source":%s}`, c.source)
			if c.rest != "" {
				doc += "," + c.rest
			}
			e, err := experiment.Decode([]byte(doc + `,"schedulers":[` + c.scheduler + `]}`))
			if err != nil {
				b.Fatal(err)
			}
			p, err := lab.Prepare(e, lab.Env{})
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := p.Workload(0); err != nil {
				b.Fatal(err)
			}
			began := time.Now()
			last, calls, longest := began, 0, time.Duration(0)
			look := func(int, int) bool {
				now := time.Now()
				longest, last = max(longest, now.Sub(last)), now
				calls++
				return true
			}
			if _, err := p.Run(lab.RunID{}, lab.Options{Progress: look}); err != nil {
				b.Fatal(err)
			}
			look(0, 0)
			b.ReportMetric(float64(longest)/1e6, "longest-ms")
			b.ReportMetric(last.Sub(began).Seconds(), "s")
			b.ReportMetric(float64(calls)/last.Sub(began).Seconds(), "calls/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
