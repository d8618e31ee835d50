//go:build !small

package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxRows bounds a file of annotations.
const maxRows = 1_000_000

// ParseNeeds reads a file of annotations: JSON when it begins with a bracket
// (see parseNeedsJSON), else CSV, which begins with the line
//
//	job,due,licences
//
// due is the deadline in seconds of the log's own time. An empty due or empty
// licences leave what the rules gave; licences "-" are none at all. Licences
// stand side by side with spaces between them, as name or name:copies. name is
// the file's, for errors, which say the row: the first line is row 1.
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
	for first := true; ; first = false {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			if first {
				return nil, fmt.Errorf("%s is empty", name)
			}
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		where := fmt.Sprintf("%s: row %d", name, line)
		if first {
			if strings.Join(fields, ",") != "job,due,licences" {
				return nil, fmt.Errorf("%s: the first line must be job,due,licences, not %.60q", where, strings.Join(fields, ","))
			}
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: %d fields instead of 3 (job, due, licences)", where, len(fields))
		}
		if len(list) == maxRows {
			return nil, fmt.Errorf("%s: more than %d rows", where, maxRows)
		}
		a, err := parseNeed(fields)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		a.Where = where
		list = append(list, a)
	}
}

func parseNeed(fields []string) (a Annotation, err error) {
	if a.Job, err = strconv.ParseInt(strings.TrimSpace(fields[0]), 10, 64); err != nil {
		return a, fmt.Errorf("job: %.40q is not a job number", fields[0])
	}
	if text := strings.TrimSpace(fields[1]); text != "" {
		due, err := strconv.ParseInt(text, 10, 53)
		if err != nil {
			return a, fmt.Errorf("due: %.40q is not a number of seconds", text)
		}
		a.Due = &due
	}
	if names := strings.Fields(fields[2]); len(names) == 1 && names[0] == "-" {
		a.Licences = &[]string{}
	} else if len(names) > 0 {
		a.Licences = &names
	}
	return a, nil
}

// parseNeedsJSON reads a list of objects
//
//	[{"job": 3, "due": 100000, "licences": ["cad", "mesh:2"]}]
//
// of which due and licences may be left out or null: they leave what the rules
// gave; an empty list of licences is none at all. Errors say the entry, from 1.
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
		return a, fmt.Errorf("must be an object with job, due and licences, not %.40s", entry.Raw)
	}
	job := false
	entry.ForEach(func(key, v gjson.Result) bool {
		switch {
		case key.Str == "job":
			if a.Job, job = wholeNumber(v); !job {
				err = fmt.Errorf("job: %.40s is not a job number", v.Raw)
			}
		case v.Type == gjson.Null && (key.Str == "due" || key.Str == "licences"):
		case key.Str == "due":
			due, ok := wholeNumber(v)
			if a.Due = &due; !ok {
				err = fmt.Errorf("due: %.40s is not a number of seconds", v.Raw)
			}
		case key.Str == "licences" && v.IsArray():
			names := []string{}
			for _, n := range v.Array() {
				if n.Type != gjson.String {
					err = fmt.Errorf("licences: %.40s is not a name", n.Raw)
				}
				names = append(names, n.Str)
			}
			a.Licences = &names
		case key.Str == "licences":
			err = fmt.Errorf("licences: %.40s is not a list of names", v.Raw)
		default:
			err = fmt.Errorf("%.40q is not one of job, due, licences", key.Str)
		}
		return err == nil
	})
	if err == nil && !job {
		err = errors.New("job is missing")
	}
	return a, err
}
