package swf

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// pieces gives a text in pieces of random sizes.
type pieces struct {
	text   string
	random *rand.Rand
	most   int
	end    error
}

func (p *pieces) Read(b []byte) (int, error) {
	n := copy(b, p.text[:min(len(p.text), 1+p.random.IntN(p.most))])
	if p.text = p.text[n:]; n == 0 {
		return 0, p.end
	}
	return n, nil
}

// Intent: in whatever pieces a log comes, with whatever ends of lines, what is read is
// that of the whole.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 18))
	for round := range 24 {
		var b strings.Builder
		for b.Len() < headBytes {
			b.WriteString("; Note: a remark above, which goes on\n")
			if round%3 > 0 {
				break
			}
		}
		for b.Len() < 2*headBytes {
			row := fmt.Sprintf("%d %d %d 60 4 -1 -1 4 3600 -1 1 %d 1 -1 1 1 -1 -1", b.Len(), b.Len()-random.IntN(40), random.IntN(99), random.IntN(9))
			switch random.IntN(12) {
			case 0:
				row = "; a remark between"
			case 1:
				row += " 1 2 3"
			case 2:
				row = row[:random.IntN(len(row))]
			case 3:
				row += " n1,n1 q x86"
			}
			b.WriteString(row + []string{"\n", "\n\n", "\r\n", " \n"}[random.IntN(4)])
		}
		text := b.String()
		switch round % 5 {
		case 1:
			text = byteOrderMark + strings.TrimRight(text, "\r\n ")
		case 2:
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r")
		}
		want, _ := Parse([]byte(text))
		for _, most := range []int{9, 3000, 1 << 20} {
			got, err := Read(NewWindow(&pieces{text, random, most, io.EOF}, int64(random.IntN(2)*len(text))))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d, pieces of up to %d bytes: another log (%v)", round, most, err)
			}
		}
		var each []Record
		rest, err := ReadEach(NewWindow(&pieces{text, random, 3000, io.EOF}, 0), func(l *Log, _ int) { each = append(each, l.Records...) })
		if err != nil || !reflect.DeepEqual(each, want.Records) || rest.Lines() != want.Lines() || len(rest.Records) > 0 ||
			!reflect.DeepEqual([]any{rest.Header, rest.Problems, rest.Unsorted, rest.ExtraFields}, []any{want.Header, want.Problems, want.Unsorted, want.ExtraFields}) {
			t.Fatalf("round %d, handed on piece by piece: other records (%v)", round, err)
		}
		stopped := errors.New("stopped")
		if _, err := Read(NewWindow(&pieces{text, random, 900, stopped}, 0)); err != stopped {
			t.Fatalf("pieces that end early: %v", err)
		}
	}
	for text, want := range map[string]string{strings.Repeat(" \n", headBytes): "the file is empty", strings.Repeat("a,b,c\n", headBytes): "CSV"} {
		if _, err := Read(NewWindow(&pieces{text, random, 5000, io.EOF}, 0)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q…: %v, want %s", text, err, want)
		}
	}
}
