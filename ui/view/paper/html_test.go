package paper

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// shelf opens the studies as the page gets them.
func shelf(t *testing.T) *state.Store {
	t.Helper()
	data, err := os.ReadFile("../../../static/papers.json")
	if err != nil {
		t.Fatal(err)
	}
	all := new(engine.Library)
	if err := json.Unmarshal(data, all); err != nil {
		t.Fatal(err)
	}
	s := state.New(studier{})
	s.Studies.About, s.Studies.Papers = all.Studies, all.Papers
	look.Places = []string{look.PapersPlace}
	return s
}

// studier runs nothing.
type studier struct{ engine.Engine }

// Intent: every claim of every study stands on its page with its verdict in
// words and as a shape, and what would change it; the list counts all of them;
// and every table and figure can be opened, under a name of its own.
func TestEveryClaimAndTable(t *testing.T) {
	s := shelf(t)
	list, claims := ListHTML(s), 0
	if cards := strings.Count(string(list), `data-open=`); cards != 6 || !strings.Contains(string(list), "Five studies, run again, and one of our own<") {
		t.Errorf("%d cards: %.300s", cards, list)
	}
	names := map[string]bool{}
	for i := range s.Studies.About {
		study := &s.Studies.About[i]
		claims += len(study.Claims)
		page := StudyHTML(study, papersOf(&s.Studies, study.Key))
		if !strings.Contains(string(list), escaped(study.Question)) || !strings.Contains(string(page), escaped(study.Question)) || !strings.Contains(string(page), escaped(study.Cite)) {
			t.Errorf("%s: question or reference is missing", study.Key)
		}
		if n := strings.Count(string(page), `class="claim"`); n != len(study.Claims) {
			t.Errorf("%s shows %d of %d claims", study.Key, n, len(study.Claims))
		}
		for k := range study.Claims {
			c := &study.Claims[k]
			if !slices.Contains(engine.Verdicts, c.Kind) || marks[c.Kind] == "" {
				t.Errorf("%s: the verdict %q has no mark", study.Key, c.Kind)
			}
			for _, part := range []string{Title(c.Says), c.Result, c.Change} {
				if part != "–" && !strings.Contains(string(page), escaped(part)) {
					t.Errorf("%s: %q is not on its page", study.Key, part)
				}
			}
			for _, key := range c.Presets { // each is reached under a name that says what it is
				_, rest, there := strings.Cut(string(page), `data-open="`+key+`">`)
				if name, _, _ := strings.Cut(rest, "<"); !there || !strings.HasPrefix(name, "table") && !strings.HasPrefix(name, "figure") && len(strings.Fields(name)) < 3 {
					t.Errorf("%s: %s is reached as %q", study.Key, key, name)
				}
			}
			// Intervals are written [a, b]; links of Markdown are not.
			if text := c.Says + c.Ran + c.Result + c.On + c.Change; strings.ContainsAny(text, "{}`|") || strings.Contains(text, "](") {
				t.Errorf("%s: marks of another language: %q", study.Key, c.Result)
			}
		}
		for _, p := range papersOf(&s.Studies, study.Key) {
			s.GoPlace("papers." + p.Key)
			if s.Studies.Chosen != p.Key {
				t.Fatalf("%s does not open", p.Key)
			}
			if !utf8.ValidString(string(StudyHTML(study, nil))) || !utf8.ValidString(string(RestHTML(s, study, p))) {
				t.Errorf("%s: broken letters", p.Key)
			}
			if p.Name == "" || names[p.Name] {
				t.Errorf("%s is called %q, like another one", p.Key, p.Name)
			}
			names[p.Name] = true
			nav, head, rest := NavHTML(s, study, p.Key), HeadHTML(s, study, p), RestHTML(s, study, p)
			if strings.Count(string(nav), `aria-current="true"`) != 1 || !strings.Contains(string(head), escaped(p.Name)) || !strings.Contains(string(head), `id="study-run"`) {
				t.Errorf("%s: %s", p.Key, head)
			}
			if shown := strings.Count(string(rest), "<tr><td>"); shown != min(len(s.PaperRows()), mostStudyRows) || len(p.Published) > shown {
				t.Errorf("%s: %d rows in the table, %d printed", p.Key, shown, len(p.Published))
			}
			rows := s.PaperRows()
			readings, usual := Readings(rows, p.Quoted.Rows)
			charts := Charts(s, p, rows, usual)
			list := slices.ContainsFunc(rows, func(r engine.StudyRow) bool { return r.Column == "job number" }) // of jobs: it has no chart
			if len(p.Published) > 0 && (len(charts) == 0) != list {
				t.Errorf("%s has printed values and no chart", p.Key)
			}
			for _, c := range charts {
				for _, w := range []float64{260, 500} {
					if d := c.Draw(w); d.Empty != "" || d.Aria == "" || strings.Contains(string(d.SVG()), "NaN") || len(d.Numbers().Cells) == 0 || d.H != c.High && c.High != 0 {
						t.Errorf("%s, %s: %q, %d rows", p.Key, c.Title, d.Empty, len(d.Numbers().Cells))
					}
				}
			}
			for _, r := range readings {
				if len(InReading(rows, r)) == 0 || len(DotsOf(rows, r)) == 0 {
					t.Errorf("%s read as %q shows nothing", p.Key, r)
				}
			}
		}
	}
	if !strings.Contains(string(list), "Five studies") || !strings.Contains(string(list), words.Count(claims, "claim", "claims")+" of their") {
		t.Errorf("the list does not count %d claims", claims)
	}
}

