package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
)

var update = flag.Bool("update", false, "write the tables of flags in docs/command-line.md anew")

const docPath = "../../docs/command-line.md"

// helpRow is a flag in a help text, of our own form or of package flag's.
var helpRow = regexp.MustCompile(`(?m)^  --?(\S+) ?(.*)\n\s+(.*)$`)

// schedulerKeys is the list of schedulers in a help text, which stands in docs/experiment.md.
var schedulerKeys = regexp.MustCompile(` \(as-logged, [^)]*\)$`)

// flagTable is the flags of a command as a list. Parameters of the catalog are explained
// in docs/experiment.md, and fields of the document, which are named; so are flags that a
// command before has in the same words, as said holds.
func flagTable(t *testing.T, said map[string]string, catalogued []catalog.Param, command ...string) string {
	t.Helper()
	out := batchlab(append(command, "--help")...)
	rows := helpRow.FindAllStringSubmatch(out.stdout+out.stderr, -1)
	if out.status != 0 || len(rows) == 0 {
		t.Fatalf("batchlab %v --help: exit %d", command, out.status)
	}
	title := strings.Join(command, " ")
	table, parameters, fields, firsts, again := "", false, []string{}, []string{}, map[string][]string{}
	for _, r := range rows {
		name := "`" + strings.TrimSpace("--"+r[1]+" "+r[2]) + "`"
		first := said[name+r[3]]
		switch {
		case catalog.FindParam(catalogued, r[1]) != nil:
			parameters = true
		case command[0] == "simulate" && ofDocument(r[1]):
			fields = append(fields, "`--"+r[1]+"`")
		case first != "":
			if !slices.Contains(firsts, first) {
				firsts = append(firsts, first)
			}
			again[first] = append(again[first], "`--"+r[1]+"`")
		default:
			said[name+r[3]] = title
			table += fmt.Sprintf("- %s: %s\n", name, strings.TrimSuffix(schedulerKeys.ReplaceAllString(r[3], ""), "."))
		}
	}
	more := func(names []string, what string) {
		if len(names) > 0 {
			table += "\n" + what + ": " + strings.Join(names, ", ") + ".\n"
		}
	}
	for _, first := range firsts {
		more(again[first], "As of `"+first+"`")
	}
	more(fields, "[Fields](experiment.md#all-fields) of a document")
	if parameters {
		table += "\nEach [parameter](experiment.md#keys-and-parameters-of-the-catalog) is a flag of its name, as `--" + catalogued[0].Key + "`.\n"
	}
	return strings.TrimPrefix(table, "\n")
}

// ofDocument says whether a row of the document makes a flag of simulate.
func ofDocument(flag string) bool {
	return slices.ContainsFunc(experiment.Schema(), func(p experiment.Place) bool {
		return p.Flag && strings.ReplaceAll(p.Key, "_", "-") == flag
	})
}

// tables are the tables of flags that stand in the page, by their mark.
func tables(t *testing.T) map[string]string {
	t.Helper()
	all, said := map[string]string{}, map[string]string{}
	for _, c := range commands {
		switch c.name {
		case "simulate":
			var params []catalog.Param
			for _, s := range catalog.EveryScheduler() {
				params = append(params, s.Params...)
			}
			all[c.name] = flagTable(t, said, params, c.name)
		case "generate":
			for i, g := range catalog.Generators {
				list := flagTable(t, said, g.Params, c.name, g.Key)
				if i == 0 {
					all[c.name] = list
				} else if strings.Contains(list, "- ") {
					t.Errorf("batchlab generate %s has flags that other models lack", g.Key)
				}
			}
		default:
			all[c.name] = flagTable(t, said, nil, c.name)
		}
	}
	return all
}

