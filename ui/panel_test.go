package ui

import (
	"regexp"
	"strings"
	"testing"
)

// Sections that are data are written with unique ids, a name for every input
// and button, an existing message for every wrong one, and nothing that a
// user typed as markup.
func TestPanel(t *testing.T) {
	root, _ := page(t)
	p := root.P
	p.Shut = map[string]bool{}
	p.S.SetMachines("list")
	for _, id := range []string{"clusters", "groups", "licences", "rules", "jobs", "eligible", "outages", "classes"} {
		p.S.AddRow(id)
	}
	p.S.SetCell("licences", 0, "name", `<b>"&`)
	p.S.SetCell("rules", 0, "share", "x")
	p.S.SetField("due.share", "2")
	out := string(p.section("rows"))
	if strings.Contains(out, "<b>\"") || strings.Contains(out, "data-value=\"<") {
		t.Error("typed text stands as markup")
	}
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(out, -1) {
		if ids[m[1]]++; ids[m[1]] > 1 {
			t.Errorf("id %s stands twice", m[1])
		}
	}
	wrong := 0
	for _, m := range regexp.MustCompile(`<(input|select)[^>]*>`).FindAllString(out, -1) {
		id := regexp.MustCompile(` id="([^"]*)"`).FindStringSubmatch(m)
		if len(id) == 0 || !strings.Contains(m, "aria-label=") && !strings.Contains(out, `<label for="`+id[1]+`"`) {
			t.Errorf("an input has no name: %s", m)
		}
		if by := regexp.MustCompile(`aria-describedby="([^"]*)"`).FindStringSubmatch(m); by != nil {
			if wrong++; ids[by[1]] != 1 {
				t.Errorf("%s is not there", by[1])
			}
		}
	}
	if wrong < 2 {
		t.Errorf("%d inputs are marked as wrong, want 2 or more", wrong)
	}
	for _, m := range regexp.MustCompile(`<button[^>]*>(?s:.*?)</button>`).FindAllString(out, -1) {
		if text := regexp.MustCompile(`(?s)<svg.*?</svg>|<[^>]*>`).ReplaceAllString(m, ""); strings.TrimSpace(text) == "" && !strings.Contains(m, "aria-label=") {
			t.Errorf("a button has no name: %s", m)
		}
	}
	p.toggle("machines")
	p.toggle("guards")
}

// Intent: closed rows of the left column say in one line what they hold, and have no
// controls; what is wrong opens its row, and stays in sight once it is put right.
func TestFolds(t *testing.T) {
	root, _ := page(t)
	p := root.P
	out := string(p.section("rows"))
	has(t, out, "100 processors<", "Daily cycle<", "all jobs<", "seed 1, 5 runs, τ = 10 s<")
	if n := strings.Count(out, "<button"); n != 6 || strings.Contains(out, "<input") {
		t.Errorf("%d buttons in %s", n, out)
	}
	for id, group := range map[string]string{"seed": "repeats", "processors": "platform", "measure-to": "measure", "load": "workload", "due.share": "needs", "book.share": "grid", "limit.user": "platform", "gen.load": "workload"} {
		p.S.SetField(id, "x")
		if out := string(p.section("rows")); p.Shut[group] || !strings.Contains(out, `id="`+id+`-error"`) {
			t.Errorf("%s: %s is shut, or the fault is not in sight", id, group)
		}
		p.S.SetField(id, "1")
		if out := string(p.section("rows")); strings.Contains(out, id+"-error") || !strings.Contains(out, `id="`+id+`"`) {
			t.Errorf("%s: a fault stays, or the field goes", id)
		}
	}
	p.S.SetField("seed", "7")
	p.S.SetField("repeats", "1")
	p.toggle("repeats")
	has(t, string(p.section("rows")), "seed 7, 1 run, τ = 10 s<")
	p.S.VaryInput("seed")
	p.S.VaryText("values", "1, 2")
	p.act("vary-keep")
	has(t, string(p.section("rows")), "accent", "Seed varies<")
}
