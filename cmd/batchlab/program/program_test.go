package program

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/sim"
	"batchlab/core/swf"
)

// worlds are platforms and requests on which programs have to do as well as the
// schedulers that are built in; KEYS stands for the schedulers.
var worlds = map[string]string{
	"counts": `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"window":{"to":260000}},"schedulers":[KEYS]}`,
	"farm with licences": `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":150}}},"annotate":{"licences":[{"licence":"*","share":0.4}],"deadlines":{"share":0.5}}},
		"platform":{"generator":{"key":"farm-machines"}},"schedulers":[KEYS]}`,
	"nodes with an outage": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":250,"processors":16,"load":1.1}}}},
		"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":4}]}],"outages":[{"cluster":"a","nodes":[1],"from":90000,"to":120000,"announced":true},{"cluster":"a","nodes":[2],"from":150000,"to":152000}]},"schedulers":[KEYS]}`,
	"reservations and limits": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":200,"processors":32,"load":0.9}}},"annotate":{"reservations":{"share":0.2,"ready":"drawn","lead_min":60,"lead_max":9000}}},
		"platform":{"processors":32,"limits":{"user_processors":16}},"schedulers":[KEYS]}`,
	"due stops": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":200,"processors":32,"load":1.2}}},"annotate":{"deadlines":{"share":0.6,"on_due":"kill"}}},
		"platform":{"processors":32},"schedulers":[KEYS]}`,
	"users who react": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":150,"processors":32}}},"react":{}},"platform":{"processors":32},"schedulers":[KEYS]}`,
	"two clusters": `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":200,"processors":16,"load":1.2}}}},
		"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":4,"speed":2}]},{"name":"b","groups":[{"count":16}]}],"power_scales":true},"schedulers":[KEYS]}`,
}

