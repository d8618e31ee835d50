package gantt

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// termNames are the terms of a priority in their order, with the styles of
// their marks.
var termNames = [5]struct{ class, name, help string }{
	{"t-age", "Aging", "grows with every second of waiting"},
	{"t-due", "Deadline", "grows as the deadline comes near"},
	{"t-lic", "Licences", "grows with the licences in short supply that it needs"},
	{"t-wait", "Shortness", "the shortest waiting job has most"},
	{"t-queue", "Queue", "what its queue adds"},
}

// dueCases say where a job stands to its deadline.
var dueCases = map[string]string{
	"none": "it has no deadline", "far": "its deadline is far", "near": "its deadline is near", "over": "it can no longer meet its deadline",
}

// Terms writes the priority of a waiting job, taken apart into its terms, as
// HTML: a bar, a list, its place among the waiting, and who holds the
// reservation.
func Terms(c draw.Clock, p *report.Priorities, job model.JobID) draw.Markup {
	at := -1
	for i := range p.Jobs {
		if p.Jobs[i].Job == job {
			at = i
		}
	}
	if at < 0 {
		return draw.HTML(`<p class="sec">It did not wait at {}.</p>`, c.When(p.At))
	}
	j := &p.Jobs[at]
	terms := []float64{j.Aging, j.Deadline, j.Licences, j.Wait}
	if j.Queue != 0 {
		terms = append(terms, j.Queue)
	}
	var b draw.Writer
	most := 0.0
	for i := range p.Jobs {
		most = max(most, p.Jobs[i].Total)
	}
	said := make([]string, 0, 4)
	var bar, list draw.Writer
	for i, v := range terms {
		said = append(said, termNames[i].name+" "+score(v))
		bar.Put(`<i class="{}" style="flex:{}"></i>`, termNames[i].class, strconv.FormatFloat(max(0, v), 'f', 4, 64))
		list.Put(`<i class="dot {}"></i><span title="{}">{}</span><span class="num">{}</span><span class="mut num">{}</span>`, termNames[i].class, termNames[i].help, termNames[i].name, score(v),
			partOf(v, j.Total))
	}
	if rest := most - j.Total; rest > 0 { // bars of all jobs have one scale
		bar.Put(`<i class="t-rest" style="flex:{}"></i>`, strconv.FormatFloat(rest, 'f', 4, 64))
	}
	b.Put(`<p class="sec">Priority <b>{}</b>, {} of {}; {}.</p><span class="rb" role="img" aria-label="{}">{}</span><div class="rl">{}</div>`, score(j.Total), ordinal(at+1), words.Count(len(p.Jobs), "waiting job", "waiting jobs"), dueCases[j.Case],
		strings.Join(said, ", "), bar.Markup(), list.Markup())
	switch {
	case j.Head && p.Reservation != model.Never:
		b.Put(`<p class="sec">It holds the reservation, for {}.</p>`, c.When(p.Reservation))
	case j.Head:
		b.Add(`<p class="sec">It stands first.</p>`)
	default:
		for i := range p.Jobs {
			if p.Jobs[i].Head {
				b.Put(`<p class="sec">The reservation is job{}{}’s (priority {}).</p>`, words.NB, strconv.FormatInt(p.Jobs[i].Number, 10), score(p.Jobs[i].Total))
			}
		}
	}
	return b.Markup()
}

// score writes a priority or a term of it.
func score(v float64) string {
	if v != 0 && math.Abs(v) < .01 {
		return words.Number(v, 4)
	}
	return words.Number(v, 2)
}

func partOf(v, total float64) string {
	if total <= 0 {
		return words.None
	}
	return words.Number(100*v/total, 0) + words.NB + "%"
}

// ordinal writes 1st, 2nd, 3rd, 4th …
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return words.Int(n) + suffix
}