func row(label, column string, ours, printed float64) engine.StudyRow {
	r := engine.StudyRow{Label: label, Column: column, Unit: "s"}
	if !math.IsNaN(ours) {
		r.Ours = &ours
	}
	if !math.IsNaN(printed) {
		r.Paper = &printed
	}
	return r
}

// Intent: columns that the paper prints one value for are readings to choose
// from, and never lines of one chart; measures make charts, of which each keeps to
// its unit; rows of ours alone stand beside printed ones, differences do not.
func TestShapes(t *testing.T) {
	none := math.NaN()
	byTies := []engine.StudyRow{row("FCFS", "no threshold, newest", 1, 5), row("FCFS", "no threshold, oldest", 2, 5), row("FCFS", "20 hours, newest", 3, 6), row("FCFS", "20 hours, oldest", 4, 6),
		row("SAF", "no threshold, newest", 1, 7), row("SAF", "no threshold, oldest", 2, 7), row("SAF", "20 hours, newest", 3, 8), row("SAF", "20 hours, oldest", 4, 8)}
	byLabel := []engine.StudyRow{row("requested", "MCT, mean F", 1, 5), row("requested", "Static, mean F", 2, 6), row("requested", "MCT, mean D", 3, 7), row("requested", "Static, mean D", 4, 8),
		row("run time", "MCT, mean F", 1, 5), row("run time", "Static, mean F", 2, 6), row("run time", "MCT, mean D", 3, 7), row("run time", "Static, mean D", 4, 8), row("run time", "Static − MCT, mean D", 1, none)}
	single := []engine.StudyRow{row("1 × 128", "LSF, mean F", 1, 5), row("1 × 128", "FCFS, mean F", 2, 6), row("1 × 128", "LSF, mean U", 1, .5), row("1 × 128", "FCFS, mean U", 2, .6), row("1 × 128", "EASY, mean U", 2, none)}
	plain := []engine.StudyRow{row("set 1", "change of WT", 1, 5), row("set 2", "change of WT", 2, 6), row("set 1", "jobs", 100, none)}
	for _, c := range []struct {
		rows     []engine.StudyRow
		quoted   []engine.StudyRow
		readings string
		usual    string
		charts   string
	}{
		{byTies, nil, "newest/oldest", "newest", "no threshold: FCFS SAF / 20 hours: FCFS SAF"},
		{byLabel, byLabel[5:6], "requested/run time", "run time", "mean F: MCT Static / mean D: MCT Static"},
		{single, nil, "", "", "mean F: LSF FCFS / mean U: LSF FCFS EASY"},
		{plain, nil, "", "", "change of WT: set 1 set 2"},
	} {
		list, usual := Readings(c.rows, c.quoted)
		var said []string
		for _, d := range DotsOf(c.rows, usual) {
			line := d.Title + ":"
			for _, r := range d.Rows {
				line += " " + r.Label
			}
			said = append(said, line)
		}
		if got := strings.Join(said, " / "); strings.Join(list, "/") != c.readings || usual != c.usual || got != c.charts {
			t.Errorf("readings %q, usual %q, charts %q; want %q", list, usual, got, c.charts)
		}
	}
}

