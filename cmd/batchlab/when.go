package main

import (
	"errors"
	"fmt"
	"io"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/report"
)

const useWhen = "EXPERIMENT.json --at TIME --procs N --limit S [--log FILE]... [--scheduler I] [--user U] [--draws K] [--record N]"

// whenTold is what when prints.
type whenTold struct {
	Log       string           `json:"log,omitempty"` // name of the document's log
	Build     experiment.Build `json:"build"`
	Scheduler string           `json:"scheduler"` // its label
	Key       string           `json:"key"`
	*report.When
}

// whenCommand says when one more job would start.
func whenCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("when", useWhen, "Says when a job would start that is submitted at an instant of a log, from what was known by then, as a distribution; and how such answers came true before. The document must not vary; - is standard input.")
	w := f.reading()
	at := f.whole("at", "TIME", -1, 0, 1<<40, "When the job is submitted, in seconds of the log.")
	procs := f.whole("procs", "N", 0, 1, 1<<31-1, "Processors that it asks for.")
	limit := f.whole("limit", "S", 0, 1, 1<<31-1, "Its requested time in seconds.")
	scheduler := f.whole("scheduler", "I", 1, 1, 10_000, "Which scheduler of the document, from 1 (default: the first).")
	user := f.whole("user", "U", -1, -1, 1<<31-1, "Whose job it is (SWF field 12); left out: nobody that is known.")
	draws := f.whole("draws", "K", 60, 1, 10_000, "How often run times and arrivals are drawn (default 60).")
	record := f.whole("record", "N", 400, 0, 100_000, "How many earlier jobs are asked about, so that the answer goes by what became of theirs (default 400). Takes most of the time.")
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	err := w.check(f, rest)
	switch {
	case err != nil:
	case *at < 0 || *procs == 0 || *limit == 0:
		err = errors.New("when: --at TIME, --procs N and --limit S say which job: all three are needed")
	}
	if err != nil {
		return fail(stderr, err)
	}
	r, err := w.open(nil, stderr)
	if err != nil {
		return fail(stderr, err)
	}
	out, err := r.when(int(*scheduler)-1, lab.Ask{
		At: model.Time(*at), Procs: int32(*procs), Limit: model.Time(*limit), User: int32(*user), Executable: -1, Draws: int(*draws), Record: int(*record),
	})
	if err != nil {
		return fail(stderr, err)
	}
	return printJSON(stdout, stderr, out)
}

// when asks about repetition 0 of a scheduler.
func (r *runner) when(scheduler int, ask lab.Ask) (*whenTold, error) {
	if r.varies() {
		return nil, fmt.Errorf("%s: vary: each point is an experiment of its own; ask about one at a time", r.name)
	}
	if n := len(r.doc.Schedulers); scheduler >= n {
		return nil, fmt.Errorf("%s: --scheduler %d: there are %d", r.name, scheduler+1, n)
	}
	p, _, _, err := r.sweep.Worker().At(0)
	if err != nil {
		return nil, r.explain(err)
	}
	r.prog.start("answers", ask.Record+1, 0, 1)
	told, err := p.When(lab.RunID{Scheduler: scheduler}, ask, func(done, total int) bool { return r.prog.show(0, done, total) })
	r.prog.end()
	if err != nil {
		return nil, r.explain(err)
	}
	out := &whenTold{Build: experiment.ThisBuild(), Scheduler: p.Label(scheduler), Key: r.doc.Schedulers[scheduler].Key, When: told}
	if l := r.doc.Workload.Source.Log; l != nil {
		out.Log = l.Name
	}
	return out, nil
}
