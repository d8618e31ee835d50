package experiment

import (
	"cmp"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

var update = flag.Bool("update", false, "rewrite the tables in docs/ that are made from the catalog")

const docs = "../../docs/"

func readDoc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(docs + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// fences returns the fenced blocks of a page that are marked as lang.
func fences(page, lang string) []string {
	var list []string
	for i, part := range strings.Split(page, "\n```") {
		if i%2 == 1 {
			if first, body, _ := strings.Cut(part, "\n"); first == lang {
				list = append(list, body)
			}
		}
	}
	return list
}

// docs/experiment.md names every key that a document can have.
func TestDocNamesEveryKey(t *testing.T) {
	page := readDoc(t, "experiment.md")
	generated := strings.Replace(minimal, `{"bundled":"demo"}`, `{"generator":{"key":"daily"}}`, 1)
	seen := map[string]bool{}
	var walk func(path string, n *node)
	walk = func(path string, n *node) {
		for i, item := range n.items {
			key := path
			if n.kind == objectKind {
				key = n.keys[i]
				seen[key] = true
				if !strings.Contains(page, "`"+key+"`") && !strings.Contains(page, "."+key+"`") {
					t.Errorf("%s, in %q, is not named", key, path)
				}
			}
			walk(key, item)
		}
	}
	for _, text := range []string{minimal, everything, generated, inlineText, shared} {
		walk("", mustDecode(t, text).tree(true))
	}
	for _, key := range []string{"tau", "sha256", "exclude_users", "threshold", "jobs"} {
		if !seen[key] {
			t.Errorf("the test has not looked for %s", key)
		}
	}
}

// The examples of docs/experiment.md are valid, and its canonical form,
// identity, link and digest are those of the code.
func TestDocExamples(t *testing.T) {
	page := readDoc(t, "experiment.md")
	examples := fences(page, "json")
	if len(examples) < 3 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, text := range examples {
		checkStable(t, mustDecode(t, text))
	}
	first := mustDecode(t, examples[0])
	plain := fences(page, "")
	has := func(what, text string) {
		for _, block := range plain {
			if strings.TrimSpace(block) == text {
				return
			}
		}
		t.Errorf("the %s is not there:\n%s", what, text)
	}
	has("canonical form", string(first.Canonical()))
	has("identity", first.Identity())
	block := goldenRuns()[0]
	has("digest", Digest(block))
	if !strings.Contains(page, "`"+Digest()+"`") {
		t.Error("the digest without runs is not there")
	}
	links, worked := 0, false
	for _, text := range plain {
		if strings.HasPrefix(text, "#x=") {
			links++
			if e, err := DecodeLink(text); err != nil || !reflect.DeepEqual(e, first) {
				t.Errorf("the link: %v", err)
			}
		}
		data, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
		worked = worked || err == nil && string(data) == string(block)
	}
	if links != 1 || !worked {
		t.Errorf("%d links, worked digest %v", links, worked)
	}
	if _, err := Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"},{"key":"easy"},{"key":"easy","params":{"ordr":"saf"}}]}`)); err == nil || !strings.Contains(page, "\n"+err.Error()+"\n") {
		t.Errorf("the example of an error is not there: %v", err)
	}
}

// The tables in docs/ are those of the catalog. After a change of the catalog:
// go test ./core/experiment -run TestDocTables -update
func TestDocTables(t *testing.T) {
	for name, parts := range map[string]map[string]string{
		"experiment.md":       {"fields": fieldTable(Schema()), "catalog": catalogTables(), "codes": codeTable()},
		"engine.md":           {"engines": engineLists()},
		"simulation-rules.md": {"known": knownTable(), "refused": refusedTable()},
		"glossary.md":         {"orders": orderTable(), "measures": measureTables()},
	} {
		page := readDoc(t, name)
		for mark, table := range parts {
			head, rest, ok := strings.Cut(page, "<!-- "+mark+" -->\n")
			old, tail, ok2 := strings.Cut(rest, "<!-- end -->")
			if !ok || !ok2 {
				t.Fatalf("%s has no mark %q", name, mark)
			}
			if old != table && !*update {
				t.Errorf("docs/%s: the table %q is not that of the catalog; see the comment of this test", name, mark)
			}
			page = head + "<!-- " + mark + " -->\n" + table + "<!-- end -->" + tail
		}
		if *update {
			if err := os.WriteFile(docs+name, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// studies are the papers that have a page, by the first of their authors: how they are
// called, and the page.
var studies = map[string][2]string{
	"D. Klusáček":     {"Klusáček and Chlumský 2016", "klusacek2016"},
	"K. Kurowski":     {"Kurowski et al. 2013", "kurowski2011"},
	"A. Legrand":      {"Legrand et al. 2018", "legrand2018"},
	"J. Skrinarova":   {"Skrinarova et al. 2013", "skrinarova2013"},
	"A. D. Techiouba": {"Techiouba et al. 2008", "techiouba2008"},
}

// studied leaves what stands on the page of a paper to that page.
func studied(cite string) string {
	for author, s := range studies {
		cite = regexp.MustCompile(author+`.*? 20\d\d( \(hal-\d+\))?`).ReplaceAllString(cite, "["+s[0]+"](papers/"+s[1]+".md)")
	}
	return cite
}

func catalogTables() string {
	var b strings.Builder
	said := map[string]string{}
	const own = "Batchlab's own"
	var cited [][2]string // each source, and who has it first
	rows := func(key, name, help, cite string, params []catalog.Param) {
		i := slices.IndexFunc(cited, func(c [2]string) bool {
			return cite == c[0] || cite != own && c[0] != own && (strings.HasPrefix(cite, c[0]) || strings.HasPrefix(c[0], cite))
		})
		if i >= 0 {
			cited = append(cited, [2]string{cite, cited[i][1]})
			cite = "As `" + cited[i][1] + "`" + cite[min(len(cite), len(cited[i][0])):]
		} else {
			cited = append(cited, [2]string{cite, key})
		}
		if help != "" {
			help += " "
		}
		fmt.Fprintf(&b, "\n**`%s`**: %s. %s*%s.*\n", key, name, help, studied(cite))
		sharedTable(&b, said, key, params)
	}
	b.WriteString("\n### Schedulers\n\nWhat each does is said by the [rules](simulation-rules.md): of [`fcfs`](simulation-rules.md#7-fcfs), [`easy`](simulation-rules.md#8-easy), " +
		"[`conservative`](simulation-rules.md#9-conservative), [`plan-rs`](simulation-rules.md#10-plans), [`as-logged`](simulation-rules.md#11-as-logged), [`grid`](simulation-rules.md#grids-and-advance-reservations), " +
		"[`foresight`](simulation-rules.md#foresight-predictions-of-run-times), [`slurm`](simulation-rules.md#slurm), [others](simulation-rules.md#on-machines); [`custom`](your-own-scheduler.md).\n")
	for _, s := range catalog.Schedulers {
		rows(s.Key, s.Name, "", s.Cite, s.Params)
	}
	b.WriteString("\n### Predictors\n\nHow they [predict](simulation-rules.md#foresight-predictions-of-run-times); `file` is a CSV with the columns job and predicted (seconds).\n")
	for _, p := range catalog.Predictors {
		rows(p.Key, p.Name, "", p.Cite, p.Params)
	}
	b.WriteString("\n### Programs\n\nOnly the command line runs them: the page, links and stored documents refuse them.\n")
	for _, s := range catalog.Programs {
		rows(s.Key, s.Name, s.Help, "["+s.Cite+"](exec-protocol.md)", s.Params)
	}
	b.WriteString("\n### Generators\n")
	for _, g := range catalog.Generators {
		rows(g.Key, g.Name, g.Help, g.Cite, g.Params)
	}
	b.WriteString("\n### Generators of machines\n")
	for _, g := range catalog.Machines {
		rows(g.Key, g.Name, g.Help, g.Cite, g.Params)
	}
	b.WriteString("\n### Generators of failures\n")
	for _, g := range catalog.Failures {
		rows(g.Key, g.Name, g.Help, g.Cite, g.Params)
	}
	b.WriteString("\n### Search\n")
	sharedTable(&b, said, "search", catalog.SearchParams)
	b.WriteString("\n### Resampling\n\nFor `workload.resample`; `by` has to be given.\n")
	sharedTable(&b, said, "resample", catalog.ResampleParams)
	b.WriteString("\n### Users who react\n\nFor `workload.react`.\n")
	sharedTable(&b, said, "react", catalog.ReactParams)
	b.WriteString("\n### Acceptable waits\n\nFor `measures.patience`.\n")
	sharedTable(&b, said, "patience", catalog.PatienceParams)
	var keys []string
	for _, w := range catalog.Bundles {
		keys = append(keys, "`"+w.Key+"`")
	}
	b.WriteString("\n### Bundled workloads\n\n" + strings.Join(keys, ", ") + ": [what they are](../workloads/README.md).\n")
	return b.String() + "\n"
}

// sharedTable writes the parameters that no scheduler before had in the same words,
// and where the others stand.
func sharedTable(b *strings.Builder, said map[string]string, owner string, params []catalog.Param) {
	var fresh []catalog.Param
	var from []string
	shared := map[string][]string{}
	for _, p := range params {
		row := paramRow(p)
		first := said[row]
		if first == "" {
			said[row] = owner
			fresh = append(fresh, p)
			continue
		}
		if !slices.Contains(from, first) {
			from = append(from, first)
		}
		shared[first] = append(shared[first], "`"+p.Key+"`")
	}
	if len(fresh) > 0 {
		paramTable(b, fresh)
	}
	for _, first := range from {
		fmt.Fprintf(b, "\nAs `%s`: %s.\n", first, strings.Join(shared[first], ", "))
	}
}

func paramTable(b *strings.Builder, params []catalog.Param) {
	b.WriteString("\n")
	for _, p := range params {
		b.WriteString(paramRow(p))
	}
}

// fieldTable describes the fields of the document by their rows.
func fieldTable(fields []Place) string {
	var b strings.Builder
	b.WriteString("\n")
	for _, p := range fields {
		switch _, limit, _ := strings.Cut(p.Path, "[].limits."); {
		case p.Help+p.Name == "" || limit != "" && !strings.HasPrefix(p.Path, "platform.partitions"): // said once
			continue
		case strings.Contains(p.Path, ".file.") || strings.HasPrefix(p.Path, "workload.extra."): // as of a log
			continue
		case p.Help == "":
			p.Help = p.Name
		}
		p.Key = p.Path
		b.WriteString(paramRow(p.Param))
	}
	return b.String() + "\n"
}

// paramKind says a parameter's type and range in the short words that the page explains.
func paramKind(p *catalog.Param) (kind string) {
	most := ""
	switch p.Type {
	case catalog.Int, catalog.Bytes:
		kind = "int"
	case catalog.Number:
		kind = "number"
	case catalog.Seconds, catalog.Moment:
		kind = "s"
	case catalog.Bool:
		kind = "bool"
	case catalog.List:
		kind = "3 or 6 numbers"
	case catalog.Ints:
		kind, most = "ints", fmt.Sprint(p.Most)
	case catalog.Names:
		kind, most = "names", fmt.Sprint(p.Most)
	case catalog.Hash:
		kind = "SHA-256"
	case catalog.Line:
		kind, most = "line", writeReal(MaxLine)
	case catalog.Text:
		kind, most = "text", writeReal(MaxFormula)
	case catalog.Code:
		kind, most = "program", writeReal(catalog.MaxCode)
	case catalog.Words:
		kind, most = "text", fmt.Sprint(max(p.Most, MaxLabel))
	case catalog.Enum:
		kind = "order"
		if len(p.Options) > len(catalog.Orders) {
			kind += ", `mixed`, `formula`"
		} else if len(p.Options) < len(catalog.Orders) {
			var options []string
			for _, o := range p.Options {
				options = append(options, "`"+o.Key+"`")
			}
			kind = strings.Join(options, ", ")
		}
	}
	if most != "" {
		kind += "≤" + most
	}
	switch {
	case p.Min == 0 && p.Max == 0:
	case p.Max == MaxInteger:
		kind += " " + writeReal(p.Min) + "…"
	default:
		kind += " " + writeReal(p.Min) + "…" + writeReal(p.Max)
	}
	if p.Optional {
		kind += "?"
	}
	return kind
}

// typed is what a help text says of how a value is typed into the page, or what the range
// says here.
var typed = regexp.MustCompile(`,? (?:in GB \(1,000,000,000 bytes\)|from 0 to 1|separated by commas|as 8d 9h; .*|Empty: as the rules say)`)

// unset is the end of a help text that says what the default stands for.
var unset = regexp.MustCompile(` ?(?:Not set|Empty): ([^.]+)\.?$`)

// paramRow is a parameter or field: key, type and range, default and what that stands
// for, and what it says.
func paramRow(p catalog.Param) string {
	help := typed.ReplaceAllString(p.Help, "")
	if first, _, found := strings.Cut(help, "A formula over q "); found && first != "" { // whose words are those of easy
		help = first + "As `formula` of `easy`."
	}
	means := unset.FindStringSubmatch(help)
	value := strings.Trim(string(appendPlain(nil, valueNode(p.First()), "")), `"`)
	switch {
	case p.Type == catalog.Code:
		value = "EASY"
	case p.Required:
		value = "required"
	case p.Type == catalog.Ints || p.Type == catalog.Names && !p.Optional:
		value = "[]"
	case p.Type == catalog.Bool && value == "false", p.Optional && value == "null" && means == nil: // as the page says above
		value = ""
	}
	if means != nil && !p.Required && (value == "null" || !strings.Contains(means[0], "Not set")) {
		help, value = strings.TrimSuffix(help, means[0]), cmp.Or(value, "empty")+" = "+means[1]
	}
	if rest, found := strings.CutPrefix(value, "null = "); found { // ? says it
		value = " = " + rest
	} else if value != "" {
		value = "; " + value
	}
	if help = strings.TrimSuffix(help, "."); help != "" && help != "Name" && help != "From 0 to 1" { // which the row has said
		help = ": " + help
	} else {
		help = ""
	}
	return fmt.Sprintf("- `%s` (%s%s)%s\n", p.Key, paramKind(&p), value, help)
}

// knownTable says what else a scheduler does that others do not.
func knownTable() string {
	var b strings.Builder
	b.WriteString("\n")
	for _, line := range []struct {
		name string
		of   func(s *catalog.Scheduler) bool
	}{
		{"draws random numbers", func(s *catalog.Scheduler) bool { return len(s.Draws) > 0 }},
		{"keeps a plan of all waiting jobs", func(s *catalog.Scheduler) bool { return s.Plans }},
		{"uses tiers, priorities and shares", func(s *catalog.Scheduler) bool { return s.Tiers }},
		{"has a faster form for one machine that only counts", func(s *catalog.Scheduler) bool { return s.Counted && !s.Logged }},
	} {
		var keys []string
		for i := range catalog.Schedulers {
			if s := &catalog.Schedulers[i]; line.of(s) {
				keys = append(keys, "`"+s.Key+"`")
			}
		}
		fmt.Fprintf(&b, "- %s: %s\n", line.name, strings.Join(keys, ", "))
	}
	return b.String() + "\n"
}

// refusedTable lists what is refused, each with the schedulers that do not know it,
// reasons of the field first.
func refusedTable() string {
	var field, open strings.Builder
	by := map[string][]string{}
	var rows [][2]string // what is refused, and why
	for _, s := range catalog.Schedulers {
		for _, g := range s.Gaps {
			var names, when []string
			for _, key := range g.Features {
				names = append(names, catalog.FindFeature(key).Name)
			}
			for _, c := range g.When {
				when = append(when, "`"+c.Param+"` `"+c.Value+"`")
			}
			who := "`" + s.Key + "`"
			if len(when) > 0 {
				who += " with " + strings.Join(when, " and ")
			}
			row := [2]string{strings.Join(names, ", "), g.Why}
			if key := row[0] + row[1]; by[key] == nil {
				rows = append(rows, row)
				by[key] = []string{who}
			} else {
				by[key] = append(by[key], who)
			}
		}
	}
	for _, row := range rows {
		to := &field
		if row[1] == "" {
			to = &open
		}
		var who []string
		for _, one := range by[row[0]+row[1]] {
			at := strings.LastIndex(one, " ") + 1
			if n := len(who); n > 0 && at > 0 && strings.HasPrefix(who[n-1], one[:at]) { // but for the last value as the one before
				who[n-1] += ", " + one[at:]
			} else {
				who = append(who, one)
			}
		}
		why := row[1]
		if why != "" {
			why = ", since " + why
		}
		fmt.Fprintf(to, "- **%s**: %s%s\n", row[0], strings.Join(who, "; "), why)
	}
	text := "\nRefused:\n\n" + field.String()
	if open.Len() > 0 {
		text += "\nNot there yet:\n\n" + open.String()
	}
	return text + "\n"
}

func codeTable() string {
	known := "\nThe scheduler does not know:\n\n"
	for _, f := range catalog.Features {
		known += fmt.Sprintf("- `%s`: %s\n", NoFeature(f.Key), f.Name)
	}
	b := "\nOthers:\n\n"
	for _, c := range [...][2]string{
		{string(CodeProgram), "A scheduler is a program of its own, which only the command line starts, and only when asked to"},
		{string(CodeParamOrder), "A parameter is smaller than another one that must not exceed it"},
		{string(CodeNeverFits), "A job could not even start on the empty platform"},
		{string(CodeOverLimits), "Jobs ask for more than the limits let a single job hold"},
		{string(CodeOutage), "An outage names a cluster, machine or processors that the platform does not have"},
		{string(CodePartition), "A partition names machines that the platform does not have"},
		{string(CodeFailures), "Failures cannot be drawn for this platform"},
	} {
		b += fmt.Sprintf("- `%s`: %s\n", c[0], c[1])
	}
	return known + b + "\n"
}

func orderTable() string {
	b := "\n"
	for _, o := range append(catalog.Orders[:len(catalog.Orders):len(catalog.Orders)], catalog.ScoreOrders...) {
		b += fmt.Sprintf("* **%s, `%s`**: %s: %s. %s\n", o.Name, o.Key, o.Title, o.Score, o.Help)
	}
	return b + "\nThe twelve pure orders are those of " + studied(catalog.Orders[0].Cite) + ".\n\n"
}

// overJobs finds the measures that are a statistic of a value over jobs.
var overJobs = regexp.MustCompile(`^(mean|median|\d+th percentile \(nearest rank\)|population standard deviation|maximum) over jobs of `)

// measureTables describes the measures by families, with key, name where the key does not
// say it, unit, formula, and source where that of the row before does not hold.
// Statistics of one value are one row.
func measureTables() string {
	var b strings.Builder
	said := map[string]string{}
	for _, f := range catalog.Families {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", f.Name, f.Help)
		var rows []catalog.Metric
		of := func(m catalog.Metric) string { return overJobs.ReplaceAllString(m.Formula, "") }
		for _, m := range catalog.Metrics {
			if m.Family == f.Key {
				rows = append(rows, m)
			}
		}
		cited := ""
		for i, m := range rows {
			key, formula := "`"+m.Key+"`", ": "+m.Formula
			alike := func(o catalog.Metric) bool { return of(o) == of(m) }
			if first := slices.IndexFunc(rows, alike); first < i {
				continue
			} else if i+1 < len(rows) && alike(rows[i+1]) {
				key, formula = "`*"+strings.TrimPrefix(m.Key, "mean")+"`", ": "+of(m)
			} else if strings.ReplaceAll(strings.ToLower(m.Name), " ", "-") != m.Key {
				key += " (" + m.Name + ")"
			}
			if m.Unit != "" {
				key += ", " + m.Unit
			}
			if strings.Contains(f.Help, formula+".") { // it stands above
				formula = ""
			}
			if m.Source != cited { // else as the row before
				source, equation, _ := strings.Cut(m.Source, ", equation ")
				switch before := said[source]; {
				case strings.HasPrefix(source, "Batchlab"):
					source = "Batchlab"
				case before != "":
					source = "as " + before
				default:
					said[source] = "`" + m.Key + "`"
				}
				if equation != "" {
					source += ", equation " + equation
				}
				formula += " *(" + studied(source) + ")*"
			}
			cited = m.Source
			fmt.Fprintf(&b, "- %s%s\n", key, formula)
		}
	}
	return b.String() + "\n"
}
