package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"batchlab/core/catalog"
	"batchlab/core/expr"
)

// MaxFormula is the number of characters that a text parameter may have.
const MaxFormula = expr.MaxLength

// Get returns the value of a parameter (nil, bool, int64, float64, string or
// catalog.Numbers) and whether the row has it.
func (p Params) Get(key string) (any, bool) {
	for i := range p {
		if p[i].Key == key {
			return p[i].Value, true
		}
	}
	return nil, false
}

// Int returns a parameter of type Int or Seconds; ok is false when it is not
// set (null) or not there.
func (p Params) Int(key string) (v int64, ok bool) {
	value, _ := p.Get(key)
	v, ok = value.(int64)
	return v, ok
}

// Number returns a parameter of type Number; ok as for Int.
func (p Params) Number(key string) (v float64, ok bool) {
	value, _ := p.Get(key)
	v, ok = value.(float64)
	return v, ok
}

// Bool returns a parameter of type Bool, false when it is not there.
func (p Params) Bool(key string) bool {
	value, _ := p.Get(key)
	v, _ := value.(bool)
	return v
}

// Numbers returns a parameter of type List; nil when it is not set or not
// there.
func (p Params) Numbers(key string) []float64 {
	value, _ := p.Get(key)
	if v, ok := value.(catalog.Numbers); ok {
		return v.Slice()
	}
	return nil
}

// Text returns a parameter of type Enum or Text, "" when it is not there.
func (p Params) Text(key string) string {
	value, _ := p.Get(key)
	v, _ := value.(string)
	return v
}

// Defaults returns the parameters of a row of the catalog at their defaults.
func Defaults(rows []catalog.Param) Params {
	p := make(Params, len(rows))
	for i, r := range rows {
		p[i] = Param{r.Key, r.Default}
	}
	return p
}

// SetParam sets a parameter: nil, bool, int, int64, float64, string, []float64
// or catalog.Numbers. A value
// that the catalog does not allow changes nothing and gives an Error whose
// Path is "params.KEY", for the form to show at its field.
func (s *Scheduler) SetParam(key string, value any) error {
	row := catalog.FindScheduler(s.Key)
	if row == nil {
		return Error{Path: "key", Message: "unknown scheduler " + quote(s.Key) + oneOf(s.Key, catalog.EverySchedulerKey())}
	}
	return s.Params.set(row.Params, key, value)
}

// SetParam sets a parameter of a generator of jobs, machines or failures, like Scheduler.SetParam.
func (g *Generator) SetParam(key string, value any) error {
	row := catalog.FindGenerator(g.Key)
	if row == nil {
		row = catalog.FindMachines(g.Key)
	}
	if row == nil {
		row = catalog.FindFailures(g.Key)
	}
	if row == nil {
		return Error{Path: "key", Message: "unknown generator " + quote(g.Key) + oneOf(g.Key, catalog.GeneratorKeys())}
	}
	return g.Params.set(row.Params, key, value)
}

func (p *Params) set(rows []catalog.Param, key string, value any) error {
	row := catalog.FindParam(rows, key)
	if row == nil {
		return Error{Path: join("params", key), Message: "unknown key" + catalog.DidYouMean(key, catalog.ParamKeys(rows))}
	}
	if v, ok := value.(int); ok {
		value = int64(v)
	}
	if v, ok := value.(int64); ok && row.Type == catalog.Number {
		value = float64(v)
	}
	if v, ok := value.([]float64); ok {
		if message := checkNumbers(v); message != "" {
			return Error{Path: join("params", key), Message: message}
		}
		value = catalog.NewNumbers(v)
	}
	if value == any(row.Word) && row.Word != "" {
		value = nil
	}
	if message := checkParam(row, value); message != "" {
		return Error{Path: join("params", key), Message: message}
	}
	full := Defaults(rows)
	for i := range full {
		if v, ok := p.Get(full[i].Key); ok {
			full[i].Value = v
		}
		if full[i].Key == key {
			full[i].Value = value
		}
	}
	*p = full
	return nil
}

