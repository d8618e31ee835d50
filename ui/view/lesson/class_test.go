package lesson

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

func begin(e *experiment.Experiment) *result.Background {
	return result.RunInBackground(native{}, e, func() {})
}

func nothing(string) Progress { return Progress{} }

// student answers all questions of an assignment: the option that is right, or the one
// behind it.
func student(t *testing.T, a *experiment.Assignment, name string, right bool) *Player {
	t.Helper()
	p, why := FromAssignment(a, name, nothing)
	if p == nil {
		t.Fatal(why)
	}
	p.Name = name
	for _, i := range p.questions() {
		p.At = i
		p.Run(i, begin)
		answer, err := p.Answer(i)
		if err != nil {
			t.Fatal(err)
		}
		n := answer.Right
		if !right { // the same mistake on all boards
			q := p.Lesson.Steps[i].Ask
			all := len(p.options())
			for k := range all {
				if q.Written(k) == (q.Written(answer.Right)+1)%all {
					n = k
				}
			}
		}
		p.Pick(n)
		p.Show()
	}
	return p
}

// If this fails answers of a class with other numbers for everybody are marked by other
// numbers than theirs, a changed answer is not seen, or one that is as it was made is
// called changed.
func TestAClassWithSeeds(t *testing.T) {
	link := experiment.EncodeAssignmentLink(&experiment.Assignment{Key: "hole", Course: "Systems", Due: "Friday", Numbers: experiment.NumbersName, Word: "heron", Seal: experiment.SealKey("tall ships"), Tries: 1})
	if strings.Contains(link, "tall") {
		t.Fatal("the phrase is in the link")
	}
	a, err := experiment.DecodeAssignmentLink("https://example.org/" + link)
	if err != nil || experiment.EncodeAssignmentLink(a) != link {
		t.Fatal(err)
	}
	hand := func(s *experiment.Sheet) string {
		return " https://example.org/" + experiment.EncodeSheetLink(s) + "\n"
	}
	names := []string{"Ann", "Ben", "Cem", "Dora", "Eve"}
	text := ""
	seeds := map[int64]bool{}
	for i, name := range names {
		p := student(t, a, name, i%2 == 0)
		seeds[p.Seed] = true
		if p.Lesson.Course != "Systems" || p.Lesson.Due != "Friday" {
			t.Error("another heading")
		}
		text += hand(p.Sheet())
	}
	changed := student(t, a, "Fay", false).Sheet()
	right := student(t, a, "Fay", true).Sheet()
	changed.Choices[1] = right.Choices[1]
	text += hand(changed)
	borrowed := student(t, a, "Ann", true).Sheet()
	borrowed.Name = "Gus"
	text += hand(borrowed)
	late := *a
	late.Word = "late"
	text += hand(student(t, &late, "Hal", true).Sheet())

	pile := ReadPile(text)
	pile.Check("Heron", experiment.SealKey(" tall  ships"))
	if left := pile.Judge(begin); left != 0 || len(pile.Classes) != 1 || len(pile.Faults) != 0 || len(pile.Classes[0].Handed) != 8 {
		t.Fatalf("%d left, %d classes, %v", left, len(pile.Classes), pile.Faults)
	}
	if len(seeds) < 4 {
		t.Errorf("%d different numbers for five names", len(seeds))
	}
	c := pile.Classes[0]
	for i, h := range c.Handed {
		points, seal, note := 0, "as made", ""
		switch h.Name {
		case "Ann", "Cem", "Eve":
			points = 4
		case "Fay":
			points, seal, note = 1, "changed", "answer 2 does not fit its seal"
		case "Gus":
			points, seal, note = 4, "changed", experiment.SealSheet
		case "Hal":
			points, note = 4, "the word is “late”"
		}
		if h.Points() != points || h.Seal != seal || !strings.Contains(h.Note, note) || note == "" && h.Note != "" {
			t.Errorf("%d, %s: %d points, %s, %q", i, h.Name, h.Points(), h.Seal, h.Note)
		}
	}
	if h := c.Handed[6]; !strings.Contains(h.Note, "not those of this name") {
		t.Errorf("answers to the numbers of somebody else: %q", h.Note)
	}
	// Wrong answers are counted by what they stand for, whatever the numbers were.
	if m := c.Questions()[0]; len(m.Mistakes) != 1 || !strings.HasPrefix(m.Mistakes[0], "at once: a processor is free (") || !strings.HasSuffix(m.Mistakes[0], ": 3") || m.Wrong != 3 {
		t.Errorf("%+v", m)
	}
	html := strings.ReplaceAll(string(pile.MarkHTML(0)), words.NB, " ")
	if !strings.Contains(html, "<td>as made</td>") || !strings.Contains(html, "<td>changed</td>") {
		t.Error("the table does not show the seals")
	}
	if csv := string(pile.CSV()); !strings.Contains(csv, "numbers,word,seal,means") || !strings.Contains(csv, ",heron,as made,at once: a processor is free") {
		t.Error(csv)
	}
	pile.Check("", experiment.SealKey("another phrase"))
	if h := c.Handed[0]; h.Seal != "changed" {
		t.Error("another phrase fits")
	}
}