// starts runs a world under one scheduler and returns a line for each execution.
func starts(t *testing.T, world, scheduler string, env lab.Env) (string, error) {
	t.Helper()
	doc, err := experiment.Decode([]byte(strings.Replace(world, "KEYS", scheduler, 1)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	_, err = lab.Run(doc, env, lab.Options{}, func(_ lab.RunID, _ *lab.Prepared, r *lab.Result) error {
		for i := range r.Schedule.Executions {
			e := &r.Schedule.Executions[i]
			fmt.Fprintln(&b, r.Schedule.Workload.Jobs[e.Job].Number, e.Attempt, e.Submit, e.Start, e.End, e.Cluster)
		}
		return r.Schedule.Check()
	})
	return b.String(), err
}

// speaking returns an environment in which a function is the program: it reads
// and writes lines.
func speaking(t *testing.T, speak func(in *bufio.Scanner, out io.Writer)) lab.Env {
	return lab.Env{Program: func(line *experiment.Scheduler, run lab.ProgramRun) (sim.Scheduler, error) {
		fromEngine, toProgram := io.Pipe()
		fromProgram, toEngine := io.Pipe()
		go func() {
			in := bufio.NewScanner(fromEngine)
			in.Buffer(nil, 1<<24)
			speak(in, toEngine)
			toEngine.Close()
			for in.Scan() { // so that nobody waits for a reader
			}
		}()
		return New(Options{Pipe: Attached(fromProgram, toProgram), Label: run.Label, Seed: run.Seed, Repetition: run.Repetition}), nil
	}}
}

// told is what the engine writes.
type told struct {
	Hello   *struct{ Protocol int }
	Bye     *struct{}
	Error   string
	Now     *int64
	Free    int64
	New     [][]json.RawMessage
	Back    []int64
	Gone    []int64
	Started []int64
}

// playing plays FCFS or EASY, all by questions.
func playing(easy bool, t *testing.T) func(in *bufio.Scanner, out io.Writer) {
	return func(in *bufio.Scanner, out io.Writer) {
		type job struct{ id, submit int64 }
		var queue []job
		jobs := map[int64]job{}
		next := func() (m told) {
			if !in.Scan() {
				return m
			}
			if err := json.Unmarshal(in.Bytes(), &m); err != nil {
				t.Errorf("%s: %v", in.Bytes(), err)
			}
			return m
		}
		ask := func(format string, a ...any) told {
			fmt.Fprintf(out, format+"\n", a...)
			m := next()
			for _, id := range m.Started {
				queue = slices.DeleteFunc(queue, func(j job) bool { return j.id == id })
			}
			return m
		}
		ids := func(list []job) string {
			var words []string
			for _, j := range list {
				words = append(words, fmt.Sprint(j.id))
			}
			return strings.Join(words, ",")
		}
		for {
			m := next()
			switch {
			case m.Hello != nil:
				fmt.Fprintln(out, `{"protocol":1}`)
				continue
			case m.Now == nil:
				return
			}
			for _, row := range m.New {
				var j job
				json.Unmarshal(row[0], &j.id)
				json.Unmarshal(row[1], &j.submit)
				jobs[j.id] = j
				queue = append(queue, j)
			}
			for _, id := range m.Back {
				queue = append(queue, jobs[id])
			}
			slices.SortStableFunc(queue, func(a, b job) int {
				if a.submit != b.submit {
					return int(a.submit - b.submit)
				}
				return int(a.id - b.id)
			})
			queue = slices.DeleteFunc(queue, func(j job) bool { return slices.Contains(m.Gone, j.id) })
			if len(queue) > 0 {
				ask(`{"ask":"try","stop":true,"jobs":[%s]}`, ids(queue))
			}
			if easy && len(queue) > 1 {
				ask(`{"ask":"reserve","jobs":[%d]}`, queue[0].id)
				ask(`{"ask":"try","jobs":[%s]}`, ids(queue[1:]))
			}
			fmt.Fprintln(out, `{}`)
		}
	}
}

// Intent: what fits, where and when, is answered as the schedulers that are built
// in have it, on every kind of platform and request: FCFS and EASY by questions
// start every job when FCFS and EASY do.
func TestQuestionsAreAnsweredAsBuiltIn(t *testing.T) {
	for name, world := range worlds {
		for _, key := range []string{"fcfs", "easy"} {
			want, err := starts(t, world, `{"key":"`+key+`"}`, lab.Env{})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, key, err)
			}
			got, err := starts(t, world, `{"key":"exec"}`, speaking(t, playing(key == "easy", t)))
			if err != nil || got != want {
				t.Errorf("%s: %s by questions differs from the built-in one: %v\n%s", name, key, err, difference(got, want))
			}
		}
	}
}

// difference shows the first line in which two texts differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("got %s, want %s (line %d of %d and %d)", a[i], b[i], i, len(a), len(b))
		}
	}
	return ""
}

const tiny = `{"batchlab":1,"workload":{"source":{"inline":{"processors":8,"columns":["submit","procs","requested","run"],"rows":[[0,8,100,80],[5,8,60,60],[6,4,10,10],[7,4,10,10]]}}},"schedulers":[KEYS]}`

