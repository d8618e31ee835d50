package swf_test

import (
	"os"
	"path/filepath"
	"testing"

	"batchlab/core/swf"
)

// made returns a log of the size of SDSC-SP2, for benchmarks without one.
func made() []byte {
	l := new(swf.Log)
	l.Header.Add("Version", "2.2")
	l.Header.Add("MaxProcs", "128")
	l.Records = make([]swf.Record, 60000)
	for i := range l.Records {
		n := int64(i)
		l.Records[i] = swf.Record{JobNumber: n, SubmitTime: n * 1039, WaitTime: int32(n * 7919 % 60000),
			RunTime: int32(n * 104729 % 65000), AllocatedProcessors: int32(n%128 + 1), AverageCPUTimeUsed: n % 9973,
			UsedMemory: -1, RequestedProcessors: int32(n%128 + 1), RequestedTime: 64800, RequestedMemory: -1, Status: 1,
			UserID: int32(n % 437), GroupID: 1, ExecutableNumber: int32(n % 20011), QueueNumber: 3, PartitionNumber: -1,
			PrecedingJobNumber: -1, ThinkTime: -1}
	}
	return l.Append(nil)
}

func benchmarkParse(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := swf.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseMade(b *testing.B)  { benchmarkParse(b, made()) }
func BenchmarkParseSDSC(b *testing.B)  { benchmarkParse(b, realLog(b, sdsc)) }
func BenchmarkParseKTH(b *testing.B)   { benchmarkParse(b, realLog(b, kth)) }
func BenchmarkParseHPC2N(b *testing.B) { benchmarkParse(b, realLog(b, hpc2n)) }
func BenchmarkParseCERIT(b *testing.B) { benchmarkParse(b, realLog(b, cerit)) }

// The plain twin, for comparison.
func BenchmarkPlainSDSC(b *testing.B) {
	data := realLog(b, sdsc)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		plainParse(data)
	}
}

func BenchmarkAppendMade(b *testing.B) {
	data := made()
	l, err := swf.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	buffer := make([]byte, 0, 2*len(data))
	for b.Loop() {
		buffer = l.Append(buffer[:0])
	}
}

func BenchmarkGunzipSDSC(b *testing.B) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		b.Skip("BATCHLAB_LOGS is not set: it names the folder of the real logs")
	}
	packed, err := os.ReadFile(filepath.Join(dir, sdsc))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(realLog(b, sdsc))))
	for b.Loop() {
		if _, err := swf.Gunzip(packed, 0); err != nil {
			b.Fatal(err)
		}
	}
}
