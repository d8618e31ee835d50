package lesson

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/core/order"
	"batchlab/ui/words"
)

// Marked is how a question went.
type Marked struct {
	Step         int // of the lesson, from 0
	Prompt       string
	Right, Wrong int      // in the end
	AtOnce       int      // right with the first answer
	None         int      // nobody's answer
	Answer       string   // what the laboratory says; "" it does not decide
	Apart        float64  // how well it tells those who know from the others, −1 … 1; NaN: it cannot be said
	Mistakes     []string // first answers that were wrong with how many gave them, most first
	Missed       int      // how many first answers were wrong
	counts       []int
	options      []string
}

// What is said of Marked.Apart.
const (
	TellsApart = "tells apart"
	apartHelp  = "Tells apart: correlation of being right at once here with how many of the other questions were right at once, from ten answers on. Near 0 or below, look at the question."
)

// leastApart is from how many answers on a correlation is shown.
const leastApart = 10

// tries is how many answers somebody gave to question k, 0 none.
func (h *Handed) tries(k int) int {
	if h.Choices[k] < 0 {
		return len(h.Sheet.MissedAt(k))
	}
	return len(h.Sheet.MissedAt(k)) + 1
}

// first is somebody's first answer to question k.
func (h *Handed) first(k int) experiment.Miss {
	if list := h.Sheet.MissedAt(k); len(list) > 0 {
		return list[0]
	}
	m := experiment.Miss{Question: int64(k), Choice: h.Choices[k], Time: -1}
	if k < len(h.Sheet.Times) {
		m.Time = h.Sheet.Times[k]
	}
	return m
}

// atOnce is 1 where question k was right with the first answer, else 0.
func (h *Handed) atOnce(k int) int { return b2i(h.Right[k] && h.tries(k) == 1) }

// Questions are how the questions of a judged class went: what was wrong is counted by
// what it stands for, whatever the numbers were.
func (c *Class) Questions() (list []Marked) {
	p := c.Player
	for k, i := range p.questions() {
		q := p.Lesson.Steps[i].Ask
		options := grade.Options(q, len(p.Lesson.Of(i).Schedulers))
		m := Marked{Step: i, Prompt: q.Prompt, counts: make([]int, len(options)+1), Apart: c.apart(k)}
		for n, v := range options {
			text := p.option(i, v)
			if len(c.boards) > 1 || c.fresh() || q.Kind == experiment.AskTime {
				if means := p.Whole.Means(i, n); means != "" {
					text = means + " (" + text + ")"
				}
			}
			m.options = append(m.options, text)
		}
		m.options = append(m.options, "another time")
		if a, _ := p.Answer(i); a != nil {
			m.Answer = p.option(i, options[a.Right])
		}
		for _, h := range c.Handed {
			m.count(h, k, i, len(options))
		}
		most := make([]int, len(m.options))
		for n := range most {
			most[n] = n
		}
		order.Stable(most, func(a, b int) int { return cmp.Compare(m.counts[b], m.counts[a]) })
		for _, n := range most {
			if m.counts[n] > 0 {
				m.Mistakes = append(m.Mistakes, fmt.Sprintf("%s: %d", m.options[n], m.counts[n]))
			}
		}
		list = append(list, m)
	}
	return list
}

// fresh reports whether somebody had other numbers at each try.
func (c *Class) fresh() bool {
	return slices.ContainsFunc(c.Handed, func(h *Handed) bool { return h.player.fresh() })
}

// count counts what somebody answered to question k of a step with so many options.
func (m *Marked) count(h *Handed, k, step, options int) {
	valid := func(n int64) bool { return n >= 0 && (int(n) < options || n == experiment.OwnTime) }
	switch {
	case !valid(h.Choices[k]):
		m.None++
	case h.Right[k]:
		m.Right++
		m.AtOnce += h.atOnce(k)
	default:
		m.Wrong++
	}
	first := h.first(k)
	if !valid(first.Choice) || h.atOnce(k) == 1 {
		return
	}
	m.Missed++
	if first.Choice == experiment.OwnTime {
		m.counts[options]++
	} else {
		m.counts[h.asked(k, 0).Lesson.Steps[step].Ask.Written(int(first.Choice))]++
	}
}

