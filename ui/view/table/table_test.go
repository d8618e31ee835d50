package table

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

func testTable(seed uint64, n int) *Table {
	r := rand.New(rand.NewPCG(seed, 5))
	jobs, c := sample.Packed(r, n, 32)
	other := *c
	other.Start, other.End = slices.Clone(c.Start), slices.Clone(c.End)
	for j := range other.Start {
		other.Start[j] += model.Time(r.IntN(5)) * 100
		if r.IntN(15) == 0 {
			c.Start[j], c.End[j] = -1, -1 // rejected
		}
		if r.IntN(6) == 0 {
			jobs.User[j] = -1
		}
	}
	c.Why = make([]report.Why, n)
	for j := range c.Why {
		c.Why[j] = report.Why{Decision: report.Code(r.IntN(4)), Head: -1}
		for i := 1; i < len(c.Why[j].Waited); i++ {
			c.Why[j].Waited[i] = model.Time(r.IntN(3)) * 60
		}
	}
	return &Table{Jobs: jobs, Cols: c, Other: &other, Tau: 10}
}

// Sorting by any column, either way, gives the order of a plain stable sort by
// value: equal values in order of submission, jobs without a value last.
func TestTableSortsLikeAPlainSort(t *testing.T) {
	tb := testTable(1, 500)
	tb.Filter(nil)
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		c, down := Column(r.IntN(int(columnCount))), r.IntN(2) == 0
		tb.Sort(c, down)
		want := make([]int32, len(tb.Jobs.Number))
		for j := range want {
			want[j] = int32(j)
		}
		sort.SliceStable(want, func(a, b int) bool {
			x, y := tb.Value(c, want[a]), tb.Value(c, want[b])
			if math.IsNaN(x) || math.IsNaN(y) {
				return !math.IsNaN(x)
			}
			if down {
				return x > y
			}
			return x < y
		})
		if !slices.Equal(tb.Rows, want) {
			t.Fatalf("column %d, down %v: wrong order", c, down)
		}
	}
}

// A filter keeps exactly the jobs that fulfil every term.
func TestTableFilters(t *testing.T) {
	tb := testTable(2, 400)
	terms, err := ParseFilter("wait > 20 procs>=4 user!=3")
	if err != nil {
		t.Fatal(err)
	}
	tb.Filter(terms)
	kept := map[int32]bool{}
	for _, j := range tb.Rows {
		kept[j] = true
	}
	if len(kept) < 10 || len(kept) > 390 {
		t.Fatalf("%d jobs kept: the test tests nothing", len(kept))
	}
	for j := range int32(400) {
		ran := tb.Cols.Start[j] >= 0
		wait := tb.Cols.Start[j] - tb.Jobs.Submit[j]
		want := ran && wait > 20 && tb.Jobs.Procs[j] >= 4 && tb.Jobs.User[j] >= 0 && tb.Jobs.User[j] != 3
		if kept[j] != want {
			t.Errorf("job %d: kept %v, want %v", j, kept[j], want)
		}
		if p := tb.Place(int(j)); (p >= 0) != want || p >= 0 && tb.Rows[p] != j {
			t.Errorf("job %d stands in row %d", j, p)
		}
	}
}

