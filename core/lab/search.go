//go:build !small

package lab

import (
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/sim"
)

// Search cuts the experiment's workload (of repetition 0, without its window)
// into the windows of its search settings, or of the default ones when it has
// none. Orders are those of EASY on the experiment's platform, with all that its
// jobs ask for; submissions are replayed, also where users react.
func Search(doc *experiment.Experiment, env Env) (*mixed.Lab, error) {
	doc, fault := doc.Searched()
	if fault != nil {
		return nil, fault
	}
	p, err := Prepare(doc, env)
	if err != nil {
		return nil, err
	}
	r, err := p.repetition(0)
	if err != nil {
		return nil, err
	}
	ground := mixed.Ground{Platform: r.machines(), Counted: r.countable()}
	if p.newDesk(r.workload) != nil {
		ground.Desk = func() sim.Desk { return p.newDesk(r.workload) }
	}
	if p.drawsForJobs() {
		ground.Alone = p.alone
	}
	return mixed.NewOn(r.workload, ground, SearchSettings(doc))
}

// drawsForJobs says whether what a job asks for, or when machines fail, is drawn
// at random from one job to the next, so that a window by itself gets other draws
// than as a part of the whole.
func (p *Prepared) drawsForJobs() bool {
	a := &p.doc.Workload.Annotate
	return a.Deadlines.Share > 0 || a.Reservations.Share > 0 || a.Drawn() || len(a.Licences) > 0 || p.doc.Platform.Failures != nil
}

// alone returns the jobs and the platform of a window that is run by itself.
func (p *Prepared) alone(from, to model.Time) (*model.Workload, *model.Platform, error) {
	doc := p.doc.Clone()
	first, last := int64(from), int64(to)
	doc.Workload.Window = experiment.Window{From: &first, To: &last}
	one, err := Prepare(doc, p.env)
	if err != nil {
		return nil, nil, err
	}
	one.log = p.log
	r, err := one.repetition(0)
	if err != nil {
		return nil, nil, err
	}
	return r.workload, r.machines(), nil
}

// SearchSettings translates the search settings of a document.
func SearchSettings(doc *experiment.Experiment) mixed.Settings {
	p := doc.Search
	if p == nil {
		p = experiment.Defaults(catalog.SearchParams)
	}
	whole := func(key string) int64 { v, _ := p.Int(key); return v }
	s := mixed.Settings{
		Length: whole("length"), Origin: whole("origin"), First: int(whole("first")), Count: int(whole("count")),
		Features: 3, Tau: doc.Measures.Tau, Backfill: p.Text("backfill"), Ties: p.Text("ties"), Scales: p.Numbers("scales"),
	}
	if p.Text("features") == "6" {
		s.Features = 6
	}
	if t, ok := p.Int("threshold"); ok {
		s.Threshold = &t
	}
	return s
}
