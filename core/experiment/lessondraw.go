package experiment

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/expr"
	"batchlab/core/sum"
)

// Boards is how many seeds a lesson with other numbers has, 1 … Boards: so few that all
// of them can be solved before a lesson is given to a class.
const Boards = 200

// Limits of what is drawn of a lesson.
const (
	maxDrawn    = 20  // numbers, and conditions
	maxSets     = 100 // places
	maxFormulas = 40  // of one place
	maxDraws    = 10_000
	maxNumber   = 1_000_000
	resultJobs  = 20 // jobs 1 … 20 have names in formulas, under the first
	// resultSchedulers schedulers.
	resultSchedulers = 4
)

// Draw says which numbers of a lesson others may take the place of.
type Draw struct {
	Numbers []Number
	Where   []string // formulas over the numbers; all must be above zero
	Set     []Put
}

// Number is drawn: From, From + By, … up to To.
type Number struct {
	Name             string // in formulas
	Is, From, To, By int64  // Is: in the lesson as it is written
}

// Put gives the numbers that stand at a place other values: at a number, in a list
// of numbers, or in a text, in their order there. An empty formula, and one that is not
// there, leaves a number as it is.
type Put struct {
	Path string
	To   []string
	// Means says of options what who chooses them thinks, whatever the numbers are.
	Means []string
}

func (d *Draw) visit(g *group) {
	visitList(g, "numbers", &d.Numbers, maxDrawn, func(n *Number, g *group) {
		g.field(&n.Name, nameRow)
		in := span{-maxNumber, maxNumber}
		g.integer("is", &n.Is, 0, in)
		g.integer("from", &n.From, 0, in)
		g.integer("to", &n.To, 0, in)
		g.integer("by", &n.By, 1, span{1, maxNumber})
		if g.checks() && (n.From > n.Is || n.Is > n.To || (n.Is-n.From)%n.By != 0) {
			g.fault("is", fmt.Sprintf("must be one of %d, %d, … up to %d: the lesson as it is written is one of those that are drawn", n.From, n.From+n.By, n.To))
		}
	})
	g.formulas("where", &d.Where, maxDrawn)
	visitList(g, "set", &d.Set, maxSets, func(p *Put, g *group) {
		if !g.missing("path") {
			g.word("path", &p.Path, "", maxPlace)
		}
		g.formulas("to", &p.To, maxFormulas)
		g.formulas("means", &p.Means, maxOptions)
	})
}

// formulas visits a list of texts.
func (g *group) formulas(key string, p *[]string, most int) {
	if g.c.mode == reading {
		*p = nil
	}
	out := &node{kind: arrayKind}
	if in := g.typed(key, arrayKind); in != nil {
		g.checkCount(key, len(in.items), 0, most)
		for i, item := range in.items[:min(len(in.items), most)] {
			if item.kind != textKind {
				g.c.add(item.at, index(join(g.path, key), i), "must be a string, not "+item.kind.String())
			}
			*p = append(*p, item.text)
		}
	}
	for _, text := range *p {
		out.items = append(out.items, textNode(text))
	}
	g.put(key, len(*p) == 0, out)
}

// visitDraw visits what may be drawn, and holds it against the lesson.
func (l *Lesson) visitDraw(g *group) {
	object(g, "draw", &l.Draw, (*Draw).visit)
	if l.Draw == nil || !g.checks() || len(g.c.list) > 0 {
		return
	}
	if _, path, err := l.drawn(0); err != nil {
		g.fault("draw", path+": "+err.Error())
	} else if _, err := l.With(1); err != nil {
		g.fault("draw", err.Error())
	}
}

// With returns the lesson with the numbers of a seed, 0 … Boards: 0 as it is written. It
// draws nothing itself any more. The same seed gives the same numbers anywhere.
func (l *Lesson) With(seed int64) (*Lesson, error) {
	if seed == 0 || l.Draw == nil {
		plain := *l
		plain.Draw = nil
		return &plain, nil
	}
	if seed < 0 || seed > Boards {
		return nil, fmt.Errorf("there are no numbers %d: they go from 1 to %d", seed, Boards)
	}
	other, path, err := l.drawn(seed)
	if err != nil {
		return nil, fmt.Errorf("numbers %d: %s: %w", seed, path, err)
	}
	return other, nil
}

