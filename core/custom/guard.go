package custom

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Bounds on what a program does. All are counted, none is timed. A step is one of
// the interpreter's; what goes through many values at once counts one for each of
// them, or for 16 characters.
const (
	MaxCallSteps = 3_000_000      // of one call of decide, order, begin or reset
	MaxRunSteps  = 20_000_000_000 // of a whole run
	maxText      = 100_000        // characters of a string
	maxItems     = 1_000_000      // of a list, tuple, dict or set
	maxBits      = 4096           // of a whole number
	maxKey       = 200            // values of a key, together
	maxWeight    = 50_000         // values that are compared or printed at once
	maxDepth     = 50             // lists within lists
	maxHeld      = 2_000_000      // values that a program keeps between calls
	beatSteps    = 1 << 14        // between two looks at whether to go on
)

// meter counts what a program does, and stops it at its bounds.
type meter struct {
	thread *starlark.Thread
	end    uint64 // Thread.Steps at which this call ends
	beat   func(steps int) bool
	trace  func(t *starlark.Thread) // nil, or called at each step, or each so many:
	stride uint64
	last   uint64 // Steps at the last look
	kept   uint64 // Steps when what is kept was weighed last
	weight uint64 // of what was kept then
}

// begin allows a call its steps.
func (m *meter) begin() {
	t := m.thread
	m.end = min(t.Steps+MaxCallSteps, MaxRunSteps)
	m.last = t.Steps
	m.again(t)
}

// again sets when tick is called next.
func (m *meter) again(t *starlark.Thread) {
	if m.trace != nil {
		t.SetMaxExecutionSteps(min(m.end, t.Steps+m.stride))
	} else {
		t.SetMaxExecutionSteps(min(m.end, t.Steps+beatSteps))
	}
}

var errStopped = errors.New("the run was stopped")

// tick is called by the interpreter now and then.
func (m *meter) tick(t *starlark.Thread) {
	if m.trace != nil {
		m.trace(t)
	}
	if t.Steps >= m.end {
		t.Cancel(m.spent().Error())
		return
	}
	if t.Steps-m.last >= beatSteps {
		if m.beat != nil && !m.beat(int(t.Steps-m.last)/16) {
			t.Cancel(errStopped.Error())
		}
		m.last = t.Steps
	}
	m.again(t)
}

// spent says which bound was reached.
func (m *meter) spent() error {
	if m.thread.Steps >= MaxRunSteps {
		return fmt.Errorf("the program took more than %s steps in this run", grouped(MaxRunSteps))
	}
	return fmt.Errorf("more than %s steps in one call: is there a loop without an end?", grouped(MaxCallSteps))
}

func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// charge counts steps for what is done at once.
func (m *meter) charge(n int) error {
	if m.thread.Steps += uint64(n); m.thread.Steps >= m.end {
		return m.spent()
	}
	return nil
}

// weigh counts the values that belong to a value, up to a bound. Lists within
// lists count as often as they would be printed, and too deep ones are too much.
func weigh(v starlark.Value, most int) int { return weighed(v, most, maxDepth) }

func weighed(v starlark.Value, most, depth int) int {
	if depth == 0 {
		return most + 1
	}
	n := 1
	add := func(x starlark.Value) bool {
		n += weighed(x, most-n, depth-1)
		return n <= most
	}
	switch v := v.(type) {
	case starlark.String:
		n += len(v) / 16
	case starlark.Int:
		if _, ok := v.Int64(); !ok {
			n += v.BigInt().BitLen() / 64
		}
	case starlark.Tuple:
		for _, x := range v {
			if !add(x) {
				break
			}
		}
	case *starlark.List:
		for i := range v.Len() {
			if !add(v.Index(i)) {
				break
			}
		}
	case *starlark.Dict:
		for k, x := range v.Entries() {
			if !add(k) || !add(x) {
				break
			}
		}
	case *starlark.Set:
		for x := range v.Elements() {
			if !add(x) {
				break
			}
		}
	}
	return n
}

// plain says whether a value is small by itself, whatever is done with it.
func plain(v starlark.Value) bool {
	switch v := v.(type) {
	case starlark.Float, starlark.Bool, starlark.NoneType, *job, starlark.Int:
		return true
	case starlark.String:
		return len(v) <= 256
	}
	return false
}

