package lesson

import (
	"encoding/csv"
	"fmt"
	"math"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// hand is a link to answers to a lesson of the page.
func hand(key, name string, choices ...int64) string {
	return "https://example.org/" + experiment.EncodeSheetLink(&experiment.Sheet{Key: key, Identity: own(key).Identity(), Name: name, Choices: choices})
}

// If this fails a lecturer gets other marks than the laboratory gives, or is not told
// who handed in twice, who fails alike, and which link cannot be read.
func TestAPileIsMarked(t *testing.T) {
	n := len(NewPlayer("promise", own("promise"), Progress{}).questions())
	choices := func(c int64) []int64 {
		list := make([]int64, n)
		for i := range list {
			list[i] = c
		}
		return list
	}
	var none []int64 // answers to another lesson: nothing was chosen
	for range NewPlayer("hole", own("hole"), Progress{}).questions() {
		none = append(none, -1)
	}
	damaged := hand("promise", "Dora", choices(1)...)
	damaged = damaged[:len(damaged)-6] + "AAAAAA"
	text := "Dear all,\n" + hand("promise", "Ann", choices(2)...) + ">\n" + hand("promise", "Ben", choices(1)...) + " and again " + hand("promise", "Ben", choices(1)...) +
		"\n" + hand("promise", "Cem", choices(1)...) + "," + hand("promise", "ann", choices(0)...) + "\n" + damaged + "\n" + hand("hole", "=1+1", none...)
	pile := ReadPile(text)
	begin := func(e *experiment.Experiment) *result.Background {
		return result.RunInBackground(native{}, e, func() {})
	}
	if left := pile.Judge(begin); left != 0 || len(pile.Classes) != 2 || len(pile.Faults) != 1 || len(pile.Classes[0].Handed) != 4 {
		t.Fatalf("%d left, %d classes, faults %v", left, len(pile.Classes), pile.Faults)
	}
	// Plain twin: each sheet by itself, as its own link shows it.
	for _, c := range pile.Classes {
		for _, h := range c.Handed {
			p, why := FromSheet(&experiment.Sheet{Key: c.Player.Key, Identity: c.Player.Lesson.Identity(), Choices: h.Choices})
			if p == nil {
				t.Fatal(why)
			}
			for k, i := range p.questions() {
				p.Run(i, begin)
				a, err := p.Answer(i)
				if err != nil || (p.Picked[i] == a.Right && p.Shown[i] == 1) != h.Right[k] {
					t.Errorf("%s, step %d: marked %t", h.Name, i+1, h.Right[k])
				}
			}
		}
	}
	notes := map[string]string{}
	for _, h := range pile.Classes[0].Handed {
		notes[h.Name] = h.Note
	}
	for name, want := range map[string]string{"Ann": "more than once", "ann": "more than once", "Ben": "the same link 2 times", "Cem": "wrong answers as Ben"} {
		if !strings.Contains(notes[name], want) {
			t.Errorf("%s: %q, want %q", name, notes[name], want)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(string(pile.CSV()))).ReadAll()
	if err != nil || len(rows) != 1+4*n+len(none) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if !strings.Contains(string(pile.CSV()), ",'=1+1,") {
		t.Error("a name is a formula in a spreadsheet")
	}
	for _, m := range pile.Classes[0].Questions() {
		if m.Right+m.Wrong+m.None != 4 || m.Answer == "" {
			t.Errorf("step %d: %+v", m.Step+1, m)
		}
	}
	html := strings.ReplaceAll(string(pile.MarkHTML(0)), words.NB, " ")
	if !strings.Contains(html, "1 link that cannot be judged") || strings.Contains(html, "<img") {
		t.Error(html)
	}
}

// If this fails what stands around links, or how many there are, changes who is found.
func TestAHundredLinksInAnyText(t *testing.T) {
	n := len(NewPlayer("promise", own("promise"), Progress{}).questions())
	var b strings.Builder
	for i := range 100 {
		c := make([]int64, n)
		c[i%n] = int64(i % 3)
		fmt.Fprintf(&b, "[%d](%s) <a href=\"%s\">x</a>\r\n", i, hand("promise", fmt.Sprintf("<b>%d", i), c...), "#nothing")
	}
	pile := ReadPile(b.String())
	if len(pile.Classes) != 1 || len(pile.Classes[0].Handed) != 100 || len(pile.Faults) != 0 {
		t.Fatalf("%d classes, %v", len(pile.Classes), pile.Faults)
	}
	pile.Judge(func(e *experiment.Experiment) *result.Background {
		return result.RunInBackground(native{}, e, func() {})
	})
	if html := strings.ReplaceAll(string(pile.MarkHTML(0)), words.NB, " "); strings.Contains(html, "<b>") || !strings.Contains(html, "100 answers to") {
		t.Error("names are written as they came")
	}
}

// If this fails a class is told other numbers of its questions than were handed in: who
// was right at once and who later, which first answers were wrong, and how well a question tells
// apart, against the plain formula over deviations from the means.
func TestStatisticsOfQuestions(t *testing.T) {
	l := own("promise")
	right := []int64{2, 1, 2, 0}
	var text strings.Builder
	var once [][]float64
	for i := range 24 {
		s := &experiment.Sheet{Key: "promise", Identity: l.Identity(), Name: fmt.Sprint("n", i)}
		row := make([]float64, 4)
		for k := range int64(4) {
			choice := right[k]
			switch (i*7 + int(k)*i/2) % 5 {
			case 0:
				s.Missed = append(s.Missed, experiment.Miss{Question: k, Choice: (choice + 1) % 2, Time: -1})
			case 1:
				choice = (choice + 1) % 2
			case 2:
				if i%3 == 0 {
					choice = -1
				} else {
					row[k] = 1
				}
			default:
				row[k] = 1
			}
			s.Choices = append(s.Choices, choice)
		}
		once = append(once, row)
		text.WriteString(experiment.EncodeSheetLink(s) + "\n")
	}
	pile := ReadPile(text.String())
	if left := pile.Judge(begin); left != 0 || len(pile.Classes) != 1 || len(pile.Classes[0].Handed) != 24 {
		t.Fatal(left, pile.Faults)
	}
	c := pile.Classes[0]
	for k, i := range c.Player.questions() {
		a, _ := c.Player.Answer(i)
		if int64(a.Right) != right[k] {
			t.Fatalf("the lesson has other answers: %d is right at question %d", a.Right, k)
		}
	}
	for k, m := range c.Questions() {
		atOnce, wrongFirst, rest := 0, 0, make([]float64, len(once))
		for i, h := range c.Handed {
			atOnce += int(once[i][k])
			if once[i][k] == 0 && (h.Choices[k] >= 0 || len(h.Sheet.MissedAt(k)) > 0) {
				wrongFirst++
			}
			for j := range once[i] {
				if j != k {
					rest[i] += once[i][j]
				}
			}
		}
		mean, all := float64(atOnce)/24, 0.0
		for _, v := range rest {
			all += v / 24
		}
		xy, xx, yy := 0.0, 0.0, 0.0
		for i := range once {
			dx, dy := once[i][k]-mean, rest[i]-all
			xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
		}
		sum := 0
		for _, n := range m.counts {
			sum += n
		}
		if m.AtOnce != atOnce || m.Missed != wrongFirst || sum != wrongFirst || m.Right+m.Wrong+m.None != 24 || math.Abs(m.Apart-xy/math.Sqrt(xx*yy)) > 1e-9 {
			t.Errorf("question %d: %+v; %d at once, %d wrong at first, %v", k+1, m, atOnce, wrongFirst, xy/math.Sqrt(xx*yy))
		}
	}
	rows, err := csv.NewReader(strings.NewReader(string(pile.Statistics()))).ReadAll()
	if err != nil || len(rows) < 5 || rows[1][4] != "24" {
		t.Errorf("%v, %v", rows, err)
	}
	html := strings.ReplaceAll(string(pile.MarkHTML(0)), words.NB, " ")
	if !strings.Contains(html, `aria-label="right at try 2">2nd<`) || !strings.Contains(string(pile.CSV()), ",2,At ") {
		t.Error("second tries are not shown")
	}
}
