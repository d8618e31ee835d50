package paper

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tables of numbers in docs/papers.md and docs/papers/ say themselves what
// stands in them, in comments that a reader does not see:
//
//	<!-- table
//	key: kurowski2011-table2
//	rows local policy: FCFS; easy=EASY
//	mean U := 1 × 128|{row}, mean U
//	paper := paper 1 × 128|{row}, mean U
//	-->
//
// key names the preset of cells that name none (KEY|LABEL|COLUMN). A row is what
// stands in the place of {row}, with =NAME what the reader sees; ": as above"
// takes the rows of the table before. A cell begins with "paper" for the paper's
// number, with "?" where it may be missing.
//
//	<!-- off
//	kurowski2011-table5: 68000–69000; for the run time; LB, FCFS-BF, mean !batch
//	-->
//
// lists the numbers that are off the paper's by more than a tenth: of the preset,
// those rows in whose "label|column" every part stands that ";" separates, and none
// behind a "!".
//
//	<!-- elsewhere
//	-->
//
//	<!-- whole
//	legrand2018-figure2 legrand2018-table1@SDSC-SP2+KTH-SP2
//	-->
//
// names presets of which all numbers are kept for the page, though no table shows them;
// what follows is how many there are.
//
// is the table of main claims on other logs. Below each a generated table follows, until <!-- end -->. KEY@LOG is
// a preset on another log than its own.

const resultsFile = "../../docs/results.json"

// pageRow is a number of a preset as docs/results.json holds it.
type pageRow struct {
	VerdictRow
	Paper *float64 `json:"paper,omitempty"`
}

type pageRun struct {
	Log    string             `json:"log"`
	Digest string             `json:"digest"`
	Rows   map[string]pageRow `json:"rows"`
}

// pageTables fills the tables of a page, and tells used of each number.
func pageTables(page string, results map[string]*pageRun, used func(key, at string)) (string, error) {
	var out strings.Builder
	var lines pageLines
	for {
		begin := len(page)
		kind := ""
		for _, k := range []string{"table", "off", "runs", "elsewhere", "whole"} {
			if at := strings.Index(page, "<!-- "+k+"\n"); at >= 0 && at < begin {
				begin, kind = at, k
			}
		}
		if kind == "" {
			out.WriteString(page)
			return out.String(), nil
		}
		open := begin + len("<!-- "+kind+"\n")
		close := strings.Index(page[open:], "-->\n")
		if close < 0 {
			return "", fmt.Errorf("a comment of a table has no end: %.80q", page[begin:])
		}
		spec := page[open : open+close]
		after := open + close + len("-->\n")
		end := strings.Index(page[after:], "<!-- end -->")
		if next := strings.Index(page[after:], "<!-- table\n"); end < 0 || next >= 0 && next < end {
			return "", fmt.Errorf("no <!-- end --> behind the table %.80q", spec)
		}
		var table string
		var err error
		switch kind {
		case "table":
			table, err = pageTable(spec, &lines, results, used)
		case "off":
			table, err = pageOff(spec, results, used)
		case "runs":
			table, err = pageRuns(results)
		case "whole":
			table, err = pageWhole(spec, results, used)
		case "elsewhere":
			table, err = Elsewhere(func(key, place string) (VerdictRow, bool) {
				used(key, place)
				if results[key] == nil {
					return VerdictRow{}, false
				}
				r, there := results[key].Rows[place]
				return r.VerdictRow, there
			})
		}
		if err != nil {
			return "", err
		}
		out.WriteString(page[:after] + table)
		page = page[after+end:]
	}
}

// pageLines are the rows of a table: what stands in the place of {row}, and what
// the reader sees.
type pageLines struct{ rows, names []string }

