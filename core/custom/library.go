package custom

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"go.starlark.net/starlark"
)

// functions of the language that are offered as they are: what they do takes a
// step, whatever they are given.
var simple = []string{"None", "True", "False", "bool", "float", "len", "type", "range", "abs"}

// counted are those that go through what they are given.
var countedFunctions = []string{"all", "any", "dict", "enumerate", "fail", "int", "list", "max", "min", "repr", "reversed", "set", "sorted", "str", "tuple", "zip"}

// costly are the methods of strings, lists, dicts and sets that go through more
// than one value. The others are append, which is cheap, and those of byKey.
var costly = map[string]bool{}

// byKey are the methods whose first argument is looked up.
var byKey = map[string]bool{"get": true, "setdefault": true, "add": true, "discard": true}

func init() {
	for _, v := range []starlark.HasAttrs{starlark.String(""), new(starlark.List), new(starlark.Dict), new(starlark.Set)} {
		for _, name := range v.AttrNames() {
			if name != "append" && !byKey[name] {
				costly[name] = true
			}
		}
	}
}

// own are the functions that are not the language's.
var own = []string{"note", "print", "random", "sqrt", "floor", "ceil"}

// offered says whether a name is there without being defined.
func offered(name string) bool {
	for _, list := range [][]string{simple, countedFunctions, own} {
		for _, n := range list {
			if n == name {
				return true
			}
		}
	}
	return false
}

// predeclared says whether a name, or that of a guard, is there.
func predeclared(name string) bool { return offered(name) || strings.HasPrefix(name, "·") }

type function = func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// builtin makes a function that a program can call.
func builtin(name string, f function) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return f(args, kwargs)
	})
}

// only refuses other numbers of arguments, and arguments by name.
func only(name string, args starlark.Tuple, kwargs []starlark.Tuple, least, most int) error {
	switch {
	case len(kwargs) > 0:
		return fmt.Errorf("%s takes no arguments by name", name)
	case len(args) < least || len(args) > most:
		return fmt.Errorf("%s takes %s, not %d", name, howMany(least, most), len(args))
	}
	return nil
}

func howMany(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d argument%s", least, map[bool]string{true: "", false: "s"}[least == 1])
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

// library makes what a program finds.
func (m *machine) library() starlark.StringDict {
	all := starlark.StringDict{}
	for _, name := range simple {
		all[name] = starlark.Universe[name]
	}
	for _, name := range countedFunctions {
		all[name] = m.counted(name, starlark.Universe[name].(*starlark.Builtin))
	}
	m.guards(all)
	m.own(all)
	return all
}

// counted offers a function of the language whose arguments are counted first.
func (m *machine) counted(name string, f *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var err error
		switch name {
		case "str", "repr", "fail":
			if len(kwargs) > 0 {
				return nil, fmt.Errorf("%s takes no arguments by name", name)
			}
			err = m.printed("..", '.', args...)
		case "sorted", "min", "max":
			kwargs, err = m.sorting(args, kwargs)
		case "set", "dict":
			err = m.keys(args)
		case "int":
			for _, a := range args {
				if s, ok := a.(starlark.String); ok && len(s) > maxDigits {
					err = fmt.Errorf("a number of more than %d digits", maxDigits)
				}
			}
		default:
			for _, a := range args {
				err = errors.Join(err, m.sized("a list", length(a), maxItems))
			}
		}
		if err != nil {
			return nil, err
		}
		return f.CallInternal(t, args, kwargs)
	})
}

// sorting counts the comparisons of sorted, min and max; of their key function what
// it returns.
func (m *machine) sorting(args starlark.Tuple, kwargs []starlark.Tuple) ([]starlark.Tuple, error) {
	n := len(args)
	if len(args) == 1 {
		n = length(args[0])
	}
	if err := m.sized("a list", n, maxItems); err != nil {
		return nil, err
	}
	times := bits.Len(uint(n))
	for i, pair := range kwargs {
		key, ok := pair[1].(starlark.Callable)
		if pair[0] != starlark.String("key") || !ok {
			continue
		}
		by := starlark.NewBuiltin(key.Name(), func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := starlark.Call(t, key, args, kwargs)
			if err == nil {
				err = m.compared(v, times)
			}
			return v, err
		})
		kwargs = append(append(append([]starlark.Tuple(nil), kwargs[:i]...), starlark.Tuple{pair[0], by}), kwargs[i+1:]...)
		return kwargs, nil
	}
	for _, a := range args {
		if err := m.compared(a, times); err != nil {
			return nil, err
		}
	}
	return kwargs, nil
}