// key refuses what would take long to look up.
func (m *meter) key(v starlark.Value) error {
	if plain(v) {
		return nil
	}
	n := weigh(v, maxKey)
	if n > maxKey {
		return errors.New("too much to be looked up or kept as a key: use numbers, short texts or small tuples")
	}
	return m.charge(n)
}

// whole counts what is gone through value by value.
func (m *meter) whole(v starlark.Value) error {
	if plain(v) {
		return nil
	}
	n := weigh(v, maxWeight)
	if n > maxWeight {
		return fmt.Errorf("more than %s values, or nested too deep, to be compared, hashed or printed at once", grouped(maxWeight))
	}
	return m.charge(n)
}

// length returns how many elements a value has, 0 where it has none.
func length(v starlark.Value) int { return max(0, starlark.Len(v)) }

// sized refuses a result that is too large and counts it.
func (m *meter) sized(what string, n, most int) error {
	if n > most || n < 0 {
		return fmt.Errorf("%s of more than %s", what, grouped(most))
	}
	if most == maxText {
		n /= 16
	}
	return m.charge(n)
}

// result refuses whole numbers that have grown too large.
func result(v starlark.Value, err error) (starlark.Value, error) {
	if i, ok := v.(starlark.Int); ok && err == nil {
		if _, fits := i.Int64(); !fits && i.BigInt().BitLen() > maxBits {
			return nil, fmt.Errorf("a whole number of more than %d bits", maxBits)
		}
	}
	return v, err
}

// operate is x op y for values that may be large.
func (m *meter) operate(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if err := m.operands(op, x, y); err != nil {
		return nil, err
	}
	return result(starlark.Binary(op, x, y))
}

func (m *meter) operands(op syntax.Token, x, y starlark.Value) error {
	switch a := x.(type) {
	case starlark.Int:
		switch op {
		case syntax.STAR:
			return m.repeat(y, a)
		}
	case starlark.String:
		switch op {
		case syntax.PLUS:
			if b, ok := y.(starlark.String); ok {
				return m.sized("a text", len(a)+len(b), maxText)
			}
		case syntax.STAR:
			if n, ok := y.(starlark.Int); ok {
				return m.repeat(x, n)
			}
		case syntax.PERCENT:
			return m.printed(string(a), '%', y)
		}
	case *starlark.List, starlark.Tuple:
		switch op {
		case syntax.PLUS:
			return m.sized("a list", length(x)+length(y), maxItems)
		case syntax.STAR:
			if n, ok := y.(starlark.Int); ok {
				return m.repeat(x, n)
			}
		}
	case *starlark.Dict, *starlark.Set:
		if err := m.sized("a dict or set", length(x)+length(y), maxItems); err != nil {
			return err
		}
		return m.charge(hashSteps * (length(x) + length(y)))
	}
	return nil
}

// hashSteps is what it costs to put a value into a dict or set.
const hashSteps = 16

// repeat counts a sequence that is repeated.
func (m *meter) repeat(v starlark.Value, times starlark.Int) error {
	most := maxItems
	n := 0
	switch s := v.(type) {
	case starlark.String:
		n, most = len(s), maxText
	case *starlark.List, starlark.Tuple:
		n = length(v)
	default:
		return nil
	}
	k, ok := times.Int64()
	if !ok {
		return errors.New("repeated too often")
	}
	if k <= 0 || n == 0 {
		return nil
	}
	hi, lo := bits.Mul64(uint64(n), uint64(k))
	if hi != 0 || lo > uint64(most) {
		return fmt.Errorf("repeated %d times, this would have more than %s parts", k, grouped(most))
	}
	return m.sized("what is repeated", int(lo), most)
}

// printed bounds a text into which values are put at each mark.
func (m *meter) printed(format string, mark byte, values ...starlark.Value) error {
	n := 0
	for _, v := range values {
		if err := m.whole(v); err != nil {
			return err
		}
		n += weigh(v, maxWeight)
	}
	return m.sized("a text", len(format)+strings.Count(format, string(mark))*n*24, maxText*10)
}

