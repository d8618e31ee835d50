package paper

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Verdicts on a claim of a paper.
const (
	Confirmed    = "confirmed"
	NotConfirmed = "not confirmed"
	Depends      = "depends on"           // on what stands behind it
	CannotTell   = "cannot be told"       // with the logs and texts that there are
	notOurs      = "is outside our scope" // of machines and people, not of schedules
)

// Claims are those of the papers, of abstract, results and conclusion in their order;
// the papers by the years in their keys.
var Claims = func() []Claim {
	year := func(study string) string { return study[len(study)-4:] }
	var list []Claim
	for _, a := range slices.SortedStableFunc(slices.Values(Abouts), func(a, b About) int { return strings.Compare(year(a.Study), year(b.Study)) }) {
		list = append(list, a.Claims...)
	}
	return list
}()

// Verdicts holds the numbers behind claims: rows of presets as they were run in
// full, by the preset's key.
type Verdicts map[string]VerdictRun

// VerdictRun is one preset.
type VerdictRun struct {
	Log    string                `json:"log"`
	Digest string                `json:"digest"`
	Rows   map[string]VerdictRow `json:"rows"` // by "label|column"
}

// VerdictRow is one number.
type VerdictRow struct {
	Ours float64  `json:"ours"`
	Half *float64 `json:"half,omitempty"`
	Unit string   `json:"unit,omitempty"`
	From *float64 `json:"from,omitempty"` // and To: as in Row
	To   *float64 `json:"to,omitempty"`
}

// places returns the numbers that a claim quotes or is decided by, as {preset, label,
// column}.
func (c *Claim) places() (list [][3]string) {
	for rest := c.Result + c.Change; ; {
		_, after, ok := strings.Cut(rest, "{")
		inside, behind, closed := strings.Cut(after, "}")
		if !ok || !closed {
			break
		}
		if parts := strings.SplitN(inside, "|", 3); len(parts) == 3 { // not {rule}
			list = append(list, [3]string(parts))
		}
		rest = behind
	}
	if c.Rule == notOurs || c.Rule == CannotTell {
		return list
	}
	sides, err := parseRule(c.Rule)
	if err != nil {
		panic(err) // a test reads every rule
	}
	for _, s := range sides {
		for _, one := range s.all {
			for _, t := range slices.Concat(one.a.list, one.b.list) {
				if t.place != "" {
					list = append(list, [3]string(strings.SplitN(t.place, "|", 3)))
				}
			}
		}
	}
	return list
}

// ReadVerdicts reads what RowsOf wrote.
func ReadVerdicts(data []byte) (Verdicts, error) {
	v := Verdicts{}
	return v, json.Unmarshal(data, &v)
}

// presetOf is the preset's key of a place: KEY, or KEY@LOG on another log than its
// own.
func presetOf(place string) string {
	key, _, _ := strings.Cut(place, "@")
	return key
}

// Take puts the rows of a preset's result (what batchlab paper prints) that
// claims quote by a name, KEY or KEY@LOG, in the place of those that were there.
func (v Verdicts) Take(name string, result []byte) error {
	var out struct {
		Key, Log, Digest string
		Quick            bool
		Rows             []struct {
			Label, Column, Unit  string
			Ours, Half, From, To *float64
		}
	}
	if err := json.Unmarshal(result, &out); err != nil {
		return err
	}
	if out.Quick || len(out.Digest) != 64 {
		return errors.New(out.Key + ": a smaller version or a part says nothing of a claim")
	}
	if out.Key != presetOf(name) {
		return fmt.Errorf("%s is a result of %s", name, out.Key)
	}
	run := VerdictRun{Log: out.Log, Digest: out.Digest, Rows: map[string]VerdictRow{}}
	for i := range Claims {
		for _, p := range Claims[i].places() {
			if p[0] != name {
				continue
			}
			at := slices.IndexFunc(out.Rows, func(r struct {
				Label, Column, Unit  string
				Ours, Half, From, To *float64
			}) bool {
				return r.Label == p[1] && r.Column == p[2]
			})
			if at < 0 || out.Rows[at].Ours == nil {
				return fmt.Errorf("%s has no row %q, %q", p[0], p[1], p[2])
			}
			run.Rows[p[1]+"|"+p[2]] = VerdictRow{*out.Rows[at].Ours, out.Rows[at].Half, out.Rows[at].Unit, out.Rows[at].From, out.Rows[at].To}
		}
	}
	v[name] = run
	return nil
}

