package state

import (
	"slices"
	"testing"

	"batchlab/ui/look"
	"batchlab/ui/words"
)

// Each scheduler keeps its letter, in the list and in the results, whatever is ticked
// off, taken out, copied or added beside it; what is looked at goes along; undo, a link
// and another experiment come with the letters that they have.
func TestLettersStay(t *testing.T) {
	defer words.SetLetters(nil)
	s, f := opened(t)
	run := func() {
		s.Run()
		f.tell(s, make([]float64, len(s.Settings.Schedulers)), nil)
	}
	list := func() (text string) {
		for _, r := range s.Rows() {
			text += words.LetterAt(r.Place)
			if r.Index < 0 {
				text += "-"
			}
		}
		return text
	}
	results := func() (text string) {
		for i := range s.Ran.Schedulers {
			text += words.Letter(i)
		}
		return text
	}
	want := func(what, wantList, wantResults string) {
		t.Helper()
		if list() != wantList || results() != wantResults {
			t.Errorf("%s: list %s, results %s; want %s, %s", what, list(), results(), wantList, wantResults)
		}
	}
	run()
	want("at first", "ABC", "ABC")
	s.Look(func(v *look.View) { v.A, v.B, v.Baseline = 2, 0, 0 })
	s.SwitchOff(1)
	want("B ticked off", "AB-C", "ABC")
	run()
	want("run without B", "AB-C", "AC")
	if s.View.A != 1 || s.View.B != 0 || s.View.Baseline != 0 {
		t.Errorf("C against A was looked at: %+v", s.View)
	}
	link := s.Text()
	s.AddScheduler("sjf-nothing")
	s.AddScheduler("lsf")
	want("one added", "AB-CD", "AC")
	s.RemoveScheduler(0)
	want("A taken out", "B-CD", "AC")
	s.CopyScheduler(0)
	want("C copied", "B-CDA", "AC")
	s.SetField("repeats", "3")
	s.SetField("sched.0.label", "mine")
	s.SwitchOn(0)
	want("B on again", "BCDA", "AC")
	run()
	want("run with all", "BCDA", "BCDA")
	s.Undo()
	s.Undo()
	s.Undo()
	s.Undo()
	s.Undo()
	want("undone", "AB-CD", "BCDA")

	v, err := look.Read(link)
	if err != nil || !slices.Equal(v.Places(), []int{0, 2}) {
		t.Fatalf("%s: %v, %v", link, v.Places(), err)
	}
	for _, bad := range []string{"1_vAA", "1_va", "1_v"} {
		if v, err := look.Read(bad); err == nil || v.Places() != nil {
			t.Errorf("%s is read: %v", bad, v.Places())
		}
	}
	s.OpenPreset("easy-vs-conservative")
	if list()[:1] != "A" || len(s.Text()) > 0 && slices.Contains([]byte(s.Text()), 'v') {
		t.Errorf("another experiment begins with %s, %s", list(), s.Text())
	}
}