// Intent: whatever a program writes that it may not write ends the run with a
// message that says what, and when.
func TestFaultsOfAProgram(t *testing.T) {
	protocol := `{"protocol":1}`
	for _, c := range []struct {
		name  string
		lines []string // of the program, in answer to what it is told
		want  []string
	}{
		{"nothing", nil, []string{"closed its side"}},
		{"no JSON at first", []string{"hello there"}, []string{`"hello there"`, "no answer"}},
		{"no protocol", []string{`{}`}, []string{`{"protocol":1} is expected`}},
		{"another protocol", []string{`{"protocol":7}`}, []string{"protocol 7", "this version 1"}},
		{"gives up at first", []string{`{"error":"no licence for my solver"}`}, []string{"it says: no licence for my solver"}},
		{"silent end", []string{protocol}, []string{"at 0 (instant 1)", "closed its side"}},
		{"no JSON", []string{protocol, `{"start":[1`}, []string{"at 0 (instant 1)", `{\"start\":[1`, "no answer"}},
		{"two objects", []string{protocol, `{"start":[1]}{}`}, []string{"something follows the object"}},
		{"a list", []string{protocol, `[1]`}, []string{"it is an array where an object is expected"}},
		{"unknown key", []string{protocol, `{"strat":[1]}`}, []string{"strat"}},
		{"unknown job", []string{protocol, `{"start":[99]}`}, []string{"there is no job 99"}},
		{"future job", []string{protocol, `{"start":[2]}`}, []string{"there is no job 2"}},
		{"twice at once", []string{protocol, `{"start":[1,1]}`}, []string{"job 1 does not wait: it was started before"}},
		{"twice later", []string{protocol, `{"start":[1]}`, `{"start": [1]}`}, []string{"at 5 (instant 2)", "job 1 does not wait"}},
		{"ended job", []string{protocol, `{"start":[1]}`, `{}`, `{}`, `{}`, `{"start":[1]}`}, []string{"at 80 (instant 5)", "job 1 does not wait: it is over"}},
		{"does not fit", []string{protocol, `{"start":[1]}`, `{"start":[2]}`}, []string{"job 2 cannot start now: it asks for 8 processors, and 0 are free"}},
		{"a text", []string{protocol, `{"start":["1"]}`}, []string{"start is a string where a list of whole numbers is expected"}},
		{"no whole number", []string{protocol, `{"start":[1.5]}`}, []string{"start is a number 1.5 where"}},
		{"too large", []string{protocol, `{"start":[99999999999999999999]}`}, []string{"start is a number 99999999999999999999 where"}},
		{"not a number", []string{protocol, `{"start":[NaN]}`}, []string{"no answer"}},
		{"unknown question", []string{protocol, `{"ask":"run","jobs":[1]}`}, []string{`none of "try"`}},
		{"asks of an unknown job", []string{protocol, `{"ask":"fits","jobs":[9]}`}, []string{"there is no job 9"}},
		{"asks twice", []string{protocol, `{"ask":"try","jobs":[1,1]}`}, []string{"job 1 appears twice"}},
		{"says something of nobody", []string{protocol, `{"notes":[{"job":99,"text":"?"}]}`}, []string{"there is no job 99"}},
		{"wakes in the past", []string{protocol, `{"wake":0}`}, []string{"not later than now, 0"}},
		{"gives up", []string{protocol, `{"error":"ValueError: x"}`}, []string{"it says: ValueError: x"}},
		{"never starts anything", []string{protocol, `{}`, `{}`, `{}`, `{}`}, []string{"the program at standard input", "4 jobs wait: it never starts them"}},
	} {
		env := speaking(t, func(in *bufio.Scanner, out io.Writer) {
			for _, line := range c.lines {
				if !in.Scan() {
					return
				}
				fmt.Fprintln(out, line)
			}
			if len(c.lines) > 4 && c.lines[len(c.lines)-1] == `{}` {
				in.Scan() // the goodbye
			}
		})
		_, err := starts(t, tiny, `{"key":"exec"}`, env)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q lacks %q", c.name, err, want)
			}
		}
	}
}

// Intent: a time at which a program wants to be asked is an instant, on an idle
// machine too; and questions and promises hold within an instant only.
func TestWakeAndPromises(t *testing.T) {
	var heard []string
	done := make(chan bool)
	env := speaking(t, func(in *bufio.Scanner, out io.Writer) {
		defer close(done)
		for i, line := range []string{
			`{"protocol":1,"quiet":true}`,
			`{"ask":"earliest","jobs":[1]}`, `{"wake":3,"notes":[{"job":1,"text":"sleeps on"}]}`, // at 0
			`{"start":[1]}`,                      // at 3
			`{"ask":"reserve","jobs":[2]}`, `{}`, // at 5
			`{"ask":"reserve","jobs":[2]}`, `{"ask":"fits","jobs":[3]}`, `{}`, // at 6
			`{"ask":"fits","jobs":[3,4]}`, `{}`, // at 7
			`{"ask":"try","jobs":[3,2,4]}`, `{}`, // at 83
			`{"ask":"try","jobs":[2]}`, `{"start":[]}`, // at 93
		} {
			if !in.Scan() {
				t.Errorf("line %d was not asked for", i)
				return
			}
			heard = append(heard, in.Text())
			fmt.Fprintln(out, line)
		}
		in.Scan()
		heard = append(heard, in.Text())
	})
	got, err := starts(t, tiny, `{"key":"exec","label":"Me"}`, env)
	if err != nil {
		t.Fatal(err)
	}
	<-done
	want := []string{
		`{"at":[0]}`, `{"now":3,"free":8}`, `{"now":5,"free":0,"new":[[2,5,8,60,-1,-1,-1]]}`, `{"at":[103]}`,
		`{"at":[103]}`, `{"fits":[false]}`, `{"fits":[false,false]}`, `{"now":83,"free":8,"ended":[1]}`, `{"started":[3,4]}`,
		`{"now":93,"free":8,"ended":[3,4]}`, `{"started":[2]}`, `{"bye":{"past":[[2,153]]}}`,
	}
	for _, line := range want {
		if !slices.Contains(heard, line) {
			t.Errorf("the program never heard %s; it heard\n%s", line, strings.Join(heard, "\n"))
		}
	}
	if want := "1 0 0 3 83 0\n2 0 5 93 153 0\n3 0 6 83 93 0\n4 0 7 83 93 0\n"; got != want {
		t.Errorf("executions\n%swant\n%s", got, want)
	}
}

