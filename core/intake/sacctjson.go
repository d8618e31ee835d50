package intake

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/tidwall/gjson"
)

func sniffSacctJSON(head []byte) bool {
	return head[0] == '{' && bytes.Contains(head, []byte(`"jobs"`)) && !bytes.Contains(head, []byte(`"profiles"`)) &&
		(bytes.Contains(head, []byte("openapi")) || bytes.Contains(head, []byte(`"association"`)) || bytes.Contains(head, []byte(`"job_id"`)) || bytes.Contains(head, []byte(`"slurm"`)) || bytes.Contains(head, []byte(`"Slurm"`)))
}

// readSacctJSON reads the output of sacct --json of Slurm 22.05 to 24.11, or several
// behind each other, as files put together are. Numbers are plain in the older ones and
// {set, infinite, number} since 23.02; a state is a word, or a list of them since 23.11.
func readSacctJSON(s *source, b *builder) error {
	f := &jsonFile{source: s, line: 1}
	for {
		for f.next() == 0xef && bytes.HasPrefix(f.Head(3), []byte("\ufeff")) {
			f.Data = f.Data[3:]
		}
		if f.next(); len(f.Data) == 0 {
			return nil
		}
		if err := readSacctDocument(f, b); err != nil {
			return err
		}
	}
}

// readSacctDocument reads one document. What is no valid JSON is refused as that, whatever
// else is wrong with it.
func readSacctDocument(f *jsonFile, b *builder) error {
	notThere := errors.New("jobs is not a list")
	if f.next() != '{' {
		if _, err := f.value(0); err != nil {
			return err
		}
		return notThere
	}
	wrong, submitLines := notThere, false
	seen := false
	err := f.object(1, func(name string) error {
		if name != "jobs" || seen || f.next() != '[' {
			seen = seen || name == "jobs"
			_, err := f.value(1)
			return err
		}
		seen, wrong = true, nil
		begun := false
		return f.list(1, func(raw []byte, line int) error {
			if !begun && gjson.GetBytes(raw, "submit_time").Exists() && !gjson.GetBytes(raw, "time").Exists() {
				wrong = errors.New("this is what squeue --json or scontrol --json prints, the jobs of one moment: sacct --json, or better sacct -P, has those that ended")
			}
			if begun = true; wrong == nil {
				b.sacctOf(raw, line, &submitLines)
			}
			return nil
		})
	})
	if err == nil {
		err = wrong
	}
	if err == nil && !submitLines {
		b.missing("dependencies", "sacct --json of this version does not tell them, nor the command; Eligible says only until when a job waited for others")
	}
	return err
}

// sacctParts are what of a job of sacct --json says something only together.
type sacctParts struct {
	array, task, most, het, offset int64
	tasks                          []byte
	user, account                  []byte // of its association
	perCPU, perNode, all           int64  // memory asked for, MB
	command                        []byte
	unlimited                      bool
	stamps                         int
}

// sacctOf adds one job.
func (b *builder) sacctOf(raw []byte, line int, submitLines *bool) {
	j := b.fresh(line)
	if raw[0] != '{' {
		b.problem(line, "jobs", string(raw), "is no object")
		return
	}
	p := sacctParts{array: none, task: none, most: none, het: none, offset: none, perCPU: none, perNode: none, all: none}
	id, state := []byte(nil), []byte(nil)
	requested, allocated := int64(0), int64(0) // GPUs
	c := &cursor{data: raw}
	for more := c.enter('{'); more; more = c.another() {
		switch string(c.name()) {
		case "job_id":
			from := c.at
			j.raw, _ = c.whole()
			id = raw[from:c.at]
		case "user":
			j.user = c.text()
		case "group":
			j.group = c.text()
		case "account":
			j.account = c.text()
		case "qos":
			j.qos = c.text()
		case "partition":
			j.partition = c.text()
		case "name":
			j.name = c.text()
		case "submit_line":
			*submitLines = true
			p.command = c.text()
		case "allocation_nodes":
			j.nodes, _ = c.whole()
		case "array":
			p.ofArray(c)
		case "het":
			c.members(member{name: "job_id", whole: &p.het}, member{name: "job_offset", whole: &p.offset})
		case "association":
			c.members(member{name: "user", text: &p.user}, member{name: "account", text: &p.account})
		case "time":
			p.ofTimes(c, j)
		case "state":
			for more := c.enter('{'); more; more = c.another() {
				if string(c.name()) != "current" {
					c.skip()
				} else if c.data[c.at] != '[' {
					state = c.word()
				} else {
					state = nil
					for more := c.enter('['); more; more = c.another() {
						if state == nil {
							state = c.word()
						} else {
							c.skip()
						}
					}
				}
			}
		case "required":
			c.members(member{name: "CPUs", whole: &j.asked}, member{name: "memory_per_cpu", whole: &p.perCPU}, member{name: "memory_per_node", whole: &p.perNode})
		case "tres":
			for more := c.enter('{'); more; more = c.another() {
				switch string(c.name()) {
				case "requested":
					_, p.all, requested = c.tres()
				case "allocated":
					j.procs, _, allocated = c.tres()
				default:
					c.skip()
				}
			}
		default:
			c.skip()
		}
	}
	if j.raw <= 0 {
		b.problem(line, "job_id", string(id), "is no number of a job")
		return
	}
	setState(b, j, state)
	j.gpus = max(requested, allocated)
	b.settle(j, &p)
	if sacctDone(b, j) {
		b.add(j)
	}
}

