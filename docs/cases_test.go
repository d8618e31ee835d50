package docs

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
)

var update = flag.Bool("update", false, "write docs/cases.md anew from the catalog")

// shownUnder are the headings of simulation-rules.md under which each case stands.
var shownUnder = map[string]string{
	"hole":        "7. FCFS",
	"promise":     "8. EASY",
	"beside":      "8. EASY",
	"everyone":    "9. Conservative",
	"moves-up":    "9. Conservative",
	"estimates":   "5. A scheduler cannot peek",
	"overrun":     "2. Which jobs there are: cleaning",
	"ties":        "6. Ties",
	"orders":      "8. EASY",
	"starves":     "7. FCFS",
	"formula":     "8. EASY",
	"threshold":   "8. EASY",
	"fair":        "Grids and advance reservations",
	"plan":        "10. Plans",
	"anew":        "10. Plans",
	"exchange":    "On machines",
	"reservation": "Advance reservations beside any scheduler",
	"outage":      "4. When something happens",
	"failure":     "On machines",
	"licence":     "On machines",
	"deadline":    "On machines",
	"due-stop":    "On machines",
	"nodes":       "On machines",
	"gpu":         "On machines",
	"class":       "On machines",
	"limit":       "On machines",
	"grid":        "Grids and advance reservations",
	"after":       "Eligibility",
	"array":       "Eligibility",
	"begin":       "Eligibility",
	"delay":       "Eligibility",
	"notok":       "Eligibility",
	"any":         "Eligibility",
	"withdrawn":   "Eligibility",
	"react":       "Users who react",
	"slurm-loops": "Slurm",
	"slurm-nodes": "Slurm",
	"slurm-depth": "Slurm",
	"slurm-tier":  "Slurm",
	"as-logged":   "11. As logged",
}

// Intent: the page of cases is what the catalog and the lab say, and each case
// stands under the rule that it shows.
func TestCasesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Cases

Small experiments that show one thing each, from the page's menu: jobs, and starts under each scheduler, in minutes. Set the last line behind the address of a page to open it. Made from core/catalog/case.go by ` + "`go test ./docs -run TestCasesPage -update`" + `.
`)
	rules, err := os.ReadFile("simulation-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for part := range strings.SplitSeq(string(rules), "\n## ") {
		heading, text, _ := strings.Cut(part, "\n")
		sections[heading] = text
	}
	for i := range catalog.Cases {
		c := &catalog.Cases[i]
		if want := fmt.Sprintf("[%s](cases.md#%s)", c.Name, c.Key); !strings.Contains(sections[shownUnder[c.Key]], want) {
			t.Errorf("simulation-rules.md, section %q, does not hold %s", shownUnder[c.Key], want)
		}
		fmt.Fprintf(&b, "\n## %s\n\n**%s.** %s\n\n%s", c.Key, c.Name, c.Shows, caseTable(t, c))
	}
	const page = "cases.md"
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != b.String() {
		t.Errorf("%s is not what the catalog says (%v); make it anew with -update", page, err)
	}
}

// caseTable is a case's jobs, when each starts, and its link.
func caseTable(t *testing.T, c *catalog.Case) string {
	doc, err := experiment.Decode([]byte(c.Document))
	if err != nil {
		t.Fatalf("%s: %v", c.Key, err)
	}
	var b strings.Builder
	table := doc.Workload.Source.Inline
	head := []string{"job", "submitted", "processors", "requested", "runs"}
	rows := make([][]string, len(table.Rows))
	for i, r := range table.Rows {
		rows[i] = []string{fmt.Sprint(i + 1), fmt.Sprint(r[0] / 60), fmt.Sprint(r[1]), fmt.Sprint(r[2] / 60), fmt.Sprint(r[3] / 60)}
	}
	_, err = lab.Run(doc, lab.Env{}, lab.Options{}, func(id lab.RunID, p *lab.Prepared, r *lab.Result) error {
		head = append(head, p.Label(id.Scheduler))
		starts := map[int64][]string{}
		for _, x := range r.Schedule.Executions {
			n := r.Schedule.Workload.Jobs[x.Job].Number
			if x.Reason.Unserved() {
				starts[n] = append(starts[n], "never")
			} else {
				starts[n] = append(starts[n], fmt.Sprint(x.Start/60))
			}
		}
		for i := range rows {
			rows[i] = append(rows[i], strings.Join(starts[int64(i)+1], ", "))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", c.Key, err)
	}
	b.WriteString("```\n")
	for _, r := range append([][]string{head}, rows...) {
		for i, text := range r {
			if i > 0 {
				b.WriteString("  ")
			}
			fmt.Fprintf(&b, "%*s", widest(i, head, rows), text)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "```\n\n```\n%s\n```\n", experiment.EncodeLink(doc))
	return b.String()
}

// widest is the number of letters that column i of a table needs.
func widest(i int, head []string, rows [][]string) int {
	n := utf8.RuneCountInString(head[i])
	for _, r := range rows {
		n = max(n, utf8.RuneCountInString(r[i]))
	}
	return n
}
