package lesson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// fixed are the lessons whose numbers come out of hundreds of jobs: what they say of
// them was looked at, and cannot be said of others.
var fixed = []string{"users", "sure"}

// If this fails a class gets a board on which a question has two right answers or none,
// on which another option is right than the text explains, or on which the answer is
// already in the text: all 200 boards of each lesson are drawn and solved.
func TestAllBoardsAreDecided(t *testing.T) {
	boards := map[string]bool{}
	for key, l := range lessons(t) {
		if (l.Draw == nil) != slices.Contains(fixed, key) {
			t.Errorf("%s: numbers are drawn: %t", key, l.Draw != nil)
		}
		if l.Draw == nil {
			continue
		}
		written := map[int]int{} // by step: the right option
		different := map[string]bool{}
		for seed := range int64(experiment.Boards + 1) {
			if testing.Short() && seed%8 > 0 {
				continue // short is what is run again where a guide was followed: other boards are like these
			}
			one, err := l.With(seed)
			if err != nil {
				t.Fatalf("%s, %v", key, err)
			}
			id := one.Identity()
			if different[id] = true; seed == 0 && id != l.Identity() {
				t.Errorf("%s: with the numbers that are written it is another lesson", key)
			}
			if again, _ := l.With(seed); again.Identity() != id {
				t.Errorf("%s, numbers %d: drawn twice they differ", key, seed)
			}
			boards[key+id] = true
			for i := range one.Steps {
				q, e := one.Steps[i].Ask, one.Of(i)
				if q == nil {
					continue
				}
				r := run(t, e)
				a, err := Grade(q, len(e.Schedulers), r)
				if err != nil {
					t.Errorf("%s, numbers %d, step %d: %v", key, seed, i+1, err)
					continue
				}
				right := q.Written(a.Right)
				if seed == 0 {
					written[i] = right
				}
				if right != written[i] {
					t.Errorf("%s, numbers %d, step %d: option %d is right, and the text explains %d", key, seed, i+1, right, written[i])
				}
				said := Said(q, len(e.Schedulers), a, r)
				if seed == 0 && said != q.After {
					t.Errorf("%s, step %d: %q comes out, %q is written", key, i+1, said, q.After)
				}
				if q.Kind == experiment.AskTime {
					if first := number.FindString(said); first != fmt.Sprint(a.Options[a.Right].Value/60) {
						t.Errorf("%s, numbers %d, step %d: the answer is %d s, and %q follows", key, seed, i+1, a.Options[a.Right].Value, said)
					}
					for _, v := range q.Options {
						if at := one.Steps[i].Look.At; at != nil && v < *at && l.Steps[i].Ask.Options[q.Written(slices.Index(q.Options, v))] >= *l.Steps[i].Look.At {
							t.Errorf("%s, numbers %d, step %d: option %d is over at the instant shown", key, seed, i+1, v)
						}
					}
				}
			}
			clear(known)
		}
		if len(different) < 5 {
			t.Errorf("%s: %d different boards", key, len(different))
		}
		t.Logf("%s: %d different boards", key, len(different))
	}
	if len(boards) < 1000 && !testing.Short() {
		t.Errorf("%d boards", len(boards))
	}
}

// If this fails the right time of a drawn lesson stands at the same place on every
// board, or an option stands for another mistake than the one that it was.
func TestOptionsAreMixed(t *testing.T) {
	l := lessons(t)["hole"]
	places, sets := map[int64]bool{}, map[string]bool{}
	for seed := range int64(experiment.Boards) {
		one, err := l.With(seed + 1)
		if err != nil {
			t.Fatal(err)
		}
		q := one.Steps[1].Ask
		at := make([]int64, 3) // by what is written: as it comes, when job 1 ends, when job 2 ends
		for k := range q.Options {
			at[q.Written(k)] = q.Options[k]
		}
		if !(at[0] < at[1] && at[1] < at[2]) {
			t.Errorf("numbers %d: %v", seed+1, at)
		}
		places[int64(slices.Index(q.Options, at[2]))] = true
		sets[fmt.Sprint(at)] = true
	}
	if len(places) != 3 || len(sets) < 50 {
		t.Errorf("%d places, %d boards", len(places), len(sets))
	}
}

// If this fails a lesson whose formulas say something else than its text is taken, or
// one that draws without end.
func TestDrawFaults(t *testing.T) {
	data, err := json.Marshal(json.RawMessage(lessons(t)["hole"].Encode()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{`"is":60,"from":40`, `"is":61,"from":40`, "must be one of 40, 45, … up to 90"},
		{`"name":"h"`, `"name":"a"`, `draw: draw.numbers[1]: "a" is drawn twice`},
		{`"a-c-r"`, `"a-c-"`, `draw: draw.where[0]: `},
		{`"a-c-r"`, `"c-a"`, `"c-a" is not above zero in the lesson as it is written`},
		{`"a-c-r"`, `"a-c-r","0-abs(a-60)+1","0-abs(c-10)+1","0-abs(r-30)+1","abs(h-60)+1","a+0.5-60-abs(h-61)"`, `is not above zero`},
		{`["c","","r"]`, `["c","","c"]`, `steps[1].text: "c" gives 10, and 30 is written there`},
		{`["c","","r"]`, `["c","","r","r"]`, `steps[1].text: 4 formulas for 3 numbers`},
		{`["60*c","60*a","60*(a+h)"]`, `["60*c","60*a","60*(a+r)"]`, `"60*(a+r)" gives 5400, and 7200 is written there`},
		{`"path":"steps[1].text"`, `"path":"steps[7].text"`, `"steps[7].text" is no place of a step`},
		{`"path":"steps[1].text"`, `"path":"steps[1].experiment"`, `steps[1].experiment: nothing stands there`},
		{`"path":"steps[1].text"`, `"path":"steps[1].ask"`, `must be a number, a list of numbers or a text`},
		{`["answer"]`, `["answers"]`, `draw.set`},
		{`"to":["c","","r"]`, `"two":["c","","r"]`, `unknown key`},
	} {
		changed := strings.Replace(string(data), c[0], c[1], 1)
		if changed == string(data) {
			t.Fatalf("there is no %s", c[0])
		}
		if _, err := experiment.DecodeLesson([]byte(changed)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v\nwant %s", c[1], err, c[2])
		}
	}
	l := lessons(t)["hole"]
	for _, seed := range []int64{-1, experiment.Boards + 1} {
		if _, err := l.With(seed); err == nil {
			t.Errorf("numbers %d are drawn", seed)
		}
	}
	l.Draw.Where = append(l.Draw.Where, "c-1000")
	if _, err := l.With(3); err == nil || !strings.Contains(err.Error(), "no numbers fulfil") {
		t.Errorf("%v", err)
	}
	if e, err := experiment.Decode([]byte(catalog.FindCase("hole").Document)); err != nil || len(e.Schedulers) != 2 {
		t.Error("the case was changed")
	}
}
