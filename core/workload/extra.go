//go:build !small

package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/expr"
	"batchlab/core/swf"
)

// extraColumns are the columns of extra.csv behind the job's number, as package intake
// writes them, and where what they say goes.
var extraColumns = []struct {
	key string
	set func(x *swf.Extra, text string) error
}{
	{"after", func(x *swf.Extra, text string) error {
		x.After = strings.Clone(text)
		_, err := expr.ParseAfter(text)
		return err
	}},
	{"begin", func(x *swf.Extra, text string) error { return extraTime(&x.Begin, text) }},
	{"withdrawn", func(x *swf.Extra, text string) error { return extraTime(&x.Withdrawn, text) }},
	{"array", func(x *swf.Extra, text string) error { return extraNumber(&x.Array, text) }},
	{"array_limit", func(x *swf.Extra, text string) error { return extraNumber(&x.ArrayLimit, text) }},
	{"het", func(x *swf.Extra, text string) error { return extraNumber(&x.Het, text) }},
	{"partition", func(x *swf.Extra, text string) error {
		for _, part := range strings.Split(text, ",") {
			var k int32
			if err := extraNumber(&k, strings.TrimSpace(part)); err != nil {
				return err
			}
			x.Partitions = append(x.Partitions, k)
		}
		return nil
	}},
	{"qos", func(x *swf.Extra, text string) error { return extraNumber(&x.QOS, text) }},
	{"account", func(x *swf.Extra, text string) error { return extraNumber(&x.Account, text) }},
	{"nodes", func(x *swf.Extra, text string) error { return extraNumber(&x.Nodes, text) }},
	{"gpus", func(x *swf.Extra, text string) error { return extraNumber(&x.GPUs, text) }},
	{"gpu_share", func(x *swf.Extra, text string) error { return extraNumber(&x.Share, text) }},
}

func extraTime(p *int64, text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < swf.Unknown || v > swf.MaxSubmit {
		return fmt.Errorf("%.40q is no time in whole seconds, as the log's submit times", text)
	}
	*p = v
	return nil
}

func extraNumber(p *int32, text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < swf.Unknown || v > math.MaxInt32 {
		return fmt.Errorf("%.40q is no whole number from 0 to %d", text, math.MaxInt32)
	}
	*p = int32(max(v, 0))
	return nil
}

// ParseExtra reads what stands beside a log, extra.csv: the column job (its number) and
// some of those that the Standard Workload Format has no field for, in any order. It
// returns them parallel to the log's records; name is the file's, for messages, which
// name the row. Where jobs share a number the last of them is meant.
func ParseExtra(name string, data []byte, l *swf.Log) ([]swf.Extra, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.ReuseRecord, r.TrimLeadingSpace = true, true
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty", name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	columns := make([]int, len(head)) // of extraColumns; −1: the job
	var known []string
	for _, c := range extraColumns {
		known = append(known, c.key)
	}
	for i, key := range head {
		key = strings.TrimSpace(key)
		if columns[i] = slices.Index(known, key); columns[i] < 0 && key != "job" || slices.Contains(columns[:i], columns[i]) {
			return nil, fmt.Errorf("%s: row 1: column %.40q: job and some of %s are expected, each once", name, key, strings.Join(known, ", "))
		}
	}
	at := slices.Index(columns, -1)
	if at < 0 {
		return nil, fmt.Errorf("%s: row 1: there is no column job", name)
	}
	byNumber := make(map[int64]int32, len(l.Records))
	for i := range l.Records {
		byNumber[l.Records[i].JobNumber] = int32(i)
	}
	list, seen := make([]swf.Extra, len(l.Records)), make([]bool, len(l.Records))
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		number, err := strconv.ParseInt(strings.TrimSpace(fields[at]), 10, 64)
		i, there := byNumber[number]
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: row %d: job: %.40q is not a job number", name, line, fields[at])
		case !there:
			return nil, fmt.Errorf("%s: row %d: the log has no job %d", name, line, number)
		case seen[i]:
			return nil, fmt.Errorf("%s: row %d: job %d stands here twice", name, line, number)
		}
		seen[i] = true
		for k, text := range fields {
			if text = strings.TrimSpace(text); k != at && text != "" {
				if err := extraColumns[columns[k]].set(&list[i], text); err != nil {
					return nil, fmt.Errorf("%s: row %d: %s: %w", name, line, known[columns[k]], err)
				}
			}
		}
	}
}
