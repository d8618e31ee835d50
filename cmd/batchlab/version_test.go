package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: whoever writes a paper can name what they used: the program says its
// version, engine and commit, however it is asked, and so does every result.
func TestVersion(t *testing.T) {
	defer func(old string) { experiment.Commit = old }(experiment.Commit)
	experiment.Commit = "0123456789ab"
	for _, asked := range []string{"version", "--version", "-version"} {
		o := object(t, asked)
		if o["version"] != experiment.Release || o["engine"] != experiment.Engine || o["commit"] != "0123456789ab" || !strings.Contains(o["cite"].(string), experiment.Release) {
			t.Errorf("batchlab %s: %v", asked, o)
		}
	}
	says(t, batchlab("version", "now"), 2, `unexpected argument "now"`)
	doc, dir := write(t, "e.json", demo), t.TempDir()
	digest := ""
	for _, command := range [][]string{
		{"simulate", "--log", "../../workloads/demo.swf.gz", "--algorithm", "fcfs"},
		{"run", doc, "--out", dir},
		{"paper", "legrand2018-figure1", "--quick"},
	} {
		o := object(t, command...)
		if o["version"] != experiment.Release || o["engine"] != experiment.Engine || o["commit"] != "0123456789ab" {
			t.Errorf("batchlab %v: %v %v %v", command, o["version"], o["engine"], o["commit"])
		}
		if command[0] == "run" {
			digest = o["digest"].(string)
		}
	}
	if text := read(t, filepath.Join(dir, "CITATION.txt")); !strings.Contains(text, experiment.ThisBuild().String()) || !strings.Contains(text, digest) {
		t.Errorf("CITATION.txt does not name the build and the digest:\n%s", text)
	}
	shards := t.TempDir()
	says(t, batchlab("run", doc, "--shard", "1/1", "--out", shards), 0)
	if line, _, _ := strings.Cut(read(t, filepath.Join(shards, "shard-1-of-1.json")), "\n"); !strings.Contains(line, `"version":"`+experiment.Release+`","engine":"`+experiment.Engine+`","commit":"0123456789ab"`) {
		t.Errorf("the shard begins with %s", line)
	}
}

// Intent: a program that was built by go build alone names its commit, too, and
// says when its sources had been changed.
func TestBuiltFrom(t *testing.T) {
	at := func(modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: modified}}}
	}
	for want, got := range map[string]string{
		"0123456789ab":  builtFrom(at("false"), true),
		"0123456789ab+": builtFrom(at("true"), true),
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := builtFrom(&debug.BuildInfo{}, true) + builtFrom(nil, false); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

// Intent: the licences of what is inside can be read where the page is at hand, and
// where it is not, the message says what is missing.
func TestVersionLicences(t *testing.T) {
	t.Chdir(t.TempDir())
	says(t, batchlab("version", "--licences"), 2, "licences", "no built page")
	defer func() { inside = nil }()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "licences.txt"), []byte("all of them\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inside = os.DirFS(dir)
	if out := batchlab("version", "--licences"); out.status != 0 || out.stdout != "all of them\n" {
		t.Errorf("%+v", out)
	}
	if o := object(t, "version"); o["page"] != "inside" {
		t.Errorf("a program with the page in it says %v", o)
	}
}
