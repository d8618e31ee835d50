package look

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
)

// ViewText is the view as links have it, "" for the first look.
func (s *Page) ViewText() string { return s.Text() }

// ViewVersion is the version of views in links that this build writes.
const ViewVersion = 1

// maxView is the length of the longest view that is read, in characters.
const maxView = 300

// Colours are the keys of what the Gantt chart can colour jobs by.
var Colours = []string{"wait", "user", "size", "slowdown", "difference", "deadline"}

// viewUpgraders turn the fields of a view of version i + 1 into those of
// version i + 2, so that old links open with what they showed.
var viewUpgraders = []func(map[byte]string){}

// Link is a view as a link has it: the fields that are there, by letter.
// The selected job is named by its number in the log.
type Link struct {
	view View
	job  *int64

	letters string // of the schedulers
	has     map[byte]bool
}

// Text writes what is looked at for a link: the version, then fields
// joined with "_", each a letter and its value. What the first look at an
// experiment shows anyway is left out, and "" says that nothing else is.
//
//	t tab   a, b schedulers shown (−1 none)   x, y more of them in the Gantt chart   p pinned baseline (−1 none)
//	r repetition   f, e time span in seconds   j job number   c colour   m measure of the bars   w week of the search
//	i instant of the plan   u 1: only the two that are compared   l scale of the bars   n measures of a sweep, separated by dots   o axis that its lines go over   q its point
//	v letters of the schedulers where they are not A, B, C as these come
//	L lowest processor of the Gantt chart, H the one above the highest
//	s instant of the steps   g 1: two beside each other   h 1: the truth, too   d decisions told, if not all   k the one that is looked at, if not the last (0 none)
//	A key of a view of the second program, a dot, and what that looks at
func (s *Page) Text() string {
	var first View
	if n := s.host.Schedulers(); n > 1 {
		first = View{A: 1, B: 0, Baseline: 0}
	} else {
		first = View{A: 0, B: -1, Baseline: -1}
	}
	v := &s.View
	fields := []string{strconv.Itoa(ViewVersion)}
	put := func(letter, value string) { fields = append(fields, letter+value) }
	number := func(letter string, value, usual int64) {
		if value != usual {
			put(letter, strconv.FormatInt(value, 10))
		}
	}
	if v.Tab != "overview" {
		put("t", v.Tab)
	}
	number("a", int64(v.A), int64(first.A))
	number("b", int64(v.B), int64(first.B))
	number("x", int64(v.More[0])-1, -1)
	number("y", int64(v.More[1])-1, -1)
	number("p", int64(v.Baseline), int64(first.Baseline))
	number("r", int64(v.Repetition), 0)
	if v.From != v.To {
		put("f", strconv.FormatInt(int64(v.From), 10))
		put("e", strconv.FormatInt(int64(v.To), 10))
	}
	if v.Low < v.High {
		put("L", strconv.Itoa(v.Low))
		put("H", strconv.Itoa(v.High))
	}
	if numbers := s.host.Numbers(); v.Job >= 0 && v.Job < len(numbers) {
		put("j", strconv.FormatInt(numbers[v.Job], 10))
	}
	if v.Colour != "wait" && slices.Contains(Colours, v.Colour) {
		put("c", v.Colour)
	}
	if v.Bars != "" && catalog.FindMetric(v.Bars) != nil {
		put("m", v.Bars)
	}
	if v.Scale != "" {
		put("l", v.Scale)
	}
	if v.Two {
		put("u", "1")
	}
	if t := letters(s.host.Places()); t != "" {
		put("v", t)
	}
	if v.Large {
		put("z", "1")
	}
	number("w", int64(v.Week), 0)
	if v.Step {
		put("s", strconv.FormatInt(int64(v.Instant), 10))
		if v.Pair {
			put("g", "1")
		}
		if v.Truth {
			put("h", "1")
		}
		number("d", int64(v.Told), 0)
		if v.Chosen != 0 {
			put("k", strconv.Itoa(max(0, v.Chosen)))
		}
	} else if v.Planned {
		put("i", strconv.FormatInt(int64(v.Instant), 10))
	}
	if v.Measures != "" {
		put("n", strings.ReplaceAll(v.Measures, ",", "."))
	}
	number("o", int64(v.VaryOver), 0)
	number("q", int64(v.VaryPoint), 0)
	if AnnexState(v.Annex, v.Tab) != "" {
		put("A", v.Annex)
	}
	if len(fields) == 1 {
		return ""
	}
	return strings.Join(fields, "_")
}

