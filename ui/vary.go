package ui

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/experiment"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// The popover in which an input is made to vary is written here as text, like
// the sections of the left column; vary_js.go puts it beside its input and
// listens.

// variedText stands in an input that varies: "0.5 … 1.1  13 values".
func variedText(in *draft.Input) vugu.HTML {
	return vugu.HTML(`<span class="cut" title="` + escape(in.Span) + `">` + escape(in.Span) + `</span><span class="faint">` + escape(words.Count(in.Values, "value", "values")) + `</span>`)
}

func variedLabel(in *draft.Input) string {
	return in.Name + " varies: " + in.Span + ", " + words.Count(in.Values, "value", "values")
}

func waveLabel(in *draft.Input) string {
	if in.Values > 0 {
		return "Values of " + in.Name
	}
	return "Vary " + in.Name
}

// varyHTML writes the popover.
func (p *Page) varyHTML() string {
	v := p.S.VaryNow()
	if v == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<div class="vary-head"><h2 id="vary-title">Vary ` + escape(v.Name) + `</h2><span class="faint cut" title="` + escape(v.Help) + `">` + escape(v.Help) + `</span>` +
		`<button type="button" class="btn quiet square small" id="vary-close" data-vary="close" aria-label="Close" title="Close (Esc)">` + string(icon("close")) + `</button></div>`)
	switch {
	case v.Along > 0:
	case v.Choices != nil:
		b.WriteString(`<div class="vary-choices" role="group" aria-label="Values">`)
		for i, c := range v.Choices {
			id := "vary-choice-" + strconv.Itoa(i)
			b.WriteString(`<label title="` + escape(c.Help) + `"><input type="checkbox" class="check" id="` + id + `" data-vary-choice="` + escape(c.Key) + `" data-checked="` + flag(c.On) + `"> <span>` + escape(c.Name) + `</span></label>`)
		}
		b.WriteString(`</div>`)
		varyFault(&b, v, "values")
	default:
		b.WriteString(`<div class="vary-kinds">`)
		segments(&b, "Values", [][3]string{{"list", "Values", flag(!v.Range)}, {"range", "From, to", flag(v.Range)}})
		if v.Range {
			segments(&b, "Steps", [][3]string{{"linear", "Linear", flag(!v.Log)}, {"log", "Log", flag(v.Log)}})
		}
		b.WriteString(`</div>`)
		if v.Range {
			third, name := "step", "Step"
			if v.Log {
				third, name = "count", "How many"
			}
			b.WriteString(`<div class="vary-range">`)
			for _, f := range [][2]string{{"from", "From"}, {"to", "To"}, {third, name}} {
				input(&b, v, f[0], f[1])
			}
			b.WriteString(`</div>`)
			for _, key := range []string{"from", "to", third} {
				varyFault(&b, v, key)
			}
		} else {
			input(&b, v, "values", "Values, with commas or semicolons between them")
			varyFault(&b, v, "values")
		}
		b.WriteString(p.varyDots(v))
	}
	varyFault(&b, v, "axis")
	p.varySum(&b, v)
	return b.String()
}

// varySum writes how many runs there will be, and the buttons.
func (p *Page) varySum(b *strings.Builder, v *draft.Varying) {
	_, runs := p.S.VaryRuns()
	e := &p.S.Settings
	if v.Values != nil {
		text := words.Count(len(v.Values), "value", "values")
		for _, i := range p.S.VaryOthers() {
			text += " × " + words.Int(len(e.Vary[i].Values))
		}
		text += " × " + words.Count(len(e.Schedulers), "scheduler", "schedulers")
		if n := e.Schedulers[0].Repeat; n > 1 {
			text += " × " + words.Count(n, "repeat", "repeats")
		}
		b.WriteString(`<p class="vary-sum"><span>` + escape(text) + `</span><b id="vary-runs">` + escape(words.Count(runs, "run", "runs")) + `</b></p>`)
	}
	for _, i := range p.S.VaryOthers() {
		a := &e.Vary[i]
		b.WriteString(`<p class="hint">Also varies: <b>` + escape(p.S.AxisName(e, a.Path)) + `</b>, ` + escape(p.S.AxisSpan(e, a)) + ` (` + escape(words.Count(len(a.Values), "value", "values")) + `) <button type="button" class="link-button" data-vary-drop="` + strconv.Itoa(i) + `">remove</button></p>`)
	}
	ok := v.Values != nil
	b.WriteString(`<div class="vary-acts"><button type="button" class="btn primary" id="vary-run" data-vary="run"` + when(!ok, " disabled") + `><i>` + string(icon("play")) + `</i><span>Run`)
	if ok {
		b.WriteString(` ` + words.Int(runs))
	}
	b.WriteString(`</span></button><button type="button" class="btn" id="vary-keep" data-vary="keep"` + when(!ok, " disabled") + `>Set, run later</button>`)
	if i := p.varyAxis(v); i >= 0 {
		b.WriteString(`<button type="button" class="btn quiet" id="vary-one" data-vary-drop="` + strconv.Itoa(i) + `" title="The setting holds one value again">Keep one value</button>`)
	}
	b.WriteString(`<span class="faint last">` + when(runs > 2000, "asks first") + `</span></div>`)
}

// varyAxis is the axis of the settings that the popover is about, −1 none.
func (p *Page) varyAxis(v *draft.Varying) int {
	for i := range p.S.Settings.Vary {
		if p.S.Settings.Vary[i].Path == v.Path {
			return i
		}
	}
	return -1
}

func segments(b *strings.Builder, label string, list [][3]string) {
	b.WriteString(`<div class="segments" role="group" aria-label="` + label + `">`)
	for _, s := range list {
		b.WriteString(`<button type="button" id="vary-` + s[0] + `" data-vary="` + s[0] + `" aria-pressed="` + s[2] + `">` + s[1] + `</button>`)
	}
	b.WriteString(`</div>`)
}

func input(b *strings.Builder, v *draft.Varying, key, name string) {
	wrong := v.Faults[key] != ""
	b.WriteString(`<label class="vary-field` + when(wrong, " wrong") + `"><span>` + escape(name) + `</span><input type="text" autocomplete="off" spellcheck="false" class="input" id="vary-in-` + key + `" data-vary-text="` + key + `" data-value="` + escape(v.Texts[key]) + `"`)
	if wrong {
		b.WriteString(` aria-invalid="true" aria-describedby="vary-error-` + key + `"`)
	}
	b.WriteString(`></label>`)
}

func varyFault(b *strings.Builder, v *draft.Varying, key string) {
	if text := v.Faults[key]; text != "" {
		b.WriteString(`<p class="fault-text" role="alert" id="vary-error-` + key + `">` + escape(text) + `</p>`)
	}
}

// varyDots shows where the values stand.
func (p *Page) varyDots(v *draft.Varying) string {
	n := len(v.Values)
	at := make([]float64, n)
	for i, x := range v.Values {
		f, err := strconv.ParseFloat(string(x), 64)
		if err != nil {
			return ""
		}
		at[i] = f
	}
	if n < 2 {
		return ""
	}
	low, high := at[0], at[0]
	for _, x := range at {
		low, high = min(low, x), max(high, x)
	}
	if v.Range && v.Log && low > 0 {
		for i := range at {
			at[i] = math.Log(at[i])
		}
		low, high = math.Log(low), math.Log(high)
	}
	var b strings.Builder
	b.WriteString(`<svg class="vary-dots" viewBox="0 0 320 30" aria-hidden="true"><path d="M8 9H312" stroke="var(--line-2)"/>`)
	every := max(1, n/60)
	for i := 0; i < n; i += every {
		x := 8 + 304*(at[i]-low)/(high-low)
		b.WriteString(`<circle cx="` + strconv.FormatFloat(x, 'f', 1, 64) + `" cy="9" r="` + either(n > 30, "2", "3.5") + `" fill="var(--accent)"/>`)
	}
	text := func(i int) string {
		return escape(p.S.AxisText(&p.S.Settings, v.Path, v.Values[i]))
	}
	b.WriteString(`<text x="8" y="27">` + text(0) + `</text><text x="312" y="27" text-anchor="end">` + text(n-1) + `</text></svg>`)
	return b.String()
}

// varyDo does what a button of the popover says.
func (p *Page) varyDo(what string) {
	v := p.S.VaryNow()
	if v == nil {
		return
	}
	switch what {
	case "close":
		p.Host.Focus("wave-" + v.ID)
		p.S.CloseVarying()
	case "list":
		p.S.VaryAs(false, v.Log)
	case "range":
		p.S.VaryAs(true, v.Log)
	case "linear":
		p.S.VaryAs(true, false)
	case "log":
		p.S.VaryAs(true, true)
	case "keep", "run":
		if v.Values == nil {
			return
		}
		p.Host.Focus("wave-" + v.ID)
		p.S.KeepVarying()
		if what == "run" {
			p.run()
		}
	}
}

// varyAbove opens the popover on an input.
func (p *Page) varyAbove(id string) {
	p.Menu = ""
	p.S.VaryInput(id)
	v := p.S.VaryNow()
	if v == nil {
		return
	}
	switch {
	case len(v.Choices) > 0:
		p.Host.Focus("vary-choice-0")
	case v.Choices != nil || v.Along > 0: // no value fits here, or they are kept as they are
		p.Host.Focus("vary-close")
	case v.Range:
		p.Host.Focus("vary-in-from")
	default:
		p.Host.Focus("vary-in-values")
	}
}

// sweepName names what varies: "Load × × Threshold of B".
func sweepName(s *state.Store, e *experiment.Experiment) string {
	var list []string
	for _, a := range e.Vary {
		list = append(list, strings.TrimSuffix(s.AxisName(e, a.Path), " ×"))
	}
	return strings.Join(list, " × ")
}

// sweepPercent is how far the sweep is, "42".
func sweepPercent(s *state.Store) string {
	w := s.SweepNow()
	if w == nil || w.Total == 0 {
		return "0"
	}
	return strconv.Itoa(int(100 * min(1, w.Done/float64(w.Total))))
}

// sweepDone is "1,540 of 1,620 runs".
func sweepDone(s *state.Store) string {
	w := s.SweepNow()
	if w == nil {
		return ""
	}
	if w.Status == engine.Done {
		return result.SweepTitle(w) + ", " + words.Took(w.Seconds)
	}
	return words.Int(int(w.Done)) + " of " + words.Count(w.Total, "run", "runs")
}

func sweepLeft(s *state.Store) string {
	w := s.SweepNow()
	if w == nil || w.Left <= 0 {
		return ""
	}
	return words.Left(w.Left)
}

// sweepIcon tells how the sweep ended.
func sweepIcon(s *state.Store) (name, class string) {
	switch w := s.SweepNow(); {
	case w == nil:
		return "check", "good"
	case w.Status == engine.Failed || len(w.Refused) > 0:
		return "error", "bad"
	case w.Status == engine.Cancelled:
		return "stop", "faint"
	}
	return "check", "good"
}
