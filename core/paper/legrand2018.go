package paper

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// citeLegrand is the paper of this study: which orders suit EASY week by week,
// and whether last week's best serves this week.
const citeLegrand = "A. Legrand, D. Trystram and S. Zrigui, Adapting Batch Scheduling to Workload Characteristics: " +
	"What can we expect From Online Learning?, Inria research report 9212, 2018 (hal-01896121)"

// legrand2018 are its tables and figures. Each runs on whichever log is given;
// the one named is the paper's.
var legrand2018 = []Preset{
	legrand("table1", "SDSC-SP2", "the workloads: processors, jobs, mean run time and size", legrandTable1),
	legrand("table2", "SDSC-SP2", "what was learned in the training weeks, tested on later ones", legrandTable2),
	legrand("table3", "SDSC-SP2", "the 12 pure orders under three waiting thresholds", legrandThresholds),
	legrand("table4", "SDSC-BLUE", "the 12 pure orders under three waiting thresholds", legrandThresholds),
	legrand("table5", "KTH-SP2", "the 12 pure orders under three waiting thresholds", legrandThresholds),
	legrand("table6", "CTC-SP2", "the 12 pure orders under three waiting thresholds", legrandThresholds),
	legrand("table7", "SDSC-SP2", "the jobs with the longest run times", legrandTable7),
	legrand("figure1", "SDSC-SP2", "weekly mean bounded slowdowns of the 12 pure orders", legrandFigure1),
	legrand("figure2", "SDSC-SP2", "SAF and the best pure order of each week", legrandPureWeeks),
	legrand("figure3", "SDSC-SP2", "the best mixed order of each week, the trained one and last week's best", legrandLearning),
	legrand("figure4", "SDSC-SP2", "maps of the mixed orders of four weeks in a row", legrandMaps),
	legrand("figure5", "SDSC-SP2", "xNES with 3 and 6 features and the coverage, week by week", legrandSearches),
	legrand("figure6", "SDSC-BLUE", "SAF and the best pure order of each week", legrandPureWeeks),
	legrand("figure7", "SDSC-BLUE", "the best mixed order of each week, the trained one and last week's best", legrandLearning),
	legrand("figure8", "SDSC-BLUE", "xNES with 3 and 6 features, week by week", legrandSearches),
	legrand("figure9", "CTC-SP2", "SAF and the best pure order of each week", legrandPureWeeks),
	legrand("figure10", "CTC-SP2", "the best mixed order of each week, the trained one and last week's best", legrandLearning),
	legrand("figure11", "CTC-SP2", "xNES with 3 and 6 features, week by week", legrandSearches),
	legrand("figure12", "KTH-SP2", "SAF and the best pure order of each week", legrandPureWeeks),
	legrand("figure13", "KTH-SP2", "the best mixed order of each week, the trained one and last week's best", legrandLearning),
	legrand("figure14", "KTH-SP2", "xNES with 3 and 6 features, week by week", legrandSearches),
	legrand("figure15", "SDSC-SP2", "months instead of weeks: the best mixed orders, the trained one and SAF", legrandMonths),
	legrand("months", "SDSC-SP2", "section 11: months instead of weeks with a coverage of 402 vectors, which takes a twentieth of figure 15's time", legrandMonthsSmall),
	legrand("convergence", "SDSC-SP2", "how far the best found of a week falls with the number of tries: coverages, xNES with three and six features, and with six begun at the best with three", legrandConvergence),
	legrand("standardised", "SDSC-SP2", "what is learnt where features are standardised, as in the study's simulator, beside the fixed scales of this lab", legrandStandardised),
}

