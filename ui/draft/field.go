package draft

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Field is an input whose text could not be used: the text stays as typed and
// the message stands beside it. The settings keep the value before.
type Field struct {
	Text, Error string
}

// maxSeed is the largest seed that every JSON reader agrees on.
const maxSeed = 1<<53 - 1

// Input describes one input of the left column.
type Input struct {
	ID      string
	Name    string // label
	Help    string // one sentence, for a tooltip
	Unit    string
	Text    string // what stands in it
	Error   string
	Options []catalog.Option // of a select, nil for a text input
	Check   bool             // a checkbox; Text is "true" or ""
	Empty   string           // placeholder of an optional input
	Slide   Slide            // its slider, if it has one
	Varies  bool             // it can vary
	Span    string           // while it varies: its values in short
	Values  int              // how many they are, 0 while it does not vary
}

// Slide is a slider beside a number: from Least to Most in steps, at At. Most
// is 0 where there is no slider.
type Slide struct{ Least, Most, Step, At float64 }

// binding is how one input reads and writes the settings.
type binding struct {
	name, help, unit, empty string
	options                 []catalog.Option
	check                   bool
	list                    bool // a list or a text: nothing that varies
	slide                   Slide
	try                     []int64 // values to propose: catalog.Param
	get                     func(*experiment.Experiment) string
	set                     func(*experiment.Experiment, string) error
}

// Input returns the input with an id; ok is false when there is none. Ids are
// the names below, "gen.KEY" for a generator's parameter and "sched.INDEX.KEY"
// for a scheduler's, where KEY may also be "label".
func (s *Draft) Input(id string) (in Input, ok bool) {
	b, ok := s.bind(id)
	if !ok {
		return Input{}, false
	}
	in = Input{ID: id, Name: b.name, Help: b.help, Unit: b.unit, Options: b.options, Check: b.check, Empty: b.empty, Text: b.get(&s.Settings), Slide: b.slide}
	in.Varies = s.varyPath(id, &b) != ""
	in.Span, in.Values = s.Varied(id)
	if in.Slide.Most > 0 {
		in.Slide.At, _ = number(in.Text)
	}
	if id == "processors" {
		switch {
		case s.NeedsProcessors():
			in.Empty = "how many?"
		case s.Preview != nil && s.Preview.Processors > 0:
			in.Empty = words.Int(s.Preview.Processors) + ", as stated"
		}
	}
	if f, bad := s.Fields[id]; bad {
		in.Text, in.Error = f.Text, f.Error
	}
	if in.Error == "" {
		in.Error = s.host.SearchFault(id)
	}
	if id == "draw" && in.Error == "" {
		in.Error = s.DrawFault()
	}
	if key, ok := strings.CutPrefix(id, "book."); ok && in.Error == "" {
		in.Error = s.faultAt("workload.annotate.reservations." + key)
	}
	if key, ok := strings.CutPrefix(id, "due."); ok && in.Error == "" {
		in.Error = s.faultAt("workload.annotate.deadlines." + key)
	}
	if rest, ok := strings.CutPrefix(id, "sched."); ok && in.Error == "" {
		i, key, _ := strings.Cut(rest, ".")
		in.Error = s.faultAt("schedulers[" + i + "].params." + key)
	}
	for prefix, path := range faultPaths {
		if key, ok := strings.CutPrefix(id, prefix); ok && in.Error == "" {
			in.Error = s.faultAt(path + key)
		}
	}
	return in, true
}

// faultPaths say where in the document the faults of inputs stand whose ids
// begin like this.
var faultPaths = map[string]string{
	"weights.": "workload.annotate.weights.", "setup.": "workload.annotate.setup.", "fail.": "platform.failures.params.",
}

// SetField takes what was typed or chosen in an input. Text that cannot be
// used is kept in Fields with its message, and the settings stay.
func (s *Draft) SetField(id, text string) {
	b, ok := s.bind(id)
	if !ok {
		return
	}
	trial := *s.Settings.Clone()
	if err := b.set(&trial, strings.TrimSpace(text)); err != nil {
		s.Fields[id] = Field{Text: text, Error: err.Error()}
		s.board.Touch()
		return
	}
	delete(s.Fields, id)
	s.Change(func(e *experiment.Experiment) { b.set(e, strings.TrimSpace(text)) })
}

