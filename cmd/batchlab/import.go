package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/intake"
	"batchlab/core/report"
	"batchlab/core/swf"
)

const useImport = "FILE[.gz]... [--format KEY] [--zone ZONE] --out DIR"

// imported is what the command prints.
type imported struct {
	intake.Report
	Problems  []report.Problem `json:"problems"`  // rows that could not be read, the first 1,000
	Malformed int              `json:"malformed"` // all of them
	Log       string           `json:"log"`
	Extra     string           `json:"extra"`
	Document  string           `json:"document"`
}

// importCommand makes a log with numbers in the place of names of accounting files and
// traces.
func importCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("import", useImport, "Reads accounting of Slurm, PBS or LSF, public traces and tables, and writes a log with numbers in the place of names.")
	format := f.text("format", "KEY", "", "What the files are: "+strings.Join(intake.Keys(), ", ")+". Left out: told by their content.")
	zone := f.text("zone", "ZONE", "", "Zone of times that state none: +01:00, or a name such as Europe/Prague. (default UTC, and said)")
	columns := f.files("column", "WHAT=NAME", "Of a table: which column holds what, for example submit=queued_at; may be given several times.")
	processors := f.whole("processors", "N", 0, 1, swf.MaxProcs, "Size of the machine. (default: the most that were in use at once)")
	names := f.toggle("names", "Write names.csv, too: which number stands for whom. Do not pass it on.")
	out := f.text("out", "DIR", "", "Folder for log.swf, extra.csv and experiment.json.")
	files, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	switch {
	case len(files) == 0:
		return fail(stderr, errors.New("import: no file is named"))
	case *out == "":
		return fail(stderr, errors.New("import: --out DIR is missing"))
	}
	o := intake.Options{Format: *format, Columns: map[string]string{}}
	for _, c := range *columns {
		what, name, ok := strings.Cut(c, "=")
		if !ok {
			return fail(stderr, fmt.Errorf("import: --column: %q: WHAT=NAME is expected, for example submit=queued_at", c))
		}
		o.Columns[what] = name
	}
	var err error
	if o.Offset, err = offsetOf(*zone); err != nil {
		return fail(stderr, fmt.Errorf("import: --zone: %w", err))
	}
	r, err := readAccounting(o, files)
	if err != nil {
		return fail(stderr, err)
	}
	if *processors > 0 {
		setProcessors(r, *processors)
	}
	written, err := writeImport(r, *out, *names)
	if err != nil {
		return fail(stderr, fmt.Errorf("import: %w", err))
	}
	for _, line := range r.Report.Sentences() {
		fmt.Fprintln(stderr, line)
	}
	written.Report, written.Problems, written.Malformed = r.Report, r.Log.Problems, r.Log.Malformed
	return printJSON(stdout, stderr, written)
}

// readAccounting reads files, packed or not. Errors name the first that is at fault.
func readAccounting(o intake.Options, files []string) (*intake.Result, error) {
	var texts [][]byte
	var list []string
	for _, path := range files {
		name, data, err := readFile(path, maxLog)
		if err != nil {
			return nil, err
		}
		if swf.IsGzip(data) {
			if data, err = swf.Gunzip(data, maxLog); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		texts, list = append(texts, data), append(list, name)
		if o.Format == "" && intake.Recognise(data) == nil {
			return nil, fmt.Errorf("%s: this is no accounting that is known (%s); a log in Standard Workload Format needs no import", name, strings.Join(intake.Keys(), ", "))
		}
	}
	r, err := intake.Read(o, texts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(list, ", "), err)
	}
	return r, nil
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

// writeImport writes the files of an import.
func writeImport(r *intake.Result, dir string, names bool) (*imported, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w := &imported{Log: filepath.Join(dir, "log.swf"), Extra: filepath.Join(dir, "extra.csv"), Document: filepath.Join(dir, "experiment.json")}
	log := r.Log.Append(nil)
	sum := sha256.Sum256(log)
	text, err := json.MarshalIndent(map[string]any{
		"batchlab":   1,
		"title":      "A cluster's own log: " + r.Report.Name,
		"workload":   map[string]any{"source": map[string]any{"log": map[string]any{"name": "log.swf", "sha256": hex.EncodeToString(sum[:]), "size": len(log)}}},
		"schedulers": []any{map[string]any{"key": "as-logged"}, map[string]any{"key": "easy"}, map[string]any{"key": "conservative"}, map[string]any{"key": "fcfs"}},
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	if _, err := experiment.Decode(text); err != nil {
		return nil, err
	}
	files := map[string][]byte{w.Log: log, w.Extra: r.AppendExtra(nil), w.Document: append(text, '\n')}
	if names {
		files[filepath.Join(dir, "names.csv")] = r.Names.AppendNames(nil)
	}
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// offsetOf turns a zone into the seconds that its clocks are ahead of UTC; nil for none.
func offsetOf(zone string) (func(int64) int64, error) {
	if zone == "" {
		return nil, nil
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, zone); err == nil {
			_, ahead := t.Zone()
			return func(int64) int64 { return int64(ahead) }, nil
		}
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		return nil, fmt.Errorf("%q is no zone: +01:00, UTC or a name such as Europe/Prague is expected", zone)
	}
	return func(wall int64) int64 {
		at := time.Unix(wall, 0).UTC()
		_, ahead := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, place).Zone()
		return int64(ahead)
	}, nil
}
