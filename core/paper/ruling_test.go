package paper

import (
	"slices"
	"strconv"
	"strings"
)

// numbers are the rows of a comparison: "A against B", or "B" where left, the A of the
// comparison before, is this one's; and its own A.
func (c *comparison) numbers(left string, at func(string) (VerdictRow, error)) (text, a string) {
	a, b := c.a.numbers(at), c.b.numbers(at)
	switch {
	case a == "" || b == "":
		return a + b, ""
	case a == left:
		return b, a
	}
	return joined(a, " against ", b), a
}

// numbers are the rows of one term or two.
func (v *quantity) numbers(at func(string) (VerdictRow, error)) (text string) {
	for _, t := range v.list {
		if t.place == "" {
			continue
		}
		r, _ := at(t.place) // there, as says found
		if text == "" {
			text = r.String()
			continue
		}
		text = joined(text, map[byte]string{'-': " − ", '/': " ÷ "}[v.op], r.String())
	}
	return text
}

// joined is two numbers with a sign between them; a unit that both have stands once.
func joined(a, sign, b string) string {
	for _, unit := range []string{" s", " h", " %"} {
		if strings.HasSuffix(b, unit) {
			a = strings.TrimSuffix(a, unit)
		}
	}
	return a + sign + b
}

// sides names what the sides say, in the words behind a verdict: "Yes: A; B. No: C".
// It is "" where all say the same.
func (r *Ruling) sides() string {
	var said []string
	for _, k := range []string{triedYes, triedNo, triedSmall, triedSame, triedOpen} {
		var names []string
		for _, s := range r.Sides {
			if s.Says == k {
				names = append(names, s.Name)
			}
		}
		if k = strings.Trim(k, "*"); names != nil {
			said = append(said, strings.ToUpper(k[:1])+k[1:]+": "+strings.Join(names, "; "))
		}
	}
	if len(said) < 2 {
		return ""
	}
	return strings.Join(said, ". ")
}

// numbers lists the sides with their numbers, as results have them.
func (r *Ruling) numbers() string {
	var list []string
	for _, s := range r.Sides {
		list = append(list, s.Name+": "+s.Numbers)
	}
	return strings.Join(list, "; ")
}

// marks are the signs behind the sides of a claim, by what they say.
var marks = map[string]string{triedYes: "✓", triedNo: "✗", triedSmall: "≈", triedSame: "=", triedOpen: "?"}

// marked is numbers with a sign behind each side, where they do not all say the same.
// Of sides whose names begin alike, up to ", ", the first alone names that beginning;
// a single side needs no name.
func (r *Ruling) marked() string {
	if len(r.Sides) == 1 {
		return r.Sides[0].Numbers
	}
	var b strings.Builder
	same, last := r.sides() == "", ""
	for _, s := range r.Sides {
		head, tail, two := strings.Cut(s.Name, ", ")
		if two = two && !strings.HasPrefix(head, "["); two && head == last { // [1, 2] is one name
			b.WriteString(", " + tail + ": " + s.Numbers)
		} else {
			b.WriteString("; " + s.Name + ": " + s.Numbers)
		}
		if last = ""; two {
			last = head
		}
		if !same {
			b.WriteString(" " + marks[s.Says])
		}
	}
	return strings.TrimPrefix(b.String(), "; ")
}

// counted says of many sides which say what, by signs and without numbers; the largest
// group, and one of all, is counted instead of named.
func (r *Ruling) counted() string {
	kinds := []string{triedYes, triedNo, triedSmall, triedSame, triedOpen}
	groups := map[string][]string{}
	most := triedYes
	for _, s := range r.Sides {
		groups[s.Says] = append(groups[s.Says], s.Name)
	}
	for _, k := range kinds {
		if len(groups[k]) > len(groups[most]) {
			most = k
		}
	}
	var said []string
	for _, k := range kinds {
		switch n := len(groups[k]); {
		case n == 0:
		case n == 1 && n == len(r.Sides):
			return marks[k]
		case n == 2 && n == len(r.Sides):
			return marks[k] + " in both"
		case n == len(r.Sides):
			return marks[k] + " in all " + strconv.Itoa(n)
		case k == most && n > 1:
			said = append([]string{marks[k] + " in " + strconv.Itoa(n) + " of " + strconv.Itoa(len(r.Sides))}, said...)
		default:
			said = append(said, marks[k]+" "+listNames(groups[k]))
		}
	}
	return strings.Join(said, "; ")
}

