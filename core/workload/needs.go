//go:build !small

package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxRows bounds a file of annotations.
const maxRows = 1_000_000

// needColumns are the columns of a file of annotations beside job.
var needColumns = []string{"due", "licences", "weight", "setup", "on"}

// ParseNeeds reads a file of annotations: JSON when it begins with a bracket
// (see parseNeedsJSON), else CSV, whose first line names its columns: job, then
// any of due, licences, weight, setup and on in any order.
//
// due is the deadline in seconds of the log's own time, setup is in seconds. An
// empty field leaves what the rules gave; licences "-" are none at all, on "-"
// is any machine. Licences and names of machines stand side by side with spaces
// between them, licences as name or name:copies. name is the file's, for errors,
// which say the row: the first line is row 1.
func ParseNeeds(name string, data []byte) ([]Annotation, error) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s is not a CSV or JSON file in UTF-8", name)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '[' {
		return parseNeedsJSON(name, text)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	var list []Annotation
	var columns []string
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			if columns == nil {
				return nil, fmt.Errorf("%s is empty", name)
			}
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		where := fmt.Sprintf("%s: row %d", name, line)
		if columns == nil {
			if columns, err = needsHead(fields); err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			continue
		}
		if len(fields) != len(columns) {
			return nil, fmt.Errorf("%s: %d fields instead of %d (%s)", where, len(fields), len(columns), strings.Join(columns, ", "))
		}
		if len(list) == maxRows {
			return nil, fmt.Errorf("%s: more than %d rows", where, maxRows)
		}
		a, err := parseNeed(columns, fields)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		a.Where = where
		list = append(list, a)
	}
}

// needsHead reads the first line of a CSV file: job and at least one of the
// other columns, each once.
func needsHead(fields []string) ([]string, error) {
	columns := make([]string, len(fields))
	for i, f := range fields {
		columns[i] = strings.TrimSpace(f)
		if known := i == 0 && columns[i] == "job" || i > 0 && slices.Contains(needColumns, columns[i]); !known || slices.Contains(columns[:i], columns[i]) {
			return nil, fmt.Errorf("the first line must be job and then some of %s, not %.80q", strings.Join(needColumns, ", "), strings.Join(fields, ","))
		}
	}
	if len(columns) < 2 {
		return nil, fmt.Errorf("the first line must be job and then some of %s, not %.80q", strings.Join(needColumns, ", "), strings.Join(fields, ","))
	}
	return columns, nil
}

func parseNeed(columns, fields []string) (a Annotation, err error) {
	if a.Job, err = strconv.ParseInt(strings.TrimSpace(fields[0]), 10, 64); err != nil {
		return a, fmt.Errorf("job: %.40q is not a job number", fields[0])
	}
	for i := 1; i < len(fields); i++ {
		text := strings.TrimSpace(fields[i])
		if text == "" {
			continue
		}
		names := strings.Fields(text)
		if len(names) == 1 && names[0] == "-" {
			names = []string{}
		}
		switch columns[i] {
		case "due", "setup":
			n, err := strconv.ParseInt(text, 10, 53)
			if err != nil {
				return a, fmt.Errorf("%s: %.40q is not a number of seconds", columns[i], text)
			}
			if columns[i] == "due" {
				a.Due = &n
			} else {
				a.Setup = &n
			}
		case "weight":
			w, err := strconv.ParseFloat(text, 64)
			if err != nil || !(w >= leastWeight && w <= mostWeight) {
				return a, fmt.Errorf("weight: %.40q is not a number from %v to %d", text, leastWeight, mostWeight)
			}
			a.Weight = &w
		case "licences":
			a.Licences = &names
		default:
			a.On = &names
		}
	}
	return a, nil
}

// Range of a weight.
const (
	leastWeight = 0.001
	mostWeight  = 1_000_000
)

// parseNeedsJSON reads a list of objects
//
//	[{"job": 3, "due": 100000, "licences": ["cad", "mesh:2"], "weight": 2, "setup": 60, "on": ["zewura"]}]
//
// of which all but job may be left out or null: they leave what the rules gave;
// an empty list of licences is none at all, an empty on is any machine. Errors
// say the entry, from 1.
func parseNeedsJSON(name string, data []byte) ([]Annotation, error) {
	if !gjson.ValidBytes(data) {
		return nil, fmt.Errorf("%s is not valid JSON", name)
	}
	var list []Annotation
	var fault error
	gjson.ParseBytes(data).ForEach(func(_, entry gjson.Result) bool {
		where := fmt.Sprintf("%s: entry %d", name, len(list)+1)
		a, err := parseNeedJSON(entry)
		switch {
		case err != nil:
			fault = fmt.Errorf("%s: %w", where, err)
		case len(list) == maxRows:
			fault = fmt.Errorf("%s: more than %d entries", where, maxRows)
		}
		a.Where = where
		list = append(list, a)
		return fault == nil
	})
	if fault != nil {
		return nil, fault
	}
	return list, nil
}

// wholeNumber reads a whole number of at most 53 bits.
func wholeNumber(v gjson.Result) (int64, bool) {
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	return n, err == nil && v.Type == gjson.Number && n > -1<<53 && n < 1<<53
}

func parseNeedJSON(entry gjson.Result) (a Annotation, err error) {
	if !entry.IsObject() {
		return a, fmt.Errorf("must be an object with job, due, licences and the like, not %.40s", entry.Raw)
	}
	job := false
	entry.ForEach(func(key, v gjson.Result) bool {
		switch {
		case key.Str == "job":
			if a.Job, job = wholeNumber(v); !job {
				err = fmt.Errorf("job: %.40s is not a job number", v.Raw)
			}
		case v.Type == gjson.Null && slices.Contains(needColumns, key.Str):
		case key.Str == "due" || key.Str == "setup":
			n, ok := wholeNumber(v)
			if !ok {
				err = fmt.Errorf("%s: %.40s is not a number of seconds", key.Str, v.Raw)
			}
			if key.Str == "due" {
				a.Due = &n
			} else {
				a.Setup = &n
			}
		case key.Str == "weight":
			w := v.Num
			if a.Weight = &w; v.Type != gjson.Number || !(w >= leastWeight && w <= mostWeight) {
				err = fmt.Errorf("weight: %.40s is not a number from %v to %d", v.Raw, leastWeight, mostWeight)
			}
		case (key.Str == "licences" || key.Str == "on") && v.IsArray():
			names := []string{}
			for _, n := range v.Array() {
				if n.Type != gjson.String {
					err = fmt.Errorf("%s: %.40s is not a name", key.Str, n.Raw)
				}
				names = append(names, n.Str)
			}
			if key.Str == "on" {
				a.On = &names
			} else {
				a.Licences = &names
			}
		case key.Str == "licences" || key.Str == "on":
			err = fmt.Errorf("%s: %.40s is not a list of names", key.Str, v.Raw)
		default:
			err = fmt.Errorf("%.40q is not one of job, %s", key.Str, strings.Join(needColumns, ", "))
		}
		return err == nil
	})
	if err == nil && !job {
		err = errors.New("job is missing")
	}
	return a, err
}