// Intent: every flag of every command stands in docs/command-line.md with what
// its help says, or where that stands. With -update the tables are rewritten.
func TestDocFlags(t *testing.T) {
	text := read(t, docPath)
	for name, table := range tables(t) {
		begin, end := "<!-- flags "+name+" -->\n", "<!-- end -->"
		before, rest, found := strings.Cut(text, begin)
		old, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Errorf("docs/command-line.md has no %s", strings.TrimSpace(begin))
			continue
		}
		if want := "\n" + table + "\n"; old != want {
			if *update {
				text = before + begin + want + end + after
				continue
			}
			t.Errorf("flags of %s are not as docs/command-line.md says; go test ./cmd/batchlab -run TestDocFlags -update writes them anew", name)
		}
	}
	if *update {
		if err := os.WriteFile(docPath, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fieldsOf lists the JSON names of a struct and of those within it.
func fieldsOf(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "-" { // it is not printed
			continue
		}
		if !t.Field(i).Anonymous { // whose fields stand among those of the struct
			names = append(names, name)
		}
		names = append(names, fieldsOf(t.Field(i).Type)...)
	}
	return names
}

// Intent: every field that a command prints, every exit code and every column
// of the files is explained.
func TestDocFields(t *testing.T) {
	text := read(t, docPath)
	want := []string{"0", "1", "2", "3", "url"}
	for _, v := range []any{simulated{}, ran{}, oneRun{}, sharded{}, slurmed{}, searchResult{}, imported{}, listed{}, papered{}, checked{}, report.Comparison{}, report.Count{}} {
		want = append(want, fieldsOf(reflect.TypeOf(v))...)
	}
	for _, name := range want {
		if name == "" || !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/command-line.md does not explain `%s`", name)
		}
	}
	text = read(t, "../../docs/exports.md")
	head, _, _ := strings.Cut(string(report.NewExecutions("", &report.Jobs{}, &report.Run{}, nil).CSV()), "\n")
	for _, name := range append(strings.Split(head, ","), "scheduler", "key", "label", "repetition", "workload") {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/exports.md does not explain `%s`", name)
		}
	}
}

var (
	fenced = regexp.MustCompile("(?s)(?:`([^`\n]+)`:\n\n)?```(\\w+)\n(.*?)```")
	clock  = regexp.MustCompile(`("(?:parse_s|simulate_s)": )[0-9.e+-]+`)
)

// Intent: the examples were really run and still give what stands there; only
// times of the clock differ, and a line of "…" stands for lines left out.
func TestDocExamples(t *testing.T) {
	text := read(t, docPath)
	t.Chdir(t.TempDir())
	if ran := runExamples(t, text); ran < 8 {
		t.Errorf("only %d examples", ran)
	}
}

// Intent: what the README shows of the program is what it prints.
func TestReadmeExamples(t *testing.T) {
	t.Chdir("../..")
	if runExamples(t, read(t, "README.md")) == 0 {
		t.Error("the README has no example")
	}
}

// runExamples runs the examples of a page in this folder, and says how many
// there are.
func runExamples(t *testing.T, text string) (ran int) {
	t.Helper()
	for _, block := range fenced.FindAllStringSubmatch(text, -1) {
		name, kind, body := block[1], block[2], block[3]
		if name != "" && (kind == "json" || kind == "csv") {
			if err := os.WriteFile(name, []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if kind != "console" {
			continue
		}
		last := 0
		for i, example := range strings.Split("\n"+body, "\n$ ") {
			if i == 0 {
				continue
			}
			line, want, _ := strings.Cut(example, "\n")
			got := shell(t, line, &last)
			ran++
			if !matches(clock.ReplaceAllString(got, "${1}0"), clock.ReplaceAllString(strings.TrimRight(want, "\n"), "${1}0")) {
				t.Errorf("$ %s\ngives\n%s\n\nnot\n%s", line, got, want)
			}
		}
	}
	return ran
}

// shell runs one line of an example and returns what a terminal shows.
func shell(t *testing.T, line string, last *int) string {
	t.Helper()
	words, to, redirected := strings.Cut(line, " > ")
	args := strings.Fields(strings.ReplaceAll(strings.Replace(words, "go run ./cmd/batchlab", "batchlab", 1), `"`, ""))
	switch args[0] {
	case "batchlab":
		out := batchlab(args[1:]...)
		*last = out.status
		if redirected {
			if err := os.WriteFile(to, []byte(out.stdout), 0o600); err != nil {
				t.Fatal(err)
			}
			out.stdout = ""
		}
		return strings.TrimRight(out.stderr+out.stdout, "\n")
	case "echo":
		return fmt.Sprint(*last)
	case "ls":
		names, _ := filepath.Glob(filepath.Join(args[1], "*"))
		for i := range names {
			names[i] = filepath.Base(names[i])
		}
		return strings.Join(names, "\n")
	case "head":
		n := 0
		fmt.Sscan(strings.TrimPrefix(args[1], "-"), &n)
		lines := strings.SplitAfter(read(t, args[2]), "\n")
		return strings.TrimRight(strings.Join(lines[:min(n, len(lines))], ""), "\n")
	}
	t.Fatalf("no such command in examples: %s", line)
	return ""
}

// matches compares a text with one in which a line of "…" stands for any lines.
func matches(got, want string) bool {
	var pattern strings.Builder
	for i, line := range strings.Split(want, "\n") {
		if strings.TrimSpace(line) == "…" {
			pattern.WriteString(`(\n[^\n]*)*`)
			continue
		}
		if i > 0 {
			pattern.WriteString(`\n`)
		}
		pattern.WriteString(regexp.QuoteMeta(line))
	}
	return regexp.MustCompile(`^(?s:` + pattern.String() + `)$`).MatchString(got)
}