// If this fails a link goes out on whose boards a question has no one answer, or one is
// refused that all boards decide.
func TestALinkIsProvedFirst(t *testing.T) {
	for _, row := range list() {
		if own(row.Key).Draw == nil {
			continue
		}
		f := NewProof(&experiment.Assignment{Key: row.Key, Numbers: experiment.NumbersSame, Seed: 7})
		if !f.Go(begin) || f.All != 1 || f.Done != 1 || len(f.Faults) != 0 {
			t.Errorf("%s: %+v", row.Key, f)
		}
	}
	l := own("hole")
	l.Draw.Where = nil // jobs that end too late are drawn as well
	o := &Offer{Assignment: experiment.Assignment{Lesson: l}, Rule: experiment.NumbersName}
	o.Prove()
	if o.Numbers != experiment.NumbersName || o.Proof.All != experiment.Boards || !o.Proof.Go(begin) || len(o.Proof.Faults) == 0 || !strings.Contains(string(o.HTML("#h=x")), "There is no link") {
		t.Errorf("%+v", o.Proof)
	}
	o = &Offer{Assignment: experiment.Assignment{Key: "users"}, Rule: experiment.NumbersName}
	o.Prove()
	if o.Numbers != experiment.NumbersSame || o.Proof.All != 1 || !strings.Contains(string(o.HTML("")), "has the same numbers for everybody") {
		t.Errorf("%+v", o.Proof)
	}
	slow := NewProof(&experiment.Assignment{Key: "hole"})
	if slow.Go(fake) || slow.Done != 0 {
		t.Error("proved before anything has run")
	}
}

