package catalog

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// row is what all rows of all tables have.
type row struct {
	table, key, name, help, cite string
	params                       []Param
}

// rows returns every row of every table.
func rows() []row {
	var all []row
	for _, r := range Schedulers {
		all = append(all, row{"Schedulers", r.Key, r.Name, r.Help, r.Cite, r.Params})
	}
	for _, r := range append(Orders[:len(Orders):len(Orders)], ScoreOrders...) {
		all = append(all, row{"Orders", r.Key, r.Name, r.Help, r.Cite, nil})
	}
	for _, r := range Metrics {
		all = append(all, row{"Metrics", r.Key, r.Name, r.Help, r.Source, nil})
	}
	for _, r := range Families {
		all = append(all, row{"Families", r.Key, r.Name, r.Help, "—", nil})
	}
	for _, r := range Generators {
		all = append(all, row{"Generators", r.Key, r.Name, r.Help, r.Cite, r.Params})
	}
	for _, r := range Machines {
		all = append(all, row{"Machines", r.Key, r.Name, r.Help, r.Cite, r.Params})
	}
	for _, r := range Bundles {
		all = append(all, row{"Bundles", r.Key, r.Name, r.Help, "—", nil})
	}
	for _, r := range Presets {
		all = append(all, row{"Presets", r.Key, r.Name, r.Help, r.Cite, nil})
	}
	return all
}

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// slurms are names and values of slurm.conf, which stand as they stand there.
var slurms = regexp.MustCompile(`^[A-Za-z0-9]+([_./][A-Za-z0-9]+)*$`)

// Every row has a key in kebab-case that no other row of its table has, a
// name, a help text that is a sentence, and says where it comes from.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	count := map[string]int{}
	for _, r := range rows() {
		where := r.table + " " + r.key
		count[r.table]++
		if seen[where] {
			t.Errorf("%s: twice", where)
		}
		seen[where] = true
		if !kebab.MatchString(r.key) {
			t.Errorf("%s: the key is not kebab-case", where)
		}
		if r.name == "" || r.cite == "" {
			t.Errorf("%s: name or citation missing", where)
		}
		if !strings.HasSuffix(r.help, ".") {
			t.Errorf("%s: the help %q is not a sentence", where, r.help)
		}
		keys := map[string]bool{}
		for _, p := range r.params {
			checkParam(t, where, p)
			if keys[p.Key] {
				t.Errorf("%s: parameter %s twice", where, p.Key)
			}
			keys[p.Key] = true
		}
	}
	for _, table := range []string{"Schedulers", "Orders", "Metrics", "Families", "Generators", "Bundles", "Presets"} {
		if count[table] == 0 {
			t.Errorf("%s is empty", table)
		}
	}
}

// checkParam: a parameter's default has its type and lies in its range.
func checkParam(t *testing.T, where string, p Param) {
	t.Helper()
	where += ", parameter " + p.Key
	names := kebab
	if strings.HasPrefix(where, "Schedulers slurm") {
		names = slurms
	}
	if !names.MatchString(p.Key) || p.Name == "" || !strings.HasSuffix(p.Help, ".") {
		t.Errorf("%s: key, name or help", where)
	}
	if p.When == "" && (p.Is != "" || p.Needed != nil) {
		t.Errorf("%s: needed when?", where)
	}
	if p.Optional {
		if p.Default != nil {
			t.Errorf("%s: the default of an optional parameter is null", where)
		}
		return
	}
	value := math.NaN()
	ok := false
	switch v := p.Default.(type) {
	case int64:
		value, ok = float64(v), p.Type == Int || p.Type == Seconds
	case float64:
		value, ok = v, p.Type == Number
	case bool:
		value, ok = 0, p.Type == Bool
	case string:
		value, ok = 0, p.Type == Enum && FindOption(p.Options, v) != nil || p.Type == Code || p.Type == Words
	}
	if !ok {
		t.Errorf("%s: default %v does not have its type", where, p.Default)
	}
	if (p.Min != 0 || p.Max != 0) && !(p.Min <= value && value <= p.Max) {
		t.Errorf("%s: default %v is not within %v … %v", where, p.Default, p.Min, p.Max)
	}
	if p.Min > p.Max || math.Abs(p.Min) > 1<<53 || p.Max > 1<<53 {
		t.Errorf("%s: range %v … %v", where, p.Min, p.Max)
	}
	if (p.Type == Enum) != (len(p.Options) > 0) {
		t.Errorf("%s: %d options", where, len(p.Options))
	}
	if p.Type == Seconds && p.Unit != "s" {
		t.Errorf("%s: unit %q", where, p.Unit)
	}
	seen := map[string]bool{}
	for _, o := range p.Options {
		if seen[o.Key] || !names.MatchString(o.Key) || o.Name == "" || !strings.HasSuffix(o.Help, ".") {
			t.Errorf("%s: option %+v", where, o)
		}
		seen[o.Key] = true
	}
}