// Render writes the claims as the page of papers has them: a count, and for each
// study a table. It fails on a number that is not there.
func (v Verdicts) Render() (string, error) {
	var b strings.Builder
	kinds := []string{Confirmed, NotConfirmed, Depends, CannotTell, notOurs}
	b.WriteString("| study | claims |")
	for _, k := range kinds {
		b.WriteString(" " + strings.TrimSuffix(k, " on") + " |")
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(kinds)) + "\n")
	var studies []string
	rulings := make([]Ruling, len(Claims))
	for i := range Claims {
		var err error
		if rulings[i], err = v.rule(&Claims[i]); err != nil {
			return "", err
		}
		if !slices.Contains(studies, Claims[i].Study) {
			studies = append(studies, Claims[i].Study)
		}
	}
	count := func(study string) string {
		line, all := "", 0
		for _, k := range kinds {
			n := 0
			for i := range Claims {
				if c := &Claims[i]; (study == "" || c.Study == study) && rulings[i].Kind == k {
					n++
				}
			}
			all += n
			line += " " + strconv.Itoa(n) + " |"
		}
		return " " + strconv.Itoa(all) + " |" + line
	}
	for _, s := range studies {
		b.WriteString("| [`" + s + "`](#claims-of-" + s + ") |" + count(s) + "\n")
	}
	b.WriteString("| all five |" + count("") + "\n")
	for _, s := range studies {
		b.WriteString("\n### Claims of " + s + "\n\n| where | the paper says | what we found | verdict |\n|---|---|---|---|\n")
		for i := range Claims {
			if c := &Claims[i]; c.Study == s {
				line, err := v.line(c, &rulings[i])
				if err != nil {
					return "", err
				}
				b.WriteString(line)
			}
		}
	}
	return b.String(), nil
}

// amount is a result that a claim states in numbers.
var amount = regexp.MustCompile(`\d[.,]\d|\d times|(by|below|are) \d+( [a-z]+ \d+)? %|~\d`)

// ran says what we ran, without the place that stands before it.
func (c *Claim) ran() string {
	ran := strings.Trim(c.Ran, "–")
	for _, place := range strings.FieldsFunc(c.Where, func(r rune) bool { return r == ',' || r == ';' }) {
		if rest, ok := strings.CutPrefix(ran, strings.TrimSpace(place)); ok && (rest == "" || strings.ContainsAny(rest[:1], ",;:")) {
			ran = strings.TrimLeft(rest, ",;: ")
		}
	}
	return ran
}

// line is a claim's row of the table: what we ran, with its numbers, where the paper states
// numbers of its own outside of its tables, which the study's page has, else which sides say what; behind the verdict what it depends on. The
// page has the rest: what was run, all numbers, and what could change the verdict.
func (v Verdicts) line(c *Claim, ruling *Ruling) (string, error) {
	result, _, err := v.fill(c, ruling)
	if err != nil {
		return "", err
	}
	told, ran := ruling.counted(), ""
	if told == "" || !strings.Contains(c.Where, "table") && (strings.Contains(result, "(paper ") || amount.MatchString(c.Says)) {
		told, ran = strings.Trim(strings.Replace(result, ruling.numbers(), ruling.marked(), 1), "–"), c.ran()
	}
	if told != "" && ran != "" {
		ran += ": "
	}
	verdict := "**" + strings.TrimPrefix(ruling.Kind, "is ") + "**" + ruling.footnote()
	if c.On != "" && (ruling.Kind == Depends || strings.HasPrefix(c.On, "(")) {
		verdict += " " + c.On
	}
	return "| " + strings.Join([]string{c.Where, c.Says, ran + told, verdict}, " | ") + " |\n", nil
}

// String writes a number with its interval, three significant digits behind.
func (r VerdictRow) String() string {
	if r.Half != nil && *r.Half <= 1e-12+1e-9*math.Abs(r.Ours) {
		r.Half = nil
	}
	digits := 0
	if m := math.Abs(r.Ours); m < 100 && (r.Half != nil || r.From != nil || r.Ours != math.Trunc(r.Ours)) { // counts have none
		if digits = 2; m < 1 {
			digits = 3
		}
	}
	text := func(x float64) string {
		s := strconv.FormatFloat(math.Abs(x), 'f', digits, 64)
		whole, rest, _ := strings.Cut(s, ".")
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
		if rest != "" {
			whole += "." + rest
		}
		return whole
	}
	signed := func(x float64) string {
		s := text(x)
		if x < 0 && strings.Trim(s, "0.,") != "" {
			s = "−" + s
		}
		return s
	}
	s := signed(r.Ours)
	switch {
	case r.From != nil && r.To != nil:
		s += " [" + signed(*r.From) + ", " + signed(*r.To) + "]"
	case r.Half != nil:
		s += " ± " + text(*r.Half)
	}
	switch r.Unit {
	case "%", "s", "h":
		s += " " + r.Unit
	}
	return s
}
