package start

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/tell"
)

var update = flag.Bool("update", false, "write story.json anew from its document")

// openingDocument is the story's experiment: at 10:20 a job ends, and three of eight
// processors stay free before the wide job that stands first.
const openingDocument = `{"batchlab":1,"workload":{"source":{"inline":{"processors":8,"columns":["submit","procs","requested","run"],"rows":[
[36000,5,2400,2400],[36000,3,1200,1200],[36300,7,1800,1800],[36480,2,2400,2400],[36600,2,1200,1200],[36720,1,3000,3000]]}}},
"schedulers":[{"key":"easy"},{"key":"fcfs"}]}`

// If this fails the first screen tells of a run that the laboratory does not have:
// -update writes what it has now.
func TestStoryIsTheRun(t *testing.T) {
	doc, err := experiment.Decode([]byte(openingDocument))
	if err != nil {
		t.Fatal(err)
	}
	p, err := lab.Prepare(doc, lab.Env{})
	if err != nil {
		t.Fatal(err)
	}
	steps, err := p.NewStepper(lab.RunID{}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	is := &Story{Procs: 8, Document: experiment.EncodeCompact(doc)}
	if is.Step, err = steps.Step(steps.Find(36000+1200), nil); err != nil {
		t.Fatal(err)
	}
	jobs, err := p.Jobs(0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		r, err := p.Run(lab.RunID{Scheduler: i}, lab.Options{Columns: true})
		if err != nil {
			t.Fatal(err)
		}
		if c := &r.Report.Columns; i == 0 {
			is.Columns.Start, is.Columns.End, is.Columns.Spans, is.Columns.Full.At = c.Start, c.End, c.Spans, c.Full.At
		} else {
			is.Plain = c.Start
		}
	}
	is.Jobs.Number, is.Jobs.Submit, is.Jobs.Limit, is.Jobs.Procs = jobs.Number, jobs.Submit, jobs.Limit, jobs.Procs
	if *update {
		data, err := json.Marshal(is)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("story.json", append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		told = data
	}
	if was := Read(); !reflect.DeepEqual(was, again(t, is)) {
		t.Error("story.json is not this run: go test ./ui/view/start -run TestStoryIsTheRun -update")
	}
}

// again is a story as it comes out of a file.
func again(t *testing.T, s *Story) *Story {
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var c Story
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

// If this fails the captions say something else than what was derived on paper: job 1
// holds 5 of 8 until 10:40; job 3 needs 7; then 1 is left over; job 5 ends at 10:40;
// job 6 needs the one left over; job 4 would end at 11:00. Waits of 35, 62, 10 and 8
// minutes under EASY and of 35, 62, 60 and 58 under FCFS, over six jobs.
func TestStoryByHand(t *testing.T) {
	s := Read()
	for moment, want := range []string{
		"4 jobs wait; each asks for a number of processors and a time. Job 3 came first: it needs 7 of 8 processors.",
		"At 10:20 job 2 ends. 3 processors are free, too few for job 3 until job 1 ends, at 10:40 at the latest. First come, first served leaves them empty.",
		"EASY promises job 3 its start at 10:40, when one processor is left over. A job that does not break the promise may pass.",
		"Jobs 5 and 6 pass: one ends by 10:40, the other fits beside job 3. Job 4 would push job 3 back by 20 min, so it waits.",
	} {
		if _, text := s.Caption(moment + 1); text != want {
			t.Errorf("moment %d: %q, want %q", moment+1, text, want)
		}
	}
	if bold, plain := s.End(); bold != "Both start 50 min earlier, and nobody starts later." || plain != "The mean wait is 19 min; first come, first served makes it 36." {
		t.Errorf("%q %q", bold, plain)
	}
}

// If this fails a moment shows what has not been told yet, or hides what has.
func TestMomentsTellInOrder(t *testing.T) {
	s := Read()
	for moment, marks := range []struct{ hole, promise, passed bool }{{}, {hole: true}, {promise: true}, {promise: true, passed: true}} {
		sc := s.Scene(moment+1, 700, false)
		svg := sc.SVG()
		if strings.Contains(string(svg), "instant-hole") != marks.hole || strings.Contains(string(svg), "shadow time") != marks.promise || strings.Contains(string(svg), "var(--good)") != marks.promise {
			t.Errorf("moment %d: hole %t, promise %t", moment+1, strings.Contains(string(svg), "instant-hole"), strings.Contains(string(svg), "shadow time"))
		}
		started := 0
		for _, d := range sc.Step.Decisions[:sc.Reach] {
			if d.Kind.Begins() {
				started++
			}
		}
		if started > 0 != marks.passed || strings.Contains(string(s.QueueSVG(moment+1, 2, 16)), "starts") != marks.passed {
			t.Errorf("moment %d: %d start", moment+1, started)
		}
	}
	if len(s.decided(tell.Head)) != 1 || s.decided(tell.Head)[0].At != model.Time(36000+2400) || !strings.Contains(s.Link(), "_s37200") {
		t.Error("no head, or the link goes elsewhere")
	}
}
