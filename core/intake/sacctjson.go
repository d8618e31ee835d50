package intake

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// maxDepth bounds how deep arrays and objects of a JSON file may be nested.
const maxDepth = 64

// CheckJSON refuses what is no JSON, and before a parser that calls itself looks at
// it, what is nested deeper than so many brackets outside of texts.
func CheckJSON(data []byte, most int) error {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return fmt.Errorf("arrays or objects are nested deeper than %d", most)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if !gjson.ValidBytes(data) {
		return errors.New("this is no valid JSON: the file may be cut off")
	}
	return nil
}

// lineCounter turns places in a file into lines, in one pass.
type lineCounter struct {
	data []byte
	at   int
	line int
}

func (c *lineCounter) of(index int) int {
	if index > c.at && index <= len(c.data) {
		c.line += bytes.Count(c.data[c.at:index], []byte{'\n'})
		c.at = index
	}
	return c.line + 1
}

func sniffSacctJSON(head []byte) bool {
	return head[0] == '{' && bytes.Contains(head, []byte(`"jobs"`)) && !bytes.Contains(head, []byte(`"profiles"`)) &&
		(bytes.Contains(head, []byte("openapi")) || bytes.Contains(head, []byte(`"association"`)) || bytes.Contains(head, []byte(`"job_id"`)) || bytes.Contains(head, []byte(`"slurm"`)) || bytes.Contains(head, []byte(`"Slurm"`)))
}

// readSacctJSON reads the output of sacct --json of Slurm 22.05 to 24.11. Numbers are
// plain in the older ones and {set, infinite, number} since 23.02; a state is a word,
// or a list of them since 23.11.
func readSacctJSON(s *source, b *builder) error {
	data := s.rest
	lines := lineCounter{data: data}
	for at := 0; ; {
		at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n\ufeff"))
		if at >= len(data) {
			return nil
		}
		end := at + documentEnd(data[at:])
		if err := readSacctDocument(data[at:end], at, &lines, b); err != nil {
			return err
		}
		at = end
	}
}

// documentEnd returns where the first of several JSON documents ends that stand behind
// each other, as files put together do.
func documentEnd(data []byte) int {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(data)
}

// readSacctDocument reads one document, which begins at a place in the file.
func readSacctDocument(data []byte, begin int, lines *lineCounter, b *builder) error {
	if err := CheckJSON(data, maxDepth); err != nil {
		return err
	}
	jobs := gjson.GetBytes(data, "jobs")
	if !jobs.IsArray() {
		return errors.New("jobs is not a list")
	}
	if first := jobs.Get("0"); first.Get("submit_time").Exists() && !first.Get("time").Exists() {
		return errors.New("this is what squeue --json or scontrol --json prints, the jobs of one moment: sacct --json, or better sacct -P, has those that ended")
	}
	submitLines := false
	jobs.ForEach(func(_, v gjson.Result) bool {
		j := blank(lines.of(begin + v.Index))
		submitLines = submitLines || v.Get("submit_line").Exists()
		if sacctOf(b, v, &j) && sacctDone(b, &j) {
			b.add(&j)
		}
		return true
	})
	if !submitLines {
		b.missing("dependencies", "sacct --json of this version does not tell them, nor the command; Eligible says only until when a job waited for others")
	}
	return nil
}

// whole reads a number of sacct --json. unlimited says that it has none on purpose.
func whole(v gjson.Result) (n int64, unlimited bool) {
	if v.IsObject() {
		if v.Get("infinite").Bool() {
			return none, true
		}
		if !v.Get("set").Bool() {
			return none, false
		}
		v = v.Get("number")
	}
	if v.Type == gjson.String {
		v = gjson.Parse(v.Str)
	}
	if v.Type != gjson.Number || v.Num < 0 || v.Num > 1<<50 {
		return none, false
	}
	if v.Num >= 1<<32-2 && v.Num <= 1<<32-1 { // Slurm's INFINITE and NO_VAL
		return none, true
	}
	return v.Int(), false
}

