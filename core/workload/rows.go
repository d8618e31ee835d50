package workload

import (
	"fmt"

	"batchlab/core/swf"
)

// FromRows makes a log of a table: each row says of one job what the fields
// name (numbers of the Standard Workload Format, from 1). Jobs are numbered
// from 1 in the order of rows, and a job's line is its row. Where no column
// holds the requested time, the run time was requested; what else no column
// holds is unknown. Processors above 0 go into the header as the machine's.
// The values must be within the limits of the format.
func FromRows(processors int64, fields []int, rows [][]int64) (*swf.Log, error) {
	var text []byte
	header := 0
	if processors > 0 {
		text, header = fmt.Appendf(text, "; MaxProcs: %d\n", processors), 1
	}
	l, err := swf.Parse(append(text, RowsText(fields, rows)...))
	if err != nil {
		return nil, fmt.Errorf("workload: table of jobs: %w", err)
	}
	for i := range l.Records {
		l.Records[i].Line -= int32(header)
	}
	for i := range l.Unsorted.Lines {
		l.Unsorted.Lines[i] -= header
	}
	return l, nil
}

// RowsText writes the jobs of FromRows as lines of a log, one for each row.
func RowsText(fields []int, rows [][]int64) []byte {
	var text []byte
	const procs, run, requested, status = 8, 4, 9, 11
	for i, row := range rows {
		var v [swf.Fields + 1]int64
		for k := range v {
			v[k] = swf.Unknown
		}
		v[status] = 1 // unless a column says otherwise
		asked := false
		for k, field := range fields {
			v[field] = row[k]
			asked = asked || field == requested
		}
		if !asked {
			v[requested] = v[run]
		}
		v[1], v[5] = int64(i)+1, v[procs]
		for k, x := range v[1:] {
			if k > 0 {
				text = append(text, ' ')
			}
			text = fmt.Append(text, x)
		}
		text = append(text, '\n')
	}
	return text
}
