package paper

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A rule says which rows decide a claim, and how:
//
//	KTH-SP2/HPC2N: {legrand2018-logs@$|SPF|all weeks, against SAF} > 0; all: {…} < 0.9 × {…} and {…} = 0.6 ± 5 %
//
// Sides, the logs or cases that the claim is made for, stand between "; ", each with
// its name before ": "; names between "/" are several sides, and $ stands for the name.
// All comparisons of a side, between " and ", must hold. A value is a number or a row,
// {PRESET|LABEL|COLUMN}, with a factor before it or none, or the difference or quotient
// of two such, A − B or A ÷ B, whose intervals are taken as independent. A < B ± M names a margin: a
// difference within M is called smaller than it, and does not count as one. A = B ± M
// holds where the difference is within M. M is a number, or per cent of B.
//
// Intervals decide. Where a claim has several sides each interval is taken wider, by the
// factor of Bonferroni for that many, so that by chance alone one of them in a claim
// says something wrong in at most 5 % of claims. Within a side all must hold, which needs
// no such factor. A number that nothing was drawn for speaks for itself.

// allOf begins the rule of a claim that one side refutes.
const allOf = "all of: "

// looked begins the rule of a claim whose margin is none of those that hold for words
// (docs/papers.md), and was set when first numbers were known. Beside its verdict stands
// what half of the margin and twice of it would make of it.
const looked = "looked: "

// side is a part of a rule.
type side struct {
	name string
	all  []comparison
}

// comparison is two values and how they are compared.
type comparison struct {
	a, b    quantity
	op      byte // '<', '>' or '='
	margin  float64
	percent bool // the margin is of b
}

// quantity is a term, or two with '-' or '/' between them.
type quantity struct {
	list []term
	op   byte
}

// term is a number, or factor × a row.
type term struct {
	factor float64 // the number itself where there is no row
	place  string  // PRESET|LABEL|COLUMN; "" a number
}

// What a side says of a claim; see triedYes.
const triedSmall = "smaller than the margin"

// parseRule reads a rule.
func parseRule(text string) (list []side, err error) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, looked), allOf)
	for _, part := range splitOutside(text, "; ") {
		names, rest, ok := cutOutside(part, ": ")
		if !ok {
			return nil, fmt.Errorf("a rule says %q: SIDE: COMPARISON is expected", part)
		}
		for _, name := range strings.Split(names, "/") {
			s := side{name: name}
			for _, one := range splitOutside(strings.ReplaceAll(rest, "$", name), " and ") {
				c, err := parseComparison(one)
				if err != nil {
					return nil, err
				}
				s.all = append(s.all, c)
			}
			list = append(list, s)
		}
	}
	return list, nil
}

func parseComparison(text string) (c comparison, err error) {
	for _, op := range []string{" < ", " > ", " = "} {
		left, right, ok := cutOutside(text, op)
		if !ok {
			continue
		}
		c.op = op[1]
		if value, margin, there := cutOutside(right, " ± "); there {
			right = value
			margin, c.percent = strings.CutSuffix(margin, " %")
			if c.margin, err = strconv.ParseFloat(margin, 64); err != nil || !(c.margin >= 0) {
				return c, fmt.Errorf("a rule has the margin %q", margin)
			}
		}
		if c.a, err = parseQuantity(left); err == nil {
			c.b, err = parseQuantity(right)
		}
		return c, err
	}
	return c, fmt.Errorf("a rule compares %q, without <, > or =", text)
}

func parseQuantity(text string) (v quantity, err error) {
	parts := []string{text}
	if a, b, two := cutOutside(text, " − "); two {
		parts, v.op = []string{a, b}, '-'
	} else if a, b, two := cutOutside(text, " ÷ "); two {
		parts, v.op = []string{a, b}, '/'
	}
	for _, part := range parts {
		t, err := parseTerm(part)
		if err != nil {
			return v, err
		}
		v.list = append(v.list, t)
	}
	return v, nil
}

