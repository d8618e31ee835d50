package ui

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/view/glance"
)

// preview describes the workload of an experiment as the worker does.
func preview(t *testing.T, source experiment.Source) *report.Preview {
	t.Helper()
	doc := experiment.New()
	doc.Workload.Source = source
	if _, err := doc.Add("fcfs"); err != nil {
		t.Fatal(err)
	}
	p, err := lab.Prepare(doc, lab.Env{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Preview()
	if err != nil {
		t.Fatal(err)
	}
	return &v
}

// Six charts show a workload, each with a sentence; one without users or
// requests says so in place of bars.
func TestGlances(t *testing.T) {
	full := string(glance.Charts(preview(t, experiment.Source{Bundled: "demo"})))
	if n := strings.Count(full, "<svg"); n != 6 || strings.Count(full, "aria-label=") != 6 {
		t.Errorf("%d charts", n)
	}
	g, err := experiment.NewGenerator("lublin")
	if err != nil {
		t.Fatal(err)
	}
	bare := string(glance.Charts(preview(t, experiment.Source{Generator: g})))
	if n := strings.Count(bare, "<svg"); n != 4 {
		t.Errorf("%d charts of a workload without users and requests", n)
	}
	has(t, bare, "This log names no users", "This log names no requested times")
	if glance.Charts(nil) != "" || glance.Charts(&report.Preview{}) != "" {
		t.Error("charts of nothing")
	}
}

// A measure is explained with formula, source and every scheduler's values; an
// unknown one is not.
func TestExplain(t *testing.T) {
	p := newPage(state.New(nil))
	p.explain("no-such")
	if p.Dialog != "" {
		t.Error("an unknown measure is explained")
	}
	p.explain("mean-wait")
	if p.Dialog != "metric" || p.measure().Key != "mean-wait" || p.measure().Formula == "" || p.measure().Source == "" {
		t.Errorf("%q %+v", p.Dialog, p.measure())
	}
}

// memory is a Host that remembers.
type memory struct {
	noHost
	kept map[string]string
}

func (m memory) Remember(key, text string) { m.kept[key] = text }
func (m memory) Recall(key string) string  { return m.kept[key] }

// What the reader prefers is remembered; nonsense from an earlier version is
// not taken over. The tour that was declined is not offered again.
func TestPrefsAreRemembered(t *testing.T) {
	m := memory{kept: map[string]string{}}
	p := newPage(state.New(nil))
	p.Host = m
	p.prefer(func(f *look.Prefs) { f.Relative, f.Unit = true, "h" })
	p.dropOffer()
	again := newPage(state.New(nil))
	again.Host = m
	again.recall()
	if again.S.Prefs != p.S.Prefs || again.Offer {
		t.Errorf("%+v, tour offered %v", again.S.Prefs, again.Offer)
	}
	m.kept[prefsKey] = "unit=fortnight colour=red relative"
	again.recall()
	if again.S.Prefs != (look.Prefs{Relative: true}) {
		t.Errorf("%+v", again.S.Prefs)
	}
	again.prefer(func(f *look.Prefs) { *f = look.Prefs{} })
}