// checkParam returns what is wrong with a value, or "".
func checkParam(row *catalog.Param, value any) string {
	if value == nil {
		if row.Optional {
			return ""
		}
		return "must be " + wanted(row) + ", not null"
	}
	ok := false
	switch v := value.(type) {
	case bool:
		ok = row.Type == catalog.Bool
	case catalog.Numbers:
		if ok = row.Type == catalog.List; ok {
			return checkList(row, v.Slice())
		}
	case string:
		switch row.Type {
		case catalog.Text:
			return checkFormula(v)
		case catalog.Code:
			return checkCode(v)
		case catalog.Words:
			return checkWords(v)
		case catalog.Line:
			return checkLine(v)
		}
		if ok = row.Type == catalog.Enum; ok && catalog.FindOption(row.Options, v) == nil {
			return "unknown value " + quote(v) + oneOf(v, catalog.OptionKeys(row.Options))
		}
	case int64:
		if ok = row.Type == catalog.Int || row.Type == catalog.Seconds; ok {
			if in := integerSpan(row); v < in.min || v > in.max {
				return fmt.Sprintf("must be between %d and %d, not %d", in.min, in.max, v)
			}
		}
	case float64:
		if ok = row.Type == catalog.Number; ok {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return "must be a finite number"
			}
			if least, most := realSpan(row); v < least || v > most {
				return fmt.Sprintf("must be between %s and %s, not %s", writeReal(least), writeReal(most), writeReal(v))
			}
		}
	}
	if !ok {
		return "must be " + wanted(row)
	}
	return ""
}

// checkNumbers returns what is wrong with a list as such, or "".
func checkNumbers(v []float64) string {
	if len(v) != 3 && len(v) != 6 {
		return fmt.Sprintf("must have 3 numbers (q, p, wait) or 6 (q, p, wait, rho, exp, a), not %d", len(v))
	}
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprintf("number %d must be finite", i+1)
		}
	}
	return ""
}

// checkList returns what is wrong with weights or scales, or "".
func checkList(row *catalog.Param, v []float64) string {
	if message := checkNumbers(v); message != "" {
		return message
	}
	zeros := 0
	for i, x := range v {
		if x == 0 {
			zeros++
		}
		if strings.HasSuffix(row.Key, "scales") && (x < 1e-12 || x > 1e12) {
			return fmt.Sprintf("number %d must be between 1e-12 and 1e12, not %s", i+1, writeReal(x))
		}
	}
	if zeros == len(v) {
		return "must not all be 0: a mixed order needs a weight"
	}
	return ""
}

// checkFormula returns what is wrong with a formula, or "".
func checkFormula(text string) string {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "must be a text without control characters"
	}
	if _, err := expr.Compile(text, expr.JobFeatures); err != nil {
		return err.Error()
	}
	return ""
}

// checkCode returns what is wrong with a program as a text, or "". Whether it is a
// program is found out by whoever runs it.
func checkCode(text string) string {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }):
		return "must be a text without control characters"
	case n > catalog.MaxCode:
		return fmt.Sprintf("must have at most %d characters, not %d", catalog.MaxCode, n)
	case strings.TrimSpace(text) == "":
		return "must not be empty"
	}
	return ""
}

// checkWords returns what is wrong with a name, or "".
func checkWords(text string) string {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "must be a text without control characters"
	}
	if n := utf8.RuneCountInString(text); n > MaxLabel {
		return fmt.Sprintf("must have at most %d characters, not %d", MaxLabel, n)
	}
	return ""
}

// MaxLine is the number of bytes that a parameter of one line may have.
const MaxLine = 1000

// checkLine returns what is wrong with a line of text, or "".
func checkLine(text string) string {
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return "must be a line of text without control characters"
	case strings.TrimSpace(text) == "":
		return "must not be empty"
	case len(text) > MaxLine:
		return fmt.Sprintf("must have at most %d bytes, not %d", MaxLine, len(text))
	}
	return ""
}

// checkNeeded returns what is wrong with a parameter that is not set although
// another one needs it, or "".
func checkNeeded(row *catalog.Param, p Params) string {
	if v, _ := p.Get(row.Key); row.Needed != nil && v == nil && p.Text(row.When) == row.Is {
		return "must be " + strings.TrimSuffix(wanted(row), " or null") + ": " + row.When + " " + quote(row.Is) + " needs it"
	}
	return ""
}

// wanted says what type a parameter has.
func wanted(row *catalog.Param) string {
	s := "a whole number"
	switch row.Type {
	case catalog.Number:
		s = "a number"
	case catalog.Bool:
		s = "true or false"
	case catalog.Enum:
		s = "a string"
	case catalog.Seconds:
		s = "a whole number of seconds"
	case catalog.List:
		s = "an array of 3 or 6 numbers"
	case catalog.Text:
		s = "a formula"
	case catalog.Code:
		s = "a program"
	case catalog.Words:
		s = "a text"
	case catalog.Line:
		s = "a line of text"
	}
	if row.Word != "" {
		s += " or " + quote(row.Word)
	}
	if row.Optional {
		s += " or null"
	}
	return s
}

func integerSpan(row *catalog.Param) span {
	if row.Min == 0 && row.Max == 0 {
		return span{-MaxInteger, MaxInteger}
	}
	return span{int64(row.Min), int64(row.Max)}
}

func realSpan(row *catalog.Param) (least, most float64) {
	if row.Min == 0 && row.Max == 0 {
		return -math.MaxFloat64, math.MaxFloat64
	}
	return row.Min, row.Max
}