// sacctOf reads one job.
func sacctOf(b *builder, v gjson.Result, j *job) bool {
	if !v.IsObject() {
		b.problem(j.line, "jobs", v.Raw, "is no object")
		return false
	}
	id, _ := whole(v.Get("job_id"))
	if id <= 0 {
		b.problem(j.line, "job_id", v.Get("job_id").Raw, "is no number of a job")
		return false
	}
	j.raw, j.id = id, strconv.AppendInt(nil, id, 10)
	if array, _ := whole(v.Get("array.job_id")); array > 0 {
		if tasks := v.Get("array.task").String(); tasks != "" {
			j.id = []byte(strconv.FormatInt(array, 10) + "_[" + strings.Trim(tasks, "[]") + "]")
		} else if task, _ := whole(v.Get("array.task_id")); task >= 0 {
			j.id = []byte(strconv.FormatInt(array, 10) + "_" + strconv.FormatInt(task, 10))
		}
		if most, _ := whole(v.Get("array.limits.max.running.tasks")); most > 0 {
			j.arrayLimit = most
		}
	}
	if het, _ := whole(v.Get("het.job_id")); het > 0 {
		offset, _ := whole(v.Get("het.job_offset"))
		j.id = []byte(strconv.FormatInt(het, 10) + "+" + strconv.FormatInt(max(offset, 0), 10))
	}
	text := func(paths ...string) []byte {
		for _, p := range paths {
			if s := v.Get(p); s.Type == gjson.String && s.Str != "" {
				return []byte(s.Str)
			}
		}
		return nil
	}
	j.user, j.group, j.account = text("user", "association.user"), text("group"), text("account", "association.account")
	j.qos, j.partition, j.name = text("qos"), text("partition"), text("name")
	for path, to := range map[string]*int64{"time.submission": &j.submit, "time.eligible": &j.eligible, "time.start": &j.start, "time.end": &j.end} {
		if n, _ := whole(v.Get(path)); n > 0 {
			*to = n
			b.zones.unix++
		}
	}
	j.run, _ = whole(v.Get("time.elapsed"))
	minutes, unlimited := whole(v.Get("time.limit"))
	if unlimited {
		b.saw.unlimited.add(j.line)
	} else if minutes > 0 {
		j.limit = 60 * minutes
	}
	state := v.Get("state.current")
	if state.IsArray() {
		state = state.Get("0")
	}
	setState(b, j, []byte(state.String()))
	j.asked, _ = whole(v.Get("required.CPUs"))
	j.nodes, _ = whole(v.Get("allocation_nodes"))
	if m, _ := whole(v.Get("required.memory_per_cpu")); m > 0 {
		j.memory = m << 10
	} else if m, _ := whole(v.Get("required.memory_per_node")); m > 0 {
		j.memory, j.memoryOfNode = m<<10, true
	}
	for _, list := range []string{"tres.requested", "tres.allocated"} {
		total, typed := int64(none), int64(0)
		v.Get(list).ForEach(func(_, one gjson.Result) bool {
			n, _ := whole(one.Get("count"))
			switch kind, name := one.Get("type").Str, one.Get("name").Str; {
			case kind == "cpu" && list == "tres.allocated":
				j.procs = n
			case kind == "mem" && list == "tres.requested" && j.memory == none && n > 0:
				j.memory, j.memoryOfNode = n<<10/max(j.nodes, 1), true
			case kind == "gres" && name == "gpu":
				total = n
			case kind == "gres" && strings.HasPrefix(name, "gpu:"):
				typed += max(n, 0)
			}
			return true
		})
		if total == none {
			total = typed
		}
		j.gpus = max(j.gpus, total)
	}
	if command := text("submit_line"); command != nil {
		sacctSubmitLine(b, j, command)
	}
	return true
}
