package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// canonicalMinimal is the canonical form of minimal, written by hand. It pins
// the defaults of version 1: when this test fails, a default changed, and old
// links would come to mean something else. Then Version must grow, with an
// upgrader that writes the old default out.
const canonicalMinimal = `{"batchlab":1,"measures":{"from":null,"tau":10,"to":null},"platform":{"processors":0},` +
	`"schedulers":[{"key":"easy","label":"","params":{"backfill":"fcfs","order":"fcfs","threshold":null,"ties":"oldest"},"repeat":1}],` +
	`"seed":1,"workload":{"clean":{"overrun":"kill","oversize":"drop"},` +
	`"filter":{"exclude_users":[],"max_procs":0,"max_run":0,"min_procs":0,"min_run":0,"users":[]},` +
	`"scale":{"load":1,"time":1},"source":{"bundled":"demo"},"window":{"from":null,"to":null}}}`

// The canonical form has the defaults written out, keys sorted, and neither
// title nor expected digest; the identity is its SHA-256.
func TestCanonical(t *testing.T) {
	if got := string(mustDecode(t, minimal).Canonical()); got != canonicalMinimal {
		t.Errorf("got  %s\nwant %s", got, canonicalMinimal)
	}
	e := mustDecode(t, minimal)
	e.Title, e.Expect = "T", hash
	if string(e.Canonical()) != canonicalMinimal {
		t.Error("title or expect is part of the canonical form")
	}
	// sha256sum of canonicalMinimal
	if got, want := e.Identity(), "267ee05860bd079cf6d43d6bbad06115882bf648cc7840d3271fb8f196c59353"; got != want {
		t.Errorf("identity %s, want %s", got, want)
	}
	c := mustDecode(t, everything).Canonical()
	var v any
	if err := json.Unmarshal(c, &v); err != nil {
		t.Fatal(err)
	}
	if back := mustDecode(t, string(c)); !bytes.Equal(back.Canonical(), c) {
		t.Error("the canonical form of the canonical form differs")
	}
}

// What order keys stand in, how the text is spaced and whether defaults are
// written out makes no difference to an experiment's identity; every value
// does.
func TestIdentity(t *testing.T) {
	e := mustDecode(t, everything)
	if string(Encode(e)) == everything || mustDecode(t, string(Encode(e))).Identity() != e.Identity() {
		t.Error("the written file is another experiment")
	}
	seen := map[string]string{e.Identity(): "original"}
	for _, change := range []string{"9007199254740991|9007199254740990", `"KTH-SP2.swf"|"x"`, "123456789012|123456789013", "extend|drop", "clamp|drop",
		"[1, 2]|[2, 1]", "[-1]|[]", `"min_procs": 2|"min_procs": 3`, `"max_procs": 64|"max_procs": 65`, `"min_run": 60|"min_run": 61`, "86400|86401", "-5|-6", "604800|604801",
		"1.25|1.26", "0.5|0.6", "128|129", "Ours|Theirs", "saf|spf", `"newest", "thr|"oldest", "thr`, "200000|200001", `"repeat": 3|"repeat": 4`,
		`"tau": 60|"tau": 61`, `"from": 0|"from": 1`, `"to": 100|"to": 101`} {
		old, new, _ := strings.Cut(change, "|")
		if strings.Count(everything, old) != 1 {
			t.Fatalf("%q stands %d times", old, strings.Count(everything, old))
		}
		id := mustDecode(t, strings.Replace(everything, old, new, 1)).Identity()
		if seen[id] != "" {
			t.Errorf("%s: the same identity as %s", change, seen[id])
		}
		seen[id] = change
	}
}

// A written file reads as the same experiment, is laid out for people, and has
// every default in it.
func TestEncode(t *testing.T) {
	for _, text := range []string{minimal, everything} {
		e := mustDecode(t, text)
		file := Encode(e)
		back, err := Decode(file)
		if err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%v\n%s", err, file)
		}
	}
	file := string(Encode(mustDecode(t, minimal)))
	for _, part := range []string{"{\n  \"batchlab\": 1,\n  \"title\": \"\",\n  \"seed\": 1,\n", "\n    \"clean\": {\"overrun\": \"kill\", \"oversize\": \"drop\"},\n", `"threshold": null`, "\n}\n"} {
		if !strings.Contains(file, part) {
			t.Errorf("%q is not in\n%s", part, file)
		}
	}
}

