package workloads_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/swf"
	"batchlab/core/workload"
	"batchlab/workloads"
)

var update = flag.Bool("update", false, "write the bundled logs anew; then put their SHA-256 into README.md")

// Every bundled log is, byte for byte, what its recipe makes, has a row in the
// catalog, and its SHA-256 and seed stand in README.md.
func TestRecipes(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(workloads.Recipes) != len(catalog.Bundles) {
		t.Errorf("%d recipes, %d rows in the catalog", len(workloads.Recipes), len(catalog.Bundles))
	}
	for i, r := range workloads.Recipes {
		l, err := workload.GenerateSeeded(r.Generator, r.Params, r.Seed, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := l.Append(nil)
		if *update {
			if err := os.WriteFile(r.Key+".swf.gz", pack(t, want), 0o644); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %x", r.Key, sha256.Sum256(want))
			continue
		}
		if key := catalog.Bundles[i].Key; key != r.Key {
			t.Errorf("recipe %d is %s, the catalog's row %s", i, r.Key, key)
		}
		packed, err := os.ReadFile(r.Key + ".swf.gz")
		if err != nil {
			t.Fatal(err)
		}
		got, err := swf.Gunzip(packed, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the file differs from what its recipe makes", r.Key)
		}
		if text, err := workload.Bundled(r.Key); err != nil || !bytes.Equal(text, got) {
			t.Errorf("%s: Bundled gives another text: %v", r.Key, err)
		}
		sum := sha256.Sum256(got)
		if !strings.Contains(string(readme), hex.EncodeToString(sum[:])) {
			t.Errorf("%s: README.md does not hold its SHA-256, %x", r.Key, sum)
		}
		again, err := swf.Parse(got)
		if err != nil || again.Malformed != 0 {
			t.Errorf("%s reads back with %d problems: %v", r.Key, again.Malformed, err)
		}
	}
}

// pack makes a gzip file without name and time, so that packing the same text
// twice gives the same bytes.
func pack(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
