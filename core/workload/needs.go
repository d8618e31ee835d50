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
)

// maxRows bounds a file of annotations.
const maxRows = 1_000_000

// ParseNeeds reads a CSV file of annotations, which begins with the line
//
//	job,due,licences
//
// due is the deadline in seconds of the log's own time. An empty due or empty
// licences leave what the rules gave; licences "-" are none at all. Licences
// stand side by side with spaces between them, as name or name:copies. name is
// the file's, for errors, which say the row: the first line is row 1.
func ParseNeeds(name string, data []byte) ([]Annotation, error) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s is not a CSV file in UTF-8", name)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
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
