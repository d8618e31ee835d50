package paper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
)

// library is what the page shows of the studies before anything has run:
// static/papers.json. Its fields are those of ui/engine's Library.
type library struct {
	Studies []libraryStudy `json:"studies"`
	Papers  []libraryPaper `json:"papers"`
}

type libraryStudy struct {
	Key      string         `json:"key"`
	Name     string         `json:"name"`
	By       string         `json:"by"`
	Question string         `json:"question"`
	Cite     string         `json:"cite"`
	Reads    []string       `json:"reads"`
	Claims   []libraryClaim `json:"claims"`
}

type libraryClaim struct {
	Where   string        `json:"where"`
	Says    string        `json:"says"`
	Ran     string        `json:"ran"`
	Result  string        `json:"result"`
	Kind    string        `json:"kind"`            // the verdict without what it depends on
	On      string        `json:"on,omitempty"`    // what it depends on, and remarks
	Brief   string        `json:"brief,omitempty"` // in how many cases it says what
	Sides   []SideVerdict `json:"sides,omitempty"` // these cases; none: it has one
	Change  string        `json:"change,omitempty"`
	Main    bool          `json:"main,omitempty"`    // one of About.Main
	Presets []string      `json:"presets,omitempty"` // tables and figures that it is about
}

type libraryPaper struct {
	Key       string       `json:"key"`
	Study     string       `json:"study"`
	Name      string       `json:"name"`
	Place     string       `json:"place,omitempty"`
	Shows     string       `json:"shows"`
	LookFor   string       `json:"look_for,omitempty"`
	Log       string       `json:"log,omitempty"`
	SHA256    string       `json:"sha256,omitempty"`
	AnyLog    bool         `json:"any_log,omitempty"`
	Needs     bool         `json:"needs,omitempty"`
	Whole     bool         `json:"whole,omitempty"`
	Published []libraryRow `json:"published,omitempty"`
	Quoted    *libraryRun  `json:"quoted,omitempty"` // rows that claims quote, of a run in full
}

type libraryRun struct {
	Log    string       `json:"log,omitempty"`
	Digest string       `json:"digest"`
	Rows   []libraryRow `json:"rows"`
}

type libraryRow struct {
	Label  string   `json:"label"`
	Column string   `json:"column"`
	Ours   *float64 `json:"ours,omitempty"`
	Half   *float64 `json:"half,omitempty"`
	From   *float64 `json:"from,omitempty"`
	To     *float64 `json:"to,omitempty"`
	Paper  *float64 `json:"paper,omitempty"`
	Unit   string   `json:"unit,omitempty"`
}

// Library writes what the page shows of the studies: questions, claims with
// their verdicts, and each table and figure with what the paper prints and what
// claims quote. It fails on a claim whose number is not in v.
func (v Verdicts) Library() ([]byte, error) {
	var out library
	for i := range Abouts {
		about, row := &Abouts[i], catalog.FindStudy(Abouts[i].Study)
		s := libraryStudy{Key: about.Study, Name: row.Name, By: row.By, Question: about.Question, Cite: about.Cite, Reads: about.Reads}
		for k := range Claims {
			c := &Claims[k]
			if c.Study != about.Study {
				continue
			}
			ruling, err := v.rule(c)
			if err != nil {
				return nil, err
			}
			result, change, err := v.fill(c, &ruling)
			if err != nil {
				return nil, err
			}
			if len(ruling.Sides) > 1 { // they stand in a table
				result = strings.TrimPrefix(strings.TrimPrefix(strings.Replace(result, ruling.numbers(), "", 1), "; "), " ")
			}
			s.Claims = append(s.Claims, libraryClaim{Where: c.Where, Says: plain(c.Says), Ran: plain(c.Ran), Result: plain(result), Kind: ruling.Kind,
				On: plain(ruling.on(c)), Brief: ruling.brief(), Sides: ruling.cases(), Change: plain(change), Main: slices.Contains(about.Main, c.Says), Presets: c.Presets()})
		}
		out.Studies = append(out.Studies, s)
	}
	for i := range Presets {
		p := &Presets[i]
		one := libraryPaper{Key: p.Key, Study: p.Study, Name: p.Name(), Place: p.Place(), Shows: p.Shows, LookFor: p.What(), Log: p.Log, SHA256: p.LogHash(),
			AnyLog: p.Any || p.Compute != nil && p.Log != "", Needs: p.needs(), Whole: p.Compute == nil}
		for _, r := range p.Published() {
			one.Published = append(one.Published, libraryRow{Label: r.Label, Column: r.Column, Paper: r.Paper, Unit: r.Unit})
		}
		if run, there := v[p.Key]; there {
			q := &libraryRun{Log: run.Log, Digest: run.Digest}
			for at, r := range run.Rows {
				label, column, _ := strings.Cut(at, "|")
				ours := r.Ours
				q.Rows = append(q.Rows, libraryRow{Label: label, Column: column, Ours: &ours, Half: r.Half, From: r.From, To: r.To, Unit: r.Unit})
			}
			slices.SortFunc(q.Rows, func(a, b libraryRow) int { return strings.Compare(a.Label+"|"+a.Column, b.Label+"|"+b.Column) })
			one.Quoted = q
		}
		out.Papers = append(out.Papers, one)
	}
	text, err := json.MarshalIndent(out, "", "")
	return append(text, '\n'), err
}

