// Package docs holds no code: what stands here are checks of the documents.
package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/swf"
)

const root = ".."

// files returns the project's files that end in a suffix, by path from the
// root. Folders that the build or npm fills are left out.
func files(t *testing.T, suffix string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a build beside the tests took it away
		}
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(name, root+string(filepath.Separator)))
		if d.IsDir() {
			if base := d.Name(); rel != root && (strings.HasPrefix(base, ".") || base == "node_modules" || strings.HasPrefix(base, "dist") || rel == "e2e/out") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(rel, suffix) {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			found[rel] = string(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```")
	code    = regexp.MustCompile("`[^`\n]*`")
	linked  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
)

// anchors returns the names that headings of a page have in its address: lower
// case, blanks as hyphens, without other signs.
func anchors(page string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		found[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	return found
}

// Every link of every page that does not lead elsewhere leads to a file of the
// project, and to a heading that the page has.
func TestLinks(t *testing.T) {
	pages := files(t, ".md")
	links := 0
	for name, text := range pages {
		text = code.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: link %s: %v", name, m[1], err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				continue
			}
			links++
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s links to %s, which is not there", name, to)
			} else if page, ok := pages[to]; u.Fragment != "" && ok && !anchors(page)[u.Fragment] {
				t.Errorf("%s links to #%s, which %s does not have", name, u.Fragment, to)
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links were found", links)
	}
}

var (
	testName  = regexp.MustCompile("`((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]*)`")
	titled    = regexp.MustCompile(`\]\(([^)]*\.test\.mjs)\): ((?:“[^”]*”(?:, | and )?)+)`)
	title     = regexp.MustCompile(`“([^”]*)”`)
	invariant = regexp.MustCompile(`(?m)^(\d+)\. `)
)

// Every test that a page names exists: those of Go by their function, those of
// the browser by their title in the file that is linked.
func TestNamedTestsExist(t *testing.T) {
	var all strings.Builder
	for _, text := range files(t, "_test.go") {
		all.WriteString(text)
	}
	browser := files(t, ".test.mjs")
	names := 0
	for name, page := range files(t, ".md") {
		if name == "docs/add-a-scheduler.md" {
			continue // its tests are those that the reader writes
		}
		for _, m := range testName.FindAllStringSubmatch(page, -1) {
			names++
			if !strings.Contains(all.String(), "\nfunc "+m[1]+"(") {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
		for _, m := range titled.FindAllStringSubmatch(page, -1) {
			file := path.Join(path.Dir(name), m[1])
			for _, s := range title.FindAllStringSubmatch(m[2], -1) {
				names++
				if !strings.Contains(browser[file], `test("`+s[1]+`"`) && !strings.Contains(browser[file], "(`"+s[1]) && !strings.Contains(browser[file], "[`"+s[1]) {
					t.Errorf("%s: %s has no test %q", name, file, s[1])
				}
			}
		}
	}
	if names < 50 {
		t.Errorf("only %d names were found", names)
	}
}

// Invariants are numbered from 1 without gaps, and each names its test.
func TestInvariantsNameTests(t *testing.T) {
	page := files(t, "docs/invariants.md")["docs/invariants.md"]
	starts := invariant.FindAllStringSubmatchIndex(page, -1)
	if len(starts) < 10 {
		t.Fatalf("%d invariants", len(starts))
	}
	for i, at := range starts {
		end := len(page)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		text, _, _ := strings.Cut(page[at[0]:end], "\n\n")
		if number := page[at[2]:at[3]]; number != strconv.Itoa(i+1) {
			t.Errorf("invariant %d has the number %s", i+1, number)
		}
		if !testName.MatchString(text) && !titled.MatchString(text) {
			t.Errorf("no test is named: %s", text)
		}
	}
}

// example is a table of jobs in a page: what each column's scheduler does.
type example struct {
	procs      int
	jobs       [][]int  // number, submitted, requested, runs, processors
	schedulers []string // "easy --order spf"
	starts     [][]int  // by job, by scheduler; −1: it never starts
	after      []string // what each job waits for; nil: nothing
	charts     []string // fenced blocks that follow, up to the next table
}

var machine = regexp.MustCompile(`On (\d+) processors?\b`)

// examples reads the tables of a page whose header begins with job and
// submitted; the last "On N processors" before one is its machine.
func examples(t *testing.T, page string) []example {
	t.Helper()
	var list []example
	procs := 0
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		if m := machine.FindStringSubmatch(lines[i]); m != nil {
			procs, _ = strconv.Atoi(m[1])
		}
		if strings.HasPrefix(lines[i], "```") {
			first := i + 1
			for i++; !strings.HasPrefix(lines[i], "```"); i++ {
			}
			if len(list) > 0 {
				e := &list[len(list)-1]
				e.charts = append(e.charts, strings.Join(lines[first:i], "\n"))
			}
		}
		if !strings.HasPrefix(lines[i], "| job | submitted |") {
			continue
		}
		e := example{procs: procs}
		head := cells(lines[i])
		waits := head[5] == "waits for"
		if waits {
			head = slices.Delete(head, 5, 6)
		}
		for _, cell := range head[5:] {
			e.schedulers = append(e.schedulers, strings.Trim(cell, "`"))
		}
		for i += 2; strings.HasPrefix(lines[i], "|"); i++ {
			var row []int
			texts := cells(lines[i])
			if waits {
				e.after = append(e.after, strings.Trim(texts[5], "`"))
				texts = slices.Delete(texts, 5, 6)
			}
			for _, cell := range texts {
				if cell == "–" {
					cell = "-1"
				}
				n, err := strconv.Atoi(cell)
				if err != nil {
					t.Fatalf("%q: %v", lines[i], err)
				}
				row = append(row, n)
			}
			e.jobs, e.starts = append(e.jobs, row[:5]), append(e.starts, row[5:])
		}
		list = append(list, e)
	}
	return list
}

func cells(line string) []string {
	parts := strings.Split(strings.Trim(line, "| "), "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// run simulates an example's jobs by the scheduler of a column.
func (e *example) run(t *testing.T, spec string) *lab.Result {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "; MaxProcs: %d\n", e.procs)
	for _, j := range e.jobs {
		fmt.Fprintln(&text, j[0], j[1], -1, j[3], j[4], -1, -1, j[4], j[2], -1, 1, 1, 1, 1, 1, 1, -1, -1)
	}
	words := strings.Fields(spec)
	doc := experiment.New()
	doc.Workload.Source.Log = &experiment.Log{Name: "example.swf", SHA256: strings.Repeat("0", 64), Size: int64(text.Len())}
	s, err := doc.Add(words[0])
	for i := 1; err == nil && i+1 < len(words); i += 2 {
		var value any = words[i+1]
		if n, fault := strconv.ParseInt(words[i+1], 10, 64); fault == nil {
			value = n
		}
		err = s.SetParam(strings.TrimPrefix(words[i], "--"), value)
	}
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	if e.after != nil {
		doc.Workload.Dependencies = "keep"
	}
	p, err := lab.Prepare(doc, lab.Env{Log: func(experiment.Log) (*swf.Log, error) {
		l, err := swf.Parse([]byte(text.String()))
		if err == nil && e.after != nil {
			l.Extra = make([]swf.Extra, len(l.Records))
			for i := range l.Extra {
				l.Extra[i].After = e.after[i]
			}
		}
		return l, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(lab.RunID{}, lab.Options{Columns: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chart draws a schedule as text: a row a processor, the first at the bottom,
// a column a second, a digit a job.
func chart(r *lab.Result) string {
	s := r.Schedule
	var last model.Time
	for _, e := range s.Executions {
		last = max(last, e.End)
	}
	rows := make([][]byte, s.Platform.Procs())
	for i := range rows {
		rows[i] = []byte(strings.Repeat(".", int(last)))
	}
	for _, span := range r.Report.Columns.Spans {
		e := &s.Executions[span.Job]
		for p := span.First; p < span.First+span.Count; p++ {
			for at := e.Start; at < e.End; at++ {
				rows[p][at] = byte('0' + s.Workload.Jobs[span.Job].Number)
			}
		}
	}
	var b strings.Builder
	for i, row := range slices.Backward(rows) {
		fmt.Fprintf(&b, "%d %s\n", i+1, row)
	}
	tens, ones := "", ""
	for at := range int(last) {
		if tens += " "; at%10 == 0 {
			tens = tens[:len(tens)-1] + strconv.Itoa(at/10)
		}
		ones += strconv.Itoa(at % 10)
	}
	return b.String() + "  " + strings.TrimRight(tens, " ") + "\n  " + ones
}

// The worked examples of the rules are what the program does: each start in
// each table, and each chart.
func TestWorkedExamples(t *testing.T) {
	page := files(t, "docs/simulation-rules.md")["docs/simulation-rules.md"]
	list := examples(t, page)
	charts := 0
	seen := map[string]bool{}
	for _, e := range list {
		drawn := map[string]string{}
		for i, spec := range e.schedulers {
			r := e.run(t, spec)
			s := r.Schedule
			if len(s.Executions) != len(e.jobs) {
				t.Fatalf("%s: %d of %d jobs ran", spec, len(s.Executions), len(e.jobs))
			}
			start := map[int]int{} // by number
			for _, x := range s.Executions {
				start[int(s.Workload.Jobs[x.Job].Number)] = int(x.Start)
			}
			for j := range e.jobs {
				if got, want := start[e.jobs[j][0]], e.starts[j][i]; got != want {
					t.Errorf("on %d processors, %s starts job %d at %d, the page says %d", e.procs, spec, e.jobs[j][0], got, want)
				}
			}
			drawn[spec] = chart(r)
			seen[strings.Fields(spec)[0]] = true
		}
		for _, text := range e.charts {
			spec, picture, _ := strings.Cut(text, "\n")
			if drawn[spec] != picture {
				t.Errorf("the chart of %s is\n%s\nthe page has\n%s", spec, drawn[spec], picture)
			}
			charts++
		}
	}
	if len(list) < 7 || charts < 3 || len(seen) < 3 {
		t.Errorf("%d examples, %d charts, schedulers %v", len(list), charts, slices.Sorted(maps.Keys(seen)))
	}
}

// Intent: the examples beside the documents are experiments.
func TestExamples(t *testing.T) {
	found := 0
	for name, text := range files(t, ".json") {
		if !strings.HasPrefix(name, "docs/examples/") {
			continue
		}
		found++
		if _, err := experiment.Decode([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if found == 0 {
		t.Error("there are none")
	}
}