func parseTerm(text string) (t term, err error) {
	factor, place, there := strings.Cut(text, "{")
	if !there {
		t.factor, err = strconv.ParseFloat(text, 64)
		return t, err
	}
	if t.factor = 1; factor != "" {
		number, ok := strings.CutSuffix(factor, " × ")
		if t.factor, err = strconv.ParseFloat(number, 64); !ok || err != nil {
			return t, fmt.Errorf("a rule has the factor %q", factor)
		}
	}
	place, rest, closed := strings.Cut(place, "}")
	if t.place = place; !closed || rest != "" || strings.Count(place, "|") != 2 {
		return t, fmt.Errorf("a rule names the row %q: {PRESET|LABEL|COLUMN} is expected", text)
	}
	return t, nil
}

// splitOutside splits a text at a separator that stands outside of braces.
func splitOutside(text, sep string) (list []string) {
	for {
		before, after, ok := cutOutside(text, sep)
		list = append(list, before)
		if text = after; !ok {
			return list
		}
	}
}

// cutOutside cuts a text at the first separator outside of braces.
func cutOutside(text, sep string) (before, after string, found bool) {
	depth := 0
	for i := range len(text) {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], sep):
			return text[:i], text[i+len(sep):], true
		}
	}
	return text, "", false
}

// interval is a number with its interval; from and to are equal where nothing was drawn.
type interval struct{ x, from, to float64 }

// interval is the row's number and its 95 % interval.
func (r VerdictRow) interval() interval {
	switch {
	case r.From != nil && r.To != nil:
		return interval{r.Ours, *r.From, *r.To}
	case r.Half != nil:
		return interval{r.Ours, r.Ours - *r.Half, r.Ours + *r.Half}
	}
	return interval{r.Ours, r.Ours, r.Ours}
}

// of is the value of a term.
func (t term) of(at func(place string) (VerdictRow, error)) (interval, error) {
	if t.place == "" {
		return interval{t.factor, t.factor, t.factor}, nil
	}
	r, err := at(t.place)
	i := r.interval()
	return interval{t.factor * i.x, t.factor * i.from, t.factor * i.to}, err
}

// of is the value of one term or two.
func (v quantity) of(at func(place string) (VerdictRow, error)) (interval, error) {
	a, err := v.list[0].of(at)
	if err != nil || len(v.list) == 1 {
		return a, err
	}
	b, err := v.list[1].of(at)
	if v.op == '-' {
		x := a.x - b.x
		return interval{x, x - math.Hypot(a.x-a.from, b.to-b.x), x + math.Hypot(a.to-a.x, b.x-b.from)}, err
	}
	x := a.x / b.x
	low, high := math.Hypot((a.x-a.from)/a.x, (b.to-b.x)/b.x), math.Hypot((a.to-a.x)/a.x, (b.x-b.from)/b.x)
	return interval{x, x - math.Abs(x*low), x + math.Abs(x*high)}, err
}

// says judges a comparison; wider widens intervals.
func (c *comparison) says(wider float64, at func(string) (VerdictRow, error)) (string, error) {
	a, err := c.a.of(at)
	b, err2 := c.b.of(at)
	if err = errors.Join(err, err2); err != nil {
		return "", err
	}
	x := a.x - b.x
	from := x - wider*math.Hypot(a.x-a.from, b.to-b.x)
	to := x + wider*math.Hypot(a.to-a.x, b.x-b.from)
	margin := c.margin
	if c.percent {
		margin *= math.Abs(b.x) / 100
	}
	if c.op == '>' {
		x, from, to = -x, -to, -from
	}
	switch within := from >= -margin && to <= margin; {
	case c.op == '=' && within:
		return triedYes, nil
	case c.op == '=' && (from > margin || to < -margin):
		return triedNo, nil
	case c.op == '=':
		return triedOpen, nil
	case margin > 0 && within:
		return triedSmall, nil
	case from == to && math.Abs(x) < 1e-9:
		return triedSame, nil
	case to < 0:
		return triedYes, nil
	case from > 0:
		return triedNo, nil
	}
	return triedOpen, nil
}