// needs reports whether a preset does nothing without its log.
func (p *Preset) needs() bool {
	var err error
	switch {
	case p.Log == "" || p.Compute != nil:
		return false
	case p.Sweep != nil:
		_, err = p.Sweep.Points(nil, true)
	default:
		_, err = p.Experiment(nil, true)
	}
	return err != nil
}

// fill returns the result of a claim, and what would change it, with their
// numbers.
func (v Verdicts) fill(c *Claim, ruling *Ruling) (result, change string, err error) {
	result, change = strings.ReplaceAll(cmp.Or(c.Result, "{rule}"), "{rule}", ruling.numbers()), c.Change
	for _, p := range c.places() {
		row, there := v[p[0]].Rows[p[1]+"|"+p[2]]
		if !there {
			return "", "", fmt.Errorf("%s, %q: no number for {%s}; ./build.sh papers runs the presets", c.Study, c.Says, strings.Join(p[:], "|"))
		}
		result = strings.Replace(result, "{"+strings.Join(p[:], "|")+"}", row.String(), 1)
		change = strings.Replace(change, "{"+strings.Join(p[:], "|")+"}", row.String(), 1)
	}
	return result, change, nil
}

// Presets are the tables and figures that a claim is about: those whose numbers
// it quotes, else those that it says were run, else those of the paper that it
// stands in.
func (c *Claim) Presets() (keys []string) {
	add := func(key string) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, p := range c.places() {
		add(presetOf(p[0]))
	}
	for _, text := range []string{c.Ran, c.Where} {
		if keys != nil {
			return keys
		}
		for _, want := range placesIn(text) {
			for i := range Presets {
				p := &Presets[i]
				if rest, ok := strings.CutPrefix(p.Shows, want); ok && p.Study == c.Study && (rest == "" || strings.ContainsAny(rest[:1], ":, ")) {
					add(p.Key)
				}
			}
		}
	}
	return keys
}

// placesIn finds tables and figures in a text: "figures 8 to 10" are figure 8,
// figure 9 and figure 10, "tables 3 and 5" are two.
func placesIn(text string) (list []string) {
	const number = `\d+(?:\([a-z]\))?`
	for _, at := range regexp.MustCompile(`(figure|table)(s?) (`+number+`(?:(?:, | and | to )`+number+`)*)`).FindAllStringSubmatchIndex(text, -1) {
		what, numbers, behind := text[at[2]:at[3]], text[at[6]:at[7]], text[at[7]:]
		parts := strings.Split(strings.ReplaceAll(numbers, " and ", ", "), ", ")
		switch i := strings.LastIndex(numbers, ", "); {
		case at[4] == at[5]: // one place; what stands behind it counts something else
			parts = parts[:1]
		case i >= 0 && !strings.Contains(numbers[i:], " and ") && regexp.MustCompile(`^(,\d| [a-z])`).MatchString(behind):
			parts = parts[:len(parts)-1] // so does the last number
		}
		for _, part := range parts {
			first, last, isRange := strings.Cut(part, " to ")
			a, err1 := strconv.Atoi(first)
			b, err2 := strconv.Atoi(last)
			if !isRange || err1 != nil || err2 != nil {
				list = append(list, what+" "+first)
				continue
			}
			for ; a <= b; a++ {
				list = append(list, what+" "+strconv.Itoa(a))
			}
		}
	}
	return list
}

// plain is Markdown as plain text: a link is what it says and where it leads.
func plain(text string) string {
	text = regexp.MustCompile(`\[([^\]]*)\]\((papers/[^)#]*)#[^)]*\)`).ReplaceAllString(text, "“$1” in docs/$2")
	if text == "see above" {
		return "see the other claims of the study"
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, ", see below"), "`", "")
}
