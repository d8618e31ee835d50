//go:build !small

package workload

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"batchlab/core/model"
	"batchlab/core/report"
)

// maxRows bounds a file of annotations.
const maxRows = 1_000_000

// needColumns are the columns of a file of annotations beside job.
var needColumns = []string{"due", "licences", "weight", "setup", "on", "gpus", "memory", "disk",
	"reservation_from", "reservation_to", "reservation_length", "reservation_effort"}

// efforts are the values of reservation_effort.
var efforts = [...]string{model.EffortExact: "exact", model.EffortProcs: "processors", model.EffortTime: "time"}

// whole are the columns of whole numbers, with what they count.
func (a *Annotation) whole(column string) (p **int64, of string, least, most int64) {
	switch column {
	case "due":
		return &a.Due, "a number of seconds", -maxWhole, maxWhole
	case "setup":
		return &a.Setup, "a number of seconds", -maxWhole, maxWhole // checked with the job
	case "gpus":
		return &a.GPUs, "a number of GPUs from 0 to 1000", 0, 1000
	case "memory":
		return &a.Memory, "a number of bytes", 0, maxWhole
	case "disk":
		return &a.Disk, "a number of bytes", 0, maxWhole
	case "reservation_from":
		return &a.from, "a number of seconds", -maxWhole, maxWhole
	case "reservation_to":
		return &a.to, "a number of seconds", -maxWhole, maxWhole
	case "reservation_length":
		return &a.length, "a number of seconds, at least 1", 1, maxWhole
	}
	return nil, "", 0, 0
}

// maxWhole is the greatest whole number of a file, 2^53 − 1.
const maxWhole = 1<<53 - 1

// reserve puts the columns of a reservation together.
func (a *Annotation) reserve() error {
	if a.from == nil && a.to == nil && a.length == nil && a.effort == "" {
		return nil
	}
	if a.from == nil || a.to == nil {
		return errors.New("a reservation needs reservation_from and reservation_to")
	}
	a.Reservation = &model.Reservation{Ready: model.Time(*a.from), Deadline: model.Time(*a.to)}
	if a.length != nil {
		a.Reservation.Length = model.Time(*a.length)
	}
	at := max(0, slices.Index(efforts[:], a.effort))
	if a.effort != "" && efforts[at] != a.effort {
		return fmt.Errorf("reservation_effort: %.40q is not one of %s", a.effort, strings.Join(efforts[:], ", "))
	}
	a.Reservation.Effort = model.Effort(at)
	return nil
}

// ParseNeeds reads a file of annotations: JSON when it begins with a bracket
// (see parseNeedsJSON), else CSV, whose first line names its columns: job, then
// any of needColumns in any order.
//
// due is the deadline in seconds of the log's own time, setup is in seconds;
// gpus, memory and disk (bytes) are what the job asks of each machine; the
// columns of a reservation make the job an advance reservation. An empty field
// leaves what the rules gave; licences "-" are none at all, on "-" is any
// machine. Licences and names of machines stand side by side with spaces between
// them (report.SplitNames), licences as name or name:copies. name is the file's,
// for errors, which say the row: the first line is row 1.
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
		text = report.Unharmed(text)
		names := report.SplitNames(text)
		if len(names) == 1 && names[0] == "-" {
			names = []string{}
		}
		if p, of, least, most := a.whole(columns[i]); p != nil {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < least || n > most {
				return a, fmt.Errorf("%s: %.40q is not %s", columns[i], text, of)
			}
			*p = &n
			continue
		}
		switch columns[i] {
		case "reservation_effort":
			a.effort = text
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
	return a, a.reserve()
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
		if p, of, least, most := a.whole(key.Str); p != nil && v.Type != gjson.Null {
			n, ok := wholeNumber(v)
			if !ok || n < least || n > most {
				err = fmt.Errorf("%s: %.40s is not %s", key.Str, v.Raw, of)
			}
			*p = &n
			return err == nil
		}
		switch {
		case key.Str == "job":
			if a.Job, job = wholeNumber(v); !job {
				err = fmt.Errorf("job: %.40s is not a job number", v.Raw)
			}
		case v.Type == gjson.Null && slices.Contains(needColumns, key.Str):
		case key.Str == "reservation_effort" && v.Type == gjson.String:
			a.effort = v.Str
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
	return a, cmp.Or(err, a.reserve())
}
