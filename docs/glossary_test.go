package docs

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// entry is a term of the glossary as the page shows it.
type entry struct {
	Words []string `json:"words"` // that lead to it
	Is    string   `json:"is"`
}

// everyday are words of the glossary that anybody knows well enough to read on:
// they have their entries, and are not underlined wherever they stand.
var everyday = strings.Split("job|start|end|run|wait|plan|need|limit|weight|break|batch|session|window|processors|area|attempt|prediction|load|mean|ratio|submission|jobs|machine|dynamic|formula|mixed|failure|preset|reaction|licence|licences|deadline|deadlines|satisfaction|worker|profile|work|order|user|penalty|class|arrival|estimate|reservation|scheduler|policy|queue|priority|age|correction|iteration|trial|node|core|processor|cluster|site|partition|grid|gap|idle|log|trace|archive|generator|draw|repeat|event|distribution|provider|paired|used processors and waiting jobs over time", "|")

// glossary reads the entries of glossary.md: rows of its tables, families of
// measures, and points that begin with a bold word; and the schedulers of the
// catalog.
func glossary(t *testing.T) (list []entry) {
	data, err := os.ReadFile("glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	add := func(words, is string) {
		e := entry{Is: plain(is)}
		for _, w := range strings.Split(regexp.MustCompile("`[^`]*`").ReplaceAllString(words, ""), ",") {
			w = regexp.MustCompile(`\(([^)]*)\)`).ReplaceAllStringFunc(w, func(in string) string {
				if in == "(AR)" || in == "(F1)" {
					e.Words = append(e.Words, in[1:len(in)-1])
				}
				return ""
			})
			if w = strings.TrimSpace(plain(w)); w != "" {
				e.Words = append(e.Words, w)
			}
		}
		if len(e.Words) == 0 || e.Is == "" {
			return
		}
		if i := slices.IndexFunc(list, func(o entry) bool { return strings.EqualFold(o.Words[0], e.Words[0]) }); i >= 0 {
			list[i].Is += "\n" + e.Is
			for _, w := range e.Words {
				if !slices.Contains(list[i].Words, w) {
					list[i].Words = append(list[i].Words, w)
				}
			}
			return
		}
		list = append(list, e)
	}
	family := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case strings.HasPrefix(line, "### "):
			family = line[4:]
		case family != "" && line != "" && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "*") && !strings.HasPrefix(line, "<"):
			add(family, line)
			family = ""
		case strings.HasPrefix(line, "* **"):
			if words, is, ok := strings.Cut(line[4:], "**"); ok {
				add(words, strings.TrimLeft(is, ": "))
			}
		case !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || cells[0] == "term" || cells[0] == "key" || cells[0] == "name":
		case len(cells) == 2 && !strings.HasPrefix(cells[0], "`"):
			add(cells[0], cells[1])
		case len(cells) == 4 && strings.Contains(cells[1], ": "): // an order
			short, long, _ := strings.Cut(cells[1], ": ")
			add(short, long+": "+cells[2]+". "+cells[3])
		}
	}
	for _, m := range catalog.Metrics {
		if m.Headline || !strings.Contains(m.Key, "-") {
			add(m.Name, m.Help+"\nFormula: "+m.Formula)
		}
	}
	for _, s := range catalog.Schedulers {
		name, _, _ := strings.Cut(s.Name, " (")
		add(name, s.Help)
	}
	return list
}

// plain takes Markdown's marks away.
func plain(text string) string {
	text = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(text, "$1")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "`", ""), "**", "")
	return regexp.MustCompile(`\*([^\s*][^*]*)\*`).ReplaceAllString(text, "$1") // and not that of q * p
}

// Intent: the page's words open the entries of glossary.md: the two files that it
// reads are made from it (go test ./docs -run Glossary -update).
func TestGlossaryFiles(t *testing.T) {
	list := glossary(t)
	if len(list) < 90 {
		t.Fatalf("only %d entries", len(list))
	}
	words := []string{}
	for _, e := range list {
		for _, w := range e.Words {
			if !slices.Contains(everyday, strings.ToLower(w)) && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	slices.Sort(words)
	encode := func(v any) []byte {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	files := map[string][]byte{
		"../static/glossary.json": encode(list),
		"../static/terms.js":      []byte("window.batchlabTerms = " + strings.ReplaceAll(string(bytes.TrimSpace(encode(words))), "\n", "") + ";\n"),
	}
	for name, want := range files {
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, want) {
			t.Errorf("%s is not up to date: go test ./docs -run Glossary -update", name)
		}
	}
}

// Intent: no word of the trade stands on the page without an entry. What is
// listed here are words that a first course has not brought.
func TestTradeHasEntries(t *testing.T) {
	known := map[string]bool{}
	for _, e := range glossary(t) {
		for _, w := range e.Words {
			known[strings.ToLower(w)] = true
		}
	}
	for _, w := range strings.Split("slowdown|bounded slowdown|backfilling|backfill order|queue order|threshold|shadow time|head|extra processors|"+
		"walltime|requested time|advance reservation|best effort|tardiness|lateness|utilization|makespan|turnaround|τ|seed|repetition|digest|identity|"+
		"measuring window|cleaning|SWF|confidence interval|paired difference|percentile|median|standard deviation|size classes|think time|acceptable wait|"+
		"complaint|eligibility|floating licence|display packing|penalty λ|training weeks|baseline|resampling|compression|rollout|clairvoyant|kernel|FCFS|EASY|conservative|SAF|worker", "|") {
		if !known[strings.ToLower(w)] {
			t.Errorf("%q has no entry in docs/glossary.md", w)
		}
	}
}
