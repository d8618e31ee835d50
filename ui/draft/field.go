package draft

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Field is an input whose text could not be used: the text stays as typed and
// the message stands beside it. The settings keep the value before.
type Field struct {
	Text, Error string
}

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
	row     catalog.Param
	path    string // its place in the document, "" none
	empty   string // placeholder
	options []catalog.Option
	check   bool
	list    bool // a list or a text: nothing that varies
	slide   Slide
	get     func(*experiment.Experiment) string
	set     func(*experiment.Experiment, string) error
}

// Input returns the input with an id; ok is false when there is none. Ids are paths of
// the document, but for those that binding.go shortens: "gen.KEY" is a generator's
// parameter, "sched.INDEX.KEY" a scheduler's, where KEY may also be "label".
func (s *Draft) Input(id string) (in Input, ok bool) {
	b, ok := s.bind(id)
	if !ok {
		return Input{}, false
	}
	in = Input{ID: id, Name: b.row.Name, Help: b.row.Help, Unit: b.row.Unit, Options: b.options, Check: b.check, Empty: b.empty, Text: b.get(&s.Settings), Slide: b.slide}
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
	if in.Error == "" && b.path != "" {
		in.Error = s.faultAt(b.path)
	}
	return in, true
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

// typed writes a value as the input of its row shows it.
func typed(row *catalog.Param, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		switch {
		case len(row.Options) == 2 && v:
			return row.Options[1].Key
		case len(row.Options) == 2:
			return row.Options[0].Key
		case v:
			return "true"
		}
		return ""
	case int:
		return typed(row, int64(v))
	case int64:
		switch {
		case v == 0 && row.Empty != "" && !row.Optional:
			return ""
		case row.Type == catalog.Bytes:
			return words.Shown(strconv.FormatFloat(float64(v)/1e9, 'g', -1, 64))
		case row.Type == catalog.Seconds || row.Type == catalog.Moment:
			return words.Typed(v)
		}
		return words.Whole(v)
	case []int64:
		list := make([]string, len(v))
		for i, n := range v {
			list[i] = strconv.FormatInt(n, 10)
		}
		return strings.Join(list, ", ")
	case []string:
		if len(v) == 0 && row.Optional {
			return noNames
		}
		return strings.Join(v, ", ")
	case catalog.Numbers:
		words := make([]string, v.Len())
		for i, x := range v.Slice() {
			words[i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
		return strings.Join(words, ", ")
	case float64:
		if row.Type == catalog.Seconds || row.Type == catalog.Int {
			return typed(row, int64(v))
		}
		return words.Shown(strconv.FormatFloat(v, 'g', -1, 64))
	}
	return fmt.Sprint(v)
}

// noNames is how a list that may be unset says that it holds nothing.
const noNames = "-"

// separated takes a list apart that was typed.
func separated(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) })
}

// Parse reads what was typed for a field by its row; the error says what is wrong with it.
func Parse(row *catalog.Param, text string) (any, error) {
	if text == "" && (row.Optional || row.Empty != "") {
		return nil, nil
	}
	var v float64
	var value any
	switch row.Type {
	case catalog.Text, catalog.Words, catalog.Line, catalog.Code:
		switch n := utf8.RuneCountInString(text); {
		case row.Most > 0 && n > row.Most:
			return nil, fmt.Errorf("at most %d characters", row.Most)
		case row.Required && n == 0:
			return nil, errors.New("a name is missing")
		}
		return text, nil
	case catalog.Names:
		if text == noNames && row.Optional {
			return []string{}, nil
		}
		return once(separated(text)), nil
	case catalog.Ints:
		var list []int64
		for _, word := range separated(text) {
			n, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%s is not a %s", word, or(row.Noun, "whole number"))
			}
			list = append(list, n)
		}
		return list, nil
	case catalog.List:
		var list []float64
		for _, word := range separated(text) {
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
	case catalog.Bool, catalog.Enum:
		switch {
		case row.Options == nil && row.Type == catalog.Bool:
			return text == "true", nil
		case catalog.FindOption(row.Options, text) == nil:
			return nil, fmt.Errorf("%s is not one of the choices", text)
		case row.Type == catalog.Bool:
			return text == row.Options[1].Key, nil
		}
		return text, nil
	case catalog.Seconds, catalog.Moment:
		read := words.Seconds
		if row.Type == catalog.Moment {
			read = words.Moment
		}
		n, err := read(text)
		if err != nil {
			return nil, err
		}
		v, value = float64(n), n
	case catalog.Bytes:
		f, err := number(text)
		if err != nil {
			return nil, err
		}
		if f < 0 || f > maxGB {
			return nil, fmt.Errorf("between 0 and %s", words.Int(maxGB))
		}
		return int64(f*1e9 + .5), nil
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
	return value, inBounds(row, v)
}

// maxGB bounds what can be typed in GB.
const maxGB = 1_000_000

// inBounds says what is wrong with a number that was typed.
func inBounds(row *catalog.Param, v float64) error {
	least := row.Min
	if row.Empty != "" && row.Type == catalog.Int && !row.Optional {
		least = max(1, least) // 0 is typed as nothing
	}
	if row.Min == 0 && row.Max == 0 || v >= least && v <= row.Max {
		return nil
	}
	write := func(x float64) string {
		if row.Type == catalog.Seconds {
			return words.Dur(x)
		}
		return words.Number(x, digits(x))
	}
	if row.Type == catalog.Seconds && row.Max >= 1e9 && v < least {
		return fmt.Errorf("at least %s", write(least))
	}
	return fmt.Errorf("between %s and %s", write(least), write(row.Max))
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

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
