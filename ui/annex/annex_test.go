package annex

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

const demo = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]}`

// Intent: a view sees another document only where it is another one; what cannot be read
// is an error and changes nothing.
func TestTell(t *testing.T) {
	var p Page
	if err := p.Tell(Facts{Document: demo}); err != nil {
		t.Fatal(err)
	}
	doc := p.Doc
	if err := p.Tell(Facts{Document: demo, State: "a1"}); err != nil || p.Doc != doc || p.State != "a1" {
		t.Error("the same document is another one", err)
	}
	if err := p.Tell(Facts{Document: "{"}); err == nil || p.Doc != doc {
		t.Error("no document is one")
	}
	if err := p.Tell(Facts{Document: strings.Replace(demo, "easy", "fcfs", 1)}); err != nil || p.Doc == doc {
		t.Error("another document is not seen", err)
	}
}

// Intent: questions and answers are values of Go; an error comes through, and so does an
// answer that is none.
func TestAsk(t *testing.T) {
	var p Page
	answer, fault := `{"n":3}`, error(nil)
	p.Query = func(_ *experiment.Experiment, what string, in []byte, progress func(int, int), done func([]byte, error)) func() {
		if what != "what" || string(in) != `{"q":1}` {
			t.Error(what, string(in))
		}
		progress(1, 2)
		done([]byte(answer), fault)
		return func() {}
	}
	ask := func() (n int, err error) {
		Ask(&p, nil, "what", map[string]int{"q": 1}, nil, func(got struct{ N int }, e error) { n, err = got.N, e })
		return n, err
	}
	if n, err := ask(); n != 3 || err != nil {
		t.Error(n, err)
	}
	answer = "["
	if _, err := ask(); err == nil {
		t.Error("what is no answer is read")
	}
	fault = errors.New("no")
	if _, err := ask(); err != fault {
		t.Error(err)
	}
}

// Intent: each view of the second program has a row of its own.
func TestRooms(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rooms {
		if r.Key == "" || r.Name == "" || seen[r.Key] || len(r.Parts) != 1 || r.Parts[0].Island != "annex:"+r.Key {
			t.Errorf("%+v", r)
		}
		seen[r.Key] = true
	}
}

// Intent: dates write themselves into the command, and nothing else does that a shell
// would run.
func TestCommand(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"", "", " -S 2026-01-01 -E now -o "}, {"2025-07-01", "now-1days", " -S 2025-07-01 -E now-1days -o "}, {" 1/2/26; rm -rf $HOME `x`", "|", " -S 1/2/26rm-rfHOMEx -E now -o "},
	} {
		if got := Command(c.from, c.to); !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
