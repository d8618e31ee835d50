package paper

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Intent: a verdict follows from its rows by the rule alone. Each sentence of the
// comment on rules has a case here: sides, names put in the place of $, factors,
// differences and quotients, margins, intervals that are not even, and the wider
// interval of several sides.
func TestRules(t *testing.T) {
	half := func(x float64) *float64 { return &x }
	v := Verdicts{"k": {Rows: map[string]VerdictRow{
		"below|c": {Ours: -5, Half: half(2)}, "above|c": {Ours: 5, Half: half(2)}, "about|c": {Ours: -1, Half: half(2)},
		"bare|c": {Ours: -0.5}, "zero|c": {}, "ten|c": {Ours: 10, Half: half(1)}, "drawn|c": {Ours: 1.2, From: half(1.1), To: half(2)},
		"near|c": {Ours: 1.1, Half: half(0.098)},
	}}}
	for rule, want := range map[string]string{
		"a: {k|below|c} < 0":                                        Confirmed,
		"a: {k|below|c} > 0":                                        NotConfirmed,
		"a: {k|about|c} < 0":                                        CannotTell,
		"a: {k|bare|c} < 0":                                         Confirmed,
		"a: {k|zero|c} < 0":                                         CannotTell,
		"a: {k|drawn|c} > 1":                                        Confirmed,
		"a: {k|drawn|c} < 1.9":                                      CannotTell, // 0.8 above 1.2 it ends, not 0.1
		"below/above: {k|$|c} < 0":                                  Depends,
		"all of: below/above: {k|$|c} < 0":                          NotConfirmed,
		"below/about: {k|$|c} < 0":                                  Confirmed, // at least as many say yes as say nothing
		"below/about/about: {k|$|c} < 0":                            CannotTell,
		"a: {k|below|c} < 0 and {k|above|c} < 0":                    NotConfirmed,
		"a: {k|below|c} < 0 and {k|about|c} < 0":                    CannotTell,
		"a: {k|below|c} < 0 ± 8":                                    NotConfirmed, // smaller than the margin
		"a: {k|below|c} < 0 ± 6":                                    Confirmed,
		"a: {k|ten|c} = 10 ± 5 %":                                   CannotTell,
		"a: {k|ten|c} = 10 ± 20 %":                                  Confirmed,
		"a: {k|ten|c} = 20 ± 20 %":                                  NotConfirmed,
		"a: {k|above|c} < 0.9 × {k|ten|c}":                          Confirmed,
		"a: {k|ten|c} − {k|above|c} > 2":                            Confirmed,  // 5 ± √5
		"a: {k|ten|c} − {k|above|c} > 3":                            CannotTell, // as two numbers drawn apart
		"a: {k|ten|c} ÷ {k|bare|c} < -17":                           Confirmed,
		"a: {k|near|c} > 1":                                         Confirmed,
		"near/near/near: {k|$|c} > 1":                               CannotTell, // wider where three are asked
		"near/near/near: {k|$|c} > 1; b: {k|below|c} < 0":           CannotTell,
		"a: {k|below|c} < 0; b: {k|above|c} < 0; c: {k|gone|c} > 0": "error",
		"looked: all of: below/above: {k|$|c} < 0":                  NotConfirmed,
	} {
		got, err := v.rule(&Claim{Rule: rule})
		if err != nil {
			got.Kind = "error"
		}
		if got.Kind != want {
			t.Errorf("%s: %s (%v), want %s", rule, got.Kind, err, want)
		}
	}
	got, err := v.rule(&Claim{Rule: "below/about: {k|$|c} < 0; c: {k|ten|c} > {k|above|c}"})
	if err != nil || got.numbers() != "below: −5.00 ± 2.00; about: −1.00 ± 2.00; c: 10.00 ± 1.00 against 5.00 ± 2.00" || got.sides() != "Yes: below; c. Cannot be told: about" ||
		got.brief() != "2 yes, 1 open" || len(got.cases()) != 3 || got.on(&Claim{On: "(aside)"}) != "(aside)" {
		t.Errorf("%q, %q, %q, %v, %v", got.numbers(), got.sides(), got.brief(), got.cases(), err)
	}
	// A margin that was set after a look is tried at half and at twice, too: 10 ± 1 is within 5 of
	// 14 and not within 2.5; −5 ± 2 may be below −4, and is within 8.
	for rule, want := range map[string][3]string{
		"looked: a: {k|ten|c} = 14 ± 5":     {Confirmed, NotConfirmed, Confirmed},
		"looked: a: {k|below|c} < 0 ± 4":    {Confirmed, Confirmed, NotConfirmed},
		"looked: a: {k|below|c} < 0":        {Confirmed, "", ""},
		"a: {k|below|c} < 0 ± 4":            {Confirmed, "", ""},
		"looked: all of: a: {k|ten|c} > 12": {NotConfirmed, "", ""},
	} {
		got, err := v.rule(&Claim{Rule: rule})
		if err != nil || [3]string{got.Kind, got.Half, got.Twice} != want || got.Looked != strings.HasPrefix(rule, "looked: ") {
			t.Errorf("%s: %+v, %v, want %v", rule, got, err, want)
		}
	}
	if on := (&Ruling{Kind: Depends, Looked: true, Half: Depends, Twice: Confirmed}).on(&Claim{On: "the load"}); on != "the load. The margin was set after a first look; half of it says the same, twice of it: confirmed" {
		t.Error(on)
	}
	for _, bad := range []string{"", "a", "a: 1", "a: {k|x} < 0", "a: {k|below|c} < x", "a: {k|below|c < 0", "a: b × {k|below|c} < 0", "a: {k|below|c} < 0 ± -1", "a: {k|below|c}0 < 0", "a: {k|none|c} < 0"} {
		if _, err := v.rule(&Claim{Rule: bad}); err == nil {
			t.Errorf("%q is taken for a rule", bad)
		}
	}
	// By tables of the normal distribution.
	for n, want := range map[int]float64{1: 1, 2: 1.1436, 4: 1.2744, 10: 1.4322} {
		if got := bonferroni(n); math.Abs(got-want) > 1e-3 {
			t.Errorf("of %d: %v times as wide, want %v", n, got, want)
		}
	}
}