// pageTable makes one table; lines are the rows of the one before, and then its own.
func pageTable(spec string, lines *pageLines, results map[string]*pageRun, used func(key, at string)) (string, error) {
	key, head := "", ""
	var headers, cells []string
	for line := range strings.Lines(spec) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if k, ok := strings.CutPrefix(line, "key: "); ok {
			key = k
			continue
		}
		if rest, ok := strings.CutPrefix(line, "rows "); ok {
			name, list, _ := strings.Cut(rest, ": ")
			if head = name; list == "as above" {
				continue
			}
			*lines = pageLines{}
			for _, r := range strings.Split(list, "; ") {
				place, shown, ok := strings.Cut(r, "=")
				if !ok {
					shown = place
				}
				lines.rows, lines.names = append(lines.rows, place), append(lines.names, shown)
			}
			continue
		}
		header, cell, ok := strings.Cut(line, " := ")
		if !ok {
			return "", fmt.Errorf("a table says %q, which is no column", line)
		}
		headers, cells = append(headers, header), append(cells, cell)
	}
	var b strings.Builder
	b.WriteString("| " + head + " | " + strings.Join(headers, " | ") + " |\n|---|" + strings.Repeat("---:|", len(headers)) + "\n")
	for i, row := range lines.rows {
		b.WriteString("| " + lines.names[i] + " |")
		for _, cell := range cells {
			paper, maybe := false, false
			if c, ok := strings.CutPrefix(cell, "? "); ok {
				cell, maybe = c, true
			}
			if c, ok := strings.CutPrefix(cell, "paper "); ok {
				cell, paper = c, true
			}
			place := strings.ReplaceAll(cell, "{row}", row)
			parts := strings.SplitN(place, "|", 3)
			if len(parts) == 2 {
				parts = append([]string{key}, parts...)
			}
			if len(parts) != 3 {
				return "", fmt.Errorf("a cell says %q: LABEL|COLUMN or KEY|LABEL|COLUMN is expected", place)
			}
			at := parts[1] + "|" + parts[2]
			used(parts[0], at)
			run := results[parts[0]]
			var r pageRow
			there := false
			if run != nil {
				r, there = run.Rows[at]
			}
			switch {
			case !there && !maybe:
				return "", fmt.Errorf("there is no number %s|%s; ./build.sh papers runs the presets", parts[0], at)
			case !there || paper && r.Paper == nil:
				b.WriteString(" – |")
			case paper:
				b.WriteString(" " + VerdictRow{Ours: *r.Paper}.String() + " |")
			default:
				r.Unit = ""
				b.WriteString(" " + r.String() + " |")
			}
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// pageWhole takes all numbers of the presets that it names.
func pageWhole(spec string, results map[string]*pageRun, used func(key, at string)) (string, error) {
	numbers, keys := 0, strings.Fields(spec)
	for _, key := range keys {
		if results[key] == nil {
			return "", fmt.Errorf("there is no run of %s; ./build.sh papers runs the presets", key)
		}
		for at := range results[key].Rows {
			used(key, at)
			numbers++
		}
	}
	return fmt.Sprintf("%d numbers of %d tables and figures.\n", numbers, len(keys)), nil
}

// pageOff lists what is off.
func pageOff(spec string, results map[string]*pageRun, used func(key, at string)) (string, error) {
	var b strings.Builder
	b.WriteString("| where | ours | paper | ours ÷ paper |\n|---|---:|---:|---:|\n")
	all, off := 0, 0
	for line := range strings.Lines(spec) {
		key, filter, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if key == "" {
			continue
		}
		want, not, _ := strings.Cut(filter, " !")
		run := results[key]
		if run == nil {
			return "", fmt.Errorf("there is no run of %s", key)
		}
		var places []string
		for at := range run.Rows {
			places = append(places, at)
		}
		slices.Sort(places)
		for _, at := range places {
			r := run.Rows[at]
			if r.Paper == nil || *r.Paper == 0 || not != "" && slices.ContainsFunc(strings.Split(not, "; "), func(s string) bool { return strings.Contains(at, s) }) ||
				slices.ContainsFunc(strings.Split(want, "; "), func(s string) bool { return !strings.Contains(at, s) }) {
				continue
			}
			used(key, at)
			all++
			if ratio := r.Ours / *r.Paper; math.Abs(ratio-1) > 0.1 {
				off++
				r.Unit = ""
				place := strings.ReplaceAll(strings.TrimPrefix(key[strings.Index(key, "-")+1:], "-"), "table", "table ")
				fmt.Fprintf(&b, "| %s: %s | %s | %s | %.2f |\n", place, strings.Replace(at, "|", ", ", 1), r.String(), VerdictRow{Ours: *r.Paper}.String(), ratio)
			}
		}
	}
	fmt.Fprintf(&b, "\n%d of %d numbers are off by more than a tenth.\n", off, all)
	return b.String(), nil
}

// logYear begins at the year of a log's file name.
var logYear = regexp.MustCompile(`(-wagap)?-(19|20)\d\d.*$`)

// pageRuns lists the runs behind a page: those of tables, and those that claims
// quote alone.
func pageRuns(results map[string]*pageRun) (string, error) {
	data, err := os.ReadFile(verdictsFile)
	if err != nil {
		return "", err
	}
	quoted, err := ReadVerdicts(data)
	if err != nil {
		return "", err
	}
	var keys []string
	for key := range results {
		keys = append(keys, key)
	}
	for key, run := range quoted {
		if shown := results[key]; shown == nil {
			keys = append(keys, key)
		} else if shown.Digest != run.Digest {
			return "", fmt.Errorf("%s: claims quote another run (%.8s…) than the tables show (%.8s…)", key, run.Digest, shown.Digest)
		}
	}
	slices.Sort(keys)
	var b strings.Builder
	b.WriteString("| preset | log: digest |\n|---|---|\n")
	for i, key := range keys {
		run := results[key]
		if run == nil {
			run = &pageRun{Log: quoted[key].Log, Digest: quoted[key].Digest}
		}
		name, _, _ := strings.Cut(key, "@")
		if before, _, _ := strings.Cut(keys[max(0, i-1)], "@"); i == 0 || before != name {
			fmt.Fprintf(&b, "| `%s` | ", name)
		}
		if logs := shortLogs(run.Log); logs != "" {
			fmt.Fprintf(&b, "%s: ", logs)
		}
		fmt.Fprintf(&b, "`%s…`", run.Digest[:12])
		after := ""
		if i+1 < len(keys) {
			after, _, _ = strings.Cut(keys[i+1], "@")
		}
		b.WriteString(map[bool]string{true: "; ", false: " |\n"}[after == name])
	}
	return b.String(), nil
}

// shortLogs names logs by what stands before the year in their files' names.
func shortLogs(files string) string {
	var names []string
	for name := range strings.SplitSeq(files, ", ") {
		names = append(names, logYear.ReplaceAllString(name, ""))
	}
	return strings.Join(names, ", ")
}

// takeResults reads the results of presets in a folder, by name of the file.
func takeResults(folder string, results map[string]*pageRun) error {
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var out struct {
			Key, Log, Digest string
			Quick            bool
			Rows             []Row
		}
		if err := json.Unmarshal(text, &out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if out.Quick || len(out.Digest) != 64 {
			return fmt.Errorf("%s is a smaller version or a part", name)
		}
		run := &pageRun{Log: out.Log, Digest: out.Digest, Rows: map[string]pageRow{}}
		for _, r := range out.Rows {
			run.Rows[r.Label+"|"+r.Column] = pageRow{VerdictRow{r.Ours, r.Half, r.Unit, r.From, r.To}, r.Paper}
		}
		results[strings.TrimSuffix(filepath.Base(name), ".json")] = run
	}
	return nil
}

// Intent: every table of numbers in docs/papers.md and docs/papers/ says what the
// presets gave when they were run in full, to the letter. docs/results.json holds
// what they gave and nothing that no table shows; each study has its page.
//
//	go test ./core/paper -run TestPapersPage -update [-results FOLDER]
func TestPapersPage(t *testing.T) {
	results := map[string]*pageRun{}
	if text, err := os.ReadFile(resultsFile); err == nil {
		if err := json.Unmarshal(text, &results); err != nil {
			t.Fatal(err)
		}
	}
	if *updateVerdicts && *resultsOf != "" {
		if err := takeResults(*resultsOf, results); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{papersPage}
	for i := range Claims {
		name := strings.TrimSuffix(papersPage, ".md") + "/" + Claims[i].Study + ".md"
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	pages := make([]string, len(names))
	seen := map[string]map[string]bool{}
	used := func(key, at string) {
		if seen[key] == nil {
			seen[key] = map[string]bool{}
		}
		seen[key][at] = true
	}
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if pages[i] = string(text); !strings.Contains(pages[0], "("+strings.TrimPrefix(name, "../../docs/")+")") && i > 0 {
			t.Errorf("docs/papers.md does not lead to %s", name)
		}
		if _, err = pageTables(pages[i], results, used); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for key, run := range results {
		if name, _, _ := strings.Cut(key, "@"); Find(name) == nil {
			t.Errorf("there is no preset %s", name)
		}
		for at := range run.Rows {
			if !seen[key][at] {
				if !*updateVerdicts {
					t.Errorf("no table shows %s|%s", key, at)
				}
				delete(run.Rows, at)
			}
		}
		if len(run.Rows) == 0 {
			delete(results, key)
		}
	}
	if *updateVerdicts {
		text, err := json.MarshalIndent(results, "", " ")
		if err == nil {
			err = os.WriteFile(resultsFile, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		want, err := pageTables(pages[i], results, used)
		if err != nil {
			t.Fatal(err)
		}
		if *updateVerdicts {
			err = os.WriteFile(name, []byte(want), 0o644)
		} else if want != pages[i] {
			err = fmt.Errorf("the tables of %s are not what the results make; see the comment of this test", name)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// Intent: a table takes rows, columns, the paper's numbers and missing ones as its
// comment says, and a number that is not there is an error that names it.
func TestPageTables(t *testing.T) {
	half, paper := 2.0, 40.0
	results := map[string]*pageRun{"a-table1": {Digest: strings.Repeat("0", 64), Rows: map[string]pageRow{
		"x|FCFS": {VerdictRow{Ours: 30, Half: &half, Unit: "s"}, &paper}, "y|FCFS": {VerdictRow{Ours: 2}, nil}, "x|EASY": {VerdictRow{Ours: 39}, &paper}}}}
	none := func(string, string) {}
	spec := "before\n<!-- table\nkey: a-table1\nrows set: x=first; y\nFCFS := {row}|FCFS\npaper := paper {row}|FCFS\nEASY := ? a-table1|{row}|EASY\n-->\n<!-- end -->\nafter\n"
	want := strings.Replace(spec, "-->\n<!-- end", "-->\n| set | FCFS | paper | EASY |\n|---|---:|---:|---:|\n| first | 30.00 ± 2.00 | 40 | 39 |\n| y | 2 | – | – |\n<!-- end", 1)
	got, err := pageTables(spec, results, none)
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if again, err := pageTables(got, results, none); err != nil || again != got {
		t.Errorf("filled again it is another one (%v)", err)
	}
	again := "<!-- table\nkey: a-table1\nrows other: as above\nFCFS := {row}|FCFS\n-->\n<!-- end -->\n"
	if got, err := pageTables(spec+again, results, none); err != nil || !strings.Contains(got, "| other | FCFS |\n|---|---:|\n| first | 30.00 ± 2.00 |\n| y | 2 |\n") {
		t.Errorf("the rows of the table before: %v\n%s", err, got)
	}
	if _, err := pageTables(strings.Replace(spec, "? ", "", 1), results, none); err == nil || !strings.Contains(err.Error(), "a-table1|y|EASY") {
		t.Errorf("a missing number: %v", err)
	}
	got, err = pageTables("<!-- off\na-table1: x !EASY\na-table1: EASY\n-->\n<!-- end -->", results, none)
	if err != nil || !strings.Contains(got, "| table 1: x, FCFS | 30.00 ± 2.00 | 40 | 0.75 |") || !strings.Contains(got, "\n1 of 2 numbers") {
		t.Errorf("%v\n%s", err, got)
	}
}
