package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/ui/words"
)

// Term is one condition of a filter: a column compared with a value.
type Term struct {
	Column Column
	Op     string // "<", "<=", ">", ">=", "=", "!="
	Value  float64
}

func (t *Term) holds(v float64) bool {
	if math.IsNaN(v) {
		return false
	}
	switch t.Op {
	case "<":
		return v < t.Value
	case "<=":
		return v <= t.Value
	case ">":
		return v > t.Value
	case ">=":
		return v >= t.Value
	case "!=":
		return v != t.Value
	}
	return v == t.Value
}

// Text writes the term for a chip: name and condition apart.
func (t *Term) Text() (name, condition string) {
	ops := map[string]string{"<=": "≤", ">=": "≥", "!=": "≠"}
	op := t.Op
	if s, ok := ops[op]; ok {
		op = s
	}
	value := strconv.FormatFloat(t.Value, 'f', -1, 64)
	if TableColumns[t.Column].Seconds {
		value = words.Dur(t.Value)
	}
	if t.Column == ColMem || t.Column == ColDisk {
		value = words.Bytes(int64(t.Value))
	}
	return TableColumns[t.Column].Name, op + words.NB + value
}

// ParseFilter reads what people type: terms such as wait>30m, procs>=4, user=3
// or a bare job number, with spaces between them. The error names the term.
func ParseFilter(text string) ([]Term, error) {
	for _, op := range [...]string{"<", ">", "=", "!", "≤", "≥", "≠"} {
		text = strings.ReplaceAll(text, " "+op, op)
		text = strings.ReplaceAll(text, op+" ", op)
	}
	text = strings.NewReplacer("≤", "<=", "≥", ">=", "≠", "!=", "==", "=").Replace(text)
	var out []Term
	for _, word := range strings.Fields(text) {
		t, err := parseTerm(word)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func parseTerm(word string) (Term, error) {
	at := strings.IndexAny(word, "<>=!:")
	if at < 0 {
		n, err := strconv.ParseInt(words.Typing(word), 10, 64)
		if err != nil {
			return Term{}, fmt.Errorf("%q is not a job number; a condition looks like wait>30m", word)
		}
		return Term{ColJob, "=", float64(n)}, nil
	}
	name, rest := strings.ToLower(word[:at]), word[at:]
	t := Term{Op: rest[:1]}
	if len(rest) > 1 && rest[1] == '=' {
		t.Op = rest[:2]
	}
	value := rest[len(t.Op):]
	if t.Op == ":" {
		t.Op = "="
	}
	if t.Op == "!" {
		return t, fmt.Errorf("%q: write != for “is not”", word)
	}
	found := false
	for c, info := range TableColumns {
		for _, w := range info.Words {
			if w == name {
				t.Column, found = Column(c), true
			}
		}
	}
	if !found {
		return t, fmt.Errorf("there is no column %q; there are job, user, submitted, started, procs, requested, ran, wait, slowdown, difference, late, gpus, memory, disk", name)
	}
	if value == "" {
		return t, fmt.Errorf("%q needs a value, as in %s%s4", word, name, t.Op)
	}
	if TableColumns[t.Column].Seconds {
		neg := strings.HasPrefix(value, "-") || strings.HasPrefix(value, words.Minus)
		n, err := words.Seconds(strings.TrimPrefix(strings.TrimPrefix(value, "-"), words.Minus))
		if err != nil {
			return t, fmt.Errorf("%q is not a time; write 90, 30m, 2h or 1d", value)
		}
		if t.Value = float64(n); neg {
			t.Value = -t.Value
		}
		return t, nil
	}
	if t.Column == ColMem || t.Column == ColDisk {
		v, err := words.ParseBytes(value)
		if err != nil {
			return t, fmt.Errorf("%q is not a size; write 500MB or 8GB", value)
		}
		t.Value = float64(v)
		return t, nil
	}
	v, err := strconv.ParseFloat(words.Typing(value), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return t, fmt.Errorf("%q is not a number", value)
	}
	t.Value = v
	return t, nil
}