// Read reads the view of a link. With an error the view holds what could
// be read; the rest is to stay at its default.
func Read(text string) (*Link, error) {
	v := &Link{has: map[byte]bool{}}
	if text == "" {
		return v, nil
	}
	if len(text) > maxView {
		return v, fmt.Errorf("it has %d characters; at most %d are read", len(text), maxView)
	}
	head, rest, _ := strings.Cut(text, "_")
	version, err := strconv.Atoi(head)
	switch {
	case err != nil || version < 1:
		return v, errors.New("it states no version")
	case version > ViewVersion:
		return v, fmt.Errorf("it was written by a newer Batchlab (version %d; this one reads up to %d)", version, ViewVersion)
	}
	fields := map[byte]string{}
	for part := range strings.SplitSeq(rest, "_") {
		if part != "" {
			fields[part[0]] = part[1:]
		}
	}
	for ; version < ViewVersion; version++ {
		viewUpgraders[version-1](fields)
	}
	return v, v.fill(fields)
}

// fill sets the fields that can be used and names the first that cannot.
func (v *Link) fill(fields map[byte]string) error {
	var bad []string
	keys := make([]byte, 0, len(fields))
	for letter := range fields {
		keys = append(keys, letter)
	}
	slices.Sort(keys)
	for _, letter := range keys {
		text := fields[letter]
		whole := func(least, most int64) (n int64) {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < least || n > most {
				bad = append(bad, string(letter)+text)
				return 0
			}
			v.has[letter] = true
			return n
		}
		word := func(ok bool) string {
			if v.has[letter] = ok; !ok {
				bad = append(bad, string(letter)+text)
			}
			return text
		}
		switch letter {
		case 't':
			v.view.Tab = word(slices.Contains(Tabs, text))
		case 'a':
			v.view.A = int(whole(0, experiment.MaxSchedulers))
		case 'b':
			v.view.B = int(whole(-1, experiment.MaxSchedulers))
		case 'x', 'y':
			v.view.More[letter-'x'] = int(whole(0, experiment.MaxSchedulers)) + 1
		case 'p':
			v.view.Baseline = int(whole(-1, experiment.MaxSchedulers))
		case 'r':
			v.view.Repetition = int(whole(0, experiment.MaxRepeat))
		case 'f':
			v.view.From = model.Time(whole(-experiment.MaxInteger, experiment.MaxInteger))
		case 'e':
			v.view.To = model.Time(whole(-experiment.MaxInteger, experiment.MaxInteger))
		case 'L':
			v.view.Low = int(whole(0, experiment.MaxInteger))
		case 'H':
			v.view.High = int(whole(0, experiment.MaxInteger))
		case 'j':
			n := whole(-experiment.MaxInteger, experiment.MaxInteger)
			v.job = &n
		case 'i', 's':
			v.view.Instant = model.Time(whole(-experiment.MaxInteger, experiment.MaxInteger))
		case 'c':
			v.view.Colour = word(slices.Contains(Colours, text))
		case 'w':
			v.view.Week = int(whole(0, 100_000))
		case 'n':
			v.view.Measures = strings.ReplaceAll(word(knownMeasures(text)), ".", ",")
		case 'o':
			v.view.VaryOver = int(whole(0, experiment.MaxAxes-1))
		case 'q':
			v.view.VaryPoint = int(whole(0, experiment.MaxPoints-1))
		case 'm':
			v.view.Bars = word(catalog.FindMetric(text) != nil)
		case 'l':
			v.view.Scale = word(slices.Contains(Scales, text))
		case 'u':
			v.view.Two = word(text == "1") == "1"
		case 'v':
			v.letters = word(places(text) != nil)
		case 'z':
			v.view.Large = word(text == "1") == "1"
		case 'g':
			v.view.Pair = word(text == "1") == "1"
		case 'h':
			v.view.Truth = word(text == "1") == "1"
		case 'd':
			v.view.Told = int(whole(0, 100_000))
		case 'A':
			v.view.Annex = word(annexWord(text))
		case 'k':
			if v.view.Chosen = int(whole(0, 100_000)); v.view.Chosen == 0 {
				v.view.Chosen = -1
			}
		default:
			word(false)
		}
	}
	if v.has['f'] != v.has['e'] || v.has['f'] && v.view.From >= v.view.To {
		if len(bad) == 0 {
			bad = append(bad, "f, e")
		}
		v.has['f'], v.has['e'] = false, false
	}
	if v.has['L'] != v.has['H'] || v.has['L'] && v.view.Low >= v.view.High {
		if len(bad) == 0 {
			bad = append(bad, "L, H")
		}
		v.has['L'], v.has['H'] = false, false
	}
	v.has['j'] = v.has['j'] && v.job != nil
	if len(bad) > 0 {
		return fmt.Errorf("what it says by %q is not known here", strings.Join(bad, ", "))
	}
	return nil
}

