package myjob

import (
	"math"
	"strings"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// fewestShare is how many earlier answers a share must be of.
const fewestShare = 200

// places in the levels that are told: .05 .1 .25 .5 .75 .9 .95
const (
	in20, in10, in4, middle, of4, of10, of20 = 0, 1, 2, 3, 4, 5, 6
)

// time writes an instant after the one of the question: the hour alone on the same day,
// with the day of the week within six days.
func (v *View) time(c draw.Clock, wait model.Time) string {
	t := v.Q.At + wait
	day := c.Day(t)
	switch {
	case c.Midnight(t) == c.Midnight(v.Q.At):
		return c.Hour(t)
	case c.Calendar() && wait < 6*draw.Day:
		day, _, _ = strings.Cut(day, words.NB)
	}
	return day + words.NB + c.Hour(t)
}

// Sentence is the answer.
func (v *View) Sentence(c draw.Clock) string {
	t := v.Told
	switch {
	case v.Error != "":
		return strings.ToUpper(v.Error[:1]) + v.Error[1:]
	case t == nil && v.Total > 0:
		return "Asking …"
	case t == nil:
		return "Say which job, and when: the answer is a band, with the record of such answers."
	case t.Waits[of20] == 0:
		return "Your job would start at once."
	case t.Waits[of10] == t.Waits[in10]:
		return "Your job would start at " + v.time(c, t.Waits[middle]) + "."
	}
	subject := "Your job"
	if t.Job != 0 {
		subject = "Job " + words.Int(t.Job)
	}
	return subject + " would start at about " + v.time(c, t.Waits[middle]) + ", 8 times in 10 between " + v.time(c, t.Waits[in10]) + " and " + v.time(c, t.Waits[of10]) + "."
}

// More is what stands below the sentence.
func (v *View) More(c draw.Clock) string {
	t := v.Told
	if t == nil || v.Error != "" {
		return ""
	}
	running := words.Count(t.Running, "job runs", "jobs run") + " then, " + words.Count(t.Waiting, "waits", "wait") + ", " + words.Count(t.Free, "processor is", "processors are") + " free."
	if t.Waits[of20] == 0 {
		return "In all " + words.Int(len(t.Draws)) + " draws nothing is in its way. " + running
	}
	s := "That is in " + words.Natural(float64(t.Waits[middle])) + ". Half of the answers lie between " + v.time(c, t.Waits[in4]) + " and " + v.time(c, t.Waits[of4]) + ", 9 in 10 between " + v.time(c, t.Waits[in20]) + " and " + v.time(c, t.Waits[of20]) + ". "
	if t.Waited > 0 {
		s += "It has waited " + words.Natural(float64(t.Waited)) + " so far. "
	}
	return s + "Drawn " + words.Int(len(t.Draws)) + " times: others run as their users' jobs did, new ones come as in past weeks. " + running
}

// Chip is a remark beside the sentence.
type Chip struct {
	Text string
	Tone string // good, warn or plain
}

// Chips say how far the answer is to be trusted.
func (v *View) Chips() (list []Chip) {
	t := v.Told
	if t == nil || v.Error != "" || t.Waits[of20] == 0 { // what starts at once is certain
		return nil
	}
	k := t.Record
	switch {
	case k.Judged == 0 && v.Total > 0:
		list = append(list, Chip{"Not yet set beside earlier answers: as the draws fell", "plain"})
	case k.Judged == 0:
		list = append(list, Chip{"Nothing is known of how such answers came true", "warn"})
	case k.Judged < fewestShare:
		list = append(list, Chip{"By " + words.Int(k.Asked) + " earlier jobs, too few to say how often such bands hold", "warn"})
	case k.Eight >= 0.77 && k.Eight <= 0.83:
		list = append(list, Chip{"Such bands of 8 in 10 held " + words.Number(100*k.Eight, 0) + " times in 100", "good"})
	default:
		list = append(list, Chip{"Such bands of 8 in 10 held " + words.Number(100*k.Eight, 0) + " times in 100, not 80", "warn"})
	}
	if w := k.Worst; w != nil && k.Judged >= fewestShare {
		list = append(list, Chip{"worst in week " + words.Int(w.Week) + ": " + words.Number(100*w.Eight, 0) + " in 100 of " + words.Int(w.Judged), "plain"})
	}
	if q := v.Queue; v.Q.Queue && q != nil {
		text := "on top of what squeue printed"
		if q.Held > 0 {
			text += "; held jobs left out: " + words.Int(q.Held)
		}
		if q.Unknown > 0 {
			text += "; of users that the log does not name: " + words.Int(q.Unknown)
		}
		list = append(list, Chip{text, "plain"})
	}
	if len(t.Draws) < draws {
		list = append(list, Chip{"from " + words.Int(len(t.Draws)) + " draws", "warn"})
	}
	return list
}

// Dots are fifty equally likely answers, stacked in time.
func (v *View) Dots(c draw.Clock, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h, Aria: v.Sentence(c), Table: v.answers(c)}
	t := v.Told
	switch {
	case v.Error != "":
		f.Empty = "There is no answer."
	case t == nil && v.Total > 0:
		f.Empty = "Drawing …"
	case t == nil:
		f.Empty = "Nothing has been asked yet."
	case t.Waits[of20] == 0:
		f.Empty = "It starts at once, in every draw."
	}
	if f.Empty != "" {
		return f
	}
	last := max(t.Fifty[49], t.Waits[of20], 60)
	if t.Fifty[49] > 3*t.Waits[of20] { // one straggler must not crush the rest
		last = t.Waits[of20] * 3 / 2
	}
	box := draw.Box{X: 10, Y: 34, W: w - 26, H: h - 92}
	bins := int(max(8, math.Floor(box.W/18)))
	counts := make([]int, bins+1)
	most := 0
	var xs, ys []float64
	for _, wait := range t.Fifty {
		b := min(bins, int(float64(wait)/float64(last)*float64(bins)))
		counts[b]++
		most = max(most, counts[b])
		xs, ys = append(xs, float64(v.Q.At)+(float64(b)+.5)*float64(last)/float64(bins)), append(ys, float64(counts[b])-.5)
	}
	top := max(float64(most), box.H/17)
	p := draw.Panel{Box: box, Hold: true,
		X: draw.Axis{Min: float64(v.Q.At), Max: float64(v.Q.At) + float64(last)*(1+1/float64(bins)), Unit: "at_s", Ticks: draw.TimeTicks(c, v.Q.At, v.Q.At+last, int(max(3, box.W/80)))},
		Y: draw.Axis{Min: 0, Max: top, Hidden: true, Base: true}}
	p.Thin(70, w)
	f.Panels = []draw.Panel{p}
	at := func(q int) float64 { return float64(v.Q.At + t.Waits[q]) }
	size := min(14, box.H/top-1)
	f.Layers = []draw.Layer{
		{Shape: draw.Spans, Low: []float64{at(in4)}, High: []float64{at(of4)}, Series: -1},
		{Shape: draw.Dots, Series: 0, Name: "answers", X: xs, Y: ys, Size: size},
		{Shape: draw.Line, Series: -1, Ink: true, Name: "8 in 10", X: []float64{at(in10), at(of10)}, Y: []float64{0, 0}, Width: 3, Unlisted: true},
	}
	text := "half: " + v.time(c, t.Waits[in4]) + " to " + v.time(c, t.Waits[of4])
	half := 3.2 * float64(len([]rune(text)))
	f.Text(min(max(f.Panels[0].PX(at(in4)/2+at(of4)/2), half+4), w-half-4), 20, text, 'c', draw.ToneBold)
	foot := box.Bottom() + 34
	f.Text(box.X, foot, "heavy line: 8 in 10 · shaded: half", 'l', draw.ToneLabel)
	f.Text(box.X, foot+16, "each dot: 1 answer in 50", 'l', draw.ToneLabel)
	return f
}

// answers is the table of the answer.
func (v *View) answers(c draw.Clock) draw.Grid {
	g := draw.Grid{Head: []string{"In 100 answers, so many come by then", "Start", "Wait"}, Units: []string{"level", "start_s", "wait_s"}}
	t := v.Told
	if t == nil {
		return g
	}
	for i, level := range t.Levels {
		g.Cells = append(g.Cells, []string{words.Number(100*level, 0), v.time(c, t.Waits[i]), words.Natural(float64(t.Waits[i]))})
		g.Raw = append(g.Raw, []string{draw.PlainNumber(level), draw.PlainNumber(float64(v.Q.At + t.Waits[i])), draw.PlainNumber(float64(t.Waits[i]))})
	}
	return g
}
