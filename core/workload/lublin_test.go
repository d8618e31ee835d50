package workload_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/bits"
	"testing"

	"batchlab/core/swf"
	"batchlab/core/workload"
)

func lublin(t testing.TB, params map[string]any, seed uint64) *swf.Log {
	t.Helper()
	l, err := workload.GenerateSeeded("lublin", params, seed, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The generator makes the same bytes on every machine: native and wasm run
// this test.
func TestLublinGolden(t *testing.T) {
	for i, tt := range []struct {
		params map[string]any
		want   string
	}{
		{nil, "3334eb9444f2601c5cd1f0276dc076d5d9875fbefb6b569f96393a6c16b493ca"},
		{map[string]any{"jobs": 20000, "processors": 1000, "kinds": "typeless", "gaps": 0.5}, "b202ee862372f159ba4813ee2f5e878646239930251395660aa54498e2a08b99"},
	} {
		sum := sha256.Sum256(lublin(t, tt.params, 1).Append(nil))
		if got := hex.EncodeToString(sum[:]); got != tt.want {
			t.Errorf("log %d has SHA-256 %s, want %s", i, got, tt.want)
		}
	}
}

// moments are what the model fixes and a sample can be held against.
type moments struct {
	jobs                       int
	serial, power              float64 // shares: one processor; a power of two, one included
	logRun, logRunSmall, large float64 // mean ln of the run time: all, up to 4 processors, from 32 on
	gap, logGap                float64 // mean seconds between submissions, and mean of the logarithm
	hours                      [24]float64
}

func momentsOf(l *swf.Log) (m moments) {
	m.jobs = len(l.Records)
	small, large := 0, 0
	for i := range l.Records {
		r := &l.Records[i]
		p := r.AllocatedProcessors
		if p == 1 {
			m.serial++
		}
		if bits.OnesCount32(uint32(p)) == 1 {
			m.power++
		}
		x := math.Log(float64(r.RunTime))
		m.logRun += x
		if p <= 4 {
			m.logRunSmall += x
			small++
		}
		if p >= 32 {
			m.large += x
			large++
		}
		if i > 0 {
			m.logGap += math.Log(max(1, float64(r.SubmitTime-l.Records[i-1].SubmitTime))) / float64(m.jobs-1)
		}
		m.hours[r.SubmitTime%86400/3600] += 1 / float64(m.jobs)
	}
	n := float64(m.jobs)
	m.serial, m.power, m.logRun, m.logRunSmall, m.large = m.serial/n, m.power/n, m.logRun/n, m.logRunSmall/float64(small), m.large/float64(large)
	m.gap = float64(l.Records[m.jobs-1].SubmitTime-l.Records[0].SubmitTime) / (n - 1)
	return m
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %.4f, want %.4f ± %.4f", what, got, want, within)
	}
}

// gammaMoment is the mean of f(x) under gamma(a, b) up to most, and what share
// lies below most, by plain integration with the library's own functions.
func gammaMoment(a, b, most float64, f func(float64) float64) (mean, below float64) {
	lg, _ := math.Lgamma(a)
	const dx = 1e-3
	for x := dx / 2; x < most; x += dx {
		w := math.Exp((a-1)*math.Log(x)-x/b-lg-a*math.Log(b)) * dx
		mean += w * f(x)
		below += w
	}
	return mean, below
}

// A large sample of batch jobs on 128 processors has the moments that the
// published constants imply: share of serial jobs, two-stage uniform sizes, the
// mean of the logarithm of run times given the sizes, and the mean gap.
func TestLublinMoments(t *testing.T) {
	const n = 100_000
	for _, k := range []struct {
		kind                     string
		serial, pow, low, medium float64
		high, first              float64
		a1, b1, a2, b2, pa, pb   float64
		aarr, barr, anum, bnum   float64
		arar                     float64
	}{
		{"batch", 0.2927, 0.6686, 1.2, 5, 7, 0.875, 6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986, 6.0415, 0.8531, 6.1271, 5.2740, 1.0519},
		{"interactive", 0.1541, 0.625, 1, 3, 5.5, 0.705, 3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156, 6.5510, 0.6621, 8.9186, 3.6680, 0.9797},
		{"typeless", 0.244, 0.576, 0.8, 4.5, 7, 0.86, 4.2, 0.94, 312, 0.03, -0.0054, 0.78, 10.2303, 0.4871, 8.1737, 3.9631, 1.0225},
	} {
		l := lublin(t, map[string]any{"jobs": n, "kinds": k.kind}, 3)
		m := momentsOf(l)
		if k.low >= 1 { // below, some parallel jobs are rounded to one processor
			near(t, k.kind+": share of serial jobs", m.serial, k.serial, 0.005)
		}
		// The mean of log₂ of the parallel sizes that are no power of two, which
		// rounding moved least, is that of the two-stage uniform distribution.
		mean, count := 0.0, 0
		want, runs := 0.0, 0.0
		whole := func(x float64) float64 { return math.Log(max(1, math.Floor(math.Exp(x)))) }
		m1, below1 := gammaMoment(k.a1, k.b1, 12, whole)
		m2, below2 := gammaMoment(k.a2, k.b2, 12, whole)
		for i := range l.Records {
			p := float64(l.Records[i].AllocatedProcessors)
			if p > 1 {
				mean += math.Log2(p)
				count++
			}
			share := min(max(k.pa*p+k.pb, 0), 1)
			// The repeated draw chooses the gamma again.
			want += (share*m1 + (1-share)*m2) / (share*below1 + (1-share)*below2)
			runs += math.Log(float64(l.Records[i].RunTime))
		}
		near(t, k.kind+": mean log2 of parallel sizes", mean/float64(count), (k.first*k.low+k.medium+(1-k.first)*k.high)/2, 0.06)
		near(t, k.kind+": mean ln of run times", runs/n, want/n, 0.03)
		if m.large <= m.logRunSmall {
			t.Errorf("%s: large jobs run no longer (%.2f) than small ones (%.2f)", k.kind, m.large, m.logRunSmall)
		}
		gap, below := gammaMoment(k.aarr*k.arar, k.barr, 13, math.Exp)
		near(t, k.kind+": mean gap in seconds over the expected", m.gap/(gap/below), 1, 0.05)

		// The daily cycle is gamma(anum, bnum) over half hours, laid around the day.
		lg, _ := math.Lgamma(k.anum)
		var hours [24]float64
		sum := 0.0
		for i := 11; i < 59; i++ {
			w := 0.0
			for x := float64(i) - 0.5; x < float64(i)+0.5; x += 0.01 {
				w += math.Exp((k.anum-1)*math.Log(x+0.005) - (x+0.005)/k.bnum - lg)
			}
			hours[(i-1)%48/2] += w
			sum += w
		}
		for h := range hours {
			near(t, k.kind+": share of an hour", m.hours[h], hours[h]/sum, 0.012)
		}
	}
}

// Sizes move with the machine: no job is larger, and medium and high keep
// their distance from the machine's size.
func TestLublinMachine(t *testing.T) {
	for _, log2 := range []float64{6, 8, 10} {
		size := int32(1) << int(log2)
		l := lublin(t, map[string]any{"jobs": 50_000, "processors": int(size), "kinds": "batch"}, 5)
		mean, count := 0.0, 0.0
		for k := range l.Records {
			p := l.Records[k].AllocatedProcessors
			if p < 1 || p > size {
				t.Fatalf("a job of %d processors on a machine of %d", p, size)
			}
			if p > 1 {
				mean += math.Log2(float64(p))
				count++
			}
		}
		near(t, "mean log2 of parallel sizes", mean/count, (0.875*1.2+(log2-2)+0.125*log2)/2, 0.06)
	}
	for _, size := range []int{2, 3, 5} {
		for _, r := range lublin(t, map[string]any{"jobs": 500, "processors": size}, 1).Records {
			if int(r.AllocatedProcessors) > size || r.RunTime < 1 {
				t.Fatalf("machine of %d: %+v", size, r)
			}
		}
	}
}

// Twice the gaps make a log twice as long with the same jobs.
func TestLublinGaps(t *testing.T) {
	a, b := lublin(t, map[string]any{"kinds": "batch", "jobs": 5000}, 9), lublin(t, map[string]any{"kinds": "batch", "jobs": 5000, "gaps": 2.0}, 9)
	for i := range a.Records {
		if a.Records[i].RunTime != b.Records[i].RunTime || a.Records[i].AllocatedProcessors != b.Records[i].AllocatedProcessors {
			t.Fatalf("job %d is another", i+1)
		}
	}
	near(t, "length", momentsOf(b).gap/momentsOf(a).gap, 2, 0.02)
}

// The archive's own sample of the model, made by its authors' program, and
// ours look alike where the machine does not matter.
func TestLublinAgainstArchive(t *testing.T) {
	theirs := realLog(t, "lublin_256.swf.gz")
	a, b := momentsOf(theirs), momentsOf(lublin(t, map[string]any{"jobs": 20000, "processors": 256, "kinds": "typeless"}, 2))
	near(t, "share of one-processor jobs", b.serial, a.serial, 0.08)
	near(t, "share of powers of two", b.power, a.power, 0.08)
	near(t, "mean ln of run times", b.logRun, a.logRun, 0.25)
	near(t, "mean ln of gaps", b.logGap, a.logGap, 0.1) // the mean itself is ruled by a few long ones
	for h := range a.hours {
		near(t, "share of an hour", b.hours[h], a.hours[h], 0.02)
	}
}
