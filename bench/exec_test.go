package bench

import (
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"batchlab/cmd/batchlab/program"
	"batchlab/core/sim"
)

// BenchmarkExec runs a year of KTH-SP2 under schedulers in Python, and counts how
// many lines go there and back in a second, the start of Python included.
func BenchmarkExec(b *testing.B) {
	w, p := load(b, "KTH-SP2-1996-2.1-cln.swf.gz")
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip("there is no python3 on the PATH")
	}
	folder, err := filepath.Abs("../clients/python")
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("PYTHONPATH", folder)
	for _, example := range []string{"fcfs", "easy"} {
		b.Run(example, func(b *testing.B) {
			trips := 0
			for b.Loop() {
				s := program.New(program.Options{Command: "'" + python + "' '" + filepath.Join(folder, "examples", example+".py") + "'", Timeout: time.Minute, Stderr: io.Discard})
				if _, err := new(sim.Simulator).Run(w, p, s, sim.Options{}); err != nil {
					b.Fatal(err)
				}
				trips += s.Trips()
				s.Close()
			}
			b.ReportMetric(float64(trips)/b.Elapsed().Seconds(), "trips/s")
			b.ReportMetric(float64(len(w.Jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