// legrand makes one preset of the study. compute adds the rows of one log.
func legrand(key, log, shows string, compute func(*legrandRun) error) Preset {
	if what := strings.TrimRight(key, "0123456789"); what != key {
		shows = what + " " + key[len(what):] + ": " + shows
	}
	return Preset{
		Key: "legrand2018-" + key, Study: "legrand2018", Cite: citeLegrand, Log: log,
		Shows: shows,
		Compute: func(in Input) (*Output, error) {
			out := &Output{}
			var d digester
			logs, err := legrandLogs(in, out, log, key == "table1" || key == "figure1" || key == "figure15")
			if err != nil {
				return nil, err
			}
			var names []string
			for _, l := range logs {
				r := &legrandRun{in: in, out: out, digest: &d, traced: l, several: len(logs) > 1}
				if err := r.open(workload.Week); err != nil {
					return nil, fmt.Errorf("%s: %w", l.ref.Name, err)
				}
				names = append(names, l.ref.Name)
				if err := compute(r); err != nil {
					out.Log = strings.Join(names, ", ")
					return out, fmt.Errorf("%s: %w", l.ref.Name, err)
				}
			}
			out.Log = strings.Join(names, ", ")
			out.Digest = experiment.Digest(d.blocks...)
			return out, nil
		},
		Example: func(in Input) (*experiment.Experiment, error) {
			logs, err := legrandLogs(in, &Output{}, log, false)
			if err != nil {
				return nil, err
			}
			return legrandExample(logs[0], in.Quick)
		},
	}
}

// traced is a log with what the paper says of it.
type traced struct {
	*trace
	ref       experiment.Log
	log       *swf.Log
	generator *experiment.Generator // of a stand-in
}

// legrandLogs chooses what to run on: the wanted log, else the first of the
// paper's four, else any; all that are given where a preset covers several.
func legrandLogs(in Input, out *Output, wanted string, all bool) ([]traced, error) {
	var given []traced
	for _, l := range in.Logs {
		given = append(given, traced{findTrace(l.Ref.Name, l.Log), l.Ref, l.Log, nil})
	}
	if len(given) == 0 {
		standIn, err := legrandStandIn(in.Quick)
		out.StandIn = true
		out.Notes = append(out.Notes, "no log was given: it ran on a generated one, whose numbers have nothing to do with the paper's")
		return []traced{standIn}, err
	}
	rank := func(t traced) int {
		switch t.name {
		case wanted:
			return 0
		case "":
			return 2
		}
		return 1
	}
	slices.SortStableFunc(given, func(a, b traced) int { return rank(a) - rank(b) })
	if !all {
		given = given[:1]
	}
	for _, t := range given {
		switch rank(t) {
		case 1:
			if !all {
				out.Notes = append(out.Notes, fmt.Sprintf("the paper shows this for %s; %s is %s, and is set beside what the paper prints for that, if anything", wanted, t.ref.Name, t.name))
			}
		case 2:
			out.Notes = append(out.Notes, fmt.Sprintf("%s is none of the paper's four logs (SDSC-SP2, SDSC-BLUE, CTC-SP2, KTH-SP2, by name or header): there is nothing to set beside its numbers; its first and last week are left out", t.ref.Name))
		}
	}
	return given, nil
}

// legrandStandIn generates a log for those who have none.
func legrandStandIn(quick bool) (traced, error) {
	g, err := experiment.NewGenerator("daily")
	jobs := 24000
	if quick {
		jobs = 9000
	}
	if err == nil {
		err = errors.Join(g.SetParam("jobs", jobs), g.SetParam("load", 0.95))
	}
	if err != nil {
		return traced{}, err
	}
	params := make(map[string]any, len(g.Params))
	for _, p := range g.Params {
		params[p.Key] = p.Value
	}
	log, err := workload.GenerateSeeded(g.Key, params, 1, 0)
	return traced{&trace{}, experiment.Log{Name: fmt.Sprintf("generated: %s, %d jobs, seed 1", g.Key, jobs)}, log, g}, err
}

// legrandExample is the pure orders week by week: every week of the study is a
// point, simulated by itself as in its tables.
func legrandExample(t traced, quick bool) (*experiment.Experiment, error) {
	e := experiment.New()
	e.Title = "legrand2018, the pure orders week by week"
	if t.generator != nil {
		e.Workload.Source.Generator = t.generator
	} else {
		ref := t.ref
		e.Workload.Source.Log = &ref
	}
	e.Workload.Clean.Overrun, e.Workload.Clean.NoRequest = workload.OverrunDrop, workload.NoRequestDrop
	e.Measures.Tau = legrandTau
	var errs []error
	for _, o := range catalog.Orders {
		s, err := e.Add("easy")
		if err != nil {
			return nil, err
		}
		errs = append(errs, s.SetParam("order", o.Key), s.SetParam("backfill", "spf"), s.SetParam("ties", "newest"), s.SetParam("threshold", legrandThreshold))
	}
	r := legrandRun{traced: t, in: Input{Quick: quick}}
	if err := errors.Join(append(errs, r.open(workload.Week))...); err != nil {
		return nil, err
	}
	axis := experiment.Axis{Path: "workload.window"}
	for place, week := range r.labs[0].Weeks() {
		if week.Jobs == 0 {
			continue // an experiment must have a job
		}
		axis.Values = append(axis.Values, experiment.Value(fmt.Sprintf(`{"from":%d,"to":%d}`, week.From, week.To)))
		axis.Names = append(axis.Names, r.week(place))
	}
	e.Vary = []experiment.Axis{axis}
	return e, nil
}

