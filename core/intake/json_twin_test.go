package intake

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// gjsonWhole is wholeNumber and cursor.whole by gjson's paths.
func gjsonWhole(v gjson.Result) (n int64, unlimited bool) {
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
	switch {
	case v.Type != gjson.Number || v.Num < 0 || v.Num > 1<<50:
		return none, false
	case v.Num >= 1<<32-2 && v.Num <= 1<<32-1:
		return none, true
	}
	return v.Int(), false
}

// gjsonSacct reads the output of sacct --json by gjson's paths.
func gjsonSacct(text string, b *builder) {
	submitLines, at, line := false, 0, 1
	gjson.Get(text, "jobs").ForEach(func(_, v gjson.Result) bool {
		line += strings.Count(text[at:v.Index], "\n")
		at = v.Index
		submitLines = submitLines || v.Get("submit_line").Exists()
		j := blank(line)
		if !v.IsObject() {
			b.problem(line, "jobs", v.Raw, "is no object")
			return true
		}
		number := func(path string) int64 { n, _ := gjsonWhole(v.Get(path)); return n }
		text := func(paths ...string) []byte {
			for _, p := range paths {
				if s := v.Get(p); s.Type == gjson.String && s.Str != "" {
					return []byte(s.Str)
				}
			}
			return nil
		}
		id := number("job_id")
		if id <= 0 {
			b.problem(line, "job_id", v.Get("job_id").Raw, "is no number of a job")
			return true
		}
		j.raw, j.id = id, strconv.AppendInt(nil, id, 10)
		if array := number("array.job_id"); array > 0 {
			if tasks := v.Get("array.task").String(); tasks != "" {
				j.id = fmt.Appendf(nil, "%d_[%s]", array, strings.Trim(tasks, "[]"))
			} else if task := number("array.task_id"); task >= 0 {
				j.id = fmt.Appendf(nil, "%d_%d", array, task)
			}
			j.arrayLimit = max(0, number("array.limits.max.running.tasks"))
		}
		if het := number("het.job_id"); het > 0 {
			j.id = fmt.Appendf(nil, "%d+%d", het, max(number("het.job_offset"), 0))
		}
		j.user, j.group, j.account = text("user", "association.user"), text("group"), text("account", "association.account")
		j.qos, j.partition, j.name = text("qos"), text("partition"), text("name")
		for path, to := range map[string]*int64{"submission": &j.submit, "eligible": &j.eligible, "start": &j.start, "end": &j.end} {
			if n := number("time." + path); n > 0 {
				*to = n
				b.zones.unix++
			}
		}
		j.run = number("time.elapsed")
		minutes, unlimited := gjsonWhole(v.Get("time.limit"))
		if unlimited {
			b.saw.unlimited.add(line)
		} else if minutes > 0 {
			j.limit = 60 * minutes
		}
		state := v.Get("state.current")
		if state.IsArray() {
			state = state.Get("0")
		}
		setState(b, &j, []byte(state.String()))
		j.asked, j.nodes = number("required.CPUs"), number("allocation_nodes")
		if m := number("required.memory_per_cpu"); m > 0 {
			j.memory = m << 10
		} else if m := number("required.memory_per_node"); m > 0 {
			j.memory, j.memoryOfNode = m<<10, true
		}
		for _, list := range []string{"tres.requested", "tres.allocated"} {
			total, typed := int64(none), int64(0)
			v.Get(list).ForEach(func(_, one gjson.Result) bool {
				n, _ := gjsonWhole(one.Get("count"))
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
			sacctSubmitLine(b, &j, command)
		}
		if sacctDone(b, &j) {
			b.add(&j)
		}
		return true
	})
	if !submitLines {
		b.missing("dependencies", "sacct --json of this version does not tell them, nor the command; Eligible says only until when a job waited for others")
	}
}

// anyOf makes a value for a member: mostly of the kinds that belong there.
func anyOf(random *rand.Rand, likely ...string) string {
	if random.IntN(12) > 0 {
		return likely[random.IntN(len(likely))]
	}
	return []string{"null", "-1", "4294967295", `"7"`, `""`, "[]", "{}", "true", "1.5e3", `{"set": true, "infinite": true, "number": 3}`, `[{"type": 5}]`, `"é\u00e9\n"`, "12345678901", "99999999999999999999"}[random.IntN(14)]
}

// anySacct is a job of sacct --json with any members, in any order.
func anySacct(random *rand.Rand, id int) string {
	n := func(most int) string { return strconv.Itoa(random.IntN(most)) }
	number := func(most int) string {
		return anyOf(random, n(most), `{"set": true, "infinite": false, "number": `+n(most)+`}`, `{"number": `+n(most)+`, "set": false, "infinite": false}`, `{"set": true, "number" :`+n(most)+`}`)
	}
	member := func(name, value string) string {
		return `"` + name + `"` + []string{": ", ":", " :\n "}[random.IntN(3)] + value
	}
	object := func(members ...string) string {
		random.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
		members = members[random.IntN(2)*random.IntN(len(members)):]
		return "{" + strings.Join(members, ", ") + "}"
	}
	tres := func() string {
		var list []string
		for range random.IntN(5) {
			list = append(list, object(member("type", anyOf(random, `"cpu"`, `"mem"`, `"gres"`, `"node"`)), member("name", anyOf(random, `""`, `"gpu"`, `"gpu:a100"`)), member("id", "1"), member("count", number(9))))
		}
		return "[" + strings.Join(list, ",\n") + "]"
	}
	word := func(list ...string) string { return anyOf(random, list...) }
	at := 1795420800 + random.IntN(999)
	return object(member("job_id", anyOf(random, strconv.Itoa(id))), member("user", word(`"ann"`, `"bob"`)), member("group", word(`"g"`)), member("account", word(`"bio"`, `""`)),
		member("association", object(member("user", word(`"zoe"`)), member("account", word(`"chem"`)), member("id", "7"))), member("qos", word(`"high"`)), member("partition", word(`"a,b"`, `"a"`)),
		member("name", word(`"x \"y\""`, `"z"`)), member("allocation_nodes", number(4)), member("submit_line", word(`"sbatch --dependency=afterok:`+n(9)+` --gpus=2 x"`, `"sbatch -a 1-9%3 x"`)),
		member("array", object(member("job_id", number(3)), member("task", word(`""`, `"1-3%2"`, `"[4,6]"`)), member("task_id", number(9)), member("limits", object(member("max", object(member("running", object(member("tasks", number(5)))))))))),
		member("het", object(member("job_id", word("0", "0", n(3))), member("job_offset", number(3)))),
		member("time", object(member("submission", strconv.Itoa(at)), member("eligible", strconv.Itoa(at+random.IntN(9))), member("start", anyOf(random, "0", strconv.Itoa(at+5))), member("end", anyOf(random, "0", strconv.Itoa(at+random.IntN(99)))), member("elapsed", number(99)), member("limit", number(60)))),
		member("state", object(member("current", word(`"COMPLETED"`, `["FAILED", "X"]`, `["PENDING"]`, `["CANCELLED"]`, `[]`)), member("reason", `"None"`))),
		member("required", object(member("CPUs", number(8)), member("memory_per_cpu", number(999)), member("memory_per_node", number(999)))),
		member("tres", object(member("requested", tres()), member("allocated", tres()))), member("steps", `[{"tres": {"x": [1, 2, {"a": "]"}]}}]`))
}

// Intent: jobs of sacct --json, whatever members they have and in whatever order, are read
// as gjson's paths find them: each member once.
func TestSacctJSONTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 3))
	f, jobs := Find("sacct-json"), 0
	for range 150 {
		var list []string
		for i := range 1 + random.IntN(30) {
			list = append(list, anySacct(random, i+1))
		}
		text := `{"meta": {"plugin": "openapi"}, "jobs": [` + strings.Join(list, ",\n") + "]}"
		want := newBuilder(f, Options{})
		gjsonSacct(text, want)
		twin, _ := want.finish()
		got, err := Read(Options{Format: f.Key}, []byte(text))
		if twin == nil || err != nil {
			if (twin == nil) != (err != nil) {
				t.Fatalf("%v; the twin: %v\n%s", err, twin, text)
			}
			continue
		}
		if jobs += len(got.Log.Records); !reflect.DeepEqual(got, twin) {
			for i := range got.Log.Records {
				if x, y := got.Log.Records[i], twin.Log.Records[min(i, len(twin.Log.Records)-1)]; x != y || !reflect.DeepEqual(got.Extra[i], twin.Extra[i]) {
					t.Fatalf("read as\n%+v\n%+v\nthe twin\n%+v\n%+v\n%s", x, got.Extra[i], y, twin.Extra[i], list[x.Line-1:])
				}
			}
			t.Fatalf("%+v\n%+v\nthe twin\n%+v\n%+v", got.Log.Problems, got.Report, twin.Log.Problems, twin.Report)
		}
	}
	if jobs < 500 {
		t.Errorf("%d jobs are read: that says little", jobs)
	}
}