// says judges a side: all must hold.
func (s *side) says(wider float64, at func(string) (VerdictRow, error)) (string, error) {
	said := triedYes
	for i := range s.all {
		one, err := s.all[i].says(wider, at)
		if err != nil {
			return "", err
		}
		switch {
		case one == triedNo, one != triedYes && said == triedYes:
			said = one
		case said == triedOpen && (one == triedSmall || one == triedSame):
			said = one
		}
	}
	return said, nil
}

// Ruling is what a rule found.
type Ruling struct {
	Kind  string
	Sides []SideVerdict
	// Looked says that the margin was set after a first look, and Half and Twice what
	// half of it and twice of it would make of the claim; "" where nothing has a margin.
	Looked      bool
	Half, Twice string
}

// SideVerdict is what one side of a claim says, and with which numbers.
type SideVerdict struct {
	Name    string `json:"name"`
	Says    string `json:"says"`
	Numbers string `json:"numbers"`
}

// rule judges a claim by its rule.
func (v Verdicts) rule(c *Claim) (Ruling, error) {
	out, err := v.ruleWith(c, 1)
	if err != nil || !strings.HasPrefix(c.Rule, looked) {
		return out, err
	}
	out.Looked = true
	if strings.Contains(c.Rule, " ± ") {
		half, err1 := v.ruleWith(c, 0.5)
		twice, err2 := v.ruleWith(c, 2)
		out.Half, out.Twice, err = half.Kind, twice.Kind, errors.Join(err1, err2)
	}
	return out, err
}

// ruleWith judges a claim with its margins times a factor.
func (v Verdicts) ruleWith(c *Claim, margins float64) (Ruling, error) {
	switch c.Rule {
	case notOurs, CannotTell: // no rows
		return Ruling{Kind: c.Rule}, nil
	}
	list, err := parseRule(c.Rule)
	if err != nil {
		return Ruling{}, fmt.Errorf("%s, %q: %w", c.Study, c.Says, err)
	}
	at := func(place string) (VerdictRow, error) {
		key, rest, _ := strings.Cut(place, "|")
		r, there := v[key].Rows[rest]
		if !there {
			return r, fmt.Errorf("%s, %q: no number for {%s}; ./build.sh papers runs the presets", c.Study, c.Says, place)
		}
		return r, nil
	}
	var out Ruling
	yes, no, open := 0, 0, 0
	for i := range list {
		s := &list[i]
		for k := range s.all {
			s.all[k].margin *= margins
		}
		said, err := s.says(bonferroni(len(list)), at)
		if err != nil {
			return Ruling{}, err
		}
		switch said {
		case triedYes:
			yes++
		case triedNo, triedSmall:
			no++
		default:
			open++
		}
		var numbers []string
		left := ""
		for i := range s.all {
			var text string
			if text, left = s.all[i].numbers(left, at); !slices.Contains(numbers, text) {
				numbers = append(numbers, text)
			}
		}
		out.Sides = append(out.Sides, SideVerdict{s.name, said, strings.Join(numbers, ", ")})
	}
	switch {
	case no > 0 && strings.HasPrefix(strings.TrimPrefix(c.Rule, looked), allOf):
		out.Kind = NotConfirmed
	case yes > 0 && no > 0:
		out.Kind = Depends
	case yes > 0 && yes >= open:
		out.Kind = Confirmed
	case no > 0 && no >= open:
		out.Kind = NotConfirmed
	default:
		out.Kind = CannotTell
	}
	return out, nil
}

// bonferroni is how much wider a 95 % interval becomes so that n of them together
// hold in 95 %, by the normal distribution.
func bonferroni(n int) float64 {
	quantile := func(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
	return quantile(1-0.025/float64(max(1, n))) / quantile(0.975)
}