// FuzzRule reads any text as a rule: it is taken or refused, and what is taken
// compares numbers that it names.
func FuzzRule(f *testing.F) {
	for i := range Claims {
		f.Add(Claims[i].Rule)
	}
	f.Add("a/b: 0.5 × {k|$|c} − {k|d|e} = {k|f|g} ± 5 % and {k|h|i} > 0; c: 1 < 2")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseRule(text)
		if err != nil {
			return
		}
		for _, s := range list {
			if len(s.all) == 0 {
				t.Errorf("%q: a side compares nothing", text)
			}
			for _, c := range s.all {
				for _, q := range []quantity{c.a, c.b} {
					if len(q.list) == 0 || (len(q.list) == 2) != (q.op != 0) {
						t.Errorf("%q: %+v", text, q)
					}
				}
			}
		}
	})
}

// Intent: the text of a claim says no number of its own. Digits in what came out, what
// the verdict depends on and what would change it stand in the claim's own sentence, in
// what was run, in the names of its rows and sides, or in brackets as the paper's.
func TestClaimsNameNoNumbers(t *testing.T) {
	number := regexp.MustCompile(`\d[\d,.]*`)
	words := regexp.MustCompile(`\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b`)
	brackets := regexp.MustCompile(`\(paper [^)]*\)`)
	for i := range Claims {
		c := &Claims[i]
		known := c.Says + " " + c.Where + " " + c.Ran + " " + c.Rule
		for _, p := range c.places() {
			known += " " + strings.Join(p[:], " ")
		}
		known = brackets.ReplaceAllString(known, "")
		for _, text := range []string{c.Result, c.On, c.Change} {
			text = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(brackets.ReplaceAllString(text, ""), "")
			found := append(number.FindAllString(text, -1), words.FindAllString(text, -1)...)
			for _, x := range found {
				if x = strings.TrimRight(x, ",."); !strings.Contains(known, x) {
					t.Errorf("%s, %q: %q names %s, which is in no row", c.Study, c.Says, text, x)
				}
			}
		}
	}
}

// Intent: where a rule names a margin for a paired difference of runs that were
// repeated, the repetitions were enough: half of its interval lies below the margin, or
// they were as many as are taken at most.
func TestMargins(t *testing.T) {
	data, err := os.ReadFile(verdictsFile)
	if err != nil {
		t.Fatal(err)
	}
	v := Verdicts{}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	held := 0
	for i := range Claims {
		c := &Claims[i]
		if c.Rule == notOurs || c.Rule == CannotTell {
			continue
		}
		sides, err := parseRule(c.Rule)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sides {
			for _, one := range s.all {
				if one.percent || one.margin == 0 || len(one.a.list) != 1 {
					continue
				}
				key, rest, _ := strings.Cut(one.a.list[0].place, "|")
				r := v[key].Rows[rest]
				if r.Half == nil || !strings.Contains(rest, " − ") {
					continue
				}
				if held++; *r.Half > one.margin && repetitions[key] < mostRepetitions {
					t.Errorf("%s, %q: %s is %s, wider than the margin %v with %d repetitions", c.Study, c.Says, rest, r, one.margin, repetitions[key])
				}
			}
		}
	}
	if held < 30 {
		t.Errorf("%d differences have margins", held)
	}
}

// Intent: sides whose names begin alike name that once, an interval is one name, and signs
// stand only where sides differ; of many sides those that differ from most are named; a
// unit that both numbers of a comparison have stands once.
func TestMarkedSides(t *testing.T) {
	r := Ruling{Sides: []SideVerdict{{"a, x", triedYes, "1"}, {"a, y", triedYes, "2"}, {"b", triedYes, "3"}, {"[1, 2]", triedYes, "4"}, {"[1, 4]", triedYes, "5"}}}
	if got := r.marked(); got != "a, x: 1, y: 2; b: 3; [1, 2]: 4; [1, 4]: 5" {
		t.Errorf("%q", got)
	}
	r.Sides = r.Sides[:2]
	r.Sides[1].Says = triedNo
	if got := r.marked(); got != "a, x: 1 ✓, y: 2 ✗" {
		t.Errorf("%q", got)
	}
	r.Sides = []SideVerdict{{Name: "set 1", Says: triedNo}, {Name: "set 2", Says: triedNo}, {Name: "b, x", Says: triedOpen}}
	for range 3 {
		r.Sides = append(r.Sides, SideVerdict{Name: "c", Says: triedYes})
	}
	if got := r.counted(); got != "✓ in 3 of 6; ✗ set 1, 2; ? b, x" {
		t.Errorf("%q", got)
	}
	r.Sides = r.Sides[3:]
	if got := r.counted(); got != "✓ in all 3" {
		t.Errorf("%q", got)
	}
	for want, pair := range map[string][2]string{"1 ± 1 against 2 s": {"1 ± 1 s", "2 s"}, "1 s against 2": {"1 s", "2"}, "1 h against 2 s": {"1 h", "2 s"}} {
		if got := joined(pair[0], " against ", pair[1]); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
