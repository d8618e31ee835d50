package workload_test

import (
	"testing"

	"batchlab/core/swf"
	"batchlab/core/workload"
)

func benchmarkFromLog(b *testing.B, l *swf.Log, o workload.Options) {
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := workload.FromLog(l, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(l.Records))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mjobs/s")
}

func BenchmarkFromLogDaily(b *testing.B) {
	benchmarkFromLog(b, generate(b, map[string]any{"jobs": 60000}, 1, 0), workload.Options{})
}

func BenchmarkFromLogSDSC(b *testing.B) {
	benchmarkFromLog(b, realLog(b, "SDSC-SP2-1998-4.2-cln.swf.gz"), workload.Options{})
}

func BenchmarkFromLogHPC2N(b *testing.B) {
	benchmarkFromLog(b, realLog(b, "HPC2N-2002-2.2-cln.swf.gz"), workload.Options{})
}

// Everything at once: filter, window, load and times scaled.
func BenchmarkFromLogShaped(b *testing.B) {
	from := int64(86400)
	benchmarkFromLog(b, generate(b, map[string]any{"jobs": 60000}, 1, 0),
		workload.Options{ExcludeUsers: []int64{3, 5, 7}, MaxProcs: 64, From: &from, Load: 1.3, Time: 0.9})
}

// A log in the reverse of submit order.
func BenchmarkFromLogReversed(b *testing.B) {
	l := generate(b, map[string]any{"jobs": 60000}, 1, 0)
	for i, k := 0, len(l.Records)-1; i < k; i, k = i+1, k-1 {
		l.Records[i], l.Records[k] = l.Records[k], l.Records[i]
	}
	benchmarkFromLog(b, l, workload.Options{})
}

func BenchmarkGenerateDaily(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		generate(b, nil, 1, 0)
	}
}
