package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"batchlab/cmd/batchlab/shard"
	"batchlab/core/experiment"
)

// slurmed is what slurm prints.
type slurmed struct {
	Identity string `json:"identity"`
	Items    int    `json:"items"`           // of all shards
	Shards   int    `json:"shards"`          // of them all
	Waiting  int    `json:"submitted"`       // of these, handed to Slurm: the others are complete
	Array    string `json:"array,omitempty"` // Slurm's number of the array job; left out where all shards are complete
	Merge    string `json:"merge"`           // of the job that merges
	Report   string `json:"report"`          // the file that it writes
}

// slurm hands a document to Slurm: an array job of shards, and a job that merges
// them when all have ended well.
func slurm(c *call) action {
	c.intro = "Hands an experiment document to Slurm: an array job that does a shard on a core each, and a job that merges them. Done again, it submits only what is not complete. What follows -- goes to sbatch, both times."
	var forSbatch []string
	if at := slices.Index(c.args, "--"); at >= 0 {
		c.args, forSbatch = c.args[:at], c.args[at+1:]
	}
	w := c.reading()
	w.out = c.text("out", "DIR", "", "Folder for the shards, what Slurm's jobs print, and in the end report.json and the files of batchlab run; all nodes must see it under this name.")
	shards := c.whole("shards", "N", 0, 1, shard.MaxShards, "Number of shards: the tasks of the array job.")
	searching := c.toggle("search", "Search, as batchlab search does, instead of running.")
	jobs := c.toggle("jobs", "With --out, write jobs and what was drawn also of an experiment that varies.")
	dry := c.toggle("dry-run", "Print the two scripts and how they would be submitted, and do nothing.")
	return func(rest []string) (any, error) {
		err := w.check(c, rest)
		switch {
		case err != nil:
		case *w.out == "":
			err = errors.New("slurm: " + noFolder)
		case *shards == 0:
			err = errors.New("slurm: --shards N is missing: how many tasks?")
		case *searching && *jobs:
			err = errors.New("slurm: --jobs: a search writes no jobs files")
		}
		for _, word := range forSbatch {
			for _, ours := range []string{"--array", "-a", "--dependency", "-d", "--parsable", "--wrap"} {
				if err == nil && (word == ours || strings.HasPrefix(word, ours+"=")) {
					err = fmt.Errorf("slurm: %s is set by batchlab slurm itself", ours)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		work, err := openShards(w, *searching, *jobs, c.stderr)
		if err != nil {
			return nil, err
		}
		if work.Of = int(*shards); work.Of > work.Items {
			return nil, fmt.Errorf("slurm: --shards %d: there are only %d %s to share out", work.Of, work.Items, map[bool]string{false: "runs", true: "windows"}[*searching])
		}
		s := slurmWork{Header: *work, flags: forSbatch, searching: *searching, jobs: *jobs, skip: *w.skip, logs: w.paths, besides: w.besides}
		if err := s.place(*w.out); err != nil {
			return nil, err
		}
		if *dry {
			if err := shard.Fits(s.dir, s.Header); err != nil {
				return nil, err
			}
			s.print(c.stdout)
			return nil, nil
		}
		return s.submit(c.stderr)
	}
}

// openShards reads a document and says what shards of it are of.
func openShards(w *workFlags, searching, jobs bool, stderr io.Writer) (*shard.Header, error) {
	r, err := w.open(nil, stderr)
	if err != nil {
		return nil, err
	}
	if err := r.doc.RefusePrograms("jobs of a cluster take none; batchlab run --shard does one shard"); err != nil && !searching {
		return nil, fmt.Errorf("%s: %w", w.document, err)
	}
	if jobs || !r.varies() {
		r.jobs = "."
	}
	h := r.header(&shardFlag{1, 1})
	if searching {
		s, err := r.openSearch()
		if err != nil {
			return nil, err
		}
		h = s.header(&shardFlag{1, 1})
	}
	return &h, nil
}

// slurmWork is work to submit. All paths are absolute.
type slurmWork struct {
	shard.Header
	program, dir string
	logs         []string
	besides
	flags                 []string // for sbatch
	searching, jobs, skip bool
}

// place makes paths absolute.
func (s *slurmWork) place(dir string) (err error) {
	absolute := func(path string) string {
		full, err2 := filepath.Abs(path)
		err = errors.Join(err, err2)
		return full
	}
	s.program, err = os.Executable()
	s.dir = absolute(dir)
	for _, list := range []*[]string{&s.logs, &s.needs, &s.predictions, &s.extra} {
		*list = slices.Clone(*list)
		for i, path := range *list {
			(*list)[i] = absolute(path)
		}
	}
	return err
}

// document is the file that the shards read: a copy, so that nothing changes
// when the user's own is changed later.
func (s *slurmWork) document() string { return filepath.Join(s.dir, "experiment.json") }

// quoteShell makes a text one word of a shell.
func quoteShell(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteShell(w)
	}
	return strings.Join(quoted, " ")
}

// scripts are the array job and the job that merges.
func (s *slurmWork) scripts() (array, merge string) {
	words := []string{s.program, "run", s.document()}
	if s.searching {
		words[1] = "search"
	}
	for _, given := range []struct {
		flag  string
		files []string
	}{{"--log", s.logs}, {"--needs", s.needs}, {"--predictions", s.predictions}, {"--extra", s.extra}} {
		for _, file := range given.files {
			words = append(words, given.flag, file)
		}
	}
	if s.jobs {
		words = append(words, "--jobs")
	}
	if s.skip {
		words = append(words, "--skip-malformed")
	}
	words = append(words, "--out", s.dir)
	array = fmt.Sprintf(`#!/bin/sh
#SBATCH --job-name=batchlab
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
# One shard of %s, experiment %s. Stopped at any moment
# and started again, it goes on where it was.
exec %s \
  --parallel "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/%d"
`, plural(s.Items, map[bool]string{false: "run", true: "window"}[s.searching]), s.Identity[:12], quoteAll(words), s.Of)
	report := quoteShell(s.report())
	merge = fmt.Sprintf(`#!/bin/sh
#SBATCH --job-name=batchlab-merge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
# Puts the shards together when all of them have ended well.
%s --parallel "${SLURM_CPUS_PER_TASK:-1}" > %s.new && mv %s.new %s
`, quoteAll([]string{s.program, "merge", s.dir}), report, report, report)
	return array, merge
}

func (s *slurmWork) report() string { return filepath.Join(s.dir, "report.json") }

// sbatch are the words that submit a script; after is the array job that the
// merge waits for, "" none.
func (s *slurmWork) sbatch(script string, more ...string) []string {
	words := append([]string{"sbatch", "--parsable", "--chdir=" + s.dir, "--output=" + strings.ReplaceAll(s.dir, "%", "%%") + "/slurm-%A_%a.out"}, more...)
	if len(more) == 0 || !strings.HasPrefix(more[0], "--array") {
		words[3] = strings.ReplaceAll(words[3], "%A_%a", "merge-%j")
	}
	return append(append(words, s.flags...), filepath.Join(s.dir, script))
}

func arrayOf(shards []int) string {
	var parts []string
	for i := 0; i < len(shards); {
		k := i
		for k+1 < len(shards) && shards[k+1] == shards[k]+1 {
			k++
		}
		part := strconv.Itoa(shards[i])
		if k > i {
			part += "-" + strconv.Itoa(shards[k])
		}
		parts, i = append(parts, part), k+1
	}
	return "--array=" + strings.Join(parts, ",")
}

const afterArray = "--dependency=afterok:"

// print prints the scripts and the commands.
func (s *slurmWork) print(w io.Writer) {
	all := make([]int, s.Of)
	for i := range all {
		all[i] = i + 1
	}
	array, merge := s.scripts()
	fmt.Fprintf(w, "# %s\n%s\n# %s\n%s\n", filepath.Join(s.dir, "shards.sh"), array, filepath.Join(s.dir, "merge.sh"), merge)
	fmt.Fprintf(w, "# submitted by\n%s\n%s\n", quoteAll(s.sbatch("shards.sh", arrayOf(all))), strings.Replace(quoteAll(s.sbatch("merge.sh", afterArray+"ARRAY", "--kill-on-invalid-dep=yes")), "ARRAY", "$ARRAY", 1))
}

// submit writes document and scripts, and hands what is not complete to Slurm.
func (s *slurmWork) submit(stderr io.Writer) (*slurmed, error) {
	if _, err := exec.LookPath("sbatch"); err != nil {
		return nil, errors.New("slurm: sbatch is not there: this is done where jobs are submitted; --dry-run prints the scripts")
	}
	if err := shard.Fits(s.dir, s.Header); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	result := &slurmed{Identity: s.Identity, Items: s.Items, Shards: s.Of, Report: s.report()}
	var todo []int
	for i := 1; i <= s.Of; i++ {
		h := s.Header
		h.Shard = i
		done, err := shard.Check(s.dir, h)
		if err != nil {
			return nil, err
		}
		if !done {
			todo = append(todo, i)
		}
	}
	result.Waiting = len(todo)
	if old, err := os.ReadFile(s.document()); err != nil || !sameIdentity(old, s.Identity) {
		if err == nil {
			return nil, fmt.Errorf("%s is another experiment: choose another folder, or remove it", s.document())
		}
		e, err := experiment.Decode(s.Document)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(s.document(), experiment.Encode(e), 0o666); err != nil {
			return nil, err
		}
	}
	array, merge := s.scripts()
	for name, text := range map[string]string{"shards.sh": array, "merge.sh": merge} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o777); err != nil {
			return nil, err
		}
	}
	var err error
	wait := []string(nil)
	if len(todo) > 0 {
		if result.Array, err = runSbatch(s.sbatch("shards.sh", arrayOf(todo)), stderr); err != nil {
			return nil, err
		}
		wait = []string{afterArray + result.Array, "--kill-on-invalid-dep=yes"}
	}
	if result.Merge, err = runSbatch(s.sbatch("merge.sh", wait...), stderr); err != nil && result.Array != "" {
		err = fmt.Errorf("%w; the array job %s is submitted, batchlab merge %s puts its shards together", err, result.Array, s.dir)
	}
	return result, err
}

// sameIdentity reports whether a text is a document with that identity.
func sameIdentity(text []byte, identity string) bool {
	e, err := experiment.Decode(text)
	return err == nil && e.Identity() == identity
}

// runSbatch submits a job and returns its number.
func runSbatch(words []string, stderr io.Writer) (string, error) {
	var out, errs bytes.Buffer
	c := exec.Command(words[0], words[1:]...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	said := strings.TrimSpace(errs.String())
	if err != nil {
		return "", fmt.Errorf("slurm: sbatch refused the job: %s", said)
	}
	if said != "" {
		fmt.Fprintln(stderr, said)
	}
	number, _, _ := strings.Cut(strings.TrimSpace(out.String()), ";") // NUMBER or NUMBER;CLUSTER
	if _, err := strconv.ParseUint(number, 10, 64); err != nil {
		return "", fmt.Errorf("slurm: sbatch printed %q, where the number of a job is expected", strings.TrimSpace(out.String()))
	}
	return number, nil
}
