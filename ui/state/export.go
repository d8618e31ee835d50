package state

import (
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// SummaryCSV writes the results as a table: one line per finished run and
// measure. Values have every digit.
func (s *Store) SummaryCSV() []byte {
	var b strings.Builder
	b.WriteString("scheduler,label,repetition,workload_sha256,processors,measure,unit,value\r\n")
	for _, r := range s.Runs {
		if r.Status != Done || r.Result == nil {
			continue
		}
		for _, v := range r.Result.Metrics {
			if !v.Valid {
				continue
			}
			unit := ""
			if row := catalog.FindMetric(v.Key); row != nil {
				unit = row.Unit
			}
			for _, field := range []string{
				r.Result.Key, s.Label(r.Scheduler), strconv.Itoa(r.Repetition), r.Result.Workload,
				strconv.Itoa(r.Result.Processors), v.Key, unit,
			} {
				b.WriteString(report.CSVField(field))
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(v.Value, 'g', -1, 64))
			b.WriteString("\r\n")
		}
	}
	return []byte(b.String())
}

// Cleaning is the cleaning report on show: of a log that waits for a decision,
// else of the loaded workload; nil without either.
func (s *Store) Cleaning() *report.Cleaning {
	switch {
	case s.Pending != nil:
		return &s.Pending.Preview.Clean
	case s.Preview != nil:
		return &s.Preview.Clean
	}
	return nil
}

// ProblemsCSV writes the unreadable lines of a log as a table.
func ProblemsCSV(c *report.Cleaning) []byte {
	var b strings.Builder
	b.WriteString("line,field,text,problem,action\r\n")
	for _, p := range c.Problems {
		b.WriteString(strconv.Itoa(p.Line) + "," + strconv.Itoa(p.Field))
		for _, field := range []string{p.Text, p.What, p.Action} {
			b.WriteString("," + report.CSVField(field))
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}
