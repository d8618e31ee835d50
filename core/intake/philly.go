package intake

import (
	"bytes"
	"errors"
)

func sniffPhilly(head []byte) bool {
	return head[0] == '[' && bytes.Contains(head, []byte(`"attempts"`)) && bytes.Contains(head, []byte(`"submitted_time"`))
}

// readPhilly reads the job log of Microsoft's Philly trace: jobs with attempts, each
// of which held GPUs of some machines. Every attempt is a job of its own, submitted
// when the one before it ended; it counts a processor for each GPU, since the trace
// tells no processors.
func readPhilly(s *source, b *builder) error {
	f := &jsonFile{source: s, line: 1}
	if f.next() != '[' {
		if _, err := f.value(0); err != nil {
			return err
		}
		return errors.New("a list of jobs is expected")
	}
	b.assume("The trace tells GPUs and no processors", "a processor for each GPU", "", "")
	b.missing("requested time", "schedulers that backfill get the run times themselves for requests: better informed than any real one")
	if err := f.list(1, func(raw []byte, line int) error {
		b.phillyJob(raw, line)
		return nil
	}); err != nil {
		return err
	}
	if f.next(); len(f.Data) > 0 {
		return errJSON
	}
	return nil
}

// phillyJob adds a job, attempt by attempt.
func (b *builder) phillyJob(raw []byte, line int) {
	j := blank(line)
	var submitted, attempts, state []byte
	c := &cursor{data: raw}
	for more := c.enter('{'); more; more = c.another() {
		switch string(c.name()) {
		case "jobid":
			j.id = c.text()
		case "user":
			j.user = c.text()
		case "vc":
			j.partition = c.text()
			j.queue = j.partition
		case "status":
			state = c.text()
		case "submitted_time":
			submitted = c.raw()
		case "attempts":
			attempts = c.raw()
		default:
			c.skip()
		}
	}
	setState(b, &j, state)
	var ok bool
	if j.submit, ok = b.stamp(textOf(submitted)); !ok {
		b.problem(line, "submitted_time", string(submitted), "is no time")
		return
	}
	if len(attempts) == 0 || attempts[0] != '[' {
		attempts = []byte("[]")
	}
	c, some := &cursor{data: attempts}, false
	for more := c.enter('['); more; {
		some = true
		one, from := j, c.at
		started, finished := b.phillyAttempt(c, &one)
		what := attempts[from:c.at]
		if more = c.another(); more {
			one.state = requeued
		}
		if !started || !finished {
			b.problem(line, "attempts", string(what), "has a time that cannot be read")
			continue
		}
		b.add(&one)
		if one.end != none {
			j.submit = max(j.submit, one.end)
		}
	}
	if !some {
		b.add(&j)
	}
}

// phillyAttempt takes one attempt, and says whether its times can be read.
func (b *builder) phillyAttempt(c *cursor, j *job) (started, finished bool) {
	var start, end []byte
	j.gpus, j.nodes = 0, 0
	for more := c.enter('{'); more; more = c.another() {
		switch string(c.name()) {
		case "start_time":
			start = c.word()
		case "end_time":
			end = c.word()
		case "detail":
			for more := c.enter('['); more; more = c.another() {
				j.nodes++
				for more := c.enter('{'); more; more = c.another() {
					if string(c.name()) != "gpus" {
						c.skip()
						continue
					}
					for more := c.enter('['); more; more = c.another() {
						c.skip()
						j.gpus++
					}
				}
			}
		default:
			c.skip()
		}
	}
	j.start, started = b.stamp(start)
	j.end, finished = b.stamp(end)
	j.procs = max(j.gpus, 1)
	j.asked = j.procs
	return started, finished
}

// textOf is the text that a value is, nil for one of another kind.
func textOf(raw []byte) []byte {
	if len(raw) == 0 {
		return nil
	}
	return (&cursor{data: raw}).text()
}
