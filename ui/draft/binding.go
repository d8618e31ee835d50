package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// maxRepeats is how often the page lets schedulers run.
const maxRepeats = 100

// ids are what inputs are called that stand at these places of the document; others are
// called by their path.
var ids = []struct{ id, path string }{
	{"tau", "measures.tau"}, {"measure-", "measures."}, {"search.", "search."},
	{"processors", "platform.processors"}, {"power-scales", "platform.power_scales"}, {"limit.user", "platform.limits.user_processors"},
	{"load", "workload.scale.load"}, {"time", "workload.scale.time"}, {"known", "workload.scale.known"},
	{"from", "workload.window.from"}, {"to", "workload.window.to"},
	{"users", "workload.filter.users"}, {"exclude-users", "workload.filter.exclude_users"},
	{"min-procs", "workload.filter.min_procs"}, {"max-procs", "workload.filter.max_procs"},
	{"min-run", "workload.filter.min_run"}, {"max-run", "workload.filter.max_run"},
	{"overrun", "workload.clean.overrun"}, {"oversize", "workload.clean.oversize"},
	{"dependencies", "workload.dependencies"}, {"withdrawn", "workload.withdrawn"},
	{"gen.", "workload.source.generator.params."}, {"machine.", "platform.generator.params."}, {"fail.", "platform.failures.params."},
	{"draw.", "workload.resample."}, {"book.", "workload.annotate.reservations."}, {"booking.", "platform.booking."},
	{"due.", "workload.annotate.deadlines."}, {"weights.", "workload.annotate.weights."}, {"setup.", "workload.annotate.setup."},
	{"react.", "workload.react."}, {"patience.", "measures.patience."},
}

// pathOf is the place of an input in the document.
func pathOf(id string) string {
	if rest, ok := strings.CutPrefix(id, "sched."); ok {
		i, key, _ := strings.Cut(rest, ".")
		return "schedulers[" + i + "]." + words.Either(key == "label", "", "params.") + key
	}
	for _, in := range ids {
		if rest, ok := strings.CutPrefix(id, in.id); ok && (rest == "") == (in.id[len(in.id)-1] != '.' && in.id[len(in.id)-1] != '-') {
			return in.path + rest
		}
	}
	return id
}

// inputAt is the input at a place of the document.
func inputAt(path string) string {
	if rest, ok := strings.CutPrefix(path, "schedulers["); ok {
		if i, key, ok := strings.Cut(rest, "]."); ok {
			return "sched." + i + "." + strings.TrimPrefix(key, "params.")
		}
	}
	for _, in := range ids {
		if rest, ok := strings.CutPrefix(path, in.path); ok && (rest == "") == (in.path[len(in.path)-1] != '.') && !strings.ContainsAny(rest, ".[") {
			return in.id + rest
		}
	}
	return path
}

// bind finds an input by its id.
func (s *Draft) bind(id string) (binding, bool) {
	switch id {
	case "repeats":
		return repeats, true
	case "draw":
		return drawing, true
	case "search.cleaning":
		return cleaning, true
	case "search.tau", "search.seed":
		b, ok := s.bind(strings.TrimPrefix(id, "search."))
		b.path = ""
		return b, ok
	}
	b, ok := bindAt(&s.Settings, pathOf(id))
	if key, search := strings.CutPrefix(id, "search."); search && ok {
		s.searched(key, &b)
	}
	if id == "seed" { // a name rather than a quantity
		b.get = func(e *experiment.Experiment) string { return strconv.FormatUint(e.Seed, 10) }
	}
	if key, label := strings.CutSuffix(id, ".label"); label && ok {
		i, _ := strconv.Atoi(strings.TrimPrefix(key, "sched."))
		b.empty = experiment.Label(unlabelled(s.Settings.Schedulers[i]))
	}
	return b, ok
}