// The keys that links and the command line promise for ever are there.
func TestKeysForEver(t *testing.T) {
	for _, c := range []struct {
		name string
		have []string
		want string
	}{
		{"schedulers", SchedulerKeys(), "as-logged fcfs easy conservative bf-unmod bf-mod orig-bf hill-climbing plan-rs"},
		{"orders", keys(Orders, func(r *Order) string { return r.Key }), "fcfs lcfs spf lpf sqf lqf saf laf sexp lexp srf lrf"},
		{"parameters of easy", ParamKeys(FindScheduler("easy").Params), "order backfill ties threshold weights scales formula"},
		{"measures", MetricKeys(), "mean-wait median-wait p90-wait p95-wait p99-wait std-wait max-wait mean-bounded-slowdown " +
			"mean-per-proc-bounded-slowdown mean-turnaround mean-slowdown makespan utilization throughput jobs rejected system-usage out-of-deadline mean-tardiness max-tardiness licence-usage"},
		{"presets", PresetKeys(), "demo easy-vs-conservative orders"},
		{"generators", GeneratorKeys(), "daily"},
		{"generators of machines", MachinesKeys(), "farm-machines cerit-sc"},
		{"generators of failures", FailureKeys(), "exponential"},
		{"parameters of bf-unmod", ParamKeys(FindScheduler("bf-unmod").Params), "aging deadline licences wait deadline-min deadline-max k"},
		{"bundled workloads", BundleKeys(), "demo"},
	} {
		have := " " + strings.Join(c.have, " ") + " "
		for _, key := range strings.Fields(c.want) {
			if !strings.Contains(have, " "+key+" ") {
				t.Errorf("%s: %s is gone", c.name, key)
			}
		}
	}
}

// A list of numbers is compared by value and hands out copies.
func TestNumbers(t *testing.T) {
	given := []float64{1, -2, 0.5}
	v := NewNumbers(given)
	given[0] = 9
	v.Slice()[1] = 9
	if var2 := any(NewNumbers([]float64{1, -2, 0.5})); var2 != any(v) || v.Len() != 3 || !reflect.DeepEqual(v.Slice(), []float64{1, -2, 0.5}) {
		t.Errorf("%v", v.Slice())
	}
	if any(v) == any(NewNumbers([]float64{1, -2, 0.5, 0})) {
		t.Error("3 numbers equal 4")
	}
}

// Each look-up finds every row of its table, and nothing else.
func TestFind(t *testing.T) {
	finds := map[string]func(string) any{
		"Schedulers": func(k string) any { return FindScheduler(k) },
		"Orders":     func(k string) any { return FindOrder(k) },
		"Metrics":    func(k string) any { return FindMetric(k) },
		"Generators": func(k string) any { return FindGenerator(k) },
		"Bundles":    func(k string) any { return FindBundle(k) },
		"Presets":    func(k string) any { return FindPreset(k) },
	}
	for _, r := range rows() {
		if find := finds[r.table]; find != nil {
			if got := reflect.ValueOf(find(r.key)); got.IsNil() || got.Elem().FieldByName("Key").String() != r.key {
				t.Errorf("%s %s is not found", r.table, r.key)
			}
		}
	}
	for name, find := range finds {
		if !reflect.ValueOf(find("no-such-key")).IsNil() {
			t.Errorf("%s finds what is not there", name)
		}
	}
}

// Measures name a family that exists, and the overview has some to show.
func TestMetrics(t *testing.T) {
	headlines := 0
	for _, m := range Metrics {
		if find(Families, m.Family, func(f *Family) string { return f.Key }) == nil {
			t.Errorf("%s: no family %q", m.Key, m.Family)
		}
		if m.Formula == "" || strings.Contains(m.Formula, "%!") {
			t.Errorf("%s: formula %q", m.Key, m.Formula)
		}
		if m.Better < -1 || m.Better > 1 {
			t.Errorf("%s: better %d", m.Key, m.Better)
		}
		if m.Headline {
			headlines++
		}
	}
	if headlines < 3 || headlines > 6 {
		t.Errorf("%d headline measures", headlines)
	}
}

// Suggestions: what a mistyped word most likely means, and nothing far-fetched.
func TestSuggest(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"esay", "easy"}, {"EASY", "easy"}, {"eas", "easy"}, {"conservativ", "conservative"}, {"consrevative", "conservative"},
		{"aslogged", "as-logged"}, {"fcsf", "fcfs"}, {"x", ""}, {"", ""}, {"round-robin", ""}, {strings.Repeat("easy", 1000), ""},
	} {
		if got := Suggest(c.word, SchedulerKeys()); got != c.want {
			t.Errorf("%q suggests %q, want %q", c.word, got, c.want)
		}
	}
	if got := DidYouMean("ordr", []string{"order", "backfill"}); got != `; did you mean "order"?` {
		t.Errorf("%q", got)
	}
	if got := DidYouMean("zzz", []string{"order", "backfill"}); got != "" {
		t.Errorf("%q", got)
	}
}

// The distance counts inserts, deletes, replacements and swaps, and is the
// same both ways.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abc", "ab", 1},
		{"kitten", "sitting", 3}, {"order", "rodre", 2},
	} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q to %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}