// settle gives a job what its parts say together.
func (b *builder) settle(j *job, p *sacctParts) {
	id := strconv.AppendInt(b.id[:0], j.raw, 10)
	if p.array > 0 {
		if len(p.tasks) > 0 {
			id = append(strconv.AppendInt(id[:0], p.array, 10), "_["...)
			id = append(append(id, bytes.Trim(p.tasks, "[]")...), ']')
		} else if p.task >= 0 {
			id = strconv.AppendInt(append(strconv.AppendInt(id[:0], p.array, 10), '_'), p.task, 10)
		}
		if p.most > 0 {
			j.arrayLimit = p.most
		}
	}
	if p.het > 0 {
		id = strconv.AppendInt(append(strconv.AppendInt(id[:0], p.het, 10), '+'), max(p.offset, 0), 10)
	}
	j.id, b.id = id, id
	b.zones.unix += p.stamps
	if p.unlimited {
		b.saw.unlimited.add(j.line)
	}
	if len(j.user) == 0 {
		j.user = p.user
	}
	if len(j.account) == 0 {
		j.account = p.account
	}
	switch {
	case p.perCPU > 0:
		j.memory = p.perCPU << 10
	case p.perNode > 0:
		j.memory, j.memoryOfNode = p.perNode<<10, true
	case p.all > 0:
		j.memory, j.memoryOfNode = p.all<<10/max(j.nodes, 1), true
	}
	if len(p.command) > 0 {
		sacctSubmitLine(b, j, p.command)
	}
}

// ofArray takes the array that a job is of.
func (p *sacctParts) ofArray(c *cursor) {
	for more := c.enter('{'); more; more = c.another() {
		switch string(c.name()) {
		case "job_id":
			p.array, _ = c.whole()
		case "task_id":
			p.task, _ = c.whole()
		case "task":
			p.tasks = c.word()
		case "limits":
			c.down([]string{"max", "running", "tasks"}, func() { p.most, _ = c.whole() })
		default:
			c.skip()
		}
	}
}

// ofTimes takes when a job was submitted, eligible, started and ended, and its limit.
func (p *sacctParts) ofTimes(c *cursor, j *job) {
	for more := c.enter('{'); more; more = c.another() {
		var to *int64
		switch string(c.name()) {
		case "submission":
			to = &j.submit
		case "eligible":
			to = &j.eligible
		case "start":
			to = &j.start
		case "end":
			to = &j.end
		case "elapsed":
			j.run, _ = c.whole()
			continue
		case "limit":
			var minutes int64
			if minutes, p.unlimited = c.whole(); minutes > 0 && !p.unlimited {
				j.limit = 60 * minutes
			}
			continue
		default:
			c.skip()
			continue
		}
		if n, _ := c.whole(); n > 0 {
			*to = n
			p.stamps++
		}
	}
}

// tres takes a list of resources: processors, memory in MB, and GPUs, untyped, else the
// sum of typed ones.
func (c *cursor) tres() (procs, memory, gpus int64) {
	procs, memory, gpus = none, none, none
	typed := int64(0)
	for more := c.enter('['); more; more = c.another() {
		var kind, name []byte
		n := int64(none)
		c.members(member{name: "type", text: &kind}, member{name: "name", text: &name}, member{name: "count", whole: &n})
		switch {
		case string(kind) == "cpu":
			procs = n
		case string(kind) == "mem" && memory <= 0:
			memory = n
		case string(kind) != "gres":
		case string(name) == "gpu":
			gpus = n
		case bytes.HasPrefix(name, []byte("gpu:")):
			typed += max(n, 0)
		}
	}
	if gpus == none {
		gpus = typed
	}
	return procs, memory, gpus
}
