package experiment

import (
	"strings"
	"testing"
)

// Intent: whoever gathers what an experiment needs is told of every file that one
// of its points names, wherever in a value or beside an axis it stands, once each,
// and of no other.
func TestFilesOfWhatVaries(t *testing.T) {
	file := func(name, digit string) string {
		return `{"name": "` + name + `", "sha256": "` + strings.Repeat(digit, 64) + `", "size": 20}`
	}
	foretold := func(name, digit string) string { return `{"key": "file", "file": ` + file(name, digit) + `}` }
	scheduler := func(name, digit string) string {
		return `{"key": "easy", "params": {"backfill-by": "prediction"}, "predict": ` + foretold(name, digit) + `}`
	}
	doc := func(more string) string {
		return `{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy", "params": {"backfill-by": "prediction"}}]` + more + `}`
	}
	for _, c := range []struct{ more, want string }{
		{``, ""},
		{`, "predict": ` + foretold("p.csv", "1"), "p.csv"},
		{`, "vary": [{"path": "workload.scale.load", "values": [1, 2]}]`, ""},
		{`, "vary": [{"path": "predict", "values": [` + foretold("a.csv", "1") + `, ` + foretold("b.csv", "2") + `]}]`, "a.csv b.csv"},
		{`, "predict": ` + foretold("p.csv", "3") + `, "vary": [{"path": "seed", "values": [1, 2]}, {"path": "predict.file", "values": [` + file("a.csv", "1") + `, ` + file("p.csv", "3") + `]}]`, "p.csv a.csv"},
		{`, "predict": ` + foretold("p.csv", "3") + `, "vary": [{"path": "predict.file.sha256", "values": ["` + strings.Repeat("4", 64) + `"], "with": [{"path": "predict.file.name", "values": ["q.csv"]}]}]`, "p.csv q.csv"},
		{`, "vary": [{"path": "seed", "values": [1, 2], "with": [{"path": "schedulers[0].predict", "values": [` + foretold("a.csv", "1") + `, ` + foretold("b.csv", "2") + `]}]}]`, "a.csv b.csv"},
		{`, "vary": [{"path": "schedulers[0]", "values": [{"key": "fcfs"}, ` + scheduler("a.csv", "1") + `]}]`, "a.csv"},
		{`, "vary": [{"path": "workload.annotate", "values": [{}, {"file": ` + file("needs.csv", "5") + `}]}]`, "needs.csv"},
	} {
		e, err := Decode([]byte(doc(c.more)))
		if err != nil {
			t.Errorf("%s: %v", c.more, err)
			continue
		}
		var names []string
		for _, f := range e.Files() {
			names = append(names, f.File.Name)
			if !strings.HasSuffix(f.Path, "file") {
				t.Errorf("%s: %s stands at %s", c.more, f.File.Name, f.Path)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.more, got, c.want)
		}
	}
}

// Intent: whoever gathers what an experiment needs is told of every log that one of
// its points names beside the document's own one, once each.
func TestLogsOfWhatVaries(t *testing.T) {
	log := func(name, digit string) string {
		return `{"name": "` + name + `", "sha256": "` + strings.Repeat(digit, 64) + `", "size": 20}`
	}
	for _, c := range []struct{ own, vary, want string }{
		{`{"bundled": "demo"}`, ``, ""},
		{`{"log": ` + log("a.swf", "1") + `}`, ``, ""},
		{`{"bundled": "demo"}`, `{"path": "workload.source", "values": [{"bundled": "demo"}, {"log": ` + log("a.swf", "1") + `}, {"log": ` + log("b.swf", "2") + `}]}`, "a.swf b.swf"},
		{`{"log": ` + log("a.swf", "1") + `}`, `{"path": "seed", "values": [1, 2]}, {"path": "workload.source", "values": [{"log": ` + log("b.swf", "2") + `}, {"log": ` + log("a.swf", "1") + `}]}`, "b.swf"},
		{`{"log": ` + log("a.swf", "1") + `}`, `{"path": "workload.source.log", "values": [` + log("a.swf", "1") + `, ` + log("b.swf", "2") + `]}`, "b.swf"},
		{`{"log": ` + log("a.swf", "1") + `}`, `{"path": "workload.source.log.sha256", "values": ["` + strings.Repeat("3", 64) + `"], "with": [{"path": "workload.source.log.name", "values": ["c.swf"]}]}`, "c.swf"},
	} {
		e, err := Decode([]byte(`{"batchlab": 1, "workload": {"source": ` + c.own + `}, "schedulers": [{"key": "easy"}], "vary": [` + c.vary + `]}`))
		if err != nil {
			t.Errorf("%s: %v", c.vary, err)
			continue
		}
		var names []string
		for _, f := range e.Logs() {
			names = append(names, f.File.Name)
		}
		if got := strings.Join(names, " "); got != c.want || len(e.Files()) > 0 {
			t.Errorf("%s: %q, want %q; files %v", c.vary, got, c.want, e.Files())
		}
	}
}
