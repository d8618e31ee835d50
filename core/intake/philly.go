package intake

import (
	"bytes"
	"errors"

	"github.com/tidwall/gjson"
)

func sniffPhilly(head []byte) bool {
	return head[0] == '[' && bytes.Contains(head, []byte(`"attempts"`)) && bytes.Contains(head, []byte(`"submitted_time"`))
}

// readPhilly reads the job log of Microsoft's Philly trace: jobs with attempts, each
// of which held GPUs of some machines. Every attempt is a job of its own, submitted
// when the one before it ended; it counts a processor for each GPU, since the trace
// tells no processors.
func readPhilly(s *source, b *builder) error {
	data := s.rest
	if err := CheckJSON(data, maxDepth); err != nil {
		return err
	}
	root := gjson.ParseBytes(data)
	if !root.IsArray() {
		return errors.New("a list of jobs is expected")
	}
	b.assume("The trace tells GPUs and no processors", "a processor for each GPU", "", "")
	b.missing("requested time", "schedulers that backfill get the run times themselves for requests: better informed than any real one")
	lines := lineCounter{data: data}
	root.ForEach(func(_, v gjson.Result) bool {
		at := lines.of(v.Index)
		j := blank(at)
		j.id = []byte(v.Get("jobid").Str)
		j.user, j.partition, j.queue = []byte(v.Get("user").Str), []byte(v.Get("vc").Str), []byte(v.Get("vc").Str)
		setState(b, &j, []byte(v.Get("status").Str))
		var ok bool
		if j.submit, ok = b.stamp([]byte(v.Get("submitted_time").Str)); !ok {
			b.problem(at, "submitted_time", v.Get("submitted_time").Raw, "is no time")
			return true
		}
		attempts := v.Get("attempts").Array()
		if len(attempts) == 0 {
			b.add(&j)
			return true
		}
		for i, a := range attempts {
			one := j
			var started, finished bool
			one.start, started = b.stamp([]byte(a.Get("start_time").String()))
			one.end, finished = b.stamp([]byte(a.Get("end_time").String()))
			if !started || !finished {
				b.problem(at, "attempts", a.Raw, "has a time that cannot be read")
				continue
			}
			machines := a.Get("detail").Array()
			one.gpus = 0
			for _, m := range machines {
				one.gpus += int64(len(m.Get("gpus").Array()))
			}
			one.nodes = int64(len(machines))
			one.procs = max(one.gpus, 1)
			one.asked = one.procs
			if i+1 < len(attempts) {
				one.state = requeued
			}
			b.add(&one)
			if one.end != none {
				j.submit = max(j.submit, one.end)
			}
		}
		return true
	})
	return nil
}
