package look

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/model"
)

// ImportTab is the key of the tab that says how a file of your own was understood.
const ImportTab = "import"

// OwnTab is the key of the tab in which users write schedulers.
const OwnTab = "own"

// View is what is looked at; it changes no number.
type View struct {
	Tab        string     // key of Tabs
	A, B       int        // schedulers shown in the first two panes; B −1: one pane
	More       [2]int     // 1 + the schedulers of a third and a fourth pane, 0 none
	Baseline   int        // pinned scheduler that differences refer to
	Repetition int        // whose schedule Gantt, series and table show
	From, To   model.Time // visible span; equal: everything
	Job        int        // selected job, index into Jobs; −1 none
	Low, High  int        // processors that the Gantt chart shows, the lowest and the one above the highest; equal: all
	Colour     string     // Gantt colour mode: wait, user, size, slowdown
	Dark       bool       // theme in effect, for canvases
	Bars       string     // key of the measure that the bars of the overview show
	Scale      string     // of the bars: "" so that close ones can be told apart, "whole", "log"
	Two        bool       // only A and what it stands against are shown
	Differ     bool       // the table of all measures shows differences, not means
	Own        int        // scheduler of the settings whose program is open
	Week       int        // of a search, from 0
	Large      bool       // large type, for a room
	Planned    bool       // Instant has been chosen; else the plan is that of the longest queue
	Instant    model.Time // whose plan is shown, or which is stepped to
	Measures   string     // keys of the measures that a sweep shows, separated by commas; "" the first ones
	VaryOver   int        // axis of a sweep that its lines go over
	VaryPoint  int        // point of a sweep that is looked at; the lines go through it
	Step       bool       // the Gantt chart shows one instant, and what was decided then
	Pair       bool       // with Step: what A stands against beside it
	Truth      bool       // with Step: what the scheduler cannot know, too
	Told       int        // with Step: so many of the instant's decisions have been told; 0: all
	Annex      string     // what a view of the second program looks at, behind its key and a dot
	Chosen     int        // with Step: number of the decision that is looked at, from 1; 0: the last one told; −1: none
}

// StepTo looks at an instant of the runs, in the mode in which they are stepped
// through.
func (s *Page) StepTo(at model.Time) {
	s.Look(func(v *View) { v.Tab, v.Step, v.Instant = "gantt", true, at })
}

// maxMeasures is how many measures a sweep shows under each other.
const maxMeasures = 4

// Measures are the measures that a sweep shows, first the one that its sentence
// is about.
func (s *Page) Measures() []string {
	if s.View.Measures == "" {
		return []string{"mean-wait", "mean-bounded-slowdown"}
	}
	return strings.Split(s.View.Measures, ",")
}

// ShowMeasure shows a measure of a sweep below those that are there, or takes it
// away; the last one stays.
func (s *Page) ShowMeasure(key string) {
	list := slices.Clone(s.Measures())
	switch i := slices.Index(list, key); {
	case catalog.FindMetric(key) == nil:
		return
	case i < 0 && len(list) == maxMeasures:
		list[maxMeasures-1] = key
	case i < 0:
		list = append(list, key)
	case len(list) > 1:
		list = slices.Delete(list, i, i+1)
	}
	s.Look(func(v *View) { v.Measures = strings.Join(list, ",") })
}

// Tabs are the keys of all tabs in their order. Package ui fills it from its
// views.
var Tabs []string

// ShowTab opens a tab; an unknown key changes nothing. Behind the key of a view of the
// second program and a dot may stand what it looks at.
func (s *Page) ShowTab(key string) {
	tab, _, more := strings.Cut(key, ".")
	if slices.Contains(Tabs, tab) {
		if s.View.Tab = tab; more {
			s.View.Annex = key
		}
		s.board.Touch()
	}
}

// Look changes what is looked at; it changes no number.
func (s *Page) Look(f func(*View)) {
	was := s.View.Repetition
	f(&s.View)
	s.Clamp()
	if s.View.Repetition != was {
		s.host.Looked()
	}
	s.board.Touch()
}

// Pick selects scheduler i; the one selected before becomes the other pane,
// unless i was that already.
func (s *Page) Pick(i int) {
	s.Look(func(v *View) {
		if v.A != i {
			if v.B == i || v.B >= 0 {
				v.B = v.A
			}
			v.A = i
		}
	})
}