// compared counts a value that is compared so many times.
func (m *machine) compared(v starlark.Value, times int) error {
	if plain(v) {
		return m.charge(times)
	}
	n := weigh(v, maxItems)
	if n > maxItems {
		return errors.New("too much to be compared at once")
	}
	return m.charge(n * (times + 1))
}

// keys counts what becomes keys of a dict or set.
func (m *machine) keys(args starlark.Tuple) error {
	for _, a := range args {
		if err := m.sized("a dict or set", length(a), maxItems); err != nil {
			return err
		}
		if err := m.charge(hashSteps / 2 * length(a)); err != nil {
			return err
		}
		if _, dict := a.(*starlark.Dict); dict {
			continue
		}
		if it, ok := a.(starlark.Iterable); ok {
			iter := it.Iterate()
			defer iter.Done()
			for x := starlark.Value(nil); iter.Next(&x); {
				if err := m.key(x); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// guards are what rewriter calls.
func (m *machine) guards(all starlark.StringDict) {
	add := func(name string, f function) { all[name] = builtin(name, f) }
	for _, op := range operators {
		add(guarded(op, false), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return m.operate(op, a[0], a[1]) })
		add(guarded(op, true), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return m.inPlace(op, a[0], a[1]) })
	}
	for _, op := range compares {
		add(guarded(op, false), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return m.compare(op, a[0], a[1]) })
	}
	add(guardIn, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return m.contains(a[0], a[1]) })
	add(guardKey, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return a[0], m.key(a[0]) })
	add(guardPart, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return a[0], m.charge(length(a[0]))
	})
	add(guardFrame, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		n, _ := a[0].(starlark.Int).Int64()
		return starlark.None, m.charge(int(n))
	})
	all[guardGive] = starlark.NewBuiltin(guardGive, func(t *starlark.Thread, _ *starlark.Builtin, a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		m.gave = t.CallFrame(1).Pos
		return a[0], nil
	})
	add(guardMethod, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return m.method(a[0], string(a[1].(starlark.String)))
	})
}

// method returns a method that counts before it does anything.
func (m *machine) method(of starlark.Value, name string) (starlark.Value, error) {
	var f starlark.Value
	if x, ok := of.(starlark.HasAttrs); ok {
		var err error
		if f, err = x.Attr(name); err != nil {
			return nil, err
		}
	}
	if f == nil {
		return nil, fmt.Errorf("%s has no .%s", of.Type(), name)
	}
	whole, ok := f.(*starlark.Builtin)
	if !ok { // of ours
		return f, nil
	}
	_, ours := of.(starlark.String)
	switch of.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set:
		ours = true
	}
	if !ours {
		return f, nil
	}
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		all := args
		for _, pair := range kwargs {
			all = append(all[:len(all):len(all)], pair[1])
		}
		if err := m.methodCost(of, name, all); err != nil {
			return nil, err
		}
		return whole.CallInternal(t, args, kwargs)
	}), nil
}

// methodCost counts what a method will do.
func (m *machine) methodCost(of starlark.Value, name string, args starlark.Tuple) error {
	if s, ok := of.(starlark.String); ok {
		return m.textCost(string(s), name, args)
	}
	_, list := of.(*starlark.List)
	switch {
	case list && name == "extend":
		n := of.(*starlark.List).Len()
		for _, a := range args {
			n += length(a)
		}
		return m.sized("a list", n, maxItems)
	case list && (name == "pop" || name == "insert" || name == "clear"):
		return m.charge(1 + length(of)/8)
	case list: // index, remove: compares
		n := 1
		for _, a := range args {
			if err := m.whole(a); err != nil {
				return err
			}
			n += weigh(a, maxWeight)
		}
		return m.charge(n * (1 + length(of)))
	case name == "pop", name == "remove", name == "popitem", byKey[name]:
		for _, a := range args[:min(1, len(args))] {
			if err := m.key(a); err != nil {
				return err
			}
		}
		return nil
	case name == "clear", name == "issubset", name == "issuperset":
		return fmt.Errorf("%s of a %s is not offered: %s", name, of.Type(),
			map[bool]string{true: "make a new one", false: "compare element by element"}[name == "clear"])
	}
	n := 4 * length(of) // items, keys, values
	if _, set := of.(*starlark.Set); set || name == "update" {
		n = hashSteps * length(of)
	}
	if err := m.charge(n); err != nil {
		return err
	}
	return m.keys(args)
}