// The largest experiment that the limits allow still fits in a file and in a
// link that can be read again.
func TestLargestExperiment(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	letters := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteRune(rune(0x10000 + rng.IntN(0x8000))) // four bytes each, hard to pack
		}
		return b.String()
	}
	e := mustDecode(t, everything)
	e.Title = letters(MaxTitle)
	e.Workload.Source.Log.Name = letters(MaxLogName)
	e.Workload.Filter.Users, e.Workload.Filter.ExcludeUsers = nil, nil
	for range MaxFilter {
		e.Workload.Filter.Users = append(e.Workload.Filter.Users, -MaxInteger+rng.Int64N(1e12))
		e.Workload.Filter.ExcludeUsers = append(e.Workload.Filter.ExcludeUsers, -MaxInteger+rng.Int64N(1e12))
	}
	e.Schedulers = nil
	for range MaxSchedulers {
		s, err := e.Add("easy")
		if err != nil {
			t.Fatal(err)
		}
		s.Label = letters(MaxLabel)
		s.Repeat = MaxRepeat
		s.SetParam("threshold", rng.Int64N(3e9))
		s.SetParam("order", catalog.Orders[rng.IntN(12)].Key)
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	if back, err := Decode(Encode(e)); err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%d bytes of file: %v", len(Encode(e)), err)
	}
	if back, err := DecodeLink(EncodeLink(e)); err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%d characters of link: %v", len(EncodeLink(e)), err)
	}
}

// canonical returns the RFC 8785 form of any JSON text.
func canonical(t *testing.T, text string) string {
	t.Helper()
	var f faults
	root, err := parse([]byte(text), &f)
	if err != nil || len(f.list) > 0 {
		t.Fatalf("%s: %v %v", text, err, f.list)
	}
	return string(appendCanonical(nil, root))
}

// The example of RFC 8785, section 3.2.2: literals, numbers and strings.
func TestRFC8785Values(t *testing.T) {
	in := `{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`
	want := `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
	if got := canonical(t, in); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The example of RFC 8785, section 3.2.3: keys go by UTF-16 code units, so that
// U+1F600 (a surrogate pair) comes before U+FB33.
func TestRFC8785KeyOrder(t *testing.T) {
	in := `{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`
	var keys []string
	dec := json.NewDecoder(strings.NewReader(canonical(t, in)))
	for i := 0; ; i++ {
		token, err := dec.Token()
		if err != nil {
			break
		}
		if s, ok := token.(string); ok && i%2 == 0 {
			keys = append(keys, s)
		}
	}
	want := "Carriage Return,One,Control,Latin Small Letter O With Diaeresis,Euro Sign,Emoji: Grinning Face,Hebrew Letter Dalet With Dagesh"
	if got := strings.Join(keys, ","); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The numbers of RFC 8785, appendix B: bits of a float64 and how it is written.
func TestRFC8785Numbers(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		if got := string(appendNumber(nil, math.Float64frombits(bits))); got != want {
			t.Errorf("%016x is written %s, want %s", bits, got, want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(appendNumber(nil, v)); got != "null" {
			t.Errorf("%v is written %s", v, got)
		}
	}
}

// Any float64 comes back from how it is written, and strings from theirs.
func TestWrittenValuesComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 20000 {
		v := math.Float64frombits(rng.Uint64())
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		var back float64
		if _, err := fmt.Sscan(string(appendNumber(nil, v)), &back); err != nil || back != v {
			t.Fatalf("%v is written %s", v, appendNumber(nil, v))
		}
		runes := make([]rune, rng.IntN(8))
		for i := range runes {
			runes[i] = rune(rng.IntN(0x200))
		}
		var s string
		if err := json.Unmarshal(appendString(nil, string(runes)), &s); err != nil || s != string(runes) {
			t.Fatalf("%q is written %s", string(runes), appendString(nil, string(runes)))
		}
	}
}
