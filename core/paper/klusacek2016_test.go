package paper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// The busiest intervals are those whose own jobs waited most in the log while
// they lasted; they begin at whole days and do not overlap.
func TestBusiest(t *testing.T) {
	const day = 86400
	w := &model.Workload{}
	add := func(at, wait model.Time) {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(len(w.Jobs) + 1), Submit: at, Limit: 1, Procs: 1})
		w.Truth = append(w.Truth, model.Truth{Run: 1, LoggedWait: wait})
	}
	add(1000, 0)           // first day
	add(1000+3*day, 5*day) // waits on days 3 to 7
	add(1000+4*day, 2*day) // and 4 and 5
	add(1000+8*day, day)
	add(1000+12*day, 3600) // a little on day 12
	add(1000+20*day, -1)   // unknown
	got := busiest(w, 3*day, 3)
	if want := []model.Time{1000 + 3*day, 1000 + 6*day, 1000 + 10*day}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := busiest(w, 50*day, 2); len(got) != 1 || got[0] != 1000 {
		t.Errorf("a log shorter than the interval: %v", got)
	}
}

// Intent: the intervals that are chosen by a replay are those in which most jobs
// wait when they are replayed alone: a backlog that was there before an interval
// counts for nothing.
func TestContended(t *testing.T) {
	const day = 86400
	w := &model.Workload{Processors: 4}
	add := func(at model.Time, procs int32, run, logged model.Time) {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(len(w.Jobs) + 1), Submit: at, Limit: run, Procs: procs})
		w.Truth = append(w.Truth, model.Truth{Run: run, LoggedWait: logged})
	}
	add(0, 1, 60, 9*day) // waited long in the log, though it is alone
	for range 3 {
		add(4*day, 4, day/2, 0) // wait for each other: 1.5 days in all
	}
	add(9*day, 4, day/4, 0)
	add(9*day, 4, 60, 0)
	add(14*day, 1, 60, 0)
	r := &planRun{}
	got, err := r.contended(w, model.OneCluster(4), 2*day, 3, workload.Options{})
	if want := []model.Time{3 * day, 8 * day, 0}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
	if got := busiest(w, 2*day, 1); got[0] != 0 {
		t.Errorf("by the log's waits %v", got)
	}
}

// The part of the log that ran on wide nodes keeps no job of the others.
func TestWideNodes(t *testing.T) {
	var text bytes.Buffer
	for i, nodes := range []string{"{7,7,7,7,7,7,7,7,7,7,7,7,7}", "{7}", "{8,8}", "{7,8}"} {
		fmt.Fprintf(&text, "%d %d 0 60 1 1 -1 1 60 1 1 1 1 1 1 1 -1 -1 %s q 1:ppn=1\n", i, i, nodes)
	}
	l, err := swf.Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, nodes := wideNodes(l); nodes != 1 || len(got.Records) != 2 || got.Records[1].JobNumber != 1 || len(got.Alea) != 2 {
		t.Errorf("%+v", got.Records)
	}
}

// Without a log every preset of the study runs on the stand-in, says so, gives
// rows with intervals over its seeds, and the same digest again, on one worker
// or on several. As WebAssembly one digest is looked at.
func TestPlanPresets(t *testing.T) {
	seen := map[string]bool{}
	for i := range klusacek2016 {
		p := &klusacek2016[i]
		if strings.HasSuffix(p.Key, "-contended") || testing.Short() && pinned[p.Key] == "" {
			continue // table 1 on other intervals: see TestContended
		}
		a, err := p.Compute(Input{Quick: true})
		if err != nil {
			t.Fatalf("%s: %v", p.Key, err)
		}
		if want := pinned[p.Key]; want != "" && a.Digest != want {
			t.Errorf("%s: digest %s, want %s", p.Key, a.Digest, want)
		}
		intervals := 0
		for k := range a.Rows {
			if a.Rows[k].Half != nil {
				intervals++
			}
		}
		if intervals == 0 || !a.StandIn || len(a.Notes) == 0 || len(a.Rows) < 4 {
			t.Errorf("%s: %d rows with %d intervals, %q", p.Key, len(a.Rows), intervals, a.Notes)
		}
		if testing.Short() || seen[a.Digest] || p.Key == "klusacek2016-table1" || p.Key == "klusacek2016-optimisers" || p.Key == "klusacek2016-readings" {
			continue // other rows of the same computation, or pieces as those of its intervals
		}
		seen[a.Digest] = true
		b, err := p.Compute(Input{Quick: true, Each: func(n int, work func(worker, item int) error, result func(item int) any) error {
			for i := n - 1; i >= 0; i-- {
				if err := work(0, i); err != nil {
					return err
				}
				text, err := json.Marshal(result(i)) // as it travels to another worker
				if err == nil {
					err = json.Unmarshal(text, result(i))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}})
		if err != nil || a.Digest != b.Digest {
			t.Errorf("%s: %v, %s and %s", p.Key, err, a.Digest, b.Digest)
		}
	}
}

// The suites run on both clusters under FIFO and hill climbing; each series has
// its own seed.
func TestHillPoints(t *testing.T) {
	points, err := hillPoints(true)
	if err != nil || len(points) != 26 {
		t.Fatal(len(points), err)
	}
	seen := map[uint64]bool{}
	for _, p := range points {
		if err := p.Experiment.Validate(); err != nil || seen[p.Experiment.Seed] {
			t.Errorf("%s: seed %d, %v", p.Label, p.Experiment.Seed, err)
		}
		seen[p.Experiment.Seed] = true
	}
}