// annexWord reports whether a text is what a view of the second program keeps in a link.
func annexWord(text string) bool {
	return len(text) <= 100 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}

// AnnexState is what View.Annex says of the view with a key, "" nothing.
func AnnexState(annex, key string) string {
	if of, text, ok := strings.Cut(annex, "."); ok && of == key && annexWord(text) {
		return text
	}
	return ""
}

// knownMeasures reports whether a text is keys of at most maxMeasures measures,
// separated by dots.
func knownMeasures(text string) bool {
	list := strings.Split(text, ".")
	for _, key := range list {
		if catalog.FindMetric(key) == nil {
			return false
		}
	}
	return len(list) <= maxMeasures
}

// Apply looks at what the link looks at; the job is found when its repetition is
// there.
func (l *Link) Apply(v *View) {
	set := func(letter byte, f func()) {
		if l.has[letter] {
			f()
		}
	}
	set('t', func() { v.Tab = l.view.Tab })
	set('a', func() { v.A = l.view.A })
	set('b', func() { v.B = l.view.B })
	set('x', func() { v.More[0] = l.view.More[0] })
	set('y', func() { v.More[1] = l.view.More[1] })
	set('p', func() { v.Baseline = l.view.Baseline })
	set('r', func() { v.Repetition = l.view.Repetition })
	set('f', func() { v.From, v.To = l.view.From, l.view.To })
	set('L', func() { v.Low, v.High = l.view.Low, l.view.High })
	set('c', func() { v.Colour = l.view.Colour })
	set('m', func() { v.Bars = l.view.Bars })
	set('l', func() { v.Scale = l.view.Scale })
	set('u', func() { v.Two = l.view.Two })
	set('z', func() { v.Large = l.view.Large })
	set('w', func() { v.Week = l.view.Week })
	set('n', func() { v.Measures = l.view.Measures })
	set('o', func() { v.VaryOver = l.view.VaryOver })
	set('q', func() { v.VaryPoint = l.view.VaryPoint })
	set('A', func() { v.Annex = l.view.Annex })
	set('i', func() { v.Planned, v.Instant = true, l.view.Instant })
	set('s', func() {
		v.Step, v.Instant = true, l.view.Instant
		v.Pair, v.Truth, v.Told, v.Chosen = l.view.Pair, l.view.Truth, l.view.Told, l.view.Chosen
	})
}

// letters writes the places of letters as a link has them, "" for A, B, C as they
// come and for more than the alphabet has.
func letters(of []int) string {
	var b strings.Builder
	for _, place := range of {
		b.WriteByte(byte('A' + min(place, 26)))
	}
	if t := b.String(); !strings.HasPrefix("ABCDEFGHIJKLMNOPQRSTUVWXYZ", t) && places(t) != nil {
		return t
	}
	return ""
}

// places reads what letters writes, nil for anything else.
func places(text string) (of []int) {
	for k, c := range text {
		if c < 'A' || c > 'Z' || strings.ContainsRune(text[:k], c) {
			return nil
		}
		of = append(of, int(c-'A'))
	}
	return of
}

// Places are the places of the letters that the link has for its schedulers, nil for
// A, B, C as these come; l may be nil.
func (l *Link) Places() []int {
	if l == nil || !l.has['v'] {
		return nil
	}
	return places(l.letters)
}

// Seeks reports whether a job is still to be found; l may be nil.
func (l *Link) Seeks() bool { return l != nil && l.has['j'] }

// FindJob selects the job that the opened link has selected, once its
// repetition's jobs are there.
func (s *Page) FindJob() {
	l, numbers := s.Asked, s.host.Numbers()
	if !l.Seeks() || numbers == nil {
		return
	}
	l.has['j'] = false
	if i := slices.Index(numbers, *l.job); i >= 0 {
		s.View.Job = i
		return
	}
	s.board.Tell(fmt.Sprintf("The link has job %d selected, which this workload does not have.", *l.job))
}