// textCost counts what a method of a string will do.
func (m *machine) textCost(s, name string, args starlark.Tuple) error {
	switch name {
	case "format":
		return m.printed(s, '{', args...)
	case "join":
		n := 0
		for _, a := range args {
			if err := m.whole(a); err != nil {
				return err
			}
			n += 16*weigh(a, maxWeight) + len(s)*length(a)
		}
		return m.sized("a text", n, maxText*10)
	case "replace":
		if len(args) > 1 {
			old, a := args[0].(starlark.String)
			by, b := args[1].(starlark.String)
			if a && b {
				return m.sized("a text", len(s)+(strings.Count(s, string(old))+1)*len(by), maxText)
			}
		}
	case "split", "rsplit", "splitlines", "elems", "codepoints", "elem_ords", "codepoint_ords":
		return m.charge(1 + len(s))
	}
	n := len(s)
	for _, a := range args {
		n += 16 * weigh(a, maxWeight)
	}
	return m.charge(1 + n/16)
}

// Bounds on what a program may say.
const (
	maxNotes  = 10_000 // of a run
	maxPrints = 200    // lines of a run
	maxSaid   = 200    // characters of a note or a line
)

// own adds what is not the language's.
func (m *machine) own(all starlark.StringDict) {
	add := func(name string, f function) { all[name] = builtin(name, f) }
	add("note", func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := only("note", args, kwargs, 2, 2); err != nil {
			return nil, err
		}
		j, err := m.theJob("note", args[0])
		if err != nil {
			return nil, err
		}
		if err := m.printed("..", '.', args[1]); err != nil {
			return nil, err
		}
		m.note(j, said(args[1]))
		return starlark.None, nil
	})
	add("print", func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := only("print", args, kwargs, 0, 100); err != nil {
			return nil, err
		}
		if err := m.printed("..", '.', args...); err != nil {
			return nil, err
		}
		words := make([]string, len(args))
		for i, a := range args {
			words[i] = said(a)
		}
		m.print(strings.Join(words, " "))
		return starlark.None, nil
	})
	add("random", func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := only("random", args, kwargs, 0, 1); err != nil {
			return nil, err
		}
		if len(args) == 0 {
			return starlark.Float(m.rng.Float64()), nil
		}
		n, ok := integer(args[0])
		if !ok || n < 1 {
			return nil, errors.New("random(n) takes a whole number of at least 1")
		}
		return starlark.MakeInt64(m.rng.Int64N(n)), nil
	})
	for name, f := range map[string]func(float64) float64{"sqrt": math.Sqrt, "floor": math.Floor, "ceil": math.Ceil} {
		add(name, func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := only(name, args, kwargs, 1, 1); err != nil {
				return nil, err
			}
			if i, ok := args[0].(starlark.Int); ok && name != "sqrt" {
				return i, nil
			}
			x, ok := starlark.AsFloat(args[0])
			switch {
			case !ok:
				return nil, fmt.Errorf("%s takes a number, not %s", name, args[0].Type())
			case math.IsNaN(x) || math.IsInf(x, 0) || name == "sqrt" && x < 0:
				return nil, fmt.Errorf("%s of %v", name, x)
			case name == "sqrt":
				return starlark.Float(f(x)), nil
			}
			return starlark.NumberToInt(starlark.Float(f(x)))
		})
	}
}

// integer returns a whole number that fits 64 bits.
func integer(v starlark.Value) (int64, bool) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	return i.Int64()
}

// said is a value as people read it, cut to what is kept.
func said(v starlark.Value) string {
	s, ok := starlark.AsString(v)
	if !ok {
		s = v.String()
	}
	return cut(s)
}

// cut is a text of at most maxSaid characters.
func cut(s string) string {
	if r := []rune(s); len(r) > maxSaid {
		return string(r[:maxSaid-1]) + "…"
	}
	return s
}
