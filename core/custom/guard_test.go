package custom_test

import (
	_ "embed"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/custom"
	"batchlab/core/model"
	"batchlab/core/sim"
)

// small is a workload of a few jobs of which some must wait.
func small(jobs int) *model.Workload {
	w := &model.Workload{}
	r := rand.New(rand.NewPCG(11, 12))
	at := model.Time(0)
	for i := range jobs {
		at += model.Time(r.IntN(40))
		limit := model.Time(20 + r.IntN(200))
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 + r.IntN(8)), User: int32(r.IntN(3))})
		w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(r.IntN(int(limit)))})
	}
	return w
}

// run runs a program on a small workload. What is wrong is a *custom.Fault.
func run(code string, w *model.Workload) (*model.Schedule, error) {
	program, faults := custom.Compile(code)
	if program == nil {
		return nil, faults[0]
	}
	var m sim.Simulator
	s := custom.New(program)
	schedule, err := m.Run(w, model.OneCluster(8), s, sim.Options{})
	if err != nil {
		err = s.(interface{ Blame(error) error }).Blame(err)
	}
	return schedule, err
}

//go:embed testdata/hostile.txt
var hostile string

// hostilePrograms are those of the file; what defines nothing is the body of decide.
func hostilePrograms() (list []string) {
	for _, code := range strings.Split(hostile, "===\n") {
		if !strings.Contains(code, "def ") && !strings.Contains(code, "backfill =") && !strings.HasPrefix(code, "decide =") && code != "x = 1\n" {
			code = "def decide(s):\n    " + code
		}
		list = append(list, code)
	}
	return list
}

// Programs written to do harm, and those that are merely wrong, end in a message
// that names a line: none runs for ever, takes all memory, or brings anything down.
func TestHostilePrograms(t *testing.T) {
	w := small(30)
	list := hostilePrograms()
	if len(list) < 200 {
		t.Fatalf("%d programs", len(list))
	}
	for i, code := range list {
		if testing.Short() && i%8 != 0 {
			continue
		}
		_, err := run(code, w)
		var fault *custom.Fault
		switch {
		case err == nil:
			t.Errorf("program %d does what it wants:\n%s", i, code)
		case !errors.As(err, &fault) || fault.Line < 1 || fault.Message == "":
			t.Errorf("program %d: no line in %q:\n%s", i, err, code)
		}
	}
}

// mutate changes a program at a few places.
func mutate(r *rand.Rand, programs []string) string {
	code := []byte(programs[r.IntN(len(programs))])
	words := []string{"s", "job", "s.queue", "s.free", "job.procs", "while True:\n", "for x in", "[", "]", "(", ")", ":", "\n", "    ", "* 1000000", "<< 40", "+", "-", "==", "in", "not",
		"lambda:", "return", "def f():", "s.start", "s.reserve", "s.place", "s.keep", "None", "1", "1e300", "\"", "#", ".append(", "%", "=", "if", "else", "and", "sorted(", "{", "}", ",", "random()", "s.wake(s.now + 1)", "x"}
	for range 1 + r.IntN(4) {
		if len(code) == 0 {
			break
		}
		at := r.IntN(len(code))
		to := min(len(code), at+1+r.IntN(12))
		switch r.IntN(5) {
		case 0: // cut
			code = append(code[:at:at], code[to:]...)
		case 1: // twice
			code = append(code[:to:to], code[at:]...)
		case 2: // a word
			code = append(code[:at:at], append([]byte(words[r.IntN(len(words))]), code[at:]...)...)
		case 3: // a word in place
			code = append(code[:at:at], append([]byte(words[r.IntN(len(words))]), code[to:]...)...)
		default: // a byte
			code = append([]byte(nil), code...)
			code[at] = byte(r.IntN(256))
		}
	}
	return string(code)
}

// Programs that were changed at random run, or end in a message with a line; never in
// a panic.
func TestMutatedPrograms(t *testing.T) {
	files, err := filepath.Glob("../../examples/schedulers/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d programs in examples: %v", len(files), err)
	}
	var programs []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, string(text))
	}
	count := 10_000
	if testing.Short() {
		count = 500
	}
	r, w := rand.New(rand.NewPCG(1, 2)), small(12)
	ran := 0
	for range count {
		code := mutate(r, programs)
		_, err := run(code, w)
		var fault *custom.Fault
		if err == nil {
			ran++
		} else if !errors.As(err, &fault) || fault.Line < 1 && !strings.Contains(fault.Message, "empty") {
			t.Fatalf("no line in %q:\n%s", err, code)
		}
	}
	if ran < count/20 || ran > count*19/20 {
		t.Errorf("%d of %d programs ran: the changes say little", ran, count)
	}
}