// Intent: the sentence counts by hand what lies within a tenth, names the
// furthest, and holds nothing of other jobs against the paper.
func TestSentence(t *testing.T) {
	none := math.NaN()
	rows := []engine.StudyRow{row("a", "F", 109, 100), row("b", "F", 150, 100), row("c", "F", none, 100), row("d", "F", 5, none), row("e", "F", 91, 100)}
	clean := func(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }
	for _, c := range []struct {
		rows  []engine.StudyRow
		other bool
		want  string
	}{
		{rows, false, "2 of 3 values of ours lie within a tenth of the printed one (4 printed values); furthest is b, F: 150 s against 100 s (+50 %)."},
		{rows, true, "4 printed values; ours are of other jobs or of a smaller version, and cannot be held against them."},
		{rows[2:4], false, "1 printed value; none of ours beside them yet."},
		{rows[:1], false, "The one value of ours lies within a tenth of the printed one."},
		{rows[3:4], false, "The paper prints no numbers here."},
	} {
		if got := clean(Sentence(c.rows, c.other)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	share := row("a", "share", -10, -40)
	if share.Unit = "%"; clean(OffText(&share)) != "+30.0 points" {
		t.Errorf("a percentage is off by %q", OffText(&share))
	}
	if s := Title("… as before") + Title("w_train leads") + Title("jobs"); s != "… as beforew_train leadsJobs" {
		t.Errorf("%q", s)
	}
}

// Intent: a result of a stand-in, or of a smaller version, is never set against
// the paper: its dots are grey, and no row is marked as off.
func TestOtherJobs(t *testing.T) {
	s := shelf(t)
	s.OpenPapers("kurowski2011-table2")
	p := s.Paper("kurowski2011-table2")
	ours := 99.0
	result := engine.StudyResult{Rows: []engine.StudyRow{{Label: "1 × 128", Column: "LSF-10, mean F", Ours: &ours, Unit: "s"}}}
	for _, c := range []struct {
		quick, standIn bool
		log            string
		other          bool
	}{{false, false, "SDSC-SP2-1998-4.2-cln.swf", false}, {true, false, "SDSC-SP2-1998-4.2-cln.swf", true}, {false, true, "two-level", true}, {false, false, "KTH-SP2.swf", true}} {
		result.Quick, result.StandIn, result.Log = c.quick, c.standIn, c.log
		s.Studies.Results = map[string]*engine.StudyResult{p.Key: &result}
		rest := RestHTML(s, s.Study(p.Study), p)
		svg := ""
		for _, chart := range Charts(s, p, s.PaperRows(), "") {
			f := chart.Draw(400)
			svg += string(f.SVG())
		}
		if marked := strings.Contains(string(rest), "num warn"); marked == c.other || strings.Contains(svg, `fill="var(--s1)"`) == c.other {
			t.Errorf("%+v: marked %v", c, marked)
		}
		if !strings.Contains(string(rest), "15,314") {
			t.Errorf("%+v: what is printed is gone", c)
		}
	}
}

// Where a claim stands is said in words: a number alone is no place.
func TestSections(t *testing.T) {
	for where, want := range map[string]string{
		"7": "section 7", "7, 8": "sections 7 and 8", "1, 6.1, 9": "sections 1, 6.1 and 9", "abstract, 5.2": "abstract, section 5.2",
		"7, figure 1(b)": "section 7, figure 1(b)", "5.1, table 2; 6": "section 5.1, table 2, section 6", "10, tables 3 to 6": "section 10, tables 3 to 6",
		"table 4": "table 4", "conclusions": "conclusions", "": "",
	} {
		if got := strings.ReplaceAll(sections(where), words.NB, " "); got != want {
			t.Errorf("%q is written %q, want %q", where, got, want)
		}
	}
}

// Intent: a number stays with its interval and its unit where a line is short, and words
// do not hang together.
func TestNumbersStayTogether(t *testing.T) {
	nb := words.NB
	for text, want := range map[string]string{
		"−980 ± 734 s": "−980" + nb + "±" + nb + "734" + nb + "s", "10 %": "10" + nb + "%", "yes, as said": "yes, as said",
		"5 ± 1 s against 6 s, 7 h": "5" + nb + "±" + nb + "1" + nb + "s against 6" + nb + "s, 7" + nb + "h",
	} {
		if got := together(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func escaped(text string) string { return draw.Escape(hold(text)) }