// repeats is how often each of the schedulers runs.
var repeats = binding{
	row: catalog.Param{Name: "Repeats", Min: 1, Max: maxRepeats,
		Help: "How often each scheduler runs, each time on other jobs. The same jobs are run once, however often they are repeated."},
	empty: "mixed",
	get: func(e *experiment.Experiment) string {
		for i := range e.Schedulers {
			if e.Schedulers[i].Repeat != e.Schedulers[0].Repeat {
				return ""
			}
		}
		if len(e.Schedulers) == 0 {
			return "1"
		}
		return words.Whole(max(1, e.Schedulers[0].Repeat))
	},
	set: func(e *experiment.Experiment, t string) error {
		n, err := within(t, 1, maxRepeats)
		for i := range e.Schedulers {
			if err == nil {
				e.Schedulers[i].Repeat = n
			}
		}
		return err
	},
}

// bindAt binds the field at a path of a document to an input.
func bindAt(e *experiment.Experiment, path string) (binding, bool) {
	at, ok := e.At(path)
	if !ok || at.Name == "" {
		return binding{}, false
	}
	b := binding{row: at.Param, path: path, empty: at.Empty, check: at.Type == catalog.Bool, list: listed(&at.Param)}
	if at.Type == catalog.Enum {
		b.options = at.Options
	}
	if at.Optional && b.empty == "" {
		b.empty = "none"
	}
	if at.Slide > 0 {
		b.slide = Slide{Least: at.Min, Most: at.Slide, Step: (at.Slide - at.Min) / 100}
	}
	row := &b.row
	b.get = func(e *experiment.Experiment) string {
		at, _ := e.At(path)
		return typed(row, at.Get())
	}
	b.set = func(e *experiment.Experiment, text string) error {
		v, err := Parse(row, text)
		if err != nil {
			return err
		}
		beside := e.Fields(strings.TrimSuffix(path, "."+row.Key))
		if v == nil && row.Needed != nil {
			if when := find(beside, row.When); when.Get() == row.Is {
				return fmt.Errorf("%s needed while %s is %s", words.Either(row.Type == catalog.List, "3 or 6 numbers are", "a formula is"), strings.ToLower(when.Name), row.Is)
			}
		}
		find(beside, row.Key).Set(v)
		for i := range beside { // what the choice needs comes with it
			if p := &beside[i]; p.Needed != nil && p.When == row.Key && p.Is == v && p.Get() == nil {
				p.Set(p.Needed)
			}
		}
		return nil
	}
	return b, true
}

// find finds a field by its key.
func find(list []experiment.Place, key string) *experiment.Place {
	if i := slices.IndexFunc(list, func(p experiment.Place) bool { return p.Key == key }); i >= 0 {
		return &list[i]
	}
	return &experiment.Place{}
}

// listed reports whether a field is a list or a formula: nothing that varies.
func listed(row *catalog.Param) bool {
	return row.Type == catalog.List || row.Type == catalog.Text || row.Type == catalog.Ints || row.Type == catalog.Names || row.Key == "label"
}

// within reads a whole number in some bounds.
func within(text string, low, high int64) (int64, error) {
	v, err := Parse(&catalog.Param{Min: float64(low), Max: float64(high)}, text)
	n, _ := v.(int64)
	return n, err
}

// shown are the inputs of the fields of an object of the document that matter now.
func (s *Draft) shown(path string) (list []Item) {
	fields := s.Settings.Fields(path)
	for i := range fields {
		p := &fields[i]
		if own := p.Path == path+"."+p.Key || path == "" && p.Path == p.Key; !own || p.Name == "" {
			continue
		}
		if p.When == "" || find(fields, p.When).Get() == p.Is {
			list = append(list, Item{Field: inputAt(p.Path)})
		}
	}
	return list
}

// changed counts the inputs of objects of the document that are not at their default.
func (s *Draft) changed(items []Item) (n int) {
	for _, it := range items {
		at, ok := s.Settings.At(pathOf(it.Field))
		if ok && !at.AtFirst() && at.Type != catalog.Code { // code has a view of its own
			n++
		}
	}
	return n
}

// without takes inputs out of a list.
func without(list []Item, ids ...string) []Item {
	return slices.DeleteFunc(list, func(it Item) bool { return slices.Contains(ids, it.Field) })
}