// The most nested and the longest programs that are let through, and those just
// beyond, neither overflow the stack of the parser, the compiler or a browser.
func TestDeepPrograms(t *testing.T) {
	many := func(n int, of string) string { return strings.Repeat(of, n) }
	indented := func(n int) string {
		s := "def decide(s):\n"
		for i := range n {
			s += many(i+1, " ") + "if s:\n"
		}
		return s + many(n+1, " ") + "pass\n"
	}
	for name, code := range map[string]string{
		"brackets":      "x = " + many(39, "[") + many(39, "]"),
		"more brackets": "x = " + many(2000, "(") + many(2000, ")"),
		"parts":         "x = s" + many(290, ".a"),
		"more parts":    "x = s" + many(5000, ".a"),
		"calls":         "x = s" + many(190, "()"),
		"sums":          "x = 1" + many(290, "+y"),
		"more sums":     "x = 1" + many(7000, "+y"),
		"texts":         "x = " + many(290, `"a"+`) + `"a"`,
		"signs":         "x = " + many(590, "-") + "1",
		"more signs":    "x = " + many(15000, "-") + "1",
		"nots":          "x = " + many(590, "not ") + "1",
		"lambdas":       "x = " + many(190, "lambda:") + "1",
		"conditions":    "x = " + many(140, "1 if 2 else ") + "1",
		"ands":          "x = 1" + many(290, " and y"),
		"compares":      "x = 1" + many(290, " in y"),
		"ifs":           "def decide(s):\n" + many(1600, " if s:1\n"),
		"whiles":        "def decide(s):\n" + many(1100, " while s:1\n"),
		"elifs":         "def decide(s):\n if s:1\n" + many(1300, " elif s:1\n"),
		"indents":       indented(118),
		"more indents":  indented(170),
		"fors":          "x = [1" + many(100, " for a in b") + "]",
		"defs":          many(199, "def f(): pass\n"),
		"lists":         "x = [" + many(290, "1,") + "]",
		"dicts":         "x = {" + many(140, "1:1,") + "}",
		"continued":     "x = 1" + many(500, "+\\\n1"),
		"names":         "def decide(s):\n" + many(1300, " a1=1\n"),
		"text":          `x = "` + many(15900, "é") + `"`,
		"triple":        `x = """` + many(15900, "\n") + `"""`,
	} {
		if !strings.Contains(code, "def decide") {
			code += "\ndef decide(s):\n return s.queue\n"
		}
		program, faults := custom.Compile(code)
		if program == nil && (len(faults) == 0 || faults[0].Message == "" || strings.Contains(faults[0].Message, "cannot be compiled")) {
			t.Errorf("%s: %v", name, faults)
		}
		t.Log(name, program != nil, faults[:min(1, len(faults))])
	}
}

// A profile says how often the program came to a line (to the last one once more, to return) and how many steps it took
// there, and leaves the run as it is.
func TestProfile(t *testing.T) {
	code := "def decide(s):\n    for job in s.queue:\n        s.start(job)\n    total = 0\n    for i in range(100):\n        total += i\n"
	program, faults := custom.Compile(code)
	if program == nil {
		t.Fatal(faults)
	}
	w := small(40)
	var m sim.Simulator
	d := custom.New(program).(*custom.Decider)
	if _, err := m.Run(w, model.OneCluster(8), d, sim.Options{}); err != nil || d.Profiled() != nil {
		t.Fatal(err)
	}
	steps := d.Steps()
	clock := 0.0
	d.Profile(func() float64 { clock++; return clock })
	if _, err := m.Run(w, model.OneCluster(8), d, sim.Options{}); err != nil {
		t.Fatal(err)
	}
	p := d.Profiled()
	if p.Steps != int64(steps) || p.Steps != int64(d.Steps()) || p.About || p.Calls["decide"] < 40 {
		t.Errorf("%+v, %d steps without", p, steps)
	}
	sum, most := int64(0), p.Lines[0]
	for _, l := range p.Lines {
		if sum += l.Steps; l.Steps > most.Steps {
			most = l
		}
		if l.Line == 4 && l.Calls != int64(p.Calls["decide"]) || l.Seconds <= 0 {
			t.Errorf("%+v", l)
		}
	}
	if most.Line != 6 || most.Calls != 101*int64(p.Calls["decide"]) || sum > p.Steps || sum < p.Steps*9/10 {
		t.Errorf("%+v, %d of %d steps", most, sum, p.Steps)
	}
}

// Intent: of a long call only some steps are looked at, so that a loop without an end
// is stopped as soon with a profile as without; what is said of its lines is about
// right, and the run stays as it is.
func TestProfileOfLongCalls(t *testing.T) {
	code := "def decide(s):\n    total = 0\n    for i in range(60000):\n        total += i\n        if total < 0:\n            fail()\n    return s.queue\n"
	program, faults := custom.Compile(code)
	if program == nil {
		t.Fatal(faults)
	}
	w := &model.Workload{Jobs: []model.Job{{Number: 1, Limit: 10, Procs: 1}}, Truth: []model.Truth{{Run: 10}}}
	var m sim.Simulator
	d := custom.New(program).(*custom.Decider)
	if _, err := m.Run(w, model.OneCluster(8), d, sim.Options{}); err != nil {
		t.Fatal(err)
	}
	steps := d.Steps()
	d.Profile(nil)
	if _, err := m.Run(w, model.OneCluster(8), d, sim.Options{}); err != nil {
		t.Fatal(err)
	}
	p := d.Profiled()
	if !p.About || d.Steps() != steps {
		t.Errorf("about %v, %d steps, %d without", p.About, d.Steps(), steps)
	}
	sum := int64(0)
	for _, l := range p.Lines {
		sum += l.Steps
		if want := int64(60_000 * p.Calls["decide"]); (l.Line == 4 || l.Line == 5) && (l.Calls < want*8/10 || l.Calls > want*12/10) {
			t.Errorf("line %d ran %d times, not %d", l.Line, l.Calls, want)
		}
	}
	if sum > p.Steps || sum < p.Steps*9/10 {
		t.Errorf("%d of %d steps", sum, p.Steps)
	}
}