func unlabelled(sch experiment.Scheduler) experiment.Scheduler {
	sch.Label = ""
	return sch
}

// Forget drops the messages of inputs whose id starts with prefix.
func (s *Draft) Forget(prefix string) {
	for id := range s.Fields {
		if strings.HasPrefix(id, prefix) {
			delete(s.Fields, id)
		}
	}
}

func (s *Draft) bind(id string) (binding, bool) {
	if b, ok := bindings[id]; ok {
		return b, true
	}
	kind, rest, _ := strings.Cut(id, ".")
	switch kind {
	case "draw":
		return bindDraw(rest)
	case "search":
		return s.bindSearch(rest)
	case "book":
		return bindBook(rest)
	case "react":
		return bindReact(rest)
	case "fail":
		return s.bindFailures(rest)
	case "patience":
		return bindPatience(rest)
	case "booking":
		return bindBooking(rest)
	case "gen":
		g := s.Settings.Workload.Source.Generator
		if g == nil {
			return binding{}, false
		}
		row := catalog.FindGenerator(g.Key)
		if row == nil {
			return binding{}, false
		}
		return param(row.Params, rest, func(e *experiment.Experiment) *experiment.Params { return &e.Workload.Source.Generator.Params })
	case "machine":
		g := s.Settings.Platform.Generator
		if g == nil {
			return binding{}, false
		}
		row := catalog.FindMachines(g.Key)
		if row == nil {
			return binding{}, false
		}
		return param(row.Params, rest, func(e *experiment.Experiment) *experiment.Params { return &e.Platform.Generator.Params })
	case "sched":
		number, key, _ := strings.Cut(rest, ".")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(s.Settings.Schedulers) {
			return binding{}, false
		}
		if key == "label" {
			return binding{
				name: "Label", help: "The name in charts and tables. Empty: made from the options.", empty: experiment.Label(unlabelled(s.Settings.Schedulers[i])),
				get: func(e *experiment.Experiment) string { return e.Schedulers[i].Label },
				set: func(e *experiment.Experiment, t string) error {
					if len([]rune(t)) > 60 {
						return errors.New("at most 60 characters")
					}
					e.Schedulers[i].Label = t
					return nil
				},
			}, true
		}
		row := catalog.FindScheduler(s.Settings.Schedulers[i].Key)
		if row == nil {
			return binding{}, false
		}
		return param(row.Params, key, func(e *experiment.Experiment) *experiment.Params { return &e.Schedulers[i].Params })
	}
	return binding{}, false
}

// param binds one parameter of a catalog row.
func param(rows []catalog.Param, key string, of func(*experiment.Experiment) *experiment.Params) (binding, bool) {
	i := slices.IndexFunc(rows, func(p catalog.Param) bool { return p.Key == key })
	if i < 0 {
		return binding{}, false
	}
	row := rows[i]
	b := binding{name: row.Name, help: row.Help, unit: row.Unit, options: row.Options, check: row.Type == catalog.Bool, list: listParam(&row), try: row.Try}
	if row.Type != catalog.Enum {
		b.options = nil
	}
	if row.Optional {
		b.empty = "none"
	}
	if row.Slide > 0 {
		b.slide = Slide{Least: row.Min, Most: row.Slide, Step: (row.Slide - row.Min) / 100}
	}
	b.get = func(e *experiment.Experiment) string {
		for _, p := range *of(e) {
			if p.Key == key {
				return typed(row.Type, p.Value)
			}
		}
		return typed(row.Type, row.Default)
	}
	b.set = func(e *experiment.Experiment, text string) error {
		v, err := parse(&row, text)
		if err != nil {
			return err
		}
		params := of(e)
		if v == nil && row.Needed != nil && params.Text(row.When) == row.Is {
			return fmt.Errorf("%s needed while %s is %s", either(row.Type == catalog.List, "3 or 6 numbers are", "a formula is"), strings.ToLower(nameOf(rows, row.When)), row.Is)
		}
		put(params, key, v)
		for i := range rows { // what the choice needs comes with it
			if p := &rows[i]; p.Needed != nil && p.When == key && p.Is == v {
				if has, _ := params.Get(p.Key); has == nil {
					put(params, p.Key, p.Needed)
				}
			}
		}
		return nil
	}
	return b, true
}

