package distributions

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// boxData is a random workload with two runs, one of them with a rejected job.
func boxData(seed uint64, n int) (*draw.Data, []*Distribution) {
	r := rand.New(rand.NewPCG(seed, 1))
	jobs := &report.Jobs{}
	runs := [2]*report.Run{{}, {}}
	for j := range n {
		limit := model.Time(1 + r.IntN(1<<uint(4+r.IntN(14))))
		run := 1 + model.Time(r.Int64N(int64(limit)))
		jobs.Number, jobs.Submit = append(jobs.Number, int64(j+1)), append(jobs.Submit, model.Time(10*j))
		jobs.Limit, jobs.Run = append(jobs.Limit, limit), append(jobs.Run, run)
		jobs.Procs = append(jobs.Procs, 1+r.Int32N(1<<uint(r.IntN(8))))
		for k, x := range runs {
			start := model.Time(10*j) + model.Time(r.IntN(1<<uint(r.IntN(16))))
			end := start + run
			if k == 1 && j == n/2 {
				start, end = -1, -1
			}
			x.Columns.Start, x.Columns.End = append(x.Columns.Start, start), append(x.Columns.End, end)
		}
	}
	d := &draw.Data{Names: []string{"FCFS", "EASY"}, Shown: runs[:], Jobs: jobs, Tau: 10}
	var dist []*Distribution
	for _, of := range []string{OfWait, OfSlowdown, OfTurnaround} {
		for _, x := range runs {
			dist = append(dist, Distribute(of, jobs, &x.Columns, 10))
		}
	}
	return d, dist
}

// Box plots by class agree with those of each class computed by itself, and
// every job that ran is in one class.
func TestBoxesTwin(t *testing.T) {
	for seed := range uint64(20) {
		d, dist := boxData(seed, 400)
		for i, x := range dist {
			c := &d.Shown[i%2].Columns
			submit := d.Jobs.Submit
			for _, kind := range ClassKinds {
				classes := map[int][]float64{}
				for j := range c.Start {
					if c.Start[j] < 0 {
						continue
					}
					v, run := float64(c.Start[j]-submit[j]), float64(c.End[j]-c.Start[j])
					switch i / 2 {
					case 1:
						v = max(1, (v+run)/max(run, 10))
					case 2:
						v += run
					}
					k := classOf(kind.Key, d.Jobs.Procs[j], c.End[j]-c.Start[j], d.Jobs.Limit[j])
					classes[k] = append(classes[k], v)
				}
				boxes := x.Boxes(kind.Key, d.Jobs, c)
				if len(boxes) != len(classes) {
					t.Fatalf("%d classes, want %d", len(boxes), len(classes))
				}
				for _, b := range boxes {
					want := draw.Summary(classes[b.Class])
					got := []float64{float64(b.Jobs), b.Five[0], b.Five[1], b.Five[2], b.Five[3], b.Five[4], b.Greatest}
					for q, v := range []float64{float64(want.N), want.Low, want.Q1, want.Median, want.Q3, want.High, slices.Max(classes[b.Class])} {
						if got[q] != v {
							t.Fatalf("seed %d, %s, class %d, number %d: %v, want %v", seed, kind.Key, b.Class, q, got[q], v)
						}
					}
					if math.Abs(b.Mean-want.Mean) > 1e-9*max(1, want.Mean) {
						t.Errorf("mean %v, want %v", b.Mean, want.Mean)
					}
				}
			}
		}
	}
}

// Classes are those of the table of classes: powers of four of processors, 10 min,
// 1 h, 6 h and a day; each has a name of its own.
func TestClassOf(t *testing.T) {
	for procs, want := range map[int32]string{1: "1", 2: "2–4", 4: "2–4", 5: "5–16", 16: "5–16", 17: "17–64", 65: "65–256", math.MaxInt32: className(BySize, 16, 0)} {
		if got := className(BySize, classOf(BySize, procs, 0, 0), 0); got != want {
			t.Errorf("%d processors: %s, want %s", procs, got, want)
		}
	}
	for procs, want := range map[int32]string{64: "17–64", 65: "65", 100: "65–100", 256: "65–256", 1000: "65–256"} { // no class goes beyond the machine
		if got := className(BySize, classOf(BySize, min(procs, 256), 0, 0), int(procs)); got != want {
			t.Errorf("the widest class of up to 256 on %d processors: %s, want %s", procs, got, want)
		}
	}
	for at, want := range map[model.Time]int{1: 0, 600: 0, 601: 1, 3600: 1, 21600: 2, 86400: 3, 86401: 4, model.Never: 4} {
		if got := classOf(ByRun, 1, at, 1); got != want {
			t.Errorf("ran %d s: %d, want %d", at, got, want)
		}
		if got := classOf(ByLimit, 1, 1, at); got != want {
			t.Errorf("requested %d s: %d, want %d", at, got, want)
		}
	}
}

// The chart of box plots says what it shows in a sentence, and its table and file
// hold each box that is drawn, with the numbers before the logarithmic axis cuts
// them off.
func TestByClassFigure(t *testing.T) {
	d, dist := boxData(3, 400)
	for k, of := range []string{OfWait, OfSlowdown, OfTurnaround} {
		for _, kind := range ClassKinds {
			boxes := [][]ClassBox{dist[2*k].Boxes(kind.Key, d.Jobs, &d.Shown[0].Columns), nil}
			boxes[1] = dist[2*k+1].Boxes(kind.Key, d.Jobs, &d.Shown[1].Columns)
			f := ByClass(d, of, kind.Key, boxes, 800, 340)
			if f.Empty != "" || !strings.Contains(f.Aria, MeasureTitle(of)) || !strings.Contains(f.Aria, "schedulers") {
				t.Errorf("%s: %q %q", of, f.Empty, f.Aria)
			}
			drawn := 0
			for _, l := range f.Layers {
				if l.Shape != draw.Boxes {
					continue
				}
				drawn += len(l.Fives)
				for _, five := range l.Fives {
					if five[0] < f.Panels[0].Y.Min || five[4] > f.Panels[0].Y.Max || !slices.IsSorted(five[:]) {
						t.Errorf("%s by %s: %v outside the axis", of, kind.Key, five)
					}
				}
			}
			g := f.Numbers()
			rows, err := csv.NewReader(strings.NewReader(g.CSV())).ReadAll()
			if err != nil || len(rows) != drawn+1 || len(f.Table.Cells) != drawn {
				t.Fatalf("%d lines for %d boxes: %v", len(rows), drawn, err)
			}
			at := 1
			for i, list := range boxes {
				for _, b := range list {
					median := rows[at][5]
					if rows[at][0] != d.Title(i) || rows[at][2] != strconv.Itoa(b.Jobs) || median != draw.PlainNumber(b.Five[2]) {
						t.Errorf("line %d: %v, want %+v", at, rows[at], b)
					}
					at++
				}
			}
			if say := f.Say(0, -1, -1); !strings.Contains(string(say), "median") || !strings.Contains(string(say), "FCFS") {
				t.Error(say)
			}
		}
	}
	if f := ByClass(d, OfWait, BySize, make([][]ClassBox, 2), 800, 340); f.Empty == "" {
		t.Error("nothing to show, and nothing said")
	}
}
