package predict

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"batchlab/core/model"
)

// maxFaults is how many faults of a file are told.
const maxFaults = 10

// ReadColumn reads predictions from a CSV with a header, of which the columns job
// (its number) and predicted (whole seconds, at least 0; 0: none) are looked at,
// and returns them by index in jobs. Others of the log, which others says of a
// number, are passed over: cleaning or a window may have left them out; nil: there
// are none. It fails on a job that is not there or stands there twice and on a time
// that is none, naming file and row.
func ReadColumn(name string, data []byte, jobs []model.Job, others func(number int64) bool) ([]model.Time, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = -1, true, true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty: a header with job and predicted is expected", name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	job, predicted := -1, -1
	for i, h := range header {
		switch strings.ToLower(strings.TrimSpace(h)) {
		case "job":
			job = i
		case "predicted":
			predicted = i
		}
	}
	if job < 0 || predicted < 0 {
		return nil, fmt.Errorf("%s: line 1: the columns job and predicted are expected, not %s", name, strings.Join(header, ", "))
	}
	index := make(map[int64]int32, len(jobs))
	for i := range jobs {
		if _, twice := index[jobs[i].Number]; !twice {
			index[jobs[i].Number] = int32(i)
		}
	}
	out := make([]model.Time, len(jobs))
	said := make([]bool, len(jobs))
	left := map[int64]bool{}
	var faults []string
	more := 0
	fault := func(line int, format string, args ...any) {
		if len(faults) == maxFaults {
			more++
			return
		}
		faults = append(faults, fmt.Sprintf("%s: line %d: ", name, line)+fmt.Sprintf(format, args...))
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		if len(row) <= max(job, predicted) {
			fault(line, "%d fields: job and predicted are not both there", len(row))
			continue
		}
		number, err := strconv.ParseInt(strings.TrimSpace(row[job]), 10, 64)
		if err != nil {
			fault(line, "job %q is not a whole number", row[job])
			continue
		}
		at, known := index[number]
		if !known && (others == nil || !others(number)) {
			fault(line, "job %d is not among the experiment's jobs", number)
			continue
		}
		seconds, err := strconv.ParseFloat(strings.TrimSpace(row[predicted]), 64)
		switch {
		case err != nil || seconds != seconds || seconds > 1e12:
			fault(line, "predicted %q of job %d is not a number of seconds", row[predicted], number)
		case seconds < 0:
			fault(line, "predicted %s of job %d is negative", strings.TrimSpace(row[predicted]), number)
		case known && said[at] || left[number]:
			fault(line, "job %d appears twice", number)
		case !known:
			left[number] = true
		default:
			out[at], said[at] = model.Time(seconds+0.5), true
		}
	}
	if len(faults) == 0 {
		return out, nil
	}
	if more > 0 {
		faults = append(faults, fmt.Sprintf("%s: and %d more", name, more))
	}
	return nil, errors.New(strings.Join(faults, "\n"))
}
