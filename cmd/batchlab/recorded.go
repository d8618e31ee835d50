package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"batchlab/core/recorded"
)

// recordedCommand plays recorded runs of a real Slurm again.
func recordedCommand(c *call) action {
	c.intro = "Plays recorded runs of a real Slurm again, with the decisions of Slurm's controller, and sets each start beside Slurm's: at the instants at which the log says that its loops ran, and freely over 40 phases. One JSON object a run, each on a line of its own. A folder without run.json stands for the runs in it."
	out := c.text("out", "DIR", "", "Folder for RUN.csv: job_id, slurm_start, given_start (unix seconds, empty where a job did not start).")
	return func(dirs []string) (any, error) {
		runs, err := recordedIn(dirs)
		if err != nil {
			return nil, err
		}
		var lines []byte
		for _, dir := range runs {
			name := filepath.Base(filepath.Clean(dir))
			if abs, err := filepath.Abs(dir); err == nil {
				name = filepath.Base(abs)
			}
			run, err := readRecorded(dir, c.stderr)
			if err != nil {
				return nil, fmt.Errorf("recorded: %s: %w", dir, err)
			}
			report, starts := run.Report(name)
			if *out != "" {
				if err := writeStarts(filepath.Join(*out, name+".csv"), starts); err != nil {
					return nil, fmt.Errorf("recorded: %w", err)
				}
			}
			text, err := json.Marshal(report)
			if err != nil {
				return nil, err
			}
			lines = append(append(lines, text...), '\n')
		}
		if _, err := c.stdout.Write(lines); err != nil {
			return nil, unwritten{err}
		}
		return nil, nil
	}
}

// recordedIn returns the folders of runs: those that are named, and those in them.
func recordedIn(dirs []string) (runs []string, err error) {
	if len(dirs) == 0 {
		return nil, errors.New("recorded: which run? Name a folder with run.json")
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil {
			runs = append(runs, dir)
			continue
		}
		found, _ := filepath.Glob(filepath.Join(dir, "*", "run.json"))
		if len(found) == 0 {
			return nil, fmt.Errorf("recorded: %s: there is no run.json in it, nor in a folder below", dir)
		}
		slices.Sort(found)
		for _, one := range found {
			runs = append(runs, filepath.Dir(one))
		}
	}
	return runs, nil
}

// readRecorded reads a run's folder. slurmctld's log, which says when nodes were free
// again, is read where it is there, packed by xz if xz is there, too.
func readRecorded(dir string, stderr io.Writer) (*recorded.Run, error) {
	var f recorded.Files
	for _, one := range []struct {
		name string
		to   *[]byte
		must bool
	}{
		{"run.json", &f.Run, true}, {"slurm.conf", &f.Conf, true}, {"workload.csv", &f.Workload, true}, {"sent.json", &f.Sent, true},
		{"instants.csv", &f.Instants, false}, {"sacct-X.psv", &f.Sacct, true}, {"qos.psv", &f.QOS, false}, {"sacctmgr-dump.cfg", &f.Dump, false},
		{"topology.conf", &f.Topology, false}, {"slurmctld.log", &f.Log, false}, {"config.txt", &f.Config, false},
	} {
		data, err := os.ReadFile(filepath.Join(dir, one.name))
		if err != nil && (one.must || !errors.Is(err, os.ErrNotExist)) {
			return nil, err
		}
		*one.to = data
	}
	if packed := filepath.Join(dir, "slurmctld.log.xz"); len(f.Log) == 0 {
		if _, err := os.Stat(packed); err == nil {
			if f.Log, err = exec.Command("xz", "-dc", "--", packed).Output(); err != nil {
				f.Log = nil
				fmt.Fprintf(stderr, "%s: cannot be unpacked (%v): when nodes were free again is taken as in a run without it\n", packed, err)
			}
		}
	}
	return recorded.Read(f)
}

// writeStarts writes the table of starts.
func writeStarts(path string, starts []recorded.Start) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := csv.NewWriter(file)
	second := func(t int64) string {
		if t == 0 {
			return ""
		}
		return strconv.FormatInt(t, 10)
	}
	if err := w.Write([]string{"job_id", "slurm_start", "given_start"}); err != nil {
		return err
	}
	for _, s := range starts {
		if err := w.Write([]string{s.JobID, second(s.Slurm), second(s.Here)}); err != nil {
			return err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return file.Close()
}
