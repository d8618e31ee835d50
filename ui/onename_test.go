package ui

import (
	"encoding/csv"
	stdhtml "html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/view/overview"
	"batchlab/ui/words"
)

// means are the means of a summary.csv over repetitions, by scheduler and measure,
// read as someone else would.
func means(t *testing.T, file []byte, drawn bool) map[string][]float64 {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(string(file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sums, counts := map[string][]float64{}, map[string][]float64{}
	for _, line := range lines[1:] {
		scheduler, err := strconv.Atoi(line[0])
		if err != nil {
			t.Fatal(err)
		}
		for k := 6; k < len(line); k++ {
			key := lines[0][k]
			for len(sums[key]) <= scheduler {
				sums[key], counts[key] = append(sums[key], 0), append(counts[key], 0)
			}
			if line[k] == "" {
				continue
			}
			if drawn && line[3] != "0" {
				continue // of draws the log itself is what numbers are of
			}
			v, err := strconv.ParseFloat(line[k], 64)
			if err != nil {
				t.Fatal(err)
			}
			sums[key][scheduler] += v
			counts[key][scheduler]++
		}
	}
	for key := range sums {
		for i := range sums[key] {
			sums[key][i] /= counts[key][i] // NaN where there is none
		}
	}
	return sums
}

var (
	measureRow  = regexp.MustCompile(`(?s)<tr><th scope="row">(.*?)</th>(.*?)</tr>`)
	measureCell = regexp.MustCompile(`(?s)<td class="num[^"]*">(.*?)</td>`)
	tag         = regexp.MustCompile(`<[^>]*>`)
)

// plainText is what can be read of a piece of HTML.
func plainText(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(stdhtml.UnescapeString(tag.ReplaceAllString(s, " ")), words.NB, " ")), " ")
}

// rowsOf are the cells of a table of measures, by the measure's name.
func rowsOf(table string) map[string][]string {
	rows := map[string][]string{}
	for _, m := range measureRow.FindAllStringSubmatch(table, -1) {
		var cells []string
		for _, c := range measureCell.FindAllStringSubmatch(m[2], -1) {
			cells = append(cells, plainText(c[1]))
		}
		rows[plainText(m[1])] = cells
	}
	return rows
}

