package result

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Bundle packs an experiment with everything that it gave into a .zip: the
// document, all measures, the jobs of each run, charts, the log's terms, and
// how to cite it. It works in small steps, so that the page stays awake.
type Bundle struct {
	out   bytes.Buffer
	zip   *zip.Writer
	steps []func() error
	next  int
}

// WantDrawn collects the files of what was drawn for the finished runs, then
// calls done. What cannot be written is named in a file of its own.
func (s *Tray) WantDrawn(done func([]engine.File)) {
	e, ok := s.engine.(engine.Drawer)
	if !ok || s.Ran == nil {
		done(nil)
		return
	}
	var files []engine.File
	ran, asked := s.Ran, map[int]bool{}
	var next func(run int)
	next = func(run int) {
		if s.Ran != ran { // something else has run meanwhile
			s.WantDrawn(done)
			return
		}
		for ; run < len(s.Runs); run++ {
			if r := s.Runs[run]; r.Status == engine.Done && r.Result != nil && !asked[r.Repetition] {
				asked[r.Repetition] = true
				e.Drawn(*s.Ran, run, func(more []engine.File, err error) {
					if err != nil {
						more = []engine.File{{Name: fmt.Sprintf("not-written-%d.txt", r.Repetition), Data: []byte("platform.json and needs.csv of this repetition are not here: " + err.Error() + "\n")}}
					}
					files = append(files, more...)
					next(run + 1)
				})
				return
			}
		}
		done(files)
	}
	next(0)
}

// bundleJobs is how many jobs are written in one step.
const bundleJobs = 2000

// Pack begins to pack the finished runs, with the document that they belong to.
// charts, and what was drawn, come along as they are; modified says how the
// document is another than the one that was opened.
func (s *Tray) Pack(doc *experiment.Experiment, modified string, charts, drawn []engine.File) *Bundle {
	b := &Bundle{}
	b.zip = zip.NewWriter(&b.out)
	b.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	of := s.host.Workload()
	b.add("README.txt", []byte(s.bundleReadme(doc, modified)))
	header := ""
	if of != nil {
		header = of.Header
	}
	b.add("CITATION.txt", []byte(experiment.Citation(doc, doc.Expect, header)))
	b.add("experiment.json", experiment.Encode(doc))
	b.add("summary.csv", s.SummaryCSV())
	b.add("comparison.csv", report.ComparisonCSV(metric.SideBySide(s.reports(), 0)))
	if table := report.ProvidersCSV(s.reports()); table != nil {
		b.add("providers.csv", table)
	}
	for _, f := range drawn {
		b.add(f.Name, f.Data)
	}
	if header != "" {
		b.add("log-terms.txt", []byte(header+"\n"))
	}
	for _, c := range charts {
		b.add("charts/"+c.Name, c.Data)
	}
	for _, r := range s.Runs {
		if r.Status == engine.Done && r.Result != nil && !r.Let {
			b.addJobs(s, r)
		}
	}
	b.steps = append(b.steps, b.zip.Close)
	return b
}

// Step does a little more and says how much is done (0–1); at 1 Bytes is the
// whole file.
func (b *Bundle) Step() (done float64, err error) {
	if b.next < len(b.steps) {
		if err := b.steps[b.next](); err != nil {
			return 0, err
		}
		b.steps[b.next] = nil
		b.next++
	}
	return float64(b.next) / float64(len(b.steps)), nil
}

// Bytes is the packed file.
func (b *Bundle) Bytes() []byte { return b.out.Bytes() }

// bundled is the time of every file: the same experiment makes the same bytes.
var bundled = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func (b *Bundle) create(name string) (io.Writer, error) {
	return b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: bundled})
}

func (b *Bundle) add(name string, data []byte) {
	b.steps = append(b.steps, func() error {
		w, err := b.create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
}

// addJobs writes a run's jobs piece by piece, together what JobsCSV gives. The
// file is called as the command line calls it.
func (b *Bundle) addJobs(s *Tray, r *Run) {
	rows, err := s.executions(r)
	if err != nil {
		b.steps = append(b.steps, func() error { return err })
		return
	}
	var w io.Writer
	name := fmt.Sprintf("jobs-%02d-%s-%d.csv", r.Scheduler+1, r.Result.Key, r.Repetition)
	for from := 0; from == 0 || from < rows.Jobs(); from += bundleJobs {
		b.steps = append(b.steps, func() (err error) {
			if from == 0 {
				if w, err = b.create(name); err != nil {
					return err
				}
			}
			_, err = w.Write(rows.AppendCSV(nil, from, min(rows.Jobs(), from+bundleJobs)))
			return err
		})
	}
}

func (s *Tray) bundleReadme(doc *experiment.Experiment, modified string) string {
	var b strings.Builder
	title := doc.Title
	if title == "" {
		title = "An experiment of Batchlab"
	}
	fmt.Fprintf(&b, "%s\n\n", title)
	b.WriteString("experiment.json  the settings: open it in Batchlab, or run it with\n                 batchlab run experiment.json\n")
	b.WriteString("summary.csv      every measure of every run, all digits\n")
	b.WriteString("comparison.csv   how each scheduler compares with the first, with intervals\n                 and words\n")
	b.WriteString("jobs-*.csv       the executions of each run: the columns of Batsim's jobs file,\n                 then our own\n")
	if n := s.Given(); n > 0 {
		fmt.Fprintf(&b, "                 (not of %d of %d runs, whose jobs the page does not keep:\n                 batchlab run experiment.json --out DIR writes all)\n", n, len(s.Runs))
	}
	b.WriteString("platform.json    the machines, and needs.csv what jobs need, as they were drawn;\n                 drawn.json is the experiment that names them: batchlab run\n                 drawn.json --needs needs.csv gives the same schedules\n")
	b.WriteString("charts/          the charts, as SVG\n")
	if of := s.host.Workload(); of != nil && of.Header != "" {
		b.WriteString("log-terms.txt    the header of the log, with its terms of use\n")
	}
	b.WriteString("CITATION.txt     what to cite\n\n")
	if l := doc.Workload.Source.Log; l != nil {
		fmt.Fprintf(&b, "The log itself is not in here: %s, %d bytes, SHA-256\n%s\n\n", l.Name, l.Size, l.SHA256)
	}
	if modified != "" {
		fmt.Fprintf(&b, "Modified: %s.\n\n", modified)
	}
	if s.Digest != "" {
		fmt.Fprintf(&b, "Digest of all schedules: %s\n", s.Digest)
	} else {
		b.WriteString("Not all runs are done, so there is no digest.\n")
	}
	fmt.Fprintf(&b, "Simulated with %s.\n", experiment.ThisBuild())
	return b.String()
}