// Intent: a program that wants to hear only of instants at which something may fit hears
// of none else, and all that has happened comes along with the next one.
func TestOnlyWhatFits(t *testing.T) {
	var heard []string
	done := make(chan bool)
	env := speaking(t, func(in *bufio.Scanner, out io.Writer) {
		in.Scan()
		fmt.Fprintln(out, `{"protocol":1,"fits":true}`)
		for in.Scan() {
			heard = append(heard, in.Text())
			switch {
			case strings.HasPrefix(in.Text(), `{"bye"`):
				close(done)
				return
			case strings.Contains(in.Text(), `[1,0,8,`):
				fmt.Fprintln(out, `{"start":[1]}`)
			case strings.Contains(in.Text(), `[2,5,8,`):
				fmt.Fprintln(out, `{"start":[2]}`)
			default:
				fmt.Fprintln(out, `{"start":[4,3]}`)
			}
		}
	})
	if _, err := starts(t, tiny, `{"key":"exec","label":"Me"}`, env); err != nil {
		t.Fatal(err)
	}
	<-done
	want := `{"now":0,"free":8,"new":[[1,0,8,100,-1,-1,-1]]}
{"now":80,"free":8,"ended":[1],"new":[[2,5,8,60,-1,-1,-1],[3,6,4,10,-1,-1,-1],[4,7,4,10,-1,-1,-1]]}
{"now":140,"free":8,"ended":[2]}
{"bye":{"past":[[3,150],[4,150]]}}`
	if got := strings.Join(heard, "\n"); got != want {
		t.Errorf("it heard\n%s\nwant\n%s", got, want)
	}
}