// If this fails a job cannot be placed where it starts, can be placed where nobody could
// have chosen it, or a time of your own is lost on the way.
func TestPlacing(t *testing.T) {
	for seed := int64(0); seed < 20; seed++ {
		p, why := With("hole", own("hole"), seed, nothing)
		if p == nil {
			t.Fatal(why)
		}
		p.At = 1
		p.Run(1, begin)
		p.Placing = true
		svg := p.PictureHTML(600)
		if !strings.Contains(string(svg), `role="slider"`) || !strings.Contains(string(p.TextHTML()), "lesson-time") || strings.Contains(string(p.TextHTML()), "data-pick") {
			t.Fatal("nothing to place")
		}
		a, _ := p.Answer(1)
		right := p.options()[a.Right]
		for n := 0; p.said(1) != right; n++ {
			if p.Move(1); n > 200 {
				t.Fatalf("numbers %d: the right time is not reached", seed)
			}
		}
		if p.Picked[1] != a.Right {
			t.Errorf("numbers %d: the right time is option %d", seed, p.Picked[1])
		}
		track := p.track.Frame()
		p.Drop(track.Cut(5) - 500)
		if p.said(1) < *p.Step().Look.At {
			t.Errorf("placed before the instant, at %d", p.said(1))
		}
		p.Drop(track.Cut(100_000))
		if last := p.said(1); last != p.latest(1) || p.Picked[1] != experiment.OwnTime {
			t.Errorf("placed at %d, option %d", last, p.Picked[1])
		}
		p.Say(right + 60)
		p.Show()
		p.Show()
		sheet, err := experiment.DecodeSheetLink(experiment.EncodeSheetLink(p.Sheet()))
		if err != nil {
			t.Fatal(err)
		}
		back, why := FromSheet(sheet)
		if back == nil || back.said(1) != right+60 || back.Seed != seed || !strings.Contains(string(back.TextHTML()), back.chosen(1)) {
			t.Errorf("numbers %d: %s", seed, why)
		}
		again := NewPlayer("hole", p.Lesson, p.Progress)
		if again.said(1) != right+60 || again.Shown[1] != 1 {
			t.Error("a time of one's own is not kept")
		}
		if p.Say(60); p.said(1) != right+60 {
			t.Error("a shown answer was changed")
		}
	}
}

// Intent: a projected question shows what a class said at first and not what is right,
// draws what a wrong answer would break, and says what happens when asked to; the bars
// sum to the class, whatever numbers each had.
func TestWall(t *testing.T) {
	text := ""
	for i, name := range []string{"Ann", "Ben", "Cem", "Dora"} {
		text += experiment.EncodeSheetLink(student(t, &experiment.Assignment{Key: "promise", Numbers: experiment.NumbersName, Tries: 1}, name, i == 0).Sheet()) + "\n"
	}
	pile := ReadPile(text)
	if left := pile.Judge(begin); left > 0 {
		t.Fatal(left)
	}
	w := &Wall{Class: pile.Classes[0], Said: -1}
	p, step := w.board()
	answer, _ := p.Answer(step)
	html := w.HTML(500)
	if strings.Contains(string(html), "✓ what happens") || strings.Contains(string(html), "right\"") || !strings.Contains(string(html), "step-g") || strings.Count(string(html), "data-say") != len(answer.Options) {
		t.Errorf("before: %s", html)
	}
	if !strings.Contains(string(html), "25 %") || !strings.Contains(string(html), "75 %") {
		t.Errorf("not the shares of the class: %s", html)
	}
	broke := false
	for n := range answer.Options {
		w.Said = n
		broke = broke || strings.Contains(string(w.HTML(500)), "step-breach")
	}
	if !broke {
		t.Error("no wrong answer is drawn with what it would break")
	}
	w.Shown, w.Said = true, -1
	if html := w.HTML(500); !strings.Contains(string(html), "✓ what happens") || !strings.Contains(string(html), "right in the end 1, of 4") {
		t.Errorf("after: %s", html)
	}
	turns := 0
	for w.Turn(1) {
		turns++
		if w.Shown || !strings.Contains(string(w.HTML(500)), "question "+words.Int(turns+1)+" of") {
			t.Error("the next question tells what happens")
		}
	}
	if turns != len(p.questions())-1 || w.Turn(1) {
		t.Errorf("%d questions behind the first", turns)
	}
	o := &Offer{Assignment: experiment.Assignment{Key: "hole", Course: "Systems", Due: "Friday", Numbers: experiment.NumbersTry}, QR: func(id string) draw.Markup { return draw.HTML(`<svg id="{}"></svg>`, id) }}
	if html := o.WallHTML("#h=x"); !strings.Contains(string(html), "wall-qr") || !strings.Contains(string(html), "due Friday") || !strings.Contains(string(html), "name or number") {
		t.Error(html)
	}
}