// apart is the correlation of question k with all others, those that were right at once.
func (c *Class) apart(k int) float64 {
	n := float64(len(c.Handed))
	if len(c.Handed) < leastApart {
		return math.NaN()
	}
	var x, y, xx, yy, xy float64
	for _, h := range c.Handed {
		one, rest := float64(h.atOnce(k)), 0.0
		for j := range h.Right {
			if j != k {
				rest += float64(h.atOnce(j))
			}
		}
		x, y, xx, yy, xy = x+one, y+rest, xx+one*one, yy+rest*rest, xy+one*rest
	}
	return (n*xy - x*y) / math.Sqrt((n*xx-x*x)*(n*yy-y*y)) // NaN where all did alike
}

// apart writes the correlation.
func (m *Marked) apart() string {
	if math.IsNaN(m.Apart) {
		return "–"
	}
	return words.Number(m.Apart, 2)
}

// sentence says how many handed in, and where they fail.
func (c *Class) sentence(questions []Marked) string {
	all, once, names := 0, 0, 0
	for _, h := range c.Handed {
		all += b2i(h.Points() == len(questions))
		names += b2i(h.Note != "")
		n := 0
		for k := range questions {
			n += h.atOnce(k)
		}
		once += b2i(n == len(questions))
	}
	text := fmt.Sprintf("%s to “%s”: %d with every question right", words.Count(len(c.Handed), "answer", "answers"), c.Player.Lesson.Title, all)
	if once < all {
		text += fmt.Sprintf(", %d of them at once", once)
	}
	text += "."
	worst := -1
	for k := range questions {
		if questions[k].Missed > 0 && (worst < 0 || questions[k].Missed > questions[worst].Missed) {
			worst = k
		}
	}
	if worst >= 0 {
		m := &questions[worst]
		text += fmt.Sprintf(" Most go wrong at step %d, “%s”: %d of %d at first", m.Step+1, m.Prompt, m.Missed, len(c.Handed))
		if m.Wrong < m.Missed {
			text += fmt.Sprintf(" and %d in the end", m.Wrong)
		}
		text += fmt.Sprintf(", and most of these say %s.", m.Mistakes[0])
	}
	if names > 0 {
		text += fmt.Sprintf(" %s to look at.", words.Count(names, "has something", "have something"))
	}
	return text
}

// Statistics are how the questions of a judged pile went, as a table.
func (pile *Submissions) Statistics() []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"lesson", "step", "question", "what_happens", "handed_in", "right_at_once", "right_later", "wrong", "none", "tells_apart", "wrong_at_first", "first_wrong_answer", "gave_it"}) // a Builder takes all
	for _, c := range pile.Classes {
		for _, m := range c.Questions() {
			row := []string{plain(c.Player.Lesson.Title), strconv.Itoa(m.Step + 1), plain(m.Prompt), plain(m.Answer), strconv.Itoa(len(c.Handed)), strconv.Itoa(m.AtOnce), strconv.Itoa(m.Right - m.AtOnce), strconv.Itoa(m.Wrong), strconv.Itoa(m.None), "", strconv.Itoa(m.Missed)}
			if !math.IsNaN(m.Apart) {
				row[9] = strconv.FormatFloat(m.Apart, 'f', 3, 64)
			}
			if m.Missed == 0 {
				_ = w.Write(append(row, "", "0"))
			}
			for n, count := range m.counts {
				if count > 0 {
					_ = w.Write(append(row[:11:11], plain(m.options[n]), strconv.Itoa(count)))
				}
			}
		}
	}
	w.Flush()
	return []byte(b.String())
}
