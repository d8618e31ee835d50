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

// whenTold is what when prints.
type whenTold struct {
	Log       string           `json:"log,omitempty"` // name of the document's log
	Build     experiment.Build `json:"build"`
	Scheduler string           `json:"scheduler"` // its label
	Key       string           `json:"key"`
	*report.When
}

// whenCommand says when one more job would start.
func whenCommand(c *call) action {
	c.intro = "Says when a job would start that is submitted at an instant of a log, from what was known by then, as a distribution; and how such answers came true before. The document must not vary; - is standard input."
	w := c.reading()
	at := c.whole("at", "TIME", -1, 0, 1<<40, "When the job is submitted, in seconds of the log.")
	procs := c.whole("procs", "N", 0, 1, 1<<31-1, "Processors that it asks for.")
	limit := c.whole("limit", "S", 0, 1, 1<<31-1, "Its requested time in seconds.")
	scheduler := c.whole("scheduler", "I", 1, 1, 10_000, "Which scheduler of the document, from 1 (default: the first).")
	user := c.whole("user", "U", -1, -1, 1<<31-1, "Whose job it is (SWF field 12); left out: an unknown user.")
	squeue := c.text("squeue", "FILE", "", "What squeue prints: what runs and waits now, instead of what the run has at that time. --at is then left out for the end of the log; --job N is the N-th job that it lists.")
	draws := c.whole("draws", "K", 60, 1, 10_000, "How often run times and arrivals are drawn (default 60).")
	record := c.whole("record", "N", 384, 0, 100_000, "How many earlier jobs are asked about, on whose answers this one rests (default 384). Takes most of the time.")
	job := c.whole("job", "N", 0, 1, 1<<40, "Instead of a new job, one of the log that waits at that time: the answer gets sharper while it does.")
	every := c.toggle("every", "Takes the earlier jobs from all that waited, not from one of each user and hour.")
	rivals := c.toggle("rivals", "Judges simpler methods by the same earlier jobs: a plan's promise, recalibrated, the last hundred waits of jobs of that size, and linear quantile regression.")
	within := c.whole("within", "S", 0, 1, 86_400, "Seconds after which no more is drawn (but 12 draws), and as many after which no more earlier jobs are asked about. Left out: no bound.")
	return func(rest []string) (any, error) {
		err := w.check(c, rest)
		switch {
		case err != nil:
		case *at < 0 && *squeue == "":
			err = errors.New("when: --at TIME says when it is asked: it is needed")
		case *job != 0 && (*procs != 0 || *limit != 0 || *user >= 0):
			err = errors.New("when: --job N is a job of the log: --procs, --limit and --user are its own")
		case *job == 0 && (*procs == 0 || *limit == 0):
			err = errors.New("when: --procs N and --limit S say which job, or --job N one that waits")
		}
		if err != nil {
			return nil, err
		}
		r, err := w.open(nil, c.stderr)
		if err != nil {
			return nil, err
		}
		return r.when(int(*scheduler)-1, lab.Ask{
			At: model.Time(*at), Job: *job, Procs: int32(*procs), Limit: model.Time(*limit), User: int32(*user), Executable: -1, Draws: int(*draws), Record: int(*record),
			Every: *every, Rivals: *rivals, Now: seconds, Within: float64(*within),
		}, *squeue, c.stderr)
	}
}

// when asks about repetition 0 of a scheduler; with squeue on top of what that file holds.
func (r *runner) when(scheduler int, ask lab.Ask, squeue string, stderr io.Writer) (*whenTold, error) {
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
	if squeue != "" {
		pasted, err := readQueue(p, squeue, stderr)
		if err != nil {
			return nil, err
		}
		ask.Present = pasted.Present
		if ask.At < 0 { // now: the log ends
			ask.At = pasted.At
		}
	}
	r.prog.start("answers", ask.Record+1, 0, 1)
	told, err := p.When(lab.RunID{Scheduler: scheduler}, ask, r.prog.of(0))
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

// readQueue reads what runs and waits now. Users are matched where the log's file names them.
func readQueue(p *lab.Prepared, path string, stderr io.Writer) (*lab.Pasted, error) {
	name, data, err := readFile(path, maxLog)
	if err != nil {
		return nil, err
	}
	pasted, err := p.ReadQueue(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(stderr, "%s: %d jobs; %d held ones left out; %d rows are of users that the log does not name\n", name, len(pasted.Present.Jobs), pasted.Held, pasted.Unknown)
	return pasted, nil
}