// listNames lists names; what a name begins with as the one before it, up to its last
// word or two, is not said again: "KTH-SP2 set 1, 2; HPC2N set 1".
func listNames(names []string) string {
	var b strings.Builder
	last := ""
	for _, n := range names {
		at := strings.LastIndex(n, ", ") + 1
		if at == 0 {
			at = strings.LastIndexByte(strings.TrimSuffix(n, " %"), ' ')
		}
		switch head := n[:max(at, 0)]; {
		case head != "" && head == last && !strings.HasPrefix(n, "["):
			b.WriteString(", " + strings.TrimSpace(n[at:]))
		default:
			b.WriteString("; " + n)
			last = head
		}
	}
	return strings.TrimPrefix(b.String(), "; ")
}

// cases are the sides where there are several, in words without marks.
func (r *Ruling) cases() []SideVerdict {
	if len(r.Sides) < 2 {
		return nil
	}
	list := slices.Clone(r.Sides)
	for i := range list {
		list[i].Says = strings.Trim(list[i].Says, "*")
	}
	return list
}

// brief counts the sides by what they say: "3 yes, 1 no". It is "" where all say the
// same.
func (r *Ruling) brief() string {
	var said []string
	for _, k := range []struct {
		name  string
		kinds []string
	}{{"yes", []string{triedYes}}, {"no", []string{triedNo, triedSmall}}, {"open", []string{triedOpen, triedSame}}} {
		n := 0
		for _, s := range r.Sides {
			n += btoi(slices.Contains(k.kinds, s.Says))
		}
		if n > 0 {
			said = append(said, strconv.Itoa(n)+" "+k.name)
		}
	}
	if len(said) < 2 {
		return ""
	}
	return strings.Join(said, ", ")
}

// on is what stands behind the verdict: what it depends on where it does, a remark in
// brackets, and what is to be said of the margin.
func (r *Ruling) on(c *Claim) string {
	var parts []string
	if c.On != "" && (r.Kind == Depends || strings.HasPrefix(c.On, "(")) {
		parts = append(parts, c.On)
	}
	if r.Looked {
		parts = append(parts, "The margin was set after a first look"+r.sensitivity())
	}
	return strings.Join(parts, ". ")
}

// footnote is † behind a verdict whose margin was set after a first look, with what half
// of it and twice of it would say where that is something else.
func (r *Ruling) footnote() string {
	if !r.Looked {
		return ""
	}
	var other []string
	if r.Half != r.Kind && r.Half != "" {
		other = append(other, "half: "+strings.TrimSuffix(r.Half, " on"))
	}
	if r.Twice != r.Kind && r.Twice != "" {
		other = append(other, "twice: "+strings.TrimSuffix(r.Twice, " on"))
	}
	if other == nil {
		return "†"
	}
	return "† (" + strings.Join(other, ", ") + ")"
}

// sensitivity says what half of a margin and twice of it would make of a claim.
func (r *Ruling) sensitivity() string {
	bare := func(kind string) string { return strings.TrimSuffix(kind, " on") }
	switch {
	case r.Half == "":
		return ""
	case r.Half == r.Kind && r.Twice == r.Kind:
		return "; half of it and twice of it say the same"
	case r.Half == r.Kind:
		return "; half of it says the same, twice of it: " + bare(r.Twice)
	case r.Twice == r.Kind:
		return "; twice of it says the same, half of it: " + bare(r.Half)
	}
	return "; half of it: " + bare(r.Half) + ", twice of it: " + bare(r.Twice)
}