// drawn makes the lesson with a seed's numbers. With seed 0 it checks that all formulas
// give what is written. path says where an error is.
func (l *Lesson) drawn(seed int64) (other *Lesson, path string, err error) {
	d := l.Draw
	names := make([]expr.Variable, len(d.Numbers))
	for i := range d.Numbers {
		names[i] = expr.Variable{Name: d.Numbers[i].Name, Index: i}
		for k := range i {
			if d.Numbers[k].Name == d.Numbers[i].Name {
				return nil, index("draw.numbers", i), fmt.Errorf("%s is drawn twice", quote(d.Numbers[i].Name))
			}
		}
	}
	where := make([]*expr.Program, len(d.Where))
	for i, text := range d.Where {
		if where[i], err = expr.Compile(text, names); err != nil {
			return nil, index("draw.where", i), err
		}
	}
	values, err := d.draw(seed, where)
	if err != nil {
		return nil, "draw.where", err
	}
	plain := *l
	plain.Draw = nil
	c := codec{mode: writing}
	root := c.walk("", nil, plain.visit)
	after := map[int]*filled{}
	for i := range d.Set {
		p, at := &d.Set[i], index("draw.set", i)
		way, ok := steps(p.Path)
		if !ok || len(way) < 3 || way[0].key != "steps" || way[1].key != "" || way[1].index >= len(l.Steps) {
			return nil, join(at, "path"), fmt.Errorf("%s is no place of a step, such as steps[0].text", quote(p.Path))
		}
		step := way[1].index
		last := l.Steps[step].Ask != nil && len(way) == 4 && way[2].key == "ask" && way[3].key == "after"
		use := names
		if last {
			use = withResults(names)
		}
		to := make([]*expr.Program, len(p.To))
		for k, text := range p.To {
			if text == "" {
				continue
			}
			if to[k], err = expr.Compile(text, use); err != nil {
				return nil, index(join(at, "to"), k), err
			}
		}
		if way[2].key == "experiment" && l.Steps[step].Case != "" {
			unfold(root.get("steps").items[step])
		}
		place := follow(root, way)
		if last && place != nil { // when the answer is known
			after[step] = &filled{to: to, values: values}
			continue
		}
		if place, err = replace(place, to, values, seed == 0); err != nil {
			return nil, join(at, "path"), fmt.Errorf("%s: %w", p.Path, err)
		}
		root = put(root, nil, way, place)
	}
	other, r := &Lesson{}, codec{mode: reading}
	r.walk("", root, other.visit)
	if err := r.err(nil); err != nil {
		return nil, "draw", err
	}
	for i := range other.Steps {
		if q := other.Steps[i].Ask; q != nil {
			if q.after = after[i]; q.Kind == AskTime && seed > 0 {
				q.mix(seed, i)
			}
		}
	}
	return other, "", nil
}

// unfold puts the document of a step's case into the step.
func unfold(step *node) {
	if n := step.get("case"); n != nil {
		var f faults
		doc, _ := parse([]byte(catalog.FindCase(n.text).Document), &f) // a test decodes every case
		step.remove("case")
		step.set("experiment", doc)
	}
}

// follow returns what stands at a place, nil where there is none.
func follow(n *node, way []step) *node {
	for _, s := range way {
		switch {
		case n == nil:
			return nil
		case s.key != "":
			n = n.get(s.key)
		case n.kind != arrayKind || s.index >= len(n.items):
			return nil
		default:
			n = n.items[s.index]
		}
	}
	return n
}

// replace gives the numbers at a place the values of formulas; check demands that they
// are what they were.
func replace(n *node, to []*expr.Program, values []float64, check bool) (*node, error) {
	if n == nil {
		return nil, fmt.Errorf("nothing stands there in the lesson")
	}
	switch n.kind {
	case numberKind:
		if len(to) != 1 || to[0] == nil {
			return nil, fmt.Errorf("a number takes one formula")
		}
		v := to[0].Eval(values)
		if v != math.Trunc(v) || math.Abs(v) > MaxInteger {
			return nil, fmt.Errorf("%s gives %v, which is no whole number", quote(to[0].String()), v)
		}
		if text := strconv.FormatInt(int64(v), 10); !check || text == n.text {
			return integerNode(int64(v)), nil
		}
		return nil, fmt.Errorf("%s gives %v, and %s is written there", quote(to[0].String()), v, n.text)
	case arrayKind:
		if len(to) > len(n.items) {
			return nil, fmt.Errorf("%d formulas for %d numbers", len(to), len(n.items))
		}
		list := *n
		list.items = append([]*node(nil), n.items...)
		for k := range to {
			if to[k] == nil {
				continue
			}
			v, err := replace(n.items[k], to[k:k+1], values, check)
			if err != nil {
				return nil, err
			}
			list.items[k] = v
		}
		return &list, nil
	case textKind:
		text, err := fillText(n.text, to, values, check)
		return textNode(text), err
	}
	return nil, fmt.Errorf("must be a number, a list of numbers or a text, not %s", n.kind)
}