// Intent: a program that asks without end, or lets itself be woken without end while
// nothing happens, is stopped with a message, however quick each of its answers is.
func TestProgramsWithoutEnd(t *testing.T) {
	defer func(idle, questions int) { mostIdle, mostQuestions = idle, questions }(mostIdle, mostQuestions)
	mostIdle, mostQuestions = 50, 70
	for line, want := range map[string]string{
		`{"ask":"fits","jobs":[1]}`: "at 0 (instant 1): it asked 70 questions at one instant, and has not decided",
		``:                          "it was woken 50 times in a row, and nothing has happened since",
	} {
		env := speaking(t, func(in *bufio.Scanner, out io.Writer) {
			in.Scan()
			fmt.Fprintln(out, `{"protocol":1}`)
			for in.Scan() && !strings.HasPrefix(in.Text(), `{"error"`) {
				var m told
				if json.Unmarshal(in.Bytes(), &m); line != "" {
					fmt.Fprintln(out, line)
				} else {
					fmt.Fprintf(out, "{\"wake\":%d}\n", *m.Now+1)
				}
			}
		})
		if _, err := starts(t, tiny, `{"key":"exec"}`, env); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// Intent: what a program says of a job is kept with the instant, where decisions are
// recorded, and refers to jobs that it has been told of alone.
func TestNotes(t *testing.T) {
	env := speaking(t, func(in *bufio.Scanner, out io.Writer) {
		for _, line := range []string{
			`{"protocol":1}`, `{"start":[1],"notes":[{"job":1,"text":"goes first"}]}`, // at 0
			`{"notes":[{"job":2,"text":"has to wait"}]}`, `{}`, `{}`, // at 5, 6 and 7
			`{"start":[2]}`, `{"start":[3,4]}`, `{}`, // at 80, 140 and 150
		} {
			in.Scan()
			fmt.Fprintln(out, line)
		}
		in.Scan()
	})
	doc, err := experiment.Decode([]byte(strings.Replace(tiny, "KEYS", `{"key":"exec"}`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	told := false
	_, err = lab.Run(doc, env, lab.Options{Why: true}, func(_ lab.RunID, _ *lab.Prepared, r *lab.Result) error {
		p := r.Report.Program
		if told = true; p == nil || len(p.Notes) != 2 || p.Notes[0].Text != "goes first" || p.Notes[1].Number != 2 || p.Notes[1].At != 5 {
			t.Errorf("%+v", p)
		}
		return nil
	})
	if err != nil || !told {
		t.Fatal(err)
	}
}

// TestMain lets the test be the program that is started.
func TestMain(m *testing.M) {
	play := os.Getenv("BATCHLAB_TEST_PROGRAM")
	if play == "" {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	fmt.Fprintln(os.Stderr, "I am", play)
	switch play {
	case "crash":
		fmt.Println(`{"protocol":1}`)
		in.Scan()
		panic("no idea")
	case "exit":
		os.Exit(0)
	case "silence":
		time.Sleep(time.Minute)
	case "endless":
		for {
			os.Stdout.WriteString(strings.Repeat("x", 1<<16))
		}
	case "late":
		policyOf(in)
		os.Exit(3)
	}
	os.Exit(0)
}

// policyOf starts every job at once where it can.
func policyOf(in *bufio.Scanner) {
	playing(false, &testing.T{})(bufio.NewScanner(io.MultiReader(strings.NewReader("{\"hello\":{}}\n"), lines{in})), os.Stdout)
}

// lines reads on where a scanner has begun.
type lines struct{ in *bufio.Scanner }

func (l lines) Read(b []byte) (int, error) {
	if !l.in.Scan() {
		return 0, io.EOF
	}
	return copy(b, append(l.in.Bytes(), '\n')), nil
}

// processes returns an environment that starts this test as the program.
func processes(t *testing.T, play string, stderr io.Writer, timeout time.Duration) lab.Env {
	t.Setenv("BATCHLAB_TEST_PROGRAM", play)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return lab.Env{Program: func(*experiment.Scheduler, lab.ProgramRun) (sim.Scheduler, error) {
		return New(Options{Command: "'" + self + "'", Timeout: timeout, Stderr: stderr}), nil
	}}
}

// Intent: a program that cannot be started, crashes, ends early, says nothing or
// does not stop talking ends the run with a message, and what it wrote to its
// standard error is passed on; one that ends badly after the last job changes
// nothing.
func TestProcesses(t *testing.T) {
	for _, c := range []struct {
		play string
		want []string
	}{
		{"crash", []string{"ended before the simulation: exit status 2", "its standard error"}},
		{"exit", []string{"ended before the simulation, with exit status 0", "I am exit"}},
		{"silence", []string{"gave no answer for 300ms and was stopped"}},
		{"endless", []string{"a line of more than"}},
		{"late", nil},
	} {
		var stderr bytes.Buffer
		_, err := starts(t, tiny, `{"key":"exec"}`, processes(t, c.play, &stderr, map[bool]time.Duration{true: 300 * time.Millisecond, false: time.Minute}[c.play == "silence"]))
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.play, err)
		}
		for _, want := range c.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q lacks %q", c.play, err, want)
			}
		}
		if !strings.Contains(stderr.String(), "I am "+c.play) {
			t.Errorf("%s: its standard error was not passed on: %q", c.play, stderr.String())
		}
		if c.play == "late" && !strings.Contains(stderr.String(), "after the last job: exit status 3") {
			t.Errorf("its end is not told: %q", stderr.String())
		}
	}
	_, err := starts(t, tiny, `{"key":"exec"}`, lab.Env{Program: func(*experiment.Scheduler, lab.ProgramRun) (sim.Scheduler, error) {
		return New(Options{Command: "/nowhere/at all", Timeout: time.Second, Stderr: io.Discard}), nil
	}})
	if err == nil || !strings.Contains(err.Error(), "could not be started") {
		t.Errorf("a program that does not exist: %v", err)
	}
}

// Intent: commands are split into words as shells do it.
func TestWords(t *testing.T) {
	for command, want := range map[string]string{
		"python3 my.py":               "python3|my.py",
		`  a   "b c"  'd "e'  `:       `a|b c|d "e`,
		`x\ y \"q\" "in \"side\""`:    `x y|"q"|in "side"`,
		`C:\bin\python.exe 'C:\a b'`:  `C:\bin\python.exe|C:\a b`,
		`run "" ''`:                   `run||`,
		`glued"to"'gether'`:           `gluedtogether`,
		`say $HOME && rm -rf / ; | >`: `say|$HOME|&&|rm|-rf|/|;|||>`,
	} {
		words, err := Words(command)
		if got := strings.Join(words, "|"); err != nil || got != want {
			t.Errorf("Words(%q) = %q, %v; want %q", command, got, err, want)
		}
	}
	for _, command := range []string{"", "  ", `a "b`, `'`, `"" x`} {
		if words, err := Words(command); err == nil {
			t.Errorf("Words(%q) = %q: no error", command, words)
		}
	}
}

// python returns the command of an example of the Python package, or skips the
// test.
func python(t testing.TB, example string) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 on the PATH")
	}
	folder, err := filepath.Abs("../../../clients/python")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", folder)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return fmt.Sprintf("'%s' '%s'", path, filepath.Join(folder, "examples", example+".py"))
}

