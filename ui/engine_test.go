package ui

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
	"batchlab/ui/engine"
	"batchlab/ui/state"
)

// atOnce computes everything at once with the real laboratory. Logs are the
// texts that a test offers as files.
type atOnce struct {
	logs map[string]*swf.Log
	hold bool // keep runs waiting
	wait []func()
}

func (g *atOnce) env() lab.Env {
	return lab.Env{Log: func(l experiment.Log) (*swf.Log, error) {
		if log := g.logs[l.SHA256]; log != nil {
			return log, nil
		}
		return nil, errors.New("the log is not here")
	}}
}

func (g *atOnce) Load(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	if text, ok := file.(string); ok && e.Workload.Source.Log != nil && e.Workload.Source.Log.SHA256 == "" {
		log, err := swf.Parse([]byte(text))
		if err != nil {
			done(nil, err)
			return
		}
		hash := strings.Repeat("0", 63) + string(rune('a'+len(g.logs)))
		g.logs[hash] = log
		e.Workload.Source.Log = &experiment.Log{Name: e.Workload.Source.Log.Name, SHA256: hash, Size: int64(len(text))}
	}
	p, err := lab.Prepare(&e, g.env())
	if err != nil {
		done(nil, err)
		return
	}
	v, err := p.Preview()
	if errors.Is(err, workload.ErrNoMachineSize) { // as the worker does: the page asks
		e.Platform.Processors = 1 << 20
		if p, err = lab.Prepare(&e, g.env()); err == nil {
			v, err = p.Preview()
			v.Processors, v.Load = 0, 0
		}
	}
	if l := e.Workload.Source.Log; l != nil {
		v.SHA256, v.Size = l.SHA256, l.Size
	}
	done(&v, err)
}

func (g *atOnce) Run(e experiment.Experiment, event func(engine.Event)) engine.Runs {
	p, err := lab.Prepare(&e, g.env())
	if err != nil {
		event(engine.Event{Status: engine.Failed, Err: err})
		return nil
	}
	var blocks [][]byte
	for i, id := range p.Runs() {
		run := func() {
			r, err := p.Run(id, lab.Options{Columns: true})
			if err != nil {
				event(engine.Event{Run: i, Status: engine.Failed, Err: err})
				return
			}
			jobs, _ := p.Jobs(id.Repetition)
			blocks = append(blocks, r.Block)
			ev := engine.Event{Run: i, Status: engine.Done, Result: r.Report, Jobs: jobs}
			if i == len(p.Runs())-1 {
				ev.Digest = experiment.Digest(blocks...)
			}
			event(ev)
		}
		g.wait = append(g.wait, run)
	}
	return nil
}

func (g *atOnce) Why(experiment.Experiment, int, func(report.Record, error)) {}

// work does what waits; the callbacks of a browser's engine come later, too.
func (g *atOnce) work() {
	for len(g.wait) > 0 && !g.hold {
		run := g.wait[0]
		g.wait = g.wait[1:]
		run()
	}
}

// page is a page over the real laboratory, its first experiment done.
func page(t *testing.T) (*Root, *atOnce) {
	t.Helper()
	g := &atOnce{logs: map[string]*swf.Log{}}
	s := state.New(g)
	root := NewRoot(s)
	s.Start("")
	g.work()
	if !s.Some() || s.Active() {
		t.Fatalf("the default preset did not run: %v", s.Log)
	}
	return root, g
}

// shell renders what Vugu writes.
func shell(t *testing.T, root *Root) string {
	t.Helper()
	r := staticrender.New(nil)
	env, err := vugu.NewBuildEnv(r.EventEnv())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r.SetWriter(&b)
	if err := r.Render(env.RunBuild(root)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// html renders the whole page but for the left column's inputs: those are in whole.
func html(t *testing.T, root *Root) string {
	t.Helper()
	return fill(root, shell(t, root), regexp.MustCompile(` data-sections="(view [^"]*|share|vary|tour)"></div>`))
}

// whole is the page with what is put into the elements that Vugu leaves to sections.
func whole(t *testing.T, root *Root) string {
	t.Helper()
	every := regexp.MustCompile(` data-sections="([^"]*)"></div>`)
	return fill(root, fill(root, shell(t, root), every), every) // some stand in others
}

func fill(root *Root, page string, which *regexp.Regexp) string {
	return which.ReplaceAllStringFunc(page, func(m string) string {
		return m[:len(m)-len("</div>")] + string(root.P.section(strings.Split(m, `"`)[1])) + "</div>"
	})
}

// has fails unless the page shows every text, no-break spaces as spaces.
func has(t *testing.T, page string, texts ...string) {
	t.Helper()
	page = strings.ReplaceAll(page, "\u00a0", " ")
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	page = strings.ReplaceAll(page, "\u00a0", " ")
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page shows %q", text)
		}
	}
}