// What the paper's tables were made with; see docs/papers.md.
const (
	legrandTau       = 60     // seconds, although the text says 10
	legrandThreshold = 200000 // seconds, "2.31 days"
	legrandLow       = 72000  // seconds, "20 hours"
)

// legrandRun is a preset at work on one log.
type legrandRun struct {
	in      Input
	out     *Output
	digest  *digester
	several bool // logs: rows name theirs
	coarse  bool // a coverage to look at, not to search in
	skipped int  // weeks before the first that is looked at
	traced
	work     *model.Workload
	settings mixed.Settings
	labs     []*mixed.Lab // one a worker
}

// open cuts the log into windows of a length.
func (r *legrandRun) open(length model.Time) error {
	var err error
	o := workload.Options{Overrun: workload.OverrunDrop, NoRequest: workload.NoRequestDrop}
	if r.log.Alea != nil { // such logs do not state their machine's size
		if !strings.HasPrefix(r.ref.Name, "CERIT-SC") {
			return fmt.Errorf("%s: the size of its machine is not known here; this preset knows CERIT-SC's only", r.ref.Name)
		}
		o.Processors = ceritProcessors
	}
	r.work, _, err = workload.FromLog(r.log, o)
	if err != nil {
		return err
	}
	r.settings = mixed.Paper()
	r.settings.Length = int64(length)
	windows, _, err := workload.Cut(r.work, length, 0)
	if err != nil {
		return err
	}
	switch {
	case length == workload.Week && r.weeks > 0 && len(windows) >= legrandFirst+r.weeks:
		r.settings.First, r.settings.Count = legrandFirst, r.weeks
	case length != workload.Week && r.weeks > 0:
		// The same span in months, begun at the log's own origin.
		r.settings.First = int(model.Time(legrandFirst) * workload.Week / length)
		r.settings.Count = min(len(windows)-r.settings.First, int((model.Time(legrandFirst+r.weeks)*workload.Week+length-1)/length)-r.settings.First)
	case len(windows) > 3: // the first and the last are seldom whole
		r.settings.First, r.settings.Count = 1, len(windows)-2
	}
	if r.in.Quick && r.settings.Count > 12 && length == workload.Week {
		r.settings.Count = 12
	}
	return r.reopen(func(*mixed.Settings) {})
}

// reopen makes the laboratories again with other settings.
func (r *legrandRun) reopen(change func(*mixed.Settings)) error {
	change(&r.settings)
	r.labs = nil
	for range r.in.workers() {
		l, err := mixed.New(r.work, r.settings)
		if err != nil {
			return err
		}
		r.labs = append(r.labs, l)
	}
	return nil
}

// add adds a row; NaN is left out, as there is nothing to say.
func (r *legrandRun) add(label, column string, ours float64, stated float64) {
	if ours != ours {
		return
	}
	row := Row{Label: label, Column: column, Ours: ours, Unit: ""}
	if r.several {
		row.Label = r.name + " " + label
	}
	if stated != 0 && !(r.in.Quick) {
		row.Paper = &stated
	}
	r.out.Rows = append(r.out.Rows, row)
}

// points is the number of grid points a dimension of a coverage: the paper's
// 100 give 10,002 vectors, 40 give 1,602 and 12 give 146.
func (r *legrandRun) points() int {
	switch {
	case r.in.Points > 0:
		return r.in.Points
	case r.in.Quick:
		return 12
	case r.coarse:
		return 40
	}
	return 100
}

// numbers returns from … to as places of weeks: week 1 has place 0.
func numbers(from, to int) []int {
	var list []int
	for n := from; n <= to; n++ {
		list = append(list, n-1)
	}
	return list
}