// compare is x op y.
func (m *meter) compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if !plain(x) && !plain(y) {
		if _, set := x.(*starlark.Set); set && op != syntax.EQL && op != syntax.NEQ {
			return nil, errors.New("sets have no order")
		}
		if err := m.whole(x); err != nil {
			return nil, err
		}
		if err := m.whole(y); err != nil {
			return nil, err
		}
	}
	ok, err := starlark.Compare(op, x, y)
	return starlark.Bool(ok), err
}

// contains is x in y.
func (m *meter) contains(x, y starlark.Value) (starlark.Value, error) {
	n := 1
	switch y := y.(type) {
	case *starlark.Dict, *starlark.Set:
		if err := m.key(x); err != nil {
			return nil, err
		}
	case starlark.String:
		n = len(y) / 16
	default:
		if n = length(y); !plain(x) {
			if err := m.whole(x); err != nil {
				return nil, err
			}
			n *= weigh(x, maxWeight)
		}
	}
	if err := m.charge(n); err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.IN, x, y)
}

// inPlace is x op= y.
func (m *meter) inPlace(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch a := x.(type) {
	case *starlark.List:
		if more, ok := y.(starlark.Iterable); ok && op == syntax.PLUS {
			return a, m.extend(a, more)
		}
	case *starlark.Dict:
		if b, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			if err := m.sized("a dict", a.Len()+b.Len(), maxItems); err != nil {
				return nil, err
			}
			for _, item := range b.Items() {
				if err := a.SetKey(item[0], item[1]); err != nil {
					return nil, err
				}
			}
			return a, nil
		}
	}
	return m.operate(op, x, y)
}

// extend appends what may be the list itself.
func (m *meter) extend(a *starlark.List, more starlark.Iterable) error {
	if err := m.sized("a list", a.Len()+length(more), maxItems); err != nil {
		return err
	}
	var list []starlark.Value
	iter := more.Iterate()
	for x := starlark.Value(nil); iter.Next(&x); {
		list = append(list, x)
	}
	iter.Done()
	for _, x := range list {
		if err := a.Append(x); err != nil {
			return err
		}
	}
	return nil
}

// keep weighs what a program keeps from call to call, now and then: when it has
// taken so many steps that it could have doubled.
func (m *meter) keep(globals starlark.StringDict) error {
	if m.thread.Steps-m.kept < 1<<20+4*m.weight {
		return nil
	}
	m.kept = m.thread.Steps
	seen := map[any]bool{}
	var todo []starlark.Value
	for _, v := range globals {
		todo = append(todo, v)
	}
	n := uint64(0)
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n++
		switch v := v.(type) {
		case starlark.String:
			n += uint64(len(v)) / 16
		case starlark.Int:
			n += uint64(weigh(v, maxBits))
		case starlark.Tuple:
			n += uint64(len(v)) // shared tuples count each time: they cannot be told apart
			if n <= maxHeld {
				todo = append(todo, v...)
			}
		case *starlark.List:
			if !seen[v] {
				seen[v] = true
				for i := range v.Len() {
					todo = append(todo, v.Index(i))
				}
			}
		case *starlark.Dict:
			if !seen[v] {
				seen[v] = true
				for k, x := range v.Entries() {
					todo = append(todo, k, x)
				}
				n += uint64(v.Len())
			}
		case *starlark.Set:
			if !seen[v] {
				seen[v] = true
				for x := range v.Elements() {
					todo = append(todo, x)
				}
				n += uint64(v.Len())
			}
		case *starlark.Function:
			if !seen[v] {
				seen[v] = true
				for i := range v.NumFreeVars() {
					if _, x := v.FreeVar(i); x != nil {
						todo = append(todo, x)
					}
				}
				for i := range v.NumParams() {
					if x := v.ParamDefault(i); x != nil {
						todo = append(todo, x)
					}
				}
			}
		case *starlark.Builtin:
			if x := v.Receiver(); x != nil {
				todo = append(todo, x)
			}
		}
		if n > maxHeld || len(todo) > 2*maxHeld {
			return fmt.Errorf("the program keeps more than %s values from call to call", grouped(maxHeld))
		}
	}
	m.weight = n
	return nil
}
