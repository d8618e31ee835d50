package pool

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// withStudies is an experiment of three runs that needs the studies' program.
func withStudies(t *testing.T) experiment.Experiment {
	t.Helper()
	e := three()
	e.Schedulers = nil
	s, err := experiment.NewScheduler("bf-mod")
	if err != nil {
		t.Fatal(err)
	}
	s.Repeat = 3
	e.Schedulers = append(e.Schedulers, s)
	return e
}

// Intent: an experiment of the studies fetches their program once, and runs on
// workers with it, which take the places of idle ones without; plain work goes
// on meanwhile and runs on either.
func TestStudiesProgram(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run && strings.Contains(q.Experiment, "bf-mod") && !w.studies {
			t.Error("a study ran on the page's own program")
		}
		simulate(w, q, buffers, file)
	}
	p := New(b, 2)
	var news []engine.Fetching
	p.OnFetch(func(f engine.Fetching) { news = append(news, f) })
	p.Warm()
	var study, again tally
	var previewed float64
	p.Run(withStudies(t), study.event)
	p.Load(three(), nil, func(*report.Preview, error) { previewed = b.now })
	b.run(1e9)
	if study.count(engine.Done) != 3 || b.fetches != 1 {
		t.Errorf("%d runs are done, fetched %d times", study.count(engine.Done), b.fetches)
	}
	if previewed == 0 || previewed >= 10 {
		t.Errorf("plain work was done at %v, and the program came at 10", previewed)
	}
	open := 0
	for _, w := range b.workers {
		if !w.ended {
			open++
		}
	}
	if open > 2 {
		t.Errorf("%d workers are open", open)
	}
	if len(news) != 3 || !news[0].Active || news[1].Got != 1 || news[1].Total != 2 || news[2] != (engine.Fetching{}) {
		t.Errorf("told %+v", news)
	}
	p.Run(three(), again.event)
	b.run(2e9)
	if again.count(engine.Done) != 6 || b.fetches != 1 {
		t.Errorf("afterwards: %d plain runs, fetched %d times", again.count(engine.Done), b.fetches)
	}
}

// Intent: when the studies' program cannot be had, what waits for it fails with
// the reason, other work does not, and the next try asks again.
func TestStudiesProgramMissing(t *testing.T) {
	b := &browser{t: t, work: simulate, offline: errors.New("no network")}
	p := New(b, 1)
	var study, plain, again tally
	p.Run(withStudies(t), study.event)
	b.run(1e9)
	if study.count(engine.Failed) != 3 {
		t.Errorf("%d runs failed", study.count(engine.Failed))
	}
	for _, ev := range study.last {
		if ev.Err == nil || !strings.Contains(ev.Err.Error(), "no network") {
			t.Errorf("a run failed with %v", ev.Err)
		}
	}
	p.Run(three(), plain.event)
	b.run(2e9)
	b.offline = nil
	p.Run(withStudies(t), again.event)
	b.run(3e9)
	if plain.count(engine.Done) != 6 || again.count(engine.Done) != 3 || b.fetches != 2 {
		t.Errorf("%d plain runs, %d of the next try, fetched %d times", plain.count(engine.Done), again.count(engine.Done), b.fetches)
	}
}

// Intent: what the page's own program turns down is done by the studies', and a
// log that was turned down once goes there at once.
func TestTurnedDown(t *testing.T) {
	b := &browser{t: t}
	refused := 0
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if file != nil && !w.studies {
			refused++
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Code: bridge.CodeStudies, Error: "left out"})
			return
		}
		simulate(w, q, buffers, file)
	}
	p := New(b, 2)
	e := three()
	e.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "batsim.json"}}
	var got *report.Preview
	p.Load(e, "file", func(preview *report.Preview, err error) { got = preview })
	b.run(1e9)
	if got == nil || refused != 1 {
		t.Fatalf("%+v, turned down %d times", got, refused)
	}
	e.Workload.Source.Log = &experiment.Log{Name: "batsim.json", SHA256: hash, Size: 3}
	var runs tally
	p.Run(e, runs.event)
	b.run(2e9)
	if runs.count(engine.Done) != 6 || refused != 1 {
		t.Errorf("%d runs, turned down %d times", runs.count(engine.Done), refused)
	}
}

// Intent: what a view of the second program asks goes to a worker with that program,
// several questions at once; progress comes along; one that is given up ends with an
// error, and a missing log is said.
func TestInquire(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, _ []Buffer, _ any) {
		if q.Kind == bridge.Cancel {
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Code: bridge.CodeCancelled, Error: "cancelled"})
			return
		}
		if !w.studies || q.Kind != bridge.Ask || q.What != "truth" {
			t.Errorf("%+v on the studies' program: %t", q, w.studies)
		}
		if q.In == "held" {
			return
		}
		w.reply(bridge.Reply{Kind: bridge.Progress, ID: q.ID, Done: 1, Total: 2})
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Out: []byte(q.In)})
	}
	p := New(b, 2)
	got, moved := map[string]string{}, 0
	ask := func(e experiment.Experiment, in string) func() {
		return p.Inquire(e, "truth", in, func(int, int) { moved++ }, func(out []byte, err error) {
			if got[in] = string(out); err != nil {
				got[in] = err.Error()
			}
		})
	}
	stop := ask(three(), "held")
	ask(three(), "1")
	ask(three(), "2")
	missing := three()
	missing.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "a.swf", SHA256: hash, Size: 3}}
	ask(missing, "lost")
	b.run(1e6)
	if got["1"] != "1" || got["2"] != "2" || moved != 2 || got["lost"] != ErrLogWanted.Error() || got["held"] != "" {
		t.Fatal(got, moved)
	}
	stop()
	b.run(2e6)
	if got["held"] != errCancelled.Error() {
		t.Error(got)
	}
}
