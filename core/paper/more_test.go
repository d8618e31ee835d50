package paper

import (
	"fmt"
	"math"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// farmResult is a point of the region with four repetitions of both schedulers,
// whose measures are BF_FCFS's and those plus a difference.
func farmResult(t *testing.T, at float64, late, usage [4]float64) Result {
	t.Helper()
	p, err := farmPoint("a point", at, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Point: p}
	for s := range 2 {
		for rep := range 4 {
			base := 50 + 7*float64(rep)
			values := []report.Value{{Key: "out-of-deadline", Value: base, Valid: true}, {Key: "system-usage", Value: base / 20, Valid: true}, {Key: "utilization", Value: 0.5, Valid: true}}
			if s == 1 {
				values[0].Value += late[rep]
				values[1].Value += usage[rep]
			}
			r.Runs = append(r.Runs, &report.Run{Scheduler: s, Repetition: rep, Metrics: values})
		}
	}
	return r
}

// Intent: sets of weights are chosen by the first half of the repetitions alone
// and counted again by the other; differences are paired, so that repetitions that
// differ by far more than the schedulers hide nothing.
func TestFarmRegion(t *testing.T) {
	var results []Result
	for i := range farmSets {
		late, usage := [4]float64{}, [4]float64{}
		switch i {
		case 0: // both findings, in both halves
			late, usage = [4]float64{-5, -5.1, -4, -4.1}, [4]float64{1, 1.01, 2, 2.01}
		case 1: // in the first alone
			late, usage = [4]float64{-9, -9.1, 3, -3}, [4]float64{3, 3.01, -1, -1.01}
		case 2: // in the second alone: never chosen
			late, usage = [4]float64{1, -1, -8, -8.1}, [4]float64{-1, 1, 9, 9.01}
		}
		results = append(results, farmResult(t, 4, late, usage))
	}
	rows := map[string]float64{}
	for _, r := range farmRegionRows(results) {
		if math.IsNaN(r.Ours) || math.IsInf(r.Ours, 0) {
			t.Errorf("%+v", r)
		}
		rows[r.Label+"|"+r.Column] = r.Ours
	}
	for at, want := range map[string]float64{
		"inter-arrival 4|sets of weights": 81, "inter-arrival 4|both": 2, "inter-arrival 4|both, again on other jobs": 1,
		"inter-arrival 4|fewer late jobs": 2, "inter-arrival 4|higher true utilization": 0,
		"inter-arrival 4, aging 0|both": 1, "inter-arrival 4, aging 0.01|both": 1, "inter-arrival 4, aging 0.1|both": 0, "inter-arrival 4, deadline 0|both": 2,
		"inter-arrival 4, highest system usage|weight of aging": 0.01, "inter-arrival 4, highest system usage|system usage, on other jobs": -1.005,
	} {
		if got, there := rows[at]; !there || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	}
	names := map[string]bool{}
	for i := range farmSets {
		_, name := farmSet(i)
		names[name] = true
	}
	if len(names) != farmSets {
		t.Errorf("%d different sets of %d", len(names), farmSets)
	}
}

// Intent: what stands in busyMonths is where most processor-seconds were
// submitted, looked for day by day.
func TestBusyMonths(t *testing.T) {
	for _, name := range []string{kth, sdsc} {
		log := realLog(t, name)
		m := monthOf(log.Ref.Name)
		if m == nil {
			t.Fatalf("no month of %s", name)
		}
		var first, last int64 = math.MaxInt64, 0
		area := map[int64]float64{} // by day
		for i := range log.Log.Records {
			r := &log.Log.Records[i]
			procs := r.RequestedProcessors
			if procs < 1 {
				procs = r.AllocatedProcessors
			}
			if r.RunTime <= 0 || procs < 1 {
				continue
			}
			first, last = min(first, r.SubmitTime), max(last, r.SubmitTime)
			run := int64(r.RunTime)
			if r.RequestedTime > 0 {
				run = min(run, int64(r.RequestedTime))
			}
			area[(r.SubmitTime-first)/86400] += float64(run) * float64(procs)
		}
		best, at := 0.0, int64(0)
		for d := int64(0); first+(d+busyDays)*86400 <= last; d++ {
			sum := 0.0
			for k := range int64(busyDays) {
				sum += area[d+k]
			}
			if sum > best {
				best, at = sum, first+d*86400
			}
		}
		if at != m.from {
			t.Errorf("%s: %d, want %d", name, m.from, at)
		}
	}
	if monthOf("lublin_256.swf") != nil {
		t.Error("a month of any log")
	}
}

// Intent: each study's question of other logs runs on its stand-in and on any
// log that is named, and says of a log with an unknown machine what it needs.
func TestOtherLogs(t *testing.T) {
	for i := range otherLogs {
		p := &otherLogs[i]
		if !p.Any || p.Log != "" || p.What() == "" {
			t.Errorf("%s: any log is wanted", p.Key)
		}
		if p.Sweep == nil {
			continue
		}
		for _, name := range []string{"KTH-SP2-1996.swf", "CERIT-SC-wagap.swf"} {
			points, err := p.Sweep.Points(&experiment.Log{Name: name, SHA256: fmt.Sprintf("%064d", 0), Size: 1}, true)
			if err != nil {
				t.Errorf("%s on %s: %v", p.Key, name, err)
			}
			for k := range points {
				if err := points[k].Experiment.Validate(); err != nil {
					t.Errorf("%s on %s: %v", p.Key, name, err)
				}
			}
		}
		_, err := p.Sweep.Points(&experiment.Log{Name: "mine.swf", SHA256: fmt.Sprintf("%064d", 0), Size: 1}, true)
		if wants := p.Study != hillStudy; wants != (err != nil) {
			t.Errorf("%s on another log: %v", p.Key, err)
		}
	}
	if testing.Short() {
		return
	}
	out, err := Find("legrand2018-logs").Compute(Input{Quick: true})
	if err != nil || !out.StandIn || len(out.Rows) < 30 || len(out.Digest) != 64 {
		t.Errorf("%v: %+v", err, out)
	}
}
