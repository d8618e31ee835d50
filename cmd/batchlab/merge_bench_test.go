package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// mergeDocument makes 100,000 runs: 1,250 points of 80.
func mergeDocument() string {
	var loads, taus []byte
	for i := range 50 {
		loads = fmt.Appendf(loads, "%g,", 0.5+0.02*float64(i))
	}
	for i := range 25 {
		taus = fmt.Appendf(taus, "%d,", i+1)
	}
	return fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":20}}}},
"schedulers":[{"key":"fcfs","repeat":20},{"key":"easy","repeat":20},{"key":"conservative","repeat":20},{"key":"easy","params":{"order":"saf"},"repeat":20}],
"vary":[{"path":"workload.scale.load","values":[%s]},{"path":"measures.tau","values":[%s]}]}`, bytes.TrimSuffix(loads, []byte(",")), bytes.TrimSuffix(taus, []byte(",")))
}

// BenchmarkMerge merges 16 shards of 100,000 runs, on one core and on all.
func BenchmarkMerge(b *testing.B) {
	dir := b.TempDir()
	if kept := os.Getenv("BATCHLAB_MERGE"); kept != "" { // shards of an earlier time
		dir = kept
	} else {
		doc := filepath.Join(dir, "sweep.json")
		if err := os.WriteFile(doc, []byte(mergeDocument()), 0o600); err != nil {
			b.Fatal(err)
		}
		for i := range 16 {
			if out := batchlab("run", doc, "--out", dir, "--shard", fmt.Sprintf("%d/16", i+1)); out.status != 0 {
				b.Fatal(out.stderr)
			}
		}
	}
	for _, cores := range []string{"1", fmt.Sprint(numCores())} {
		b.Run("cores="+cores, func(b *testing.B) {
			for b.Loop() {
				var stderr bytes.Buffer
				if status := dispatch([]string{"merge", dir, "--parallel", cores}, io.Discard, &stderr); status != 0 {
					b.Fatal(stderr.String())
				}
			}
		})
	}
}