// params visits the parameters of a row of the catalog.
func (g *group) params(key string, rows []catalog.Param, p *Params) {
	given := *p
	if g.c.mode == describing {
		for i := range rows {
			if at := join(join(g.path, key), rows[i].Key); g.c.wanted(at) && !g.c.schema {
				g.c.found = append(g.c.found, Place{rows[i], at, paramAt{p, rows, rows[i].Key}})
			}
		}
		return
	}
	if g.c.mode == reading {
		*p = Defaults(rows)
	}
	g.child(key, func(g *group) {
		for i := range rows {
			row := &rows[i]
			in := g.ask(row.Key)
			switch g.c.mode {
			case reading:
				if in != nil {
					g.readParam(row, in, &(*p)[i].Value)
				}
			case checking:
				if i >= len(given) && row.Later {
					continue // a program may leave out what it does not know
				}
				if i >= len(given) || given[i].Key != row.Key {
					g.fault(row.Key, "missing, or not in the catalog's order")
				} else if message := checkParam(row, given[i].Value); message != "" {
					g.fault(row.Key, message)
				}
			case writing:
				value, ok := p.Get(row.Key)
				if !ok {
					value = row.Default
				}
				if row.Later && value == row.Default {
					continue
				}
				g.put(row.Key, value == row.Default, valueNode(value))
			}
		}
		for i := range rows {
			if g.c.mode == writing {
				break
			}
			if g.c.mode == reading {
				if v := g.in.get(rows[i].Key); v != nil && v.kind != nullKind {
					continue // it is there, right or wrong
				}
			}
			if message := checkNeeded(&rows[i], *p); message != "" {
				g.fault(rows[i].Key, message)
			}
		}
		if g.c.mode == checking {
			for _, v := range given {
				if !slices.Contains(g.known, v.Key) {
					g.fault(v.Key, "unknown key"+catalog.DidYouMean(v.Key, g.known))
				}
			}
		}
	})
}

// readParam reads a value as its row wants it; a fault leaves the default.
func (g *group) readParam(row *catalog.Param, in *node, p *any) {
	var value any
	switch in.kind {
	case boolKind:
		value = in.truth
	case textKind:
		if value = in.text; row.Word != "" && in.text == row.Word {
			value = nil
		}
	case numberKind:
		if row.Type == catalog.Number {
			least, most := realSpan(row)
			if v, ok := g.readReal(row.Key, in, least, most); ok {
				*p = v
			}
			return
		}
		if row.Type == catalog.Int || row.Type == catalog.Seconds {
			v := int64(0)
			if g.readInteger(row.Key, in, &v, integerSpan(row)) {
				*p = v
			}
			return
		}
		g.fault(row.Key, "must be "+wanted(row)+", not "+in.kind.String())
		return
	case arrayKind:
		if row.Type == catalog.List {
			g.readNumbers(row, in, p)
			return
		}
		fallthrough
	case objectKind:
		g.fault(row.Key, "must be "+wanted(row)+", not "+in.kind.String())
		return
	}
	if message := checkParam(row, value); message != "" {
		g.fault(row.Key, message)
		return
	}
	*p = value
}

// readNumbers reads the value of a parameter of type List.
func (g *group) readNumbers(row *catalog.Param, in *node, p *any) {
	list := make([]float64, 0, 6)
	for i, item := range in.items {
		if i == 6 {
			g.fault(row.Key, fmt.Sprintf("must have 3 numbers (q, p, wait) or 6 (q, p, wait, rho, exp, a), not %d", len(in.items)))
			return
		}
		place := group{c: g.c, path: index(join(g.path, row.Key), i), in: item}
		if item.kind != numberKind {
			place.fault("", "must be a number, not "+item.kind.String())
			return
		}
		v, ok := place.readReal("", item, -math.MaxFloat64, math.MaxFloat64)
		if !ok {
			return
		}
		list = append(list, v)
	}
	if message := checkList(row, list); message != "" {
		g.fault(row.Key, message)
		return
	}
	*p = catalog.NewNumbers(list)
}

func valueNode(value any) *node {
	switch v := value.(type) {
	case bool:
		return &node{kind: boolKind, truth: v}
	case int64:
		return integerNode(v)
	case float64:
		return realNode(v)
	case string:
		return textNode(v)
	case catalog.Numbers:
		list := &node{kind: arrayKind}
		for _, x := range v.Slice() {
			list.items = append(list.items, realNode(x))
		}
		return list
	}
	return &node{kind: nullKind}
}

// CheckParam says what is wrong with a value of a parameter (see SetParam for
// the types), nil when nothing is.
func CheckParam(row *catalog.Param, value any) error {
	if message := checkParam(row, value); message != "" {
		return Error{Message: message}
	}
	return nil
}
