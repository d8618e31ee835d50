package state

import (
	"strconv"
	"strings"

	"batchlab/core/report"
)

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
			b.WriteString("," + report.CSVText(field))
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}