// fillText gives the numbers in a text the values of formulas, one after the other.
func fillText(text string, to []*expr.Program, values []float64, check bool) (string, error) {
	var b strings.Builder
	k := 0
	for rest := text; rest != ""; k++ {
		from := strings.IndexAny(rest, "0123456789")
		if from < 0 {
			from = len(rest)
		}
		end := from
		for end < len(rest) && (digit(rest[end]) || rest[end] == '.' && end+1 < len(rest) && digit(rest[end+1])) {
			end++
		}
		b.WriteString(rest[:from])
		written := rest[from:end]
		if rest = rest[end:]; written == "" {
			break
		}
		if k < len(to) && to[k] != nil {
			said := numberText(to[k].Eval(values))
			if check && said != written {
				return "", fmt.Errorf("%s gives %s, and %s is written there", quote(to[k].String()), said, written)
			}
			written = said
		}
		b.WriteString(written)
	}
	if k < len(to) {
		return "", fmt.Errorf("%d formulas for %d numbers", len(to), k)
	}
	return b.String(), nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// numberText writes a number for a text: whole, or with one decimal.
func numberText(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// draw draws the numbers until all conditions hold: each number from a stream of its
// own, named after it.
func (d *Draw) draw(seed int64, where []*expr.Program) ([]float64, error) {
	values := make([]float64, len(d.Numbers))
	for try := range maxDraws {
		for i := range d.Numbers {
			n := &d.Numbers[i]
			if values[i] = float64(n.Is); seed > 0 {
				h := sum.Of(fmt.Appendf(nil, "batchlab-lesson-draw\n%s\n%d\n%d", n.Name, seed, try))
				values[i] = float64(n.From + int64(binary.BigEndian.Uint64(h[:])%uint64((n.To-n.From)/n.By+1))*n.By)
			}
		}
		failed := -1
		for i, w := range where {
			if v := w.Eval(values); !(v > 0) {
				failed = i
				break
			}
		}
		if failed < 0 {
			return values, nil
		}
		if seed == 0 {
			return nil, fmt.Errorf("%s is not above zero in the lesson as it is written", quote(d.Where[failed]))
		}
	}
	return nil, fmt.Errorf("no numbers fulfil the conditions in %d draws", maxDraws)
}

// mix puts the options of a question into an order of the seed's: the right one need
// not stand where it stood.
func (q *Question) mix(seed int64, step int) {
	q.of = make([]int, len(q.Options))
	for i := range q.of {
		q.of[i] = i
	}
	h := sum.Of(fmt.Appendf(nil, "batchlab-lesson-options\n%d\n%d", seed, step))
	for i := len(q.of) - 1; i > 0; i-- {
		k := int(h[i]) % (i + 1)
		q.of[i], q.of[k] = q.of[k], q.of[i]
		q.Options[i], q.Options[k] = q.Options[k], q.Options[i]
	}
}

// Written is which option of the lesson as it is written an option stands for: the same
// mistake on other boards.
func (q *Question) Written(option int) int {
	if q.of == nil {
		return option
	}
	return q.of[option]
}

// Means says what who chooses an option of a step's question thinks, with the option's
// place in the lesson as it is written; "" where it is not said.
func (l *Lesson) Means(step, written int) string {
	if l.Draw != nil {
		path := index("steps", step) + ".ask.options"
		for i := range l.Draw.Set {
			if p := &l.Draw.Set[i]; p.Path == path && written < len(p.Means) {
				return p.Means[written]
			}
		}
	}
	return ""
}

// filled is a text whose numbers wait for the answer.
type filled struct {
	to     []*expr.Program
	values []float64
}

// Results have names in the formulas of what follows an answer: answer, and for job n
// under scheduler k its start s<k>j<n>, end e<k>j<n> and wait w<k>j<n>.
func withResults(names []expr.Variable) []expr.Variable {
	list := append(append([]expr.Variable(nil), names...), expr.Variable{Name: "answer", Index: len(names)})
	for k := range resultSchedulers {
		for n := 1; n <= resultJobs; n++ {
			for _, what := range "sew" {
				list = append(list, expr.Variable{Name: fmt.Sprintf("%c%dj%d", what, k, n), Index: len(list)})
			}
		}
	}
	return list
}

// Said is what is said with the answer. Results are in minutes; answer is the right
// time in minutes or the right job's number, of returns start, end or wait ("s", "e" or
// "w") of a job under a scheduler.
func (q *Question) Said(answer float64, of func(what byte, scheduler int, job int64) float64) string {
	if q.after == nil {
		return q.After
	}
	values := append(append([]float64(nil), q.after.values...), answer)
	for k := range resultSchedulers {
		for n := int64(1); n <= resultJobs; n++ {
			for _, what := range []byte("sew") {
				values = append(values, of(what, k, n))
			}
		}
	}
	text, err := fillText(q.After, q.after.to, values, false)
	if err != nil {
		return q.After
	}
	return text
}
