package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/intake"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// imported is what the command prints.
type imported struct {
	report.Import
	Machine   *report.Conf     `json:"machine,omitempty"` // of slurm.conf and the like
	Problems  []report.Problem `json:"problems"`          // rows that could not be read, the first 1,000
	Malformed int              `json:"malformed"`         // all of them
	Log       string           `json:"log"`
	Extra     string           `json:"extra"`
	Document  string           `json:"document"`
}

// importCommand makes a log with numbers in the place of names of accounting files and
// traces.
func importCommand(c *call) action {
	c.intro = "Reads accounting of Slurm, PBS or LSF, public traces and tables, and writes a log with numbers in the place of names."
	format := c.text("format", "KEY", "", "What the files are: "+strings.Join(intake.Keys(), ", ")+". Left out: told by their content.")
	zone := c.text("zone", "ZONE", "", "Zone of times that state none: +01:00, or a name such as Europe/Prague. (default UTC, and said)")
	columns := c.files("column", "WHAT=NAME", "Of a table: which column holds what, for example submit=queued_at (repeatable).")
	processors := c.whole("processors", "N", 0, 1, swf.MaxProcs, "Size of the machine. (default: the most that were in use at once)")
	conf := c.files("conf", "FILE", "The cluster's slurm.conf, or what sinfo -N -l or squeue prints (repeatable).")
	qos := c.files("qos", "FILE", "What sacctmgr -p show qos prints.")
	accounts := c.files("accounts", "FILE", "What sacctmgr -p show assoc prints, or sacctmgr dump writes.")
	outages := c.toggle("outages", "Make the pauses outages: times in which nothing ran for an hour although jobs waited.")
	names := c.toggle("names", "Write names.csv, too: which number stands for whom. Do not pass it on.")
	out := c.text("out", "DIR", "", "Folder for log.swf, extra.csv and experiment.json.")
	return func(files []string) (any, error) {
		switch {
		case len(files) == 0:
			return nil, errors.New("import: no file is named")
		case *out == "":
			return nil, errors.New("import: --out DIR is missing")
		}
		o := intake.Options{Format: *format, Columns: map[string]string{}}
		for _, one := range *columns {
			what, name, ok := strings.Cut(one, "=")
			if !ok {
				return nil, fmt.Errorf("import: --column: %q: WHAT=NAME is expected, for example submit=queued_at", one)
			}
			o.Columns[what] = name
		}
		var err error
		if o.Offset, err = intake.Offset(*zone, zoneOf); err != nil {
			return nil, fmt.Errorf("import: --zone: %w", err)
		}
		r, err := readAccounting(o, files)
		if err != nil {
			return nil, err
		}
		r.Report.Zone = *zone
		machine, err := readMachine(slices.Concat(*conf, *qos, *accounts), &r.Names)
		if err != nil {
			return nil, err
		}
		size := *processors
		if size > 0 && machine != nil {
			machine.Platform = nil // what was said counts
		} else if size == 0 && machine != nil {
			size = machine.Processors
		}
		if size > 0 {
			setProcessors(r, size)
			r.Report.Capacity(size)
		}
		written, err := writeImport(r, machine, *out, *names, *outages)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		lines := r.Report.Sentences()
		if machine != nil {
			lines = slices.Concat(lines, machine.Sentences())
		}
		for _, line := range lines {
			fmt.Fprintln(c.stderr, line)
		}
		written.Import, written.Machine, written.Problems, written.Malformed = r.Report, machine, r.Log.Problems, r.Log.Malformed
		return written, nil
	}
}

