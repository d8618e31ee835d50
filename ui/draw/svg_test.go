package draw

import (
	"strings"
	"testing"

	"batchlab/ui/words"
)

// Texts are as wide as the page's fonts make them, or a little less room is left
// for them: widths of Arial at size 12, which the others do not exceed by much.
func TestTextWidth(t *testing.T) {
	for text, px := range map[string]float64{
		"Conservative": 69.4, "EASY": 32.7, "FCFS": 31.3, "wait, log scale · all 5 repeats together; medians: means over them": 351,
		"18 h 46 m": 50.7, "WWW": 34, "1,234,567": 53.4, "illicit": 27.3, "65,537–262,144": 86.7,
	} {
		if got := TextWidth(text); got < px || got > px*1.3 {
			t.Errorf("%q is taken for %.1f px wide, and is %.1f", text, got, px)
		}
		for width := 10.0; width < 400; width += 7 {
			c := Clip(text, width)
			if short, cut := strings.CutSuffix(c, "…"); c != text && (!cut || !strings.HasPrefix(text, short) || len([]rune(short)) > 2 && TextWidth(c) > width) {
				t.Errorf("%q in %.0f px is %q", text, width, c)
			}
		}
	}
}

// A note says as much as there is room for.
func TestNote(t *testing.T) {
	long, short := "wait, log scale"+words.NB+"· left edge: under 30 s", "left edge: under 30 s"
	if got := Note(1000, long, short); got != long {
		t.Errorf("with much room: %q", got)
	}
	if got := Note(150, long, short); got != short {
		t.Errorf("with less: %q", got)
	}
	if got := Note(60, long, short); !strings.HasSuffix(got, "…") || TextWidth(got) > 60*12.0/11 {
		t.Errorf("with hardly any: %q", got)
	}
}
