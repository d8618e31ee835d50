package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
)

// summary defines the flag for a table of runs in the place of printing them.
func (f *flags) summary() *string {
	return f.text("summary", "FILE", "", "Write one line a run, with its parameters and measures, to FILE.csv or, packed, FILE.csv.gz, instead of printing the runs.")
}

// checkSummary refuses names from which it is not seen what the file is.
func checkSummary(command, path string) error {
	if path == "" || strings.HasSuffix(path, ".csv") || strings.HasSuffix(path, ".csv.gz") {
		return nil
	}
	return fmt.Errorf("%s: --summary %s: FILE.csv or FILE.csv.gz is expected", command, path)
}

// runTable is a file with a line for each run, written as they come.
type runTable struct {
	*whole
	params []string     // of schedulers, which have columns
	zip    *gzip.Writer // nil where it is not packed
	out    *bufio.Writer
}

// openTable begins the table of a document's runs.
func openTable(path string, a *assembler) (*runTable, error) {
	params, err := paramsOf(a.doc, a.points)
	if err != nil {
		return nil, err
	}
	t := &runTable{params: params}
	if t.whole, err = createWhole(path); err != nil {
		return nil, err
	}
	var to io.Writer = t.whole
	if strings.HasSuffix(path, ".gz") {
		t.zip = gzip.NewWriter(t.whole)
		to = t.zip
	}
	t.out = bufio.NewWriterSize(to, 64<<10)
	header := strings.TrimSuffix(a.header(report.SummaryCSV(a.blank())), "\n")
	for _, key := range params {
		header += ",params." + key
	}
	_, err = t.out.WriteString(header + "\n")
	return t, err
}

// paramsOf lists the parameters that any scheduler has at any point, programs left
// out, which are no values for a table.
func paramsOf(e *experiment.Experiment, points *experiment.Points) ([]string, error) {
	found := map[string]bool{}
	note := func(e *experiment.Experiment) {
		for _, s := range e.Schedulers {
			row := catalog.FindScheduler(s.Key)
			for key := range printedParams(s) {
				if p := catalog.FindParam(row.Params, key); p == nil || p.Type != catalog.Code {
					found[key] = true
				}
			}
		}
	}
	note(e)
	if slices.ContainsFunc(e.Vary, func(x experiment.Axis) bool { return x.Concerns("schedulers") }) {
		for i := range points.Len() {
			one, err := points.At(i)
			if err != nil {
				return nil, err
			}
			note(one)
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// line appends what a run has behind the columns of its line of summary.csv.
func (t *runTable) line(dst []byte, rec *record) []byte {
	params := gjson.GetBytes(rec.run, "params").Map()
	for _, key := range t.params {
		dst = append(append(dst, ','), report.CSVText(params[key].String())...)
	}
	return append(dst, '\n')
}

// finish puts the file in its place.
func (t *runTable) finish() error {
	err := t.out.Flush()
	if t.zip != nil {
		err = errors.Join(err, t.zip.Close())
	}
	return t.whole.finish(err)
}