// What people type becomes terms; what cannot be read is named.
func TestParseFilter(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"wait>30m procs>=4":      "Wait > 30 min|Processors ≥ 4",
		"  Wait ≥ 2h  user = 3 ": "Wait ≥ 2 h|User = 3",
		"4711":                   "Job = 4711",
		"user:12 size<1,000":     "User = 12|Processors < 1000",
		"wait>1,5h slowdown>1,5": "Wait > 1 h 30 m|Slowdown > 1.5",
		"diff<-1h slowdown!=1.5": "Difference < −1 h|Slowdown ≠ 1.5",
		"ran<=1:30:00":           "Ran ≤ 1 h 30 m",
	} {
		terms, err := ParseFilter(text)
		var got []string
		for _, k := range terms {
			n, c := k.Text()
			got = append(got, n+" "+strings.ReplaceAll(c, "\u00a0", " "))
		}
		if s := strings.Join(got, "|"); err != nil || s != want {
			t.Errorf("%q: %s (%v), want %s", text, s, err, want)
		}
	}
	for text, want := range map[string]string{
		"wat>3": `"wat"`, "wait>": "needs a value", "wait>x": `"x" is not a time`, "procs=many": `"many" is not a number`, "hello": `"hello" is not a job number`, "wait!3": "write !=", ">3": "no column",
	} {
		if _, err := ParseFilter(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Medians are those of sorting, and a histogram counts every row once.
func TestSummaries(t *testing.T) {
	tb := testTable(3, 333)
	tb.Filter(nil)
	for c := ColProcs; c <= ColDiff; c++ {
		var v []float64
		for j := range int32(333) {
			if x := tb.Value(c, j); !math.IsNaN(x) {
				v = append(v, x)
			}
		}
		slices.Sort(v)
		s := tb.Summarise(c)
		if s.Median != v[len(v)/2] {
			t.Errorf("column %d: median %g, want %g", c, s.Median, v[len(v)/2])
		}
		sum := 0
		for _, n := range s.Bars {
			sum += n
		}
		if TableColumns[c].Histogram && sum != len(v) {
			t.Errorf("column %d: %d rows in the histogram, want %d", c, sum, len(v))
		}
	}
	tb.Filter([]Term{{ColJob, "<", 0}})
	if s := tb.Summarise(ColWait); !math.IsNaN(s.Median) || tb.MedianText(ColWait, s.Median) != "–" {
		t.Error("no rows have a median")
	}
}

// The n-th smallest value is found in any order of values.
func TestSelectNth(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 500 {
		v := make([]float64, 1+r.IntN(60))
		for i := range v {
			v[i] = float64(r.IntN(12))
		}
		n := r.IntN(len(v))
		want := slices.Sorted(slices.Values(v))[n]
		if got := selectNth(v, n); got != want {
			t.Fatalf("%d-th of %v: %g, want %g", n, v, got, want)
		}
	}
}

// The file holds the rows in view, in their order, as plain numbers; rejected
// jobs have empty cells, and every line has as many fields as the head.
func TestTableCSV(t *testing.T) {
	tb := testTable(4, 60)
	tb.Filter([]Term{{ColProcs, ">", 1}})
	tb.Sort(ColWait, true)
	n := len(tb.Rows) / 2
	if parts := string(tb.CSVRows(0, n)) + string(tb.CSVRows(n, len(tb.Rows))); n == 0 || parts != string(tb.CSV()) {
		t.Error("the file differs when it is made in two parts")
	}
	lines, err := csv.NewReader(strings.NewReader(string(tb.CSV()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != len(tb.Rows)+1 || len(lines[0]) != 10+len(report.Why{}.Waited) {
		t.Fatalf("%d lines of %d fields", len(lines), len(lines[0]))
	}
	for i, j := range tb.Rows {
		l := lines[i+1]
		wait := ""
		if !tb.rejected(j) {
			wait = strconv.FormatInt(int64(tb.Cols.Start[j]-tb.Jobs.Submit[j]), 10)
		}
		if l[0] != strconv.FormatInt(tb.Jobs.Number[j], 10) || l[7] != wait {
			t.Errorf("line %d: %v, want job %d with wait %q", i+1, l, tb.Jobs.Number[j], wait)
		}
	}
}

// Cells are written for reading: h:min, a dash for none, true minus signs.
func TestCells(t *testing.T) {
	tb := &Table{Tau: 10,
		Jobs:  &report.Jobs{Number: []int64{7, 8}, Submit: []model.Time{0, 60}, Limit: []model.Time{7200, 60}, Run: []model.Time{3600, 60}, Procs: []int32{1200, 1}, User: []int32{3, -1}, Queue: []int32{0, 0}},
		Cols:  &report.Columns{Start: []model.Time{59700, -1}, End: []model.Time{63300, -1}},
		Other: &report.Columns{Start: []model.Time{60420, 60}},
	}
	for c, want := range map[Column][2]string{
		ColJob: {"7", "8"}, ColUser: {"3", "–"}, ColProcs: {"1,200", "1"}, ColLimit: {"2:00", "0:01"}, ColRun: {"1:00", "–"},
		ColWait: {"16:35", "–"}, ColSlowdown: {"17.6", "–"}, ColDiff: {"−0:12", "–"},
	} {
		for j := range int32(2) {
			if got := tb.Cell(c, j); got != want[j] {
				t.Errorf("column %d of job %d: %q, want %q", c, j, got, want[j])
			}
		}
	}
	if draw.HourMin(-29) != "0:00" || draw.HourMin(-31) != "−0:01" || draw.HourMin(3600*1000+59) != "1,000:01" {
		t.Error("HourMin")
	}
}

func BenchmarkSort450k(b *testing.B) {
	jobs, c := sample.Big(450_000, 240)
	tb := &Table{Jobs: jobs, Cols: c, Tau: 10}
	tb.Filter(nil)
	b.ResetTimer()
	for b.Loop() {
		tb.Sort(ColSlowdown, true)
		tb.Sort(ColSubmit, false)
	}
}
