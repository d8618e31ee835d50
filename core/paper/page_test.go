package paper

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
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
//	columns both 1 × 128|{row}, {}: mean F, s (paper); mean wait, s (paper)
//	-->
//
// key names the preset of cells that name none (KEY|LABEL|COLUMN). A row is what
// stands in the place of {row}, with =NAME what the reader sees; ": as above"
// takes the rows of the table before, and a line "columns as above" its columns. Columns
// that share a cell stand in one line, {} being their names without ", s" and " (paper)".
// A cell or row begins with "paper" for the paper's number, with "both" for ours and then
// it, with "?" where it may be missing.
//
//	<!-- off
//	kurowski2011-table5: 68000–69000; for the run time; LB, FCFS-BF, mean !batch
//	-->
//
// counts the numbers that are off the paper's by more than a tenth: of the preset,
// those rows in whose "label|column" every part stands that ";" separates, and none
// behind a "!".
//
//	<!-- elsewhere
//	-->
//
// is the table of main claims on other logs. Below each a generated table follows, until
// <!-- end -->. KEY@LOG is a preset on another log than its own.

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
		for _, k := range []string{"table", "off", "elsewhere"} {
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
// the reader sees; headers and cells are its columns.
type pageLines struct{ rows, names, headers, cells []string }

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
			lines.rows, lines.names = nil, nil
			for _, r := range strings.Split(list, "; ") {
				place, shown, ok := strings.Cut(r, "=")
				if !ok {
					shown = strings.ReplaceAll(place, "|", ", ")
				}
				lines.rows, lines.names = append(lines.rows, place), append(lines.names, shown)
			}
			continue
		}
		if line == "columns as above" {
			headers, cells = lines.headers, lines.cells
			continue
		}
		if rest, ok := strings.CutPrefix(line, "columns "); ok {
			cell, list, _ := strings.Cut(rest, ": ")
			for _, h := range strings.Split(list, "; ") {
				name := strings.TrimSuffix(strings.TrimSuffix(h, " (paper)"), ", s")
				headers, cells = append(headers, h), append(cells, strings.ReplaceAll(cell, "{}", name))
			}
			continue
		}
		header, cell, ok := strings.Cut(line, " := ")
		if !ok {
			return "", fmt.Errorf("a table says %q, which is no column", line)
		}
		headers, cells = append(headers, header), append(cells, cell)
	}
	lines.headers, lines.cells = headers, cells
	var b strings.Builder
	b.WriteString("| " + head + " | " + strings.Join(headers, " | ") + " |\n|---|" + strings.Repeat("---:|", len(headers)) + "\n")
	for i, row := range lines.rows {
		b.WriteString("| " + lines.names[i] + " |")
		for _, cell := range cells {
			paper, maybe := false, false
			cell = strings.ReplaceAll(cell, "{row}", row)
			if c, ok := strings.CutPrefix(cell, "? "); ok {
				cell, maybe = c, true
			}
			if c, ok := strings.CutPrefix(cell, "paper "); ok {
				cell, paper = c, true
			}
			cell, both := strings.CutPrefix(cell, "both ")
			parts := strings.SplitN(cell, "|", 3)
			if len(parts) == 2 {
				parts = append([]string{key}, parts...)
			}
			if len(parts) != 3 {
				return "", fmt.Errorf("a cell says %q: LABEL|COLUMN or KEY|LABEL|COLUMN is expected", cell)
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
				b.WriteString(" " + r.String())
				if both && r.Paper != nil {
					b.WriteString(" (" + VerdictRow{Ours: *r.Paper}.String() + ")")
				}
				b.WriteString(" |")
			}
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// pageOff counts what is off, by preset.
func pageOff(spec string, results map[string]*pageRun, used func(key, at string)) (string, error) {
	var b strings.Builder
	b.WriteString("| preset | numbers | off by more than a tenth | ours ÷ paper of these |\n|---|---:|---:|---:|\n")
	type count struct {
		all, off    int
		least, most float64
	}
	counts := map[string]*count{}
	var keys []string
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
		if counts[key] == nil {
			keys = append(keys, key)
			counts[key] = &count{least: math.Inf(1)}
		}
		c := counts[key]
		for at, r := range run.Rows {
			if r.Paper == nil || *r.Paper == 0 || not != "" && slices.ContainsFunc(strings.Split(not, "; "), func(s string) bool { return strings.Contains(at, s) }) ||
				slices.ContainsFunc(strings.Split(want, "; "), func(s string) bool { return !strings.Contains(at, s) }) {
				continue
			}
			used(key, at)
			c.all++
			if ratio := r.Ours / *r.Paper; math.Abs(ratio-1) > 0.1 {
				c.off++
				c.least, c.most = min(c.least, ratio), max(c.most, ratio)
			}
		}
	}
	for _, key := range keys {
		c := counts[key]
		fmt.Fprintf(&b, "| `%s` | %d | %d | %.2f to %.2f |\n", key, c.all, c.off, c.least, c.most)
	}
	return b.String(), nil
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
// presets gave when they were run in full, to the letter: docs/results.json. Of a preset
// that is run again it keeps the numbers that it had or that tables show, of a new one
// all. Claims quote the same runs, and each study has its page.
//
//	go test ./core/paper -run TestPapersPage -update [-results FOLDER]
func TestPapersPage(t *testing.T) {
	results := map[string]*pageRun{}
	if text, err := os.ReadFile(resultsFile); err == nil {
		if err := json.Unmarshal(text, &results); err != nil {
			t.Fatal(err)
		}
	}
	keep := map[string]bool{} // key|label|column
	used := func(key, at string) { keep[key+"|"+at] = true }
	for key, run := range results {
		for at := range run.Rows {
			used(key, at)
		}
	}
	if *updateVerdicts && *resultsOf != "" {
		ran := map[string]*pageRun{}
		if err := takeResults(*resultsOf, ran); err != nil {
			t.Fatal(err)
		}
		for key, run := range ran {
			for at := range run.Rows {
				if results[key] == nil {
					used(key, at)
				}
			}
		}
		maps.Copy(results, ran)
	}
	names := []string{papersPage}
	for i := range Claims {
		name := strings.TrimSuffix(papersPage, ".md") + "/" + Claims[i].Study + ".md"
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	pages, want := make([]string, len(names)), make([]string, len(names))
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if pages[i] = string(text); !strings.Contains(pages[0], "("+strings.TrimPrefix(name, "../../docs/")+")") && i > 0 {
			t.Errorf("docs/papers.md does not lead to %s", name)
		}
		if want[i], err = pageTables(pages[i], results, used); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for key, run := range results {
		if name, _, _ := strings.Cut(key, "@"); Find(name) == nil {
			t.Errorf("there is no preset %s", name)
		}
		for at := range run.Rows {
			if !keep[key+"|"+at] {
				delete(run.Rows, at)
			}
		}
		if len(run.Rows) == 0 {
			delete(results, key)
		}
	}
	data, err := os.ReadFile(verdictsFile)
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := ReadVerdicts(data)
	if err != nil {
		t.Fatal(err)
	}
	for key, run := range quoted {
		if shown := results[key]; shown != nil && shown.Digest != run.Digest {
			t.Errorf("%s: claims quote another run (%.8s…) than docs/results.json has (%.8s…)", key, run.Digest, shown.Digest)
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
		var err error
		if *updateVerdicts {
			err = os.WriteFile(name, []byte(want[i]), 0o644)
		} else if want[i] != pages[i] {
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
	again = "<!-- table\nkey: a-table1\nrows other: y\ncolumns as above\n-->\n<!-- end -->\n"
	if got, err := pageTables(spec+again, results, none); err != nil || !strings.Contains(got, "| other | FCFS | paper | EASY |\n|---|---:|---:|---:|\n| y | 2 | – | – |\n") {
		t.Errorf("the columns of the table before: %v\n%s", err, got)
	}
	again = "<!-- table\nkey: a-table1\nrows set: x; y\ncolumns both {row}|{}: FCFS (paper)\n-->\n<!-- end -->\n"
	if got, err := pageTables(again, results, none); err != nil || !strings.Contains(got, "| x | 30.00 ± 2.00 (40) |\n| y | 2 |\n") {
		t.Errorf("ours and the paper's: %v\n%s", err, got)
	}
	if _, err := pageTables(strings.Replace(spec, "? ", "", 1), results, none); err == nil || !strings.Contains(err.Error(), "a-table1|y|EASY") {
		t.Errorf("a missing number: %v", err)
	}
	got, err = pageTables("<!-- off\na-table1: x !EASY\na-table1: EASY\n-->\n<!-- end -->", results, none)
	if err != nil || !strings.Contains(got, "| `a-table1` | 2 | 1 | 0.75 to 0.75 |\n") {
		t.Errorf("%v\n%s", err, got)
	}
}
