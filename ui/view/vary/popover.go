package vary

import (
	"math"
	"strconv"

	"batchlab/ui/draft"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Popover is what stands beside an input that is made to vary, "" while none is.
func Popover(s *state.Store) draw.Markup {
	v := s.VaryNow()
	if v == nil {
		return ""
	}
	var w draw.Writer
	w.Put(`<div id="vary-behind" class="behind" data-act="vary-close"></div><div id="vary-pop" class="vary-pop" role="dialog" aria-labelledby="vary-title"><div class="vary-head"><h2 id="vary-title">Vary {}</h2><span class="faint cut" title="{}">{}</span><button type="button" class="btn quiet square small" id="vary-close" data-act="vary-close" aria-label="Close" title="Close (Esc)">{}</button></div>`, v.Name, v.Help, v.Help, draw.Icon("close"))
	switch {
	case v.Along > 0:
	case v.Choices != nil:
		w.Add(`<div class="vary-choices" role="group" aria-label="Values">`)
		for i, c := range v.Choices {
			w.Put(`<label title="{}"><input type="checkbox" class="check" id="vary-choice-{}" data-tick="vary-choose:{}" data-checked="{}"> <span>{}</span></label>`, c.Help, i, c.Key, c.On, c.Name)
		}
		w.Add(`</div>`)
		fault(&w, v, "values")
	default:
		values(&w, s, v)
	}
	fault(&w, v, "axis")
	sum(&w, s, v)
	w.Add(`</div>`)
	return w.Markup()
}

// values writes the fields for numbers: a list, or a range with its steps.
func values(w *draw.Writer, s *state.Store, v *draft.Varying) {
	w.Add(`<div class="vary-kinds">`)
	segments(w, "Values", segment{"list", "Values", !v.Range}, segment{"range", "From, to", v.Range})
	if v.Range {
		segments(w, "Steps", segment{"linear", "Linear", !v.Log}, segment{"log", "Log", v.Log})
	}
	w.Add(`</div>`)
	if v.Range {
		third, name := "step", "Step"
		if v.Log {
			third, name = "count", "How many"
		}
		w.Add(`<div class="vary-range">`)
		for _, f := range [][2]string{{"from", "From"}, {"to", "To"}, {third, name}} {
			field(w, v, f[0], f[1])
		}
		w.Add(`</div>`)
		for _, key := range []string{"from", "to", third} {
			fault(w, v, key)
		}
	} else {
		field(w, v, "values", "Values, with commas or semicolons between them")
		fault(w, v, "values")
	}
	w.Add(dots(s, v))
}

// sum writes how many runs there will be, and the buttons.
func sum(w *draw.Writer, s *state.Store, v *draft.Varying) {
	_, runs := s.VaryRuns()
	e := &s.Settings
	if v.Values != nil {
		text := words.Count(len(v.Values), "value", "values")
		for _, i := range s.VaryOthers() {
			text += " × " + words.Int(len(e.Vary[i].Values))
		}
		text += " × " + words.Count(len(e.Schedulers), "scheduler", "schedulers")
		if n := e.Schedulers[0].Repeat; n > 1 {
			text += " × " + words.Count(n, "repeat", "repeats")
		}
		w.Put(`<p class="vary-sum"><span>{}</span><b id="vary-runs">{}</b></p>`, text, words.Count(runs, "run", "runs"))
	}
	for _, i := range s.VaryOthers() {
		a := &e.Vary[i]
		w.Put(`<p class="hint">Also varies: <b>{}</b>, {} ({}) <button type="button" class="link-button" data-act="vary-drop:{}">remove</button></p>`, s.AxisName(e, a.Path), s.AxisSpan(e, a), words.Count(len(a.Values), "value", "values"), i)
	}
	off, many := draw.When(v.Values == nil, " disabled"), ""
	if v.Values != nil {
		many = " " + words.Int(runs)
	}
	w.Put(`<div class="vary-acts"><button type="button" class="btn primary" id="vary-run" data-act="vary-run"{}><i>{}</i><span>Run{}</span></button><button type="button" class="btn" id="vary-keep" data-act="vary-keep"{}>Set, run later</button>`, off, draw.Icon("play"), many, off)
	for i := range e.Vary {
		if e.Vary[i].Path == v.Path {
			w.Put(`<button type="button" class="btn quiet" id="vary-one" data-act="vary-drop:{}" title="The setting holds one value again">Keep one value</button>`, i)
		}
	}
	w.Put(`<span class="faint last">{}</span></div>`, draw.When(runs > 2000, "asks first"))
}

// segment is one of a row of buttons.
type segment struct {
	key, name string
	pressed   bool
}

func segments(w *draw.Writer, label string, list ...segment) {
	w.Put(`<div class="segments" role="group" aria-label="{}">`, label)
	for _, s := range list {
		w.Put(`<button type="button" id="vary-{}" data-act="vary-{}" aria-pressed="{}">{}</button>`, s.key, s.key, s.pressed, s.name)
	}
	w.Add(`</div>`)
}

func field(w *draw.Writer, v *draft.Varying, key, name string) {
	wrong := v.Faults[key] != ""
	w.Put(`<label class="vary-field{}"><span>{}</span><input type="text" autocomplete="off" spellcheck="false" class="input" id="vary-in-{}" data-put="vary-text:{}" data-enter="vary-keep" data-value="{}"{}></label>`,
		draw.When(wrong, " wrong"), name, key, key, v.Texts[key], draw.When(wrong, draw.HTML(` aria-invalid="true" aria-describedby="vary-error-{}"`, key)))
}

func fault(w *draw.Writer, v *draft.Varying, key string) {
	if text := v.Faults[key]; text != "" {
		w.Put(`<p class="fault-text" role="alert" id="vary-error-{}">{}</p>`, key, text)
	}
}

// dots shows where the values stand.
func dots(s *state.Store, v *draft.Varying) draw.Markup {
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
	var w draw.Writer
	w.Add(`<svg class="vary-dots" viewBox="0 0 320 30" aria-hidden="true"><path d="M8 9H312" stroke="var(--line-2)"/>`)
	for i := 0; i < n; i += max(1, n/60) {
		w.Put(`<circle cx="{}" cy="9" r="{}" fill="var(--accent)"/>`, 8+304*(at[i]-low)/(high-low), words.Either(n > 30, 2, 3.5))
	}
	text := func(i int) string { return s.AxisText(&s.Settings, v.Path, v.Values[i]) }
	w.Put(`<text x="8" y="27">{}</text><text x="312" y="27" text-anchor="end">{}</text></svg>`, text(0), text(n-1))
	return w.Markup()
}

// Close puts the popover away; the focus goes back to where it was opened.
func Close(s *state.Store) {
	if v := s.VaryNow(); v != nil {
		s.Shell.Focus("wave-" + v.ID)
		s.CloseVarying()
	}
}

// kept takes over what the popover says.
func kept(s *state.Store) (ok bool) {
	v := s.VaryNow()
	if v == nil || v.Values == nil {
		return false
	}
	s.Shell.Focus("wave-" + v.ID)
	s.KeepVarying()
	return true
}

// Open opens the popover on an input.
func Open(s *state.Store, id string) {
	s.VaryInput(id)
	v := s.VaryNow()
	if v == nil {
		return
	}
	switch {
	case len(v.Choices) > 0:
		s.Shell.Focus("vary-choice-0")
	case v.Choices != nil || v.Along > 0: // no value fits here, or they are kept as they are
		s.Shell.Focus("vary-close")
	case v.Range:
		s.Shell.Focus("vary-in-from")
	default:
		s.Shell.Focus("vary-in-values")
	}
}
