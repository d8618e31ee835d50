package lab

import (
	"bytes"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Executions returns the table of a run that was made with Options.Columns:
// jobs.csv.
func (p *Prepared) Executions(r *Result) (*report.Executions, error) {
	one, err := p.repetition(r.Report.Repetition)
	if err != nil {
		return nil, err
	}
	jobs, err := p.Jobs(r.Report.Repetition)
	if err != nil {
		return nil, err
	}
	site, err := p.Site(r.Report.Repetition)
	if err != nil {
		return nil, err
	}
	return report.NewExecutions(one.workload.Name, jobs, r.Report, site), nil
}

// File is a file to save.
type File struct {
	Name string
	Data []byte
}

// DrawnFiles returns what was drawn for a repetition as files: platform.json,
// and needs.csv where jobs need anything; for repetition 0 drawn.json as well,
// the experiment that names them. Those of later repetitions have its number
// (platform-1.json), and are left out where they are the same as those of
// repetition 0.
func (p *Prepared) DrawnFiles(repetition int) ([]File, error) {
	doc, needs, err := p.Drawn(repetition, "needs.csv")
	if err != nil {
		return nil, err
	}
	platform := experiment.EncodePlatform(doc)
	if repetition == 0 {
		files := []File{{"platform.json", platform}}
		if needs != nil {
			files = append(files, File{"needs.csv", needs})
		}
		return append(files, File{"drawn.json", experiment.Encode(doc)}), nil
	}
	if !p.doc.Varies() {
		return nil, nil
	}
	first, firstNeeds, err := p.Drawn(0, "needs.csv")
	if err != nil {
		return nil, err
	}
	var files []File
	if !bytes.Equal(platform, experiment.EncodePlatform(first)) {
		files = append(files, File{fmt.Sprintf("platform-%d.json", repetition), platform})
	}
	if needs != nil && !bytes.Equal(needs, firstNeeds) {
		files = append(files, File{fmt.Sprintf("needs-%d.csv", repetition), needs})
	}
	return files, nil
}