// readUnpacked reads a file, packed or not.
func readUnpacked(path string) (name string, data []byte, err error) {
	if name, data, err = readFile(path, maxLog); err != nil {
		return name, nil, err
	}
	if swf.IsGzip(data) {
		if data, err = swf.Gunzip(data, maxLog); err != nil {
			return name, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return name, data, nil
}

// readAccounting reads files, packed or not. Errors name the first that is at fault.
func readAccounting(o intake.Options, files []string) (*intake.Result, error) {
	var texts [][]byte
	var list []string
	for _, path := range files {
		name, data, err := readUnpacked(path)
		if err != nil {
			return nil, err
		}
		texts, list = append(texts, data), append(list, name)
		if o.Format == "" && len(o.Columns) == 0 && len(bytes.TrimSpace(data)) > 0 && intake.Recognise(data) == nil {
			if kind := intake.RecogniseMachine(data); kind != nil {
				return nil, fmt.Errorf("%s: this is %s and holds no jobs: give it by --conf", name, kind.Name)
			}
			if why := intake.Hint(data); why != "" {
				return nil, fmt.Errorf("%s: %s", name, why)
			}
			if t := intake.Table(data, nil); t != nil {
				return nil, fmt.Errorf("%s: %w", name, t)
			}
			return nil, fmt.Errorf("%s: this is no accounting that is known (%s); a log in Standard Workload Format needs no import", name, strings.Join(intake.Keys(), ", "))
		}
	}
	r, err := intake.Read(o, texts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(list, ", "), err)
	}
	return r, nil
}

// readMachine reads what describes the cluster, numbered as the jobs name it; nil without
// a file.
func readMachine(files []string, names *intake.Names) (*report.Conf, error) {
	var texts [][]byte
	for _, path := range files {
		name, data, err := readUnpacked(path)
		if err != nil {
			return nil, err
		}
		if intake.RecogniseMachine(data) == nil {
			return nil, fmt.Errorf("%s: this describes no cluster that is known: slurm.conf and what sinfo, squeue and sacctmgr -p print do", name)
		}
		texts = append(texts, data)
	}
	if texts == nil {
		return nil, nil
	}
	return intake.ReadMachine(names, texts...)
}

// setProcessors puts a size that is known in the place of the one that was assumed.
func setProcessors(r *intake.Result, n int64) {
	var kept []byte
	for _, line := range strings.SplitAfter(string(r.Log.Header.Text), "\n") {
		if !strings.HasPrefix(line, "; MaxProcs:") {
			kept = append(kept, line...)
		}
	}
	r.Log.Header.Text = kept
	r.Log.Header.Add("MaxProcs", strconv.FormatInt(n, 10))
}

// slurmLine is the scheduler slurm as slurm.conf sets it, where there is one.
func slurmLine(machine *report.Conf) map[string]any {
	line, err := experiment.NewScheduler("slurm")
	if err != nil || machine == nil {
		return map[string]any{"key": "slurm"}
	}
	lab.SetSlurm(&line, machine.Scheduling)
	params := map[string]any{}
	for _, p := range line.Params {
		if q := catalog.FindParam(catalog.FindScheduler("slurm").Params, p.Key); p.Value != q.Default {
			params[p.Key] = p.Value
		}
	}
	return map[string]any{"key": "slurm", "params": params}
}

// asksBeside says whether a platform asks of jobs what the log has no field for: their
// account, further partitions, what limits on nodes and GPUs count.
func asksBeside(platform map[string]any, extra []swf.Extra) bool {
	counts := false
	for _, key := range []string{"partitions", "qos"} {
		list, _ := platform[key].([]any)
		for _, one := range list {
			limits, _ := one.(map[string]any)["limits"].(map[string]any)
			for _, r := range experiment.QuotaRows {
				counts = counts || (r.Of == "nodes" || r.Of == "gpus") && limits[r.Key] != nil
			}
		}
	}
	return platform["accounts"] != nil || slices.ContainsFunc(extra, func(x swf.Extra) bool {
		return counts && (x.Nodes > 0 || x.GPUs > 0) || platform["partitions"] != nil && len(x.Partitions) > 1
	})
}

// writeImport writes the files of an import.
func writeImport(r *intake.Result, machine *report.Conf, dir string, names, outages bool) (*imported, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w := &imported{Log: filepath.Join(dir, "log.swf"), Extra: filepath.Join(dir, "extra.csv"), Document: filepath.Join(dir, "experiment.json")}
	log := r.Log.Append(nil)
	sum := sha256.Sum256(log)
	doc := map[string]any{
		"batchlab":   1,
		"title":      "A cluster's own log: " + r.Report.Name,
		"workload":   map[string]any{"source": map[string]any{"log": map[string]any{"name": "log.swf", "sha256": hex.EncodeToString(sum[:]), "size": len(log)}}},
		"schedulers": []any{map[string]any{"key": "as-logged"}, slurmLine(machine), map[string]any{"key": "easy"}, map[string]any{"key": "conservative"}, map[string]any{"key": "fcfs"}},
	}
	if slices.ContainsFunc(r.Report.Checks, func(c report.Check) bool { return c.Key == "overrun" && c.Count > 0 }) {
		// What happened is to end when it did, although a limit was passed by some seconds.
		doc["workload"].(map[string]any)["clean"] = map[string]any{"overrun": "extend"}
	}
	platform := map[string]any{}
	if machine != nil && machine.Platform != nil {
		if err := json.Unmarshal(machine.Platform, &platform); err != nil {
			return nil, err
		}
	}
	if outages && len(r.Report.Pauses) > 0 {
		var list []any
		for _, p := range r.Report.Pauses {
			list = append(list, map[string]any{"name": "pause", "from": p.From, "to": p.To, "announced": true})
		}
		platform["outages"] = list
	}
	if len(platform) > 0 {
		doc["platform"] = platform
	}
	extra := r.AppendExtra(nil)
	waits := slices.ContainsFunc(r.Extra, func(x swf.Extra) bool {
		return x.After != "" || x.Begin > 0 || x.Het > 0 || x.Array > 0 && x.ArrayLimit > 0
	})
	if waits {
		doc["workload"].(map[string]any)["dependencies"] = "keep"
	}
	if slices.ContainsFunc(r.Extra, func(x swf.Extra) bool { return x.Withdrawn > 0 }) {
		waits = true
		doc["workload"].(map[string]any)["withdrawn"] = "keep"
	}
	if waits || asksBeside(platform, r.Extra) {
		sum := sha256.Sum256(extra)
		doc["workload"].(map[string]any)["extra"] = map[string]any{"name": "extra.csv", "sha256": hex.EncodeToString(sum[:]), "size": len(extra)}
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	if _, err := experiment.Decode(text); err != nil {
		return nil, err
	}
	files := map[string][]byte{w.Log: log, w.Extra: extra, w.Document: append(text, '\n')}
	if names {
		files[filepath.Join(dir, "names.csv")] = r.AppendNames(nil)
	}
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return nil, err
		}
	}
	return w, nil
}
