package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// stepped are the schedulers that go by counts of processors.
var stepped = []string{
	`"fcfs"`, `"easy"`, `"conservative"`, `"easy","params":{"orders-by":"prediction"}`, `"foresight"`, `"foresight-rollout"`,
	`"fcfs-bf"`, `"lsf"`, `"sjf"`, `"ppp"`, `"pppd"`, `"fair-share"`, `"bf-unmod"`, `"bf-mod"`, `"orig-bf"`, `"plan-rs"`, `"hill-climbing"`,
	`"custom","params":{"name":"own","code":"def order(job, s):\n    return job.procs * job.requested\n"}`,
}

// steppedJobs is how many jobs are stepped through; STEP_JOBS names fewer for
// schedulers that take too long for so many.
func steppedJobs() string {
	if n := os.Getenv("STEP_JOBS"); n != "" {
		return n
	}
	return "450000"
}

// BenchmarkStep tells instants of a run of 450,000 jobs: the time of a run that keeps
// nothing (run_s), the time until the first instant is told (ready_s), and then the
// median and the worst of single steps, back as well as forward, and of jumps (ms).
// A step is to come within 100 ms. All is processor time.
func BenchmarkStep(b *testing.B) {
	for _, scheduler := range stepped {
		name, _, _ := strings.Cut(strings.Trim(scheduler, `"`), `"`)
		b.Run(name, func(b *testing.B) {
			text := `{"batchlab":1,"seed":3,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":` + steppedJobs() + `}}}},"schedulers":[{"key":` + scheduler + `}]}`
			doc, err := experiment.Decode([]byte(text))
			if err != nil {
				b.Fatal(err)
			}
			p, err := lab.Prepare(doc, lab.Env{})
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := p.Workload(0); err != nil {
				b.Fatal(err)
			}
			began := processor()
			if _, err := p.Run(lab.RunID{}, lab.Options{}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric((processor() - began).Seconds(), "run_s")
			began = processor()
			s, err := p.NewStepper(lab.RunID{}, false, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric((processor() - began).Seconds(), "ready_s")
			r := rand.New(rand.NewPCG(1, 1))
			n := len(s.Times())
			one := func(index int) float64 {
				began := processor()
				if _, err := s.Step(index, nil); err != nil {
					b.Fatal(err)
				}
				return float64((processor() - began).Microseconds()) / 1000
			}
			var steps, jumps []float64
			for range 40 {
				at := r.IntN(n)
				jumps = append(jumps, one(at))
				for range 12 {
					at = min(max(0, at+2*r.IntN(2)-1), n-1)
					steps = append(steps, one(at))
				}
			}
			for name, list := range map[string][]float64{"step": steps, "jump": jumps} {
				slices.Sort(list)
				b.ReportMetric(list[len(list)/2], fmt.Sprintf("%s_median_ms", name))
				b.ReportMetric(list[len(list)-1], fmt.Sprintf("%s_worst_ms", name))
			}
		})
	}
}
