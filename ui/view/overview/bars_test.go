package overview

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
	"batchlab/ui/sample"
	"batchlab/ui/words"
)

// bars is an experiment of schedulers with these slowdowns, of a single run each.
func barData(values ...float64) *draw.Data {
	d := &draw.Data{A: 0, B: -1, Base: -1, Tau: 10, Theme: draw.Colours(false)}
	for i, v := range values {
		d.Names = append(d.Names, fmt.Sprint("S", i))
		r := &report.Run{Scheduler: i, Metrics: []report.Value{{Key: "mean-bounded-slowdown", Value: v, Valid: true}}}
		d.Runs, d.Shown = append(d.Runs, []*report.Run{r}), append(d.Shown, r)
	}
	return d
}

// Intent: the axis ends above two or more that are close to each other when all
// others are at least four times as far; otherwise nothing is cut.
func TestCloseOnes(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   int
	}{
		{[]float64{48.8, 61.4, 3652}, 2}, {[]float64{48.8, 61.4, 200}, 3}, {[]float64{48.8, 61.4, 3652, 4000}, 2}, {[]float64{1, 1000}, 2},
		{[]float64{1, 500, 600}, 3}, {[]float64{1, 2, 3, 13}, 3}, {[]float64{0, 0, 5}, 3}, {[]float64{7}, 1}, {[]float64{1, 3.9, 16, 100}, 2}, {nil, 0},
	} {
		if got := closeOnes(c.values); got != c.want {
			t.Errorf("%v: %d, want %d", c.values, got, c.want)
		}
		if Cuts(c.values) != (c.want < len(c.values)) {
			t.Errorf("%v: is it cut?", c.values)
		}
	}
}

var rectWidth = regexp.MustCompile(`<rect[^>]*width="([0-9.]+)"[^>]*fill="var\(--s`)

// Intent: EASY and conservative can be told apart beside FCFS, whose bar is cut
// with its value and its multiple; no scale changes the sentence, the table or the
// file; on the whole scale lengths are in proportion.
func TestCutBars(t *testing.T) {
	d := barData(61.4, 48.8, 3652)
	pictures := map[string]draw.Figure{}
	for _, scale := range Scales {
		g := Bars(d, "mean-bounded-slowdown", scale.Key, 500, 250)
		file, _ := d.Theme.FigureFile(&g, scale.Word)
		sample.WellFormed(t, scale.Word, file)
		pictures[scale.Key] = g
		if first := pictures[""]; g.Aria != first.Aria || fmt.Sprint(g.Table) != fmt.Sprint(first.Table) {
			t.Errorf("%s: another sentence or table", scale.Word)
		}
	}
	svg := func(scale string) string {
		f := pictures[scale]
		return string(f.SVG())
	}
	widths := func(scale string) (list []float64) {
		for _, m := range rectWidth.FindAllStringSubmatch(svg(scale), -1) {
			v, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, v)
		}
		return list
	}
	near := widths("")
	if len(near) != 2 || math.Abs(near[1]/near[0]-61.4/48.8) > .01 || near[0] < 100 {
		t.Errorf("close ones: %v", near)
	}
	for _, want := range []string{"3,652", "59\u00a0×\u00a0A", "S2 is cut<"} {
		if !strings.Contains(svg(""), want) {
			t.Errorf("the cut bar lacks %q", want)
		}
	}
	if all := widths("whole"); len(all) != 3 || math.Abs(all[2]/all[0]-3652/48.8) > 8 || strings.Contains(svg("whole"), "cut") {
		t.Errorf("whole: %v", all)
	}
	if all := widths("log"); len(all) != 3 || all[2] < all[1] || all[1] < all[0] || all[0] < 10 || !strings.Contains(svg("log"), "logarithmic") {
		t.Errorf("log: %v", all)
	}
}

// Intent: what phases differ by is drawn as a band of the scheduler's colour with a dot at
// the median, called by its name and never an interval, in the picture, its table and its
// file; a scheduler beside it without phases has neither.
func TestBandBar(t *testing.T) {
	d := drawtest.Data(2, 5)
	for k, r := range d.Runs[0] {
		r.Draws = &report.Draws{By: report.ByPhases}
		r.Metrics[0].Value = float64(100 + 10*k)
	}
	for k, r := range d.Runs[1] {
		r.Copy = k > 0
	}
	g := Bars(d, "mean-wait", "", 620, 252)
	svg := string(g.SVG())
	if strings.Count(svg, `stroke-opacity=".35"`) != 1 || strings.Count(svg, `r="4.5" fill="var(--s1)"`) != 1 || strings.Contains(svg, "interval") ||
		!strings.Contains(svg, "band over 5"+words.NB+"phases: what Slurm itself leaves open") {
		t.Error(svg)
	}
	small := Bars(d, "mean-bounded-slowdown", "", 250, 252)
	if narrow := small.SVG(); !strings.Contains(string(narrow), "band over 5"+words.NB+"phases") {
		t.Error(narrow)
	}
	grid := g.Numbers()
	lines, err := csv.NewReader(strings.NewReader(grid.CSV())).ReadAll()
	if err != nil || strings.Join(lines[0], ",") != "scheduler,mean-wait,mean-wait-low-95,mean-wait-high-95,repeats,mean-wait-least,mean-wait-greatest" {
		t.Fatal(lines, err)
	}
	for _, line := range lines[1:] {
		if strings.Contains(line[0], "<0>") != (strings.Join(line[1:], ",") == "120,,,5,100,140") || line[2] != "" {
			t.Error(line)
		}
	}
}