// Intent: FCFS and EASY in Python start every job when the built-in ones do, on
// KTH-SP2's first jobs and on every kind of platform and request.
func TestPythonAsBuiltIn(t *testing.T) {
	all := map[string]string{}
	for name, world := range worlds {
		all[name] = world
	}
	var log *swf.Log
	if folder := os.Getenv("BATCHLAB_LOGS"); folder != "" {
		packed, err := os.ReadFile(filepath.Join(folder, "KTH-SP2-1996-2.1-cln.swf.gz"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := swf.Gunzip(packed, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if log, err = swf.Parse(text); err != nil {
			t.Fatal(err)
		}
		all["KTH-SP2"] = `{"batchlab":1,"workload":{"source":{"log":{"name":"KTH-SP2","sha256":"` + strings.Repeat("0", 64) + `","size":1}},"window":{"to":1500000}},"schedulers":[KEYS]}`
	}
	for _, key := range []string{"fcfs", "easy"} {
		command := python(t, key)
		env := lab.Env{
			Log: func(experiment.Log) (*swf.Log, error) { return log, nil },
			Program: func(_ *experiment.Scheduler, run lab.ProgramRun) (sim.Scheduler, error) {
				return New(Options{Command: command, Timeout: time.Minute, Stderr: os.Stderr, Seed: run.Seed}), nil
			},
		}
		for name, world := range all {
			want, err := starts(t, world, `{"key":"`+key+`"}`, env)
			if err != nil {
				t.Fatal(err)
			}
			got, err := starts(t, world, `{"key":"exec"}`, env)
			if err != nil || got != want {
				t.Errorf("%s: %s in Python differs from the built-in one: %v\n%s", name, key, err, difference(got, want))
			}
		}
	}
}

// Intent: without somebody who starts programs, exec is refused before anything
// runs, with the code that the documentation names.
func TestRefusedWithoutConsent(t *testing.T) {
	_, err := starts(t, tiny, `{"key":"exec","params":{"command":"rm -rf /"}}`, lab.Env{})
	var faults experiment.Errors
	if !errors.As(err, &faults) || faults[0].Code != experiment.CodeProgram || faults[0].Path != "schedulers[0].key" {
		t.Errorf("refused with %v", err)
	}
}
