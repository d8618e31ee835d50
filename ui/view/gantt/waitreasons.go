package gantt

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/words"
)

// Stretch is a part of a job's wait with one reason.
type Stretch struct {
	From, To model.Time
	Reason   report.Code
	Head     int64  // number of the job that stood in its way longest, −1 none
	Text     string // says more, with times as tell.Fill reads them; "" nothing
}

// Stretches divides the wait of a job, from its submission to its start, by the
// reason that held, in order of time. Times without a known reason are left
// out, and attempts that ran.
func Stretches(phases []report.Phase, submit, start model.Time) []Stretch {
	var out []Stretch
	longest := model.Time(0)
	for i, p := range phases {
		to := start
		if i+1 < len(phases) {
			to = min(start, phases[i+1].From)
		}
		from := max(submit, p.From)
		if p.Reason == report.WaitNone || to <= from {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Reason == p.Reason && out[n-1].Text == p.Text && out[n-1].To == from {
			if out[n-1].To = to; to-from > longest {
				out[n-1].Head, longest = p.Head, to-from
			}
			continue
		}
		longest = to - from
		out = append(out, Stretch{from, to, p.Reason, p.Head, p.Text})
	}
	return out
}

func (s *Stretch) class() string {
	return draw.ReasonNames[min(int(s.Reason), len(draw.ReasonNames)-1)].Class
}

// text is what held a job, and by whom.
func (s *Stretch) text(c draw.Clock) string {
	if s.Text != "" {
		return tell.Fill(s.Text, instant.Words(c, s.From).Time)
	}
	t := draw.ReasonNames[min(int(s.Reason), len(draw.ReasonNames)-1)].Name
	if s.Head >= 0 {
		t += " (job" + words.NB + strconv.FormatInt(s.Head, 10) + ")"
	}
	return t
}

// WaitHTML writes the reasons for a wait over time: a strip with the time of
// submission at its left end and that of the start at its right, whose parts
// say their reason and time when they are pointed at; and as a list for those
// who cannot see or point.
func WaitHTML(c draw.Clock, list []Stretch) draw.Markup {
	if len(list) == 0 {
		return ""
	}
	var b, said draw.Writer
	from, to := list[0].From, list[len(list)-1].To
	b.Add(`<div class="past"><span class="pb" aria-hidden="true">`)
	at, told := from, false // whether more is said than the colours do
	for i := range list {
		s := &list[i]
		told = told || s.Text != ""
		if s.From > at {
			b.Put(`<i style="flex:{}"></i>`, strconv.FormatInt(int64(s.From-at), 10))
		}
		text := c.Between(s.From, s.To) + ": " + s.text(c)
		b.Put(`<i class="{}" style="flex:{}" title="{}"></i>`, s.class(), strconv.FormatInt(int64(s.To-s.From), 10), text)
		if i < 40 {
			class := draw.Markup("")
			if i >= 6 { // the card is short
				class = ` class="bl-vh"`
			}
			said.Put(`<li{}>{}</li>`, class, text)
		}
		at = s.To
	}
	b.Put(`</span><span class="pe mut"><span>{}</span><span>{}</span></span>`, c.ShortDay(from)+words.NB+c.Hour(from), c.ShortDay(to)+words.NB+c.Hour(to))
	class := "bl-vh"
	if told {
		class = "sec"
	}
	b.Put(`<ol class="{}">{}</ol></div>`, class, said.Markup())
	return b.Markup()
}

// LimitOf is the limit that held a job longest, in words; "" none, or it has no name.
func LimitOf(c draw.Clock, list []Stretch) string {
	held, most := map[string]model.Time{}, ""
	for i := range list {
		if s := &list[i]; s.Reason == report.WaitLimit && s.Text != "" {
			text := s.text(c)
			if held[text] += s.To - s.From; held[text] > held[most] {
				most = text
			}
		}
	}
	return most
}

// WaitedSpeech is what a screen reader says of a job's wait: what it waited for before it
// was eligible, and limits by their names.
func WaitedSpeech(c draw.Clock, list []Stretch) (text string) {
	for i := range list {
		if s := &list[i]; s.Text != "" && i < 12 {
			text += " " + c.Between(s.From, s.To) + ": " + s.text(c)
		}
	}
	return text
}

// reasonColor is the colour of a reason on a canvas.
func reasonColor(t *draw.Theme, r report.Code) draw.Color {
	switch r {
	case report.WaitOrder, report.WaitShadow, report.WaitPriority, report.WaitPlan:
		return t.Series[5]
	case report.WaitLicences:
		return t.Series[4]
	case report.WaitReservation:
		return t.Series[1]
	case report.WaitLimit:
		return t.Series[7]
	case report.WaitOthers:
		return t.Ink3
	}
	return t.Line3
}

// waited draws the reasons along a job's wait, over the line from its submission
// to its start: full height for processors, half for a turn or a plan, so that
// they are told apart without colour.
func (g *Gantt) waited(s *draw.Scene, list []Stretch, mid float64) {
	b, t := g.Layout.Panes[0].Jobs, g.Theme
	for i := range list {
		x0, x1 := max(b.X, g.X(list[i].From)), min(b.Right(), g.X(list[i].To))
		if x1-x0 < .5 {
			continue
		}
		high := 7.0
		dash := ""
		switch list[i].Reason {
		case report.WaitOrder, report.WaitPlan, report.WaitPriority:
			high = 4
		case report.WaitShadow, report.WaitReservation:
			dash = "3 2"
		case report.WaitOthers:
			high, dash = 3, "2 3"
		}
		line := "M" + draw.Num(x0) + " " + draw.Num(mid) + "H" + draw.Num(x1)
		s.Stroke("M"+draw.Num(x0)+" "+draw.Num(mid)+"H"+draw.Num(x1), t.Panel, high+3, "")
		s.Stroke(line, reasonColor(t, list[i].Reason), high, dash)
	}
}