// CompareTwo shows only the scheduler looked at and the one that it stands
// against, or all of them again.
func (s *Page) CompareTwo(on bool) {
	s.Look(func(v *View) {
		b := s.host.Against()
		if v.Two = on && b >= 0; v.Two {
			v.Baseline, v.B, v.More = b, b, [2]int{}
		}
	})
}

// PickOne answers a press on scheduler i in the tray: of two that are compared,
// one that is not among them takes the place of the second, and the second that of
// the first.
func (s *Page) PickOne(i int) {
	if !s.View.Two {
		s.Pick(i)
		return
	}
	s.Look(func(v *View) {
		b := s.host.Against()
		if i == v.A {
			return
		}
		if i == b {
			v.A, i = i, v.A
		}
		v.Baseline, v.B = i, i
	})
}

// Shows reports whether scheduler i is shown in charts of all schedulers.
func (s *Page) Shows(i int) bool { return !s.View.Two || i == s.View.A || i == s.host.Against() }

// Scales are the keys of how long the bars are drawn: the usual one shows
// differences between close ones and cuts those far off.
var Scales = []string{"", "whole", "log"}

// MaxPanes is how many runs the Gantt chart shows at a time.
const MaxPanes = 4

// Panes are the schedulers that the Gantt chart shows, from top to bottom.
func (v *View) Panes() []int {
	list := []int{v.A}
	for _, i := range [...]int{v.B, v.More[0] - 1, v.More[1] - 1} {
		if i >= 0 && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// setPanes shows these, at most MaxPanes and at least one.
func (v *View) setPanes(list []int) {
	v.B, v.More = -1, [2]int{}
	for k, i := range list {
		switch k {
		case 0:
			v.A = i
		case 1:
			v.B = i
		case 2, 3:
			v.More[k-2] = i + 1
		}
	}
}

// TogglePane shows scheduler i in the Gantt chart, below those that are there,
// or takes it away. The last one stays; a fifth takes the place of the fourth. Of
// two that are compared the chart shows these: another choice is the end of that.
func (s *Page) TogglePane(i int) {
	s.Look(func(v *View) {
		v.Two = false
		list := v.Panes()
		switch k := slices.Index(list, i); {
		case k < 0:
			v.setPanes(append(list[:min(len(list), MaxPanes-1)], i))
		case len(list) > 1:
			v.setPanes(slices.Delete(list, k, k+1))
		}
	})
}

// Pin makes scheduler i the baseline of all differences; pinning it again
// goes back to none. Of two that are compared it is the second.
func (s *Page) Pin(i int) {
	s.Look(func(v *View) {
		if v.Two {
			if i == v.A {
				v.A = s.host.Against()
			}
			v.Baseline = i
			return
		}
		if v.Baseline == i {
			i = -1
		}
		v.Baseline = i
	})
}

// First looks at the second scheduler against the first one: documents
// list the reference first.
func (s *Page) First(schedulers int) {
	v := &s.View
	v.A, v.B, v.Baseline, v.Repetition, v.More = 0, -1, -1, 0, [2]int{}
	v.Planned, v.Instant, v.Two = false, 0, false
	if schedulers > 1 {
		v.A, v.B, v.Baseline = 1, 0, 0
	}
}

// Baseline is the scheduler that differences refer to: the pinned one, or the
// first one that is not selected; −1 when there is only one.
func (s *Page) Baseline() int {
	if b := s.View.Baseline; b >= 0 {
		return b
	}
	switch {
	case s.host.Schedulers() < 2:
		return -1
	case s.View.A == 0:
		return 1
	}
	return 0
}

// Clamp keeps the view inside what there is.
func (s *Page) Clamp() {
	n := s.host.Schedulers()
	v := &s.View
	v.A = max(0, min(v.A, n-1))
	if v.B >= n || v.B == v.A {
		v.B = -1
		if n > 1 {
			v.B = (v.A + 1) % n
		}
	}
	for k := range v.More {
		if v.More[k] < 0 || v.More[k] > n {
			v.More[k] = 0
		}
	}
	if v.Baseline >= n {
		v.Baseline = -1
	}
	v.Repetition = max(0, min(v.Repetition, s.host.Repetitions()-1))
	if v.Two = v.Two && n > 2; v.Two && v.Baseline >= 0 && v.Baseline != v.A { // every chart shows the pair
		v.B, v.More = v.Baseline, [2]int{}
	}
}
