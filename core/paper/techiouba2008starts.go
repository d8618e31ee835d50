package paper

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// farmStarts asks how well starts can be told, which section 6 says is harder under BF_MOD.
var farmStarts = Preset{
	Key: farmStudy + "-starts", Study: farmStudy, Cite: farmCite,
	Shows:   "section 6: how well the start of a job can be told once it holds the reservation, under BF_FCFS, BF_UNMOD and BF_MOD",
	LookFor: "How far the start that a job is told with its first reservation is from the real one, and how many jobs lose a reservation again.",
	Example: func(in Input) (*experiment.Experiment, error) {
		p, err := farmPoint("how well starts can be told", farmTableArrival, nil, in.Quick)
		return p.Experiment, err
	},
	Compute: farmStartsRun,
}

// farmStartSeeds are as many repetitions as the study's figures take here.
const farmStartSeeds = 100

// reserver is a backfilling scheduler that says who holds the reservation after a pass.
type reserver interface {
	sim.Scheduler
	Reservation() (head model.JobID, at model.Time, where model.Claim)
}

// told is a scheduler that notes the start that each job is told when it first holds the
// reservation, and whether it loses the reservation before it starts.
type told struct {
	reserver
	first []model.Time // by job; model.Never: none
	lost  []bool       // by job
	last  model.JobID  // who held it after the pass before, −1 none
}

func (t *told) Reset(v *sim.View) {
	t.reserver.Reset(v)
	t.first, t.lost, t.last = make([]model.Time, len(v.Jobs)), make([]bool, len(v.Jobs)), -1
	for j := range t.first {
		t.first[j] = model.Never
	}
}

func (t *told) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	from := len(out)
	out = t.reserver.Decide(v, out)
	head, at, _ := t.Reservation()
	if t.last >= 0 && head != t.last {
		started := false
		for _, d := range out[from:] {
			started = started || d.Job == t.last
		}
		t.lost[t.last] = t.lost[t.last] || !started
	}
	if t.last = head; head >= 0 && t.first[head] == model.Never {
		t.first[head] = at
	}
	return out
}

// farmTold is what one run says. Its fields are passed on between workers as JSON.
type farmTold struct {
	Block             []byte // of the digest
	Held, Lost, Later int    // jobs that held the reservation; that lost it; that started later than told
	Error             int64  // seconds, sum of |start − told|
}

// farmTell runs one scheduler on one repetition of the study's farm.
func farmTell(e *experiment.Experiment, scheduler, repetition int) (out farmTold, err error) {
	list := func(g *experiment.Generator) map[string]any {
		params := map[string]any{}
		for _, p := range g.Params {
			params[p.Key] = p.Value
		}
		return params
	}
	jobs, machines := e.Workload.Source.Generator, e.Platform.Generator
	log, err := workload.GenerateSeeded(jobs.Key, list(jobs), e.Seed, repetition)
	if err != nil {
		return out, err
	}
	platform, err := workload.MachinesSeeded(machines.Key, list(machines), e.Seed, repetition)
	if err != nil {
		return out, err
	}
	w, _, err := workload.FromLog(log, workload.Options{Processors: int64(workload.Widest(platform))})
	if err != nil {
		return out, err
	}
	w.Processors = platform.Procs()
	d := e.Workload.Annotate.Deadlines
	a := workload.Annotations{Deadlines: workload.DeadlineRule{Share: d.Share, Factor: d.Factor, MarginMin: d.MarginMin, MarginMax: d.MarginMax}}
	for _, l := range e.Workload.Annotate.Licences {
		a.Licences = append(a.Licences, workload.LicenceRule{Licence: l.Licence, Share: l.Share, Copies: l.Copies})
	}
	if w, err = workload.Annotate(w, platform, &a, workload.Streams(e.Seed, repetition)); err != nil {
		return out, err
	}
	line := &e.Schedulers[scheduler]
	t := &told{}
	switch weights := policy.WeightsOf(line.Params.Number); line.Key {
	case "bf-unmod":
		t.reserver = policy.NewBFUnmod(weights)
	case "bf-mod":
		t.reserver = policy.NewBFMod(weights)
	default:
		t.reserver = policy.NewEASY(&policy.CountedEASY{})
	}
	var m sim.Simulator
	s, err := m.Run(w, platform, t, sim.Options{})
	if err != nil {
		return out, err
	}
	for i := range s.Executions {
		x := &s.Executions[i]
		said := t.first[x.Job]
		if said == model.Never {
			continue
		}
		out.Held++
		out.Lost += btoi(t.lost[x.Job])
		out.Later += btoi(x.Start > said)
		out.Error += max(int64(x.Start-said), int64(said-x.Start))
	}
	rows := appendRows(nil, s)
	out.Block = experiment.AppendRun(nil, line.Key, repetition, len(rows), func(i int) experiment.DigestRow { return rows[i] })
	return out, nil
}

func farmStartsRun(in Input) (*Output, error) {
	seeds, arrivals := farmStartSeeds, farmArrivals
	if in.Quick {
		seeds, arrivals = 4, arrivals[:3]
	}
	var points []*experiment.Experiment
	for _, at := range arrivals {
		p, err := farmPoint(fmt.Sprintf("inter-arrival %g", at), at, nil, in.Quick)
		if err != nil {
			return nil, err
		}
		p.Experiment.Schedulers = p.Experiment.Schedulers[1:] // FCFS reserves nothing
		points = append(points, p.Experiment)
	}
	labels := []string{"BF_FCFS", "BF_UNMOD", "BF_MOD"}
	found := make([]farmTold, len(points)*len(labels)*seeds)
	err := in.each(len(found), func(_, i int) (err error) {
		found[i], err = farmTell(points[i/seeds/len(labels)], i/seeds%len(labels), i%seeds)
		return err
	}, func(i int) any { return &found[i] })
	if err != nil {
		return nil, err
	}
	out := &Output{}
	var blocks [][]byte
	for i := range found {
		blocks = append(blocks, found[i].Block)
	}
	out.Digest = experiment.Digest(blocks...)
	for p, at := range arrivals {
		label := fmt.Sprintf("inter-arrival %g", at)
		add := func(column, unit string, values []float64) {
			out.Rows = append(out.Rows, meanRow(label, column, unit, values))
		}
		for _, m := range []struct {
			name, unit string
			of         func(*farmTold) float64
		}{
			{"jobs that hold the reservation", "jobs", func(t *farmTold) float64 { return float64(t.Held) }},
			{"error of the start first told", "s", func(t *farmTold) float64 { return float64(t.Error) / float64(max(1, t.Held)) }},
			{"started later than first told", "%", func(t *farmTold) float64 { return 100 * float64(t.Later) / float64(max(1, t.Held)) }},
			{"lost the reservation", "%", func(t *farmTold) float64 { return 100 * float64(t.Lost) / float64(max(1, t.Held)) }},
		} {
			var all [][]float64 // by scheduler and repetition
			for s := range labels {
				var values []float64
				for k := range seeds {
					values = append(values, m.of(&found[(p*len(labels)+s)*seeds+k]))
				}
				all = append(all, values)
				add(labels[s]+", "+m.name, m.unit, values)
			}
			var differences []float64
			for k := range seeds {
				differences = append(differences, all[2][k]-all[1][k])
			}
			add("BF_MOD − BF_UNMOD, "+m.name, m.unit, differences)
		}
	}
	return out, nil
}
