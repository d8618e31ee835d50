package docs

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
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

// Intent: the page of cases is what the catalog says, and each case
// stands under the rule that it shows.
func TestCasesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Cases

Small experiments that show one thing each, from the page's menu. Set the line of a case behind the address of a page to open it, with its jobs and their starts under each scheduler; the starts that follow from the rules by hand stand in [core/lab/case_test.go](../core/lab/case_test.go).
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
		doc, err := experiment.Decode([]byte(c.Document))
		if err != nil {
			t.Fatalf("%s: %v", c.Key, err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n**%s.** %s\n\n`%s`\n", c.Key, c.Name, c.Shows, experiment.EncodeLink(doc))
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
