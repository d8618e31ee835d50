package paper

import (
	"errors"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// gridSource returns the log that was given, or a stand-in for one of the parts.
func gridSource(in Input, out *Output, part gridPart) (*swf.Log, error) {
	if len(in.Logs) > 0 {
		out.Log = in.Logs[0].Ref.Name
		return in.Logs[0].Log, nil
	}
	out.StandIn, out.Log = true, "generated: two-level"
	e, err := gridBase(nil, part, 1, 128, 0)
	if err != nil {
		return nil, err
	}
	g := e.Workload.Source.Generator
	params := make(map[string]any, len(g.Params))
	for _, p := range g.Params {
		params[p.Key] = p.Value
	}
	return workload.GenerateSeeded(g.Key, params, 1, 0)
}

// gridJobs are the jobs of a part that ran.
func gridJobs(log *swf.Log, part gridPart, standIn bool) (*model.Workload, error) {
	o := workload.Options{Processors: 128, Oversize: workload.OversizeClamp}
	if !standIn {
		o.From, o.To = &part.from, &part.to
		o.MaxProcs = part.most
	}
	w, _, err := workload.FromLog(log, o)
	return w, err
}

// gridExample is one provider of 128 processors on the second set of jobs.
func gridExample(in Input) (*experiment.Experiment, error) {
	var ref *experiment.Log
	if len(in.Logs) > 0 {
		ref = &in.Logs[0].Ref
	}
	e, err := gridBase(ref, gridLate, 1, 128, 0)
	if err != nil {
		return nil, err
	}
	return e, gridAdd(e, in.Quick, gridLine{"FCFS-BF", map[string]any{"local": "fcfs-bf"}})
}

// gridDigest covers the jobs, as the log started them.
func gridDigest(w *model.Workload) string {
	return experiment.Digest(experiment.AppendRun(nil, "as-logged", 0, len(w.Jobs), func(i int) experiment.DigestRow {
		j := &w.Jobs[i]
		start := j.Submit + max(0, w.Truth[i].LoggedWait)
		return experiment.DigestRow{Number: j.Number, Submit: int64(j.Submit), Start: int64(start), End: int64(start + w.Executed(model.JobID(i)))}
	}))
}

// gridFigure2 counts the jobs of the whole log by how long they waited.
func gridFigure2(in Input) (*Output, error) {
	out := &Output{}
	log, err := gridSource(in, out, gridLate)
	if err != nil {
		return nil, err
	}
	w, _, err := workload.FromLog(log, workload.Options{Processors: 128, Oversize: workload.OversizeClamp})
	if err != nil {
		return nil, err
	}
	bounds := []struct {
		label string
		s     model.Time
	}{{"up to 1 min", 60}, {"1 to 10 min", 600}, {"10 min to 1 h", 3600}, {"1 to 3 h", 10800}, {"3 to 6 h", 21600}, {"6 to 12 h", 43200},
		{"12 h to 1 day", 86400}, {"1 to 2 days", 172800}, {"2 to 4 days", 345600}, {"more", model.Never}}
	counts, known := make([]int, len(bounds)), 0
	for i := range w.Truth {
		if wait := w.Truth[i].LoggedWait; wait >= 0 {
			known++
			for k := range bounds {
				if wait <= bounds[k].s {
					counts[k]++
					break
				}
			}
		}
	}
	if known == 0 {
		out.Notes = append(out.Notes, "the log states no waits: it is generated, and the real schedule of SDSC-SP2 is wanted")
	}
	for k, b := range bounds {
		out.Rows = append(out.Rows, Row{Label: "waited " + b.label, Column: "jobs", Ours: float64(counts[k]), Unit: "jobs"})
	}
	out.Digest = gridDigest(w)
	return out, nil
}

// gridTable4Columns are the columns of table 4 with their units.
var gridTable4Columns = [...][2]string{{"run time", "s"}, {"requested processors", "processors"}, {"most frequent number of processors", "processors"},
	{"jobs with that many", "jobs"}, {"requested time", "s"}, {"time between arrivals", "s"}}

// gridWide are the jobs of 64 processors, of which section 5.2 prints the means: how
// many there are, their share of all, their run time and what they request.
func gridWide(w *model.Workload, label string) []Row {
	count, run, requested := 0.0, 0.0, 0.0
	for j := range w.Jobs {
		if w.Jobs[j].Procs == 64 {
			count, run, requested = count+1, run+float64(w.Truth[j].Run), requested+float64(w.Jobs[j].Limit)
		}
	}
	if count == 0 {
		return nil
	}
	return []Row{
		{Label: label, Column: "jobs of 64 processors", Ours: count},
		{Label: label, Column: "share of the jobs of 64 processors", Ours: 100 * count / float64(len(w.Jobs)), Unit: "%"},
		{Label: label, Column: "run time of the jobs of 64 processors", Ours: run / count, Unit: "s"},
		{Label: label, Column: "requested time of the jobs of 64 processors", Ours: requested / count, Unit: "s"},
	}
}

// gridTable4 describes the two sets of jobs.
func gridTable4(in Input) (*Output, error) {
	out := &Output{}
	var last *model.Workload
	for _, part := range gridParts {
		log, err := gridSource(in, out, part)
		if err != nil {
			return nil, err
		}
		w, err := gridJobs(log, part, out.StandIn)
		if errors.Is(err, workload.ErrNoJobs) {
			out.Notes = append(out.Notes, fmt.Sprintf("%s has no jobs at the times of jobs %s of SDSC-SP2", out.Log, part.name))
			continue
		}
		if err != nil {
			return nil, err
		}
		last = w
		run, requested, procs := 0.0, 0.0, 0.0
		sizes := map[int32]int{}
		for j := range w.Jobs {
			run += float64(w.Truth[j].Run)
			requested += float64(w.Jobs[j].Limit)
			procs += float64(w.Jobs[j].Procs)
			sizes[w.Jobs[j].Procs]++
		}
		mode := int32(0)
		for n, count := range sizes {
			if count > sizes[mode] || count == sizes[mode] && n < mode {
				mode = n
			}
		}
		out.Rows = append(out.Rows, gridWide(w, "jobs "+part.name)...)
		n := float64(len(w.Jobs))
		first, end := w.Span()
		for k, ours := range []float64{run / n, procs / n, float64(mode), float64(sizes[mode]), requested / n, float64(end-first) / n} {
			one := Row{Label: "jobs " + part.name, Column: gridTable4Columns[k][0], Ours: ours, Unit: gridTable4Columns[k][1]}
			if !out.StandIn {
				one.Paper = printed(gridStudy+"-table4", one.Label, one.Column)
			}
			out.Rows = append(out.Rows, one)
		}
	}
	if last == nil {
		return nil, fmt.Errorf("%s holds no jobs of the study's two sets", out.Log)
	}
	out.Digest = gridDigest(last)
	return out, nil
}
