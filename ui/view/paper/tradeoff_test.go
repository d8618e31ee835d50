package paper

import (
	"strings"
	"testing"

	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
)

// The trade-off draws one line a strategy in each panel, full points where a
// strategy is not dominated, and reservations for the run time below.
func TestTradeOff(t *testing.T) {
	var points []StudyPoint
	for _, label := range []string{"0 % reservations", "50 % reservations", "50 % reservations, for the run time"} {
		for s, name := range []string{"MCT", "Static"} {
			points = append(points, StudyPoint{Label: label, Column: name + ", mean U", Value: .7 - float64(s)*.1},
				StudyPoint{Label: label, Column: name + ", mean F", Value: 40000 + float64(s)*30000},
				StudyPoint{Label: label, Column: name + ", not dominated", Value: float64(1 - s)})
			if label[0] != '0' {
				points = append(points, StudyPoint{Label: label, Column: name + ", mean D", Value: 9000})
			}
		}
	}
	d := TradeOff(points, 700, 500)
	if d.Empty != "" || strings.Count(string(d.SVG()), "<circle") != 2*2*2*2 || strings.Count(string(d.SVG()), `fill="var(--panel)"`) != 8 ||
		!strings.Contains(string(d.SVG()), "reserved for the run time") || !strings.Contains(d.Aria, "MCT at 2 of 2 shares, Static at 0 of 2") {
		t.Errorf("%s\n%s", d.Aria, d.SVG())
	}
	for i, label := range []string{"0 % reservations", "50 % reservations"} { // one goes far beyond the others
		points = append(points, StudyPoint{Label: label, Column: "Far, mean U", Value: .5}, StudyPoint{Label: label, Column: "Far, mean F", Value: 50000 + 900000*float64(i)})
	}
	d = TradeOff(points, 700, 500)
	drawtest.CheckSVG(t, "trade-off", string(d.SVG()))
	said := ""
	for k := range d.Layers {
		if l := &d.Layers[k]; l.Shape == draw.Dots {
			for i := range l.X {
				said += string(d.Say(0, k, i))
			}
		}
	}
	if !strings.Contains(string(d.SVG()), "(Far goes beyond)") || strings.Count(said, "Far, 50 %") != 0 || strings.Count(said, "Far, 0 %") != 2 {
		t.Errorf("what goes far beyond is drawn\n%s", d.SVG())
	}
	if d := TradeOff([]StudyPoint{{Label: "a", Column: "b", Value: 1}}, 700, 500); d.Empty == "" {
		t.Error("rows of something else make a trade-off")
	}
}