// Intent: one name, one number. Whoever opens a result finds each measure with the
// same number on its card, in the table, in the table of differences, in the
// sentence, in the bars, beside the curves, in summary.csv, in the HTML report and
// with the one who opens the link, whether there are repetitions, a measuring
// window, draws from a log or reservations.
func TestOneNameOneNumber(t *testing.T) {
	for name, doc := range map[string]string{
		"one workload": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":150,"processors":32}}}},
"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"conservative"}]}`,
		"repetitions and a measuring window": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":200,"processors":32}}}},
"schedulers":[{"key":"fcfs","repeat":4},{"key":"easy","repeat":4},{"key":"easy","params":{"order":"saf"},"repeat":4}],"measures":{"from":20000,"to":90000}}`,
		"two repetitions, which tell little apart": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":150,"processors":32}}}},"schedulers":[{"key":"fcfs","repeat":2},{"key":"easy","repeat":2}]}`,
		"draws": `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"resample":{"by":"users"}},"schedulers":[{"key":"easy","repeat":4},{"key":"conservative","repeat":4}]}`,
		"reservations": `{"batchlab":1,"workload":{"source":{"generator":{"key":"two-level","params":{"jobs":80,"interarrival":900,"procs-max":16,"procs-mean":6}}},"clean":{"oversize":"clamp"},
"annotate":{"reservations":{"share":0.4,"ready":"drawn","lead_min":600,"lead_max":20000}}},"platform":{"clusters":[{"name":"North","groups":[{"processors":16}]},{"name":"South","groups":[{"processors":16}]}]},
"schedulers":[{"key":"grid","repeat":3},{"key":"easy","repeat":3}]}`,
	} {
		e, err := experiment.Decode([]byte(doc))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		open := func(hash string) (*Root, *state.Store) {
			g := &atOnce{logs: map[string]*swf.Log{}}
			s := state.New(g)
			root := NewRoot(s)
			s.Start(hash)
			g.work()
			if !s.Some() || s.Active() {
				t.Fatalf("%s did not run: %s %v", name, s.LoadError, s.Log)
			}
			return root, s
		}
		_, author := open(experiment.EncodeLink(e))
		root, s := open(author.LinkHash(true))
		if s.Verdict() != "reproduced" || s.Digest != author.Digest || string(s.SummaryCSV()) != string(author.SummaryCSV()) {
			t.Errorf("%s: the link gives %q", name, s.Verdict())
		}
		got := means(t, s.SummaryCSV(), e.Workload.Resample != nil)
		n := len(s.Ran.Schedulers)
		for a := range n {
			base := (a + 1) % n
			s.Look(func(v *look.View) { v.A, v.B, v.Baseline = a, base, base })
			c := &overview.Panel{Store: root.P.S}
			c.View.Differ = false
			table, report := rowsOf(string(c.Table())), string(overview.Report(root.P.S, root.P.title(), nil))
			inReport := rowsOf(report[strings.Index(report, "All measures"):])
			c.View.Differ = true
			differences := rowsOf(string(c.Table()))
			shown := 0
			for k := range catalog.Metrics {
				row := &catalog.Metrics[k]
				mean := math.NaN()
				if list := got[row.Key]; a < len(list) {
					mean = list[a]
				}
				want := words.None
				if !math.IsNaN(mean) {
					want, shown = plainText(result.ValueText(row, mean)), shown+1
				}
				if card := plainText(c.Value(row)); card != want {
					t.Errorf("%s, %s of %s: %q on the card, %q by summary.csv", name, row.Key, s.Label(a), card, want)
				}
				if table[plainText(row.Name)] == nil && math.IsNaN(mean) {
					continue // no scheduler has it
				}
				if row.Same != "" { // a second name of a number, which no table shows again
					if table[plainText(row.Name)] != nil || inReport[plainText(row.Name)] != nil || got[row.Same][a] != mean {
						t.Errorf("%s: %s stands beside %s, or is another number", name, row.Key, row.Same)
					}
					continue
				}
				if len(table[plainText(row.Name)]) != n || len(inReport[plainText(row.Name)]) != n || len(differences[plainText(row.Name)]) != n {
					t.Errorf("%s: %s has %d, %d and %d cells of %d", name, row.Key, len(table[plainText(row.Name)]), len(inReport[plainText(row.Name)]), len(differences[plainText(row.Name)]), n)
					continue
				}
				if d := c.Diff(row); (d.N == 0 || d.Same || d.Open()) && c.DiffClass(row) != "faint" {
					t.Errorf("%s, %s of %s: %q has the colour of %s although %+v is not told apart", name, row.Key, s.Label(a), c.DiffText(row), c.DiffClass(row), d)
				}
				difference := plainText(c.DiffText(row))
				cell := want
				if d := c.Diff(row); d.N > 0 {
					text, gap := difference, plainText(result.GapText(row, d))
					if d.Same {
						text, gap = "same", "same"
					}
					cell = strings.TrimSpace(cell + " " + text)
					if !strings.HasPrefix(differences[plainText(row.Name)][a], gap) {
						t.Errorf("%s, %s of %s: %q among the differences, %s on the card", name, row.Key, s.Label(a), differences[plainText(row.Name)][a], gap)
					}
					if own := mean - got[row.Key][base]; d.N == int(e.Schedulers[a].Repeat) && math.Abs(own-d.Mean) > 1e-9*(1+math.Abs(mean)) {
						t.Errorf("%s, %s of %s: %v more by summary.csv, %v on the page", name, row.Key, s.Label(a), own, d.Mean)
					}
				}
				if table[plainText(row.Name)][a] != cell || inReport[plainText(row.Name)][a] != cell {
					t.Errorf("%s, %s of %s: %q in the table, %q in the report, %q by summary.csv and card", name, row.Key, s.Label(a), table[plainText(row.Name)][a], inReport[plainText(row.Name)][a], cell)
				}
			}
			if shown < 10 {
				t.Errorf("%s: %s has %d measures", name, s.Label(a), shown)
			}
			// The sentence, the bars, and the medians beside the curves.
			wait := catalog.FindMetric("mean-wait")
			if d := c.Diff(wait); !d.Same && result.DiffText(wait, d) != result.Nearly && !strings.Contains(s.Finding().Line, strings.TrimLeft(result.DiffText(wait, d), "+×"+words.Minus+words.NB)) {
				t.Errorf("%s: %q does not say %s", name, s.Finding().Line, result.DiffText(wait, d))
			}
			if line := stdhtml.EscapeString(s.Finding().Line); !strings.Contains(report, line) && line != "" {
				t.Errorf("%s: the report does not say %s", name, line)
			}
			d := &draw.Data{Names: s.Ran.Labels(), A: a, B: base, Base: base, Tau: s.Ran.Measures.Tau, Theme: draw.Colours(false)}
			for i := range n {
				d.Runs = append(d.Runs, nil)
				for _, r := range s.Runs {
					if r.Scheduler == i {
						d.Runs[i] = append(d.Runs[i], r.Result)
					}
				}
				d.Shown = append(d.Shown, s.Finished(i).Result)
			}
			for _, key := range []string{"mean-wait", "mean-bounded-slowdown"} {
				if got[key] == nil || math.IsNaN(got[key][a]) {
					continue
				}
				f := overview.Bars(d, key, "", 600, 200)
				text, want := plainText(string(f.SVG())), plainText(words.Plain(got[key][a]))
				if key == "mean-wait" {
					want = plainText(words.Dur(got[key][a]))
				}
				if !strings.Contains(text, want) {
					t.Errorf("%s: the bars of %s lack %q: %s", name, key, want, text)
				}
			}
			if m := got["median-wait"]; m != nil && !math.IsNaN(m[a]) {
				found := false
				for _, cells := range overview.CDF(d, 600, 300).Table.Cells {
					found = found || cells[0] == d.Title(a) && cells[1] == words.Dur(m[a])
				}
				if !found {
					t.Errorf("%s: the curves lack the median %s of %s", name, words.Dur(m[a]), s.Label(a))
				}
			}
		}
		if e.Measures.From != nil && s.MeasuredPart() == "" {
			t.Errorf("%s: no chip says that a part is measured", name)
		}
	}
}
