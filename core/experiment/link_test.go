package experiment

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// packLink makes a link of any bytes, without this package's own encoder.
func packLink(t testing.TB, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return "#x=" + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// Links that were once written, with what they must mean for ever: title,
// expected digest and canonical form.
func TestGoldenLinks(t *testing.T) {
	for _, c := range []struct{ name, link, document string }{
		{"minimal", "#x=FMYxCkMhDAbgu_yzS9dcpXSIJiCYNmAqD5Hc_fG276Dyv3XjCnoVXD6HOQvoIHzNpo_q-ompgCD6dWQWROsqy3QG6H0wdIOgHBv5yTsAAP__", minimal},
		{"every key", "#x=rFJPr5s-EPwqP-3ZibBjCPbtd6vUQyu1t-rpaTFLgmIwsk3-NOK7VwuNnt69XGDHszO7Y57QYHZnjw1YKSD32RNY-N_7_y70SCAgEbVgTVEcpTGq1EddGCMF3EK8-IAt2CekMEdH_OXDiV8jDizz9eeX3Y_vap9uHSudUZUVWKBDUzitlak7J53UBrum0642puoao7Q6ImlJutKmMQftUJvSGNkc61I1dVmyVv-bwEp10GV1rE0h1bIIcJ5wZP9wpRjnkb3umcYWxAptXeA8DhMsArreZ4rcMCeKCewvKdSbALo7P7f0_kJ38k3A0I_vUwwugVUCBry_qkpvh6thVWxna1FXuigWAbd-bMONfboYBrC7UkAOTNb1SkgO_d_8OFG5V8zoOcRiX_Jqk8fchTgwiX0ppcCzSVWv_WdqZ79N-4QLPXh1TA8Q4LEhDxa-zZHvc8KIQ1pDii0vDwn5dhp0l673zEwTA7mnBBZGulHKXJ8jpXPwLVhV8LMIiDQRZrCHRbxcO9d9tvmss3wwXRgTxSvm_krwAWPa-XA6UQsLp06Y5kibEs5bwFuKxRaiXCeh-0QuM6vtT2z0D36zZfkTAAD__w", everything},
	} {
		e, err := DecodeLink(c.link)
		if err != nil || !reflect.DeepEqual(e, mustDecode(t, c.document)) {
			t.Errorf("%s: %v\n%+v", c.name, err, e)
		}
	}
}

// An experiment goes through its link unchanged, and the link is short because
// defaults stay out of it.
func TestLinkRoundTrip(t *testing.T) {
	for _, text := range []string{minimal, everything} {
		e := mustDecode(t, text)
		link := EncodeLink(e)
		back, err := DecodeLink(link)
		if err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%s: %v\n%+v", link, err, back)
		}
		if !strings.HasPrefix(link, "#x=") || strings.Trim(link[3:], base64url) != "" {
			t.Errorf("%s does not look like a link", link)
		}
	}
	if link := EncodeLink(mustDecode(t, minimal)); len(link) > 130 {
		t.Errorf("the minimal link has %d characters", len(link))
	}
	demo, _ := Preset("demo")
	if link := EncodeLink(demo); len(link) > 350 {
		t.Errorf("the default preset's link has %d characters", len(link))
	}
}

// A link is read from a whole address, with or without its #, and whatever
// other state stands beside it.
func TestLinkForms(t *testing.T) {
	e := mustDecode(t, minimal)
	x := EncodeLink(e)[1:]
	for _, form := range []string{x, "#" + x, "https://lab.example/page?q=1#" + x, "#" + x + "&v=gantt.3", "#v=1&" + x, " #" + x + "\n"} {
		if back, err := DecodeLink(form); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// A damaged link says what is wrong with it and where.
func TestDamagedLinks(t *testing.T) {
	x := EncodeLink(mustDecode(t, everything))
	junk := packLink(t, []byte("hello"))
	for _, c := range []struct{ name, link, want string }{
		{"empty", "", "the link holds no experiment"},
		{"nothing behind x=", "#x=", "the link holds no experiment"},
		{"only view state", "#v=1", "the link holds no experiment"},
		{"another page", "https://lab.example/", "the link holds no experiment"},
		{"a space inside", x[:53] + " " + x[53:], "the link is damaged at character 51 of"},
		{"an umlaut inside", x[:53] + "ä" + x[53:], "the link is damaged at character 51 of"},
		{"a full stop at the end", x + ".", "cannot stand there"},
		{"plain base64", strings.Replace(x, x[13:14], "+", 1), "'+' cannot stand there"},
		{"something added", x + "AAAA", "something was added"},
		{"no experiment inside", junk, "line 1, column 1: not JSON"},
		{"a fault inside", packLink(t, []byte(strings.Replace(minimal, "easy", "esay", 1))), `schedulers[0].key: unknown scheduler "esay"; did you mean "easy"?`},
		{"a newer version inside", packLink(t, []byte(`{"batchlab":2}`)), "written by a newer Batchlab (version 2"},
	} {
		_, err := DecodeLink(c.link)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if _, ok := err.(Errors); !ok {
			t.Errorf("%s: the error is a %T", c.name, err)
		}
	}
	for n := len("#x=") + 1; n < len(x); n++ {
		_, err := DecodeLink(x[:n])
		if err == nil {
			t.Fatalf("cut off after %d of %d characters, the link is read", n, len(x))
		}
		if !strings.Contains(err.Error(), "cut off when it was copied") && !strings.Contains(err.Error(), "damaged") {
			t.Fatalf("cut off after %d characters: %v", n, err)
		}
	}
}

// Whatever single character of a link changes, reading ends: in a message, or
// in an experiment that is valid.
func TestChangedLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := EncodeLink(mustDecode(t, everything))
	refused := 0
	for i := len("#x="); i < len(x); i++ {
		b := []byte(x)
		b[i] = base64url[rng.IntN(64)]
		if e, err := DecodeLink(string(b)); err != nil {
			refused++
			if err.Error() == "" {
				t.Fatalf("character %d: no message", i)
			}
		} else if err := e.Validate(); err != nil {
			t.Fatalf("character %d: an invalid experiment is read: %v", i, err)
		}
	}
	if refused < len(x)/2 {
		t.Errorf("%d of %d changed links are refused", refused, len(x))
	}
}

// Links that unpack to far more than they hold, and links that are too long,
// are cut at the limit.
func TestLinkBombs(t *testing.T) {
	bomb := packLink(t, bytes.Repeat([]byte(" "), 40<<20))
	if len(bomb) > MaxLink {
		t.Fatalf("the bomb has %d characters", len(bomb))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := DecodeLink(bomb); err == nil || !strings.Contains(err.Error(), "unpacks to more than 65536 bytes") {
		t.Errorf("%v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes were taken for what is cut at %d", after.TotalAlloc-before.TotalAlloc, MaxBytes)
	}
	if _, err := DecodeLink("#x=" + strings.Repeat("A", MaxLink+1)); err == nil || !strings.Contains(err.Error(), "has 65537 characters; at most 65536 are read") {
		t.Errorf("%v", err)
	}
	deep := packLink(t, []byte(strings.Repeat("[", 20000)))
	if _, err := DecodeLink(deep); err == nil || !strings.Contains(err.Error(), "within each other") {
		t.Errorf("%v", err)
	}
}