// put sets a parameter.
func put(params *experiment.Params, key string, v any) {
	for k := range *params {
		if (*params)[k].Key == key {
			(*params)[k].Value = v
			return
		}
	}
	*params = append(*params, experiment.Param{Key: key, Value: v})
}

// nameOf is what a parameter is called.
func nameOf(rows []catalog.Param, key string) string {
	return rows[slices.IndexFunc(rows, func(p catalog.Param) bool { return p.Key == key })].Name
}

// typed writes a parameter's value as an input shows it.
func typed(t catalog.Type, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "true"
		}
		return ""
	case int:
		return typed(t, int64(v))
	case int64:
		if t == catalog.Seconds {
			return words.Typed(v)
		}
		return words.Whole(v)
	case catalog.Numbers:
		words := make([]string, v.Len())
		for i, x := range v.Slice() {
			words[i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
		return strings.Join(words, ", ")
	case float64:
		if t == catalog.Seconds || t == catalog.Int {
			return typed(t, int64(v))
		}
		return words.Shown(strconv.FormatFloat(v, 'g', -1, 64))
	}
	return fmt.Sprint(v)
}

// parse reads a parameter's text by its row.
func parse(row *catalog.Param, text string) (any, error) {
	if text == "" && row.Optional {
		return nil, nil
	}
	var v float64
	var value any
	switch row.Type {
	case catalog.Text, catalog.Words, catalog.Line, catalog.Code:
		return text, nil
	case catalog.List:
		var list []float64
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) }) {
			x, err := number(word)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		if len(list) != 3 && len(list) != 6 {
			return nil, fmt.Errorf("3 or 6 numbers, not %d", len(list))
		}
		return catalog.NewNumbers(list), nil
	case catalog.Bool:
		return text == "true", nil
	case catalog.Enum:
		for _, o := range row.Options {
			if o.Key == text {
				return text, nil
			}
		}
		return nil, fmt.Errorf("%s is not one of the choices", text)
	case catalog.Seconds:
		n, err := words.Seconds(text)
		if err != nil {
			return nil, err
		}
		v, value = float64(n), n
	case catalog.Int:
		n, err := whole(text)
		if err != nil {
			return nil, err
		}
		v, value = float64(n), n
	default:
		f, err := number(text)
		if err != nil {
			return nil, err
		}
		v, value = f, f
	}
	if (row.Min != 0 || row.Max != 0) && (v < row.Min || v > row.Max) {
		write := func(x float64) string {
			if row.Type == catalog.Seconds {
				return words.Dur(x)
			}
			return words.Number(x, digits(x))
		}
		return nil, fmt.Errorf("between %s and %s", write(row.Min), write(row.Max))
	}
	return value, nil
}

// digits is how many digits after the point x needs, at most 4.
func digits(x float64) int {
	for d := range 4 {
		if p := math.Pow10(d); math.Round(x*p) == x*p {
			return d
		}
	}
	return 4
}

func clean(text string) string { return words.Typing(text) }

// joined takes the points out of a whole number that has one before each three
// digits, where that is how they are written.
func joined(text string) string {
	if words.Shown(".") == "." {
		return text
	}
	parts := strings.Split(text, ".")
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return text
		}
	}
	return strings.Join(parts, "")
}

func whole(text string) (int64, error) {
	n, err := strconv.ParseInt(joined(clean(text)), 10, 64)
	if err != nil {
		if text == "" {
			return 0, errors.New("a whole number is missing")
		}
		return 0, fmt.Errorf("%s is not a whole number", text)
	}
	return n, nil
}

func number(text string) (float64, error) {
	f, err := strconv.ParseFloat(clean(text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		if text == "" {
			return 0, errors.New("a number is missing")
		}
		return 0, fmt.Errorf("%s is not a number", text)
	}
	return f, nil
}
