package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Intent: what would be submitted can be read before: two scripts that a shell
// takes, whatever stands in the names, and the commands that submit them.
func TestSlurmDryRun(t *testing.T) {
	log := write(t, "it's a $log.swf", threeJobs)
	doc := write(t, "e.json", logDocument(log, threeJobs, `"schedulers":[{"key":"easy"},{"key":"fcfs"}],"vary":[{"path":"seed","values":[1,2]}]`))
	dir := filepath.Join(t.TempDir(), "o ut%")
	out := batchlab("slurm", doc, "--log", log, "--shards", "3", "--out", dir, "--jobs", "--dry-run", "--", "--time=5", "--comment=a b")
	says(t, out, 0)
	for _, want := range []string{"#SBATCH --requeue", `--shard "$SLURM_ARRAY_TASK_ID/3"`, `\''s a $log.swf'`, "--array=1-3", "--time=5", "'--comment=a b'", "--dependency=afterok:$ARRAY", "--jobs", "One shard of 4 runs"} {
		if !strings.Contains(out.stdout, want) {
			t.Errorf("no %q in\n%s", want, out.stdout)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a dry run made the folder")
	}
}

// fakeSbatch is an sbatch that notes its words and runs array jobs at once.
const fakeSbatch = `#!/bin/sh
n=$(cat "$LOG.n" 2>/dev/null || echo 100); n=$((n + 1)); echo $n > "$LOG.n"
for w; do printf '[%s]' "$w"; done >> "$LOG"; echo >> "$LOG"
case "$*" in *refuse*) echo "sbatch: error: Invalid partition" >&2; exit 1;; esac
echo "$n;cluster"
`

// Intent: sbatch gets the array job and the merge that waits for it, with the
// user's flags; what is complete is not submitted again; its refusal is passed
// on; a folder with another experiment is left alone.
func TestSlurmSubmits(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte(fakeSbatch), 0o700); err != nil {
		t.Fatal(err)
	}
	note := filepath.Join(bin, "words")
	t.Setenv("LOG", note)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	doc, dir := write(t, "e.json", swept), filepath.Join(t.TempDir(), "out")
	submit := func(more ...string) (output, []string) {
		os.Remove(note)
		out := batchlab(append([]string{"slurm", doc, "--shards", "5", "--out", dir}, more...)...)
		text, _ := os.ReadFile(note)
		return out, strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	out, words := submit("--", "--partition=p q")
	o := one(t, out)
	if o["array"] != "101" || o["merge"] != "102" || o["items"] != 30. || o["submitted"] != 5. || o["report"] != filepath.Join(dir, "report.json") {
		t.Errorf("printed: %v", o)
	}
	if len(words) != 2 || !strings.Contains(words[0], "[--array=1-5][--partition=p q]["+filepath.Join(dir, "shards.sh")+"]") ||
		!strings.Contains(words[1], "[--dependency=afterok:101][--kill-on-invalid-dep=yes][--partition=p q]["+filepath.Join(dir, "merge.sh")+"]") {
		t.Errorf("sbatch got %q", words)
	}
	for _, script := range []string{"shards.sh", "merge.sh"} {
		if out, err := exec.Command("sh", "-n", filepath.Join(dir, script)).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", script, out)
		}
	}
	for _, i := range []int{1, 3, 5} {
		says(t, batchlab("run", filepath.Join(dir, "experiment.json"), "--out", dir, "--shard", fmt.Sprintf("%d/5", i)), 0)
	}
	if _, words = submit(); !strings.Contains(words[0], "[--array=2,4]") {
		t.Errorf("of what is left, sbatch got %q", words)
	}
	for _, i := range []int{2, 4} {
		says(t, batchlab("run", doc, "--out", dir, "--shard", fmt.Sprintf("%d/5", i)), 0)
	}
	if out, words = submit(); len(words) != 1 || strings.Contains(words[0], "afterok") || one(t, out)["submitted"] != 0. {
		t.Errorf("of what is complete, sbatch got %q", words)
	}
	if got := batchlab("merge", dir); got.stdout != batchlab("run", doc).stdout {
		t.Error("merged is something else than whole")
	}
	for _, more := range [][]string{nil, {"--dry-run"}} { // a folder of shards that is shared out anew
		os.Remove(note)
		before := files(t, dir)
		says(t, batchlab(append([]string{"slurm", doc, "--shards", "6", "--out", dir}, more...)...), 2, "shared out to 5 are there already (5 complete, 0 begun), not to 6: share out to 5")
		if _, err := os.Stat(note); err == nil || !reflect.DeepEqual(files(t, dir), before) {
			t.Error("what could not be merged was handed out, or changed the folder")
		}
	}
	out, _ = submit("--", "--partition=refuse")
	says(t, out, 2, "sbatch refused the job: sbatch: error: Invalid partition")
	doc = write(t, "e.json", strings.Replace(swept, `"seed":5`, `"seed":6`, 1))
	out, _ = submit()
	says(t, out, 2, "it is of another experiment")
	for args, want := range map[string]string{
		"slurm": "which experiment?", "slurm DOC": "--out DIR is missing", "slurm DOC --out x": "--shards N is missing",
		"slurm DOC --out x --shards 31": "there are only 30 runs to share out", "slurm DOC --out x --shards 2 -- --array=1-9": "--array is set by batchlab slurm itself",
	} {
		says(t, batchlab(strings.Fields(strings.ReplaceAll(args, "DOC", doc))...), 2, want)
	}
	t.Setenv("PATH", t.TempDir())
	out, _ = submit()
	says(t, out, 2, "sbatch is not there")
}
