package experiment

import (
	"fmt"
	"math"
	"slices"

	"batchlab/core/catalog"
)

// Get returns the value of a parameter (nil, bool, int64, float64 or string)
// and whether the row has it.
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

// Text returns a parameter of type Enum, "" when it is not there.
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

// SetParam sets a parameter: nil, bool, int, int64, float64 or string. A value
// that the catalog does not allow changes nothing and gives an Error whose
// Path is "params.KEY", for the form to show at its field.
func (s *Scheduler) SetParam(key string, value any) error {
	row := catalog.FindScheduler(s.Key)
	if row == nil {
		return Error{Path: "key", Message: "unknown scheduler " + quote(s.Key) + oneOf(s.Key, catalog.SchedulerKeys())}
	}
	return s.Params.set(row.Params, key, value)
}

// SetParam sets a parameter of a generator, like Scheduler.SetParam.
func (g *Generator) SetParam(key string, value any) error {
	row := catalog.FindGenerator(g.Key)
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
	case string:
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
				g.put(row.Key, value == row.Default, valueNode(value))
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
		value = in.text
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
		fallthrough
	case arrayKind, objectKind:
		g.fault(row.Key, "must be "+wanted(row)+", not "+in.kind.String())
		return
	}
	if message := checkParam(row, value); message != "" {
		g.fault(row.Key, message)
		return
	}
	*p = value
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
	}
	return &node{kind: nullKind}
}
