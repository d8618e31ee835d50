package result

import (
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// SummaryCSV writes the measures of the finished runs: summary.csv, as the
// command line does.
func (s *Tray) SummaryCSV() []byte { return report.SummaryCSV(s.reports()) }

// reports are those of the finished runs, under the labels of the page.
func (s *Tray) reports() []*report.Run {
	var list []*report.Run
	for _, r := range s.Runs {
		if r.Status == engine.Done && r.Result != nil {
			one := *r.Result
			one.Label = s.Label(r.Scheduler)
			list = append(list, &one)
		}
	}
	return list
}
