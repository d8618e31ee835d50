package sweep

import (
	"math"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/paper"
	"batchlab/core/swf"
)

// smaller cuts the points of a preset down, so that all presets can run.
func smaller(t *testing.T, p *paper.Preset, points []paper.Point) {
	for i := range points {
		e := points[i].Experiment
		for s := range e.Schedulers {
			line := &e.Schedulers[s]
			line.Repeat = min(line.Repeat, 2)
			for k := range line.Params {
				if line.Params[k].Key == "iterations" {
					line.Params[k].Value = int64(3)
				}
			}
		}
		if g := e.Workload.Source.Generator; g != nil && !strings.HasSuffix(p.Key, "kurowski2011-figure3") && p.Study != "skrinarova2013" {
			if err := g.SetParam("jobs", 40); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Intent: every preset that is a sweep is one document. As a file, read again by
// any reader of documents, it has the preset's points in order, with their
// labels; run as `batchlab run` and the page run it, it gives the digest of
// these experiments run one by one, the obvious way.
func TestPresetsAreDocuments(t *testing.T) {
	done, sweeps := map[string]bool{}, 0
	for i := range paper.Presets {
		p := &paper.Presets[i]
		if p.Sweep == nil {
			continue
		}
		sweeps++
		for _, quick := range []bool{true, false} {
			doc, whole, err := p.Document(paper.Input{Quick: quick})
			if err != nil || !whole {
				t.Fatalf("%s: %v", p.Key, err)
			}
			link := experiment.EncodeLink(doc)
			if back, err := experiment.DecodeLink(link); err != nil || back.Identity() != doc.Identity() || len(link) > 8000 {
				t.Errorf("%s: a link of %d characters, %v", p.Key, len(link), err)
			}
		}
		points, err := p.Sweep.Points(nil, true)
		if err != nil {
			t.Fatal(err)
		}
		smaller(t, p, points)
		made, err := paper.Together(p.Shows, points)
		if err != nil {
			t.Fatalf("%s: %v", p.Key, err)
		}
		doc, err := experiment.Decode(experiment.Encode(made))
		if err != nil {
			t.Fatalf("%s: %v", p.Key, err)
		}
		if done[doc.Identity()] {
			continue // another figure of the same runs
		}
		done[doc.Identity()] = true
		few := 3
		if testing.Short() {
			few = 1
		}
		if len(points) > 2*few { // the rest is like these
			points = append(points[:few:few], points[len(points)-few:]...)
			if doc, err = paper.Together("", points); err != nil {
				t.Fatalf("%s: %v", p.Key, err)
			}
		}
		var blocks [][]byte
		for k := range points {
			if _, err := lab.Run(points[k].Experiment, lab.Env{}, lab.Options{}, func(_ lab.RunID, _ *lab.Prepared, r *lab.Result) error {
				blocks = append(blocks, r.Block)
				return nil
			}); err != nil {
				t.Fatalf("%s, %s: %v", p.Key, points[k].Label, err)
			}
		}
		if _, digest, err := runDocument(doc, points); err != nil {
			t.Fatalf("%s: %v", p.Key, err)
		} else if digest != experiment.Digest(blocks...) {
			t.Errorf("%s: the document's digest is %s, the points' %s", p.Key, digest, experiment.Digest(blocks...))
		}
		for k := range points {
			if len(points) > 1 && doc.Points().Name(k) != points[k].Label {
				t.Errorf("%s: point %d is called %s, not %s", p.Key, k, doc.Points().Name(k), points[k].Label)
			}
		}
	}
	if sweeps < 30 {
		t.Errorf("%d presets are sweeps", sweeps)
	}
}

// Intent: presets that compute for themselves have an experiment to open, on the
// stand-in and on a log. That of legrand2018 is its weeks: summed up, they are
// what the preset prints.
func TestComputationsHaveExamples(t *testing.T) {
	sums := map[string]float64{}
	seen := map[string]bool{}
	for i := range paper.Presets {
		p := &paper.Presets[i]
		if p.Compute == nil {
			continue
		}
		doc, whole, err := p.Document(paper.Input{Quick: true})
		if err != nil || whole || doc.Validate() != nil {
			t.Fatalf("%s: %v, %v", p.Key, err, doc.Validate())
		}
		if seen[doc.Identity()] {
			continue
		}
		seen[doc.Identity()] = true
		if p.Study != "legrand2018" {
			if _, err := lab.NewSweep(doc, lab.Env{}); err != nil {
				t.Errorf("%s: %v", p.Key, err)
			}
			if want := map[string]int{"klusacek2016-table1-intervals": 3}[p.Key]; doc.Points().Len() != max(1, want) {
				t.Errorf("%s: %d points, %d are its intervals", p.Key, doc.Points().Len(), want)
			}
			continue
		}
		s, err := lab.NewSweep(doc, lab.Env{})
		if err != nil {
			t.Fatal(err)
		}
		w := s.Worker()
		for item := range s.Items.Len() {
			r, err := w.Run(item, lab.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Report.Metrics {
				if v.Key == "mean-bounded-slowdown" {
					sums[r.Report.Label] += v.Value
				}
			}
		}
	}
	out, err := paper.Find("legrand2018-table3").Compute(paper.Input{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, row := range out.Rows {
		if row.Column != "2.31 days, ties to the newest" {
			continue
		}
		for label, sum := range sums {
			if strings.Contains(label, " "+row.Label+"/") {
				found++
				if math.Abs(sum-row.Ours) > 1e-6*sum {
					t.Errorf("%s: the document's weeks sum up to %v, the preset prints %v", row.Label, sum, row.Ours)
				}
			}
		}
	}
	if found != 12 {
		t.Errorf("%d orders of %v compared", found, sums)
	}
	log, err := swf.Parse([]byte("; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	in := paper.Input{Logs: []paper.Log{{Ref: experiment.Log{Name: "KTH-SP2.swf", SHA256: strings.Repeat("a", 64), Size: 9}, Log: log}}}
	doc, _, err := paper.Find("klusacek2016-figure6-replayed").Document(in)
	if err != nil || doc.Workload.Source.Log == nil || doc.Validate() != nil {
		t.Errorf("on a log: %v", err)
	}
}
