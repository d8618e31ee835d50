package intake

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tidwall/gjson"

	"batchlab/core/swf"
)

// pieces gives a text in pieces of random sizes, and writes over what it was given room
// for beyond them.
type pieces struct {
	text   string
	random *rand.Rand
	most   int
	end    error // nil: io.EOF
}

func (p *pieces) Read(b []byte) (int, error) {
	n := copy(b, p.text[:min(len(p.text), 1+p.random.IntN(p.most))])
	if p.text = p.text[n:]; n == 0 {
		if p.end != nil {
			return 0, p.end
		}
		return 0, io.EOF
	}
	for i := n; i < min(len(b), n+20); i++ {
		b[i] = '7'
	}
	return n, nil
}

// wholeFiles are files of all formats, longer than what they are recognised by, with
// wrong bytes in some rows, and as some editors and terminals write them.
func wholeFiles(random *rand.Rand) (files []string) {
	for _, m := range mutants {
		var b strings.Builder
		b.WriteString(m.head)
		for i := 1; b.Len() < headBytes*5/4; i++ {
			row := []byte(m.row(i))
			if i > 1 && m.alone {
				b.WriteString(",\n")
			}
			if !m.alone && random.IntN(3) == 0 {
				row[random.IntN(len(row))] = m.bytes[random.IntN(len(m.bytes))]
			}
			if m.key == "pbs" && random.IntN(5) == 0 {
				row = []byte(strings.Replace(string(row), ";E;", ";S;", 1))
			}
			b.Write(row)
			if !m.alone {
				b.WriteString("\n")
			}
		}
		text := b.String() + m.foot
		files = append(files, text)
		switch m.key {
		case "sacct":
			files = append(files, inUTF16(text), strings.ReplaceAll(text, "\n", "\r\n"), text+strings.Replace(text, "JobID|User", "JobID|Group", 1), strings.TrimSuffix(text, "\n"), "\ufeff"+text,
				strings.Repeat("\n", 2*headBytes)+text)
		case "csv":
			files = append(files, text+text, strings.ReplaceAll(text, ",u,", ",\"u\nv,\n\",")+`9,"u`)
		case "sacct-json":
			files = append(files, text+"\n"+text, text+"x", text[:len(text)-1], text[:len(text)/2], strings.Replace(text, "jobs", "other", 1), `{"jobs": 7, "job_id": 12 }`)
		case "philly":
			files = append(files, text+"[]", text[:len(text)/2])
		}
	}
	return append(files, "", " \n ", "x")
}

// Intent: in whatever pieces a file comes, the log, the report, the names and what is
// said of it are those of the whole, for every format; and the end of pieces before that
// of the file is said as it is.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 29))
	for k, text := range wholeFiles(random) {
		want, wrong := Read(Options{}, []byte(text))
		for _, most := range []int{3, 1000, 100_000} {
			if most == 3 && k%4 != 0 {
				continue
			}
			got, err := ReadPieces(Options{}, swf.NewWindow(&pieces{text: text, random: random, most: most}, int64(len(text))))
			if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
				t.Fatalf("%.80q in pieces of up to %d bytes: %v, as a whole: %v", text, most, err, wrong)
			}
			if err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("%.80q in pieces of up to %d bytes gives another log: %d records of %d, %d faults of %d", text, most, len(got.Log.Records), len(want.Log.Records), got.Log.Malformed, want.Log.Malformed)
			}
		}
		stopped := errors.New("stopped")
		if _, err := ReadPieces(Options{}, swf.NewWindow(&pieces{text: text[:len(text)*3/4], random: random, most: 5000, end: stopped}, 0)); err != stopped {
			t.Fatalf("%.80q: pieces that end early: %v", text, err)
		}
	}
}

// Intent: UTF-16 is turned into UTF-8 as the standard library does it, halves of pairs and
// odd ends among them.
func TestWide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 16))
	for range 200 {
		units := make([]uint16, random.IntN(20))
		for i := range units {
			units[i] = []uint16{'a', 0xd83d, 0xde00, 0x20ac, uint16(random.Uint32())}[random.IntN(5)]
		}
		little, big := "\xff\xfe", "\xfe\xff"
		for _, u := range units {
			little += string([]byte{byte(u), byte(u >> 8)})
			big += string([]byte{byte(u >> 8), byte(u)})
		}
		for _, s := range []string{little, big, little + "x"} {
			got := sourceOf(swf.NewWindow(&pieces{text: s, random: random, most: 3}, 0)).All()
			if want := string(utf16.Decode(units)); string(got) != want {
				t.Fatalf("%q is read as %q, not %q", s, got, want)
			}
		}
	}
}

// jsonTexts are JSON, nearly JSON and parts of it.
func jsonTexts(random *rand.Rand, each func(text string)) {
	seeds := []string{ofJSON(7), `[1, -0.5e+3, 0, "a\u00e4\n\"", {}, [], {"a": [true, false, null]}]`, `{"é":{"b" :[[[ "x" ] ] ]}}`, "12", "true", `"a"`,
		mutants[len(mutants)-1].row(3), " {\"a\"\t:\r\n1 , \"b\":2}"}
	for range 30_000 {
		text := []byte(seeds[random.IntN(len(seeds))])
		for range random.IntN(3) {
			at := random.IntN(len(text))
			switch b := `{}[]",:\ 01.eE+-tfu` + "\n\x01\xff"; random.IntN(3) {
			case 0:
				text = append(text[:at], text[min(at+1, len(text)):]...)
			case 1:
				text[at] = b[random.IntN(len(b))]
			default:
				text = text[:at+1]
			}
			if len(text) == 0 {
				text = []byte("0")
			}
		}
		each(string(text))
	}
}

// Intent: what is taken for a JSON value is one for gjson and the standard library, and the
// other way round; and a cursor passes over it whole.
func TestJSONTwin(t *testing.T) {
	valid := 0
	jsonTexts(rand.New(rand.NewPCG(4, 4)), func(text string) {
		f := &jsonFile{source: &source{swf.Whole([]byte(text))}, line: 1}
		raw, err := f.value(0)
		f.next()
		ok := err == nil && len(f.Data) == 0
		if ok != gjson.Valid(text) {
			t.Fatalf("%q: taken for a value: %v (%v); gjson: %v", text, ok, err, gjson.Valid(text))
		}
		if err == nil && !json.Valid(raw) {
			t.Fatalf("%q: %q is taken of it", text, raw)
		}
		if ok {
			valid++
			c := &cursor{data: raw}
			if c.skip(); c.at != len(raw) {
				t.Fatalf("%q is passed over up to %d", raw, c.at)
			}
		}
	})
	if valid < 5000 {
		t.Errorf("%d of the texts are JSON: that says little", valid)
	}
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	for text, want := range map[string]error{deep: nil, "[" + deep + "]": errDeep} {
		if _, err := (&jsonFile{source: &source{swf.Whole([]byte(text))}}).value(0); err != want {
			t.Errorf("%d brackets: %v", len(text), err)
		}
	}
}
