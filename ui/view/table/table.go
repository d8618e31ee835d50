package table

import (
	"math"
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Column is a column of the table of jobs.
type Column uint8

// Columns of the table of jobs, in their order.
const (
	ColJob Column = iota
	ColUser
	ColSubmit
	ColStart
	ColProcs
	ColLimit
	ColRun
	ColWait
	ColSlowdown
	ColDiff
	ColLate // only where jobs have deadlines
	ColGPUs // these three only where jobs ask for some
	ColMem
	ColDisk
	ColEligible // these two only where jobs wait for others
	ColAfter
	ColWhy
	columnCount
)

// ColumnInfo describes a column.
type ColumnInfo struct {
	Name, Unit string
	Words      []string // names that filters know
	Seconds    bool     // filters take durations
	Histogram  bool
	Text       bool // aligned left
}

// TableColumns describes the columns, indexed by Column.
var TableColumns = [columnCount]ColumnInfo{
	ColJob:      {Name: "Job", Unit: "number", Words: []string{"job", "number", "id"}},
	ColUser:     {Name: "User", Words: []string{"user"}},
	ColSubmit:   {Name: "Submitted", Unit: "day, time", Words: []string{"submitted", "submit"}, Seconds: true, Text: true},
	ColStart:    {Name: "Started", Unit: "day, time", Words: []string{"started", "start"}, Seconds: true, Text: true},
	ColProcs:    {Name: "Processors", Words: []string{"processors", "procs", "size", "q"}, Histogram: true},
	ColLimit:    {Name: "Requested", Unit: "h:min", Words: []string{"requested", "request", "limit", "walltime"}, Seconds: true, Histogram: true},
	ColRun:      {Name: "Ran", Unit: "h:min", Words: []string{"ran", "run", "runtime"}, Seconds: true, Histogram: true},
	ColWait:     {Name: "Wait", Unit: "h:min", Words: []string{"wait", "waited"}, Seconds: true, Histogram: true},
	ColSlowdown: {Name: "Slowdown", Words: []string{"slowdown", "bsld"}, Histogram: true},
	ColDiff:     {Name: "Difference", Unit: "h:min", Words: []string{"difference", "diff"}, Seconds: true},
	ColLate:     {Name: "Late", Unit: "h:min, − early", Words: []string{"late", "lateness"}, Seconds: true},
	ColGPUs:     {Name: "GPUs", Unit: "each", Words: []string{"gpus", "gpu"}},
	ColMem:      {Name: "Memory", Unit: "each machine", Words: []string{"memory", "mem"}},
	ColDisk:     {Name: "Disk", Unit: "each machine", Words: []string{"disk"}},
	ColEligible: {Name: "Eligible", Unit: "day, time", Words: []string{"eligible"}, Seconds: true, Text: true},
	ColAfter:    {Name: "Waits for", Unit: "jobs, array", Text: true},
	ColWhy:      {Name: "Why it waited", Unit: "share of the wait", Text: true},
}

// Table is the table of jobs of one run: its rows are an order of job indices.
type Table struct {
	Jobs   *report.Jobs
	Cols   *report.Columns
	Other  *report.Columns // the run that differences refer to, nil none
	Clock  draw.Clock
	Tau    int64 // s
	Rows   []int32
	SortBy Column
	Down   bool // largest first
	terms  []Term
	asked  map[*report.Columns][]model.Time // when jobs began to wait, by run
}

// Has says whether a column has anything to show.
func (t *Table) Has(c Column) bool {
	switch c {
	case ColLate:
		return len(t.Jobs.Due) > 0
	case ColEligible:
		return len(t.Cols.Eligible) > 0
	case ColAfter:
		return len(t.Jobs.After) > 0
	case ColGPUs, ColMem, ColDisk:
		return slices.ContainsFunc(t.Jobs.Wants, func(w report.Want) bool { return wanted(c, &w) > 0 })
	}
	return true
}

// wanted is what a job asks of each machine.
func wanted(c Column, w *report.Want) int64 {
	switch c {
	case ColGPUs:
		return int64(w.GPUs)
	case ColMem:
		return w.Mem
	}
	return w.Disk
}

// submit is when a job was submitted in this run.
func (t *Table) submit(j int32) model.Time { return t.Cols.Submitted(t.Jobs)[j] }

// waited is how long a job that started waited in a run.
func (t *Table) waited(c *report.Columns, j int32) model.Time {
	if t.asked == nil {
		t.asked = map[*report.Columns][]model.Time{}
	}
	if t.asked[c] == nil {
		t.asked[c] = c.Asked(t.Jobs)
	}
	return c.Start[j] - t.asked[c][j]
}

// rejected says whether a job never started.
func (t *Table) rejected(j int32) bool { return t.Cols.Start[j] < t.submit(j) }

// Value returns a cell as a number; NaN where there is none.
func (t *Table) Value(c Column, j int32) float64 {
	if c == ColSlowdown {
		if t.rejected(j) {
			return math.NaN()
		}
		run := float64(t.Cols.End[j] - t.Cols.Start[j])
		return max(1, (float64(t.waited(t.Cols, j))+run)/max(run, float64(t.Tau), 1))
	}
	v, ok := t.Whole(c, j)
	if !ok {
		return math.NaN()
	}
	return float64(v)
}

// Whole returns a cell that is an integer.
func (t *Table) Whole(c Column, j int32) (int64, bool) {
	switch c {
	case ColJob:
		return t.Jobs.Number[j], true
	case ColUser:
		return int64(t.Jobs.User[j]), t.Jobs.User[j] >= 0
	case ColSubmit:
		return int64(t.submit(j)), true
	case ColProcs:
		return int64(t.Jobs.Procs[j]), true
	case ColLimit:
		return int64(t.Jobs.Limit[j]), true
	case ColGPUs, ColMem, ColDisk:
		w := t.Jobs.Want(int(j))
		v := wanted(c, &w)
		return v, v > 0
	case ColEligible:
		if int(j) >= len(t.Cols.Eligible) {
			return 0, false
		}
		at := t.Cols.Eligible[j]
		return int64(at), at >= 0
	case ColAfter: // by how many things it waits for
		n := len(t.Jobs.AfterOf(int(j)))
		return int64(n), n > 0
	}
	if t.rejected(j) {
		return 0, false
	}
	switch c {
	case ColStart:
		return int64(t.Cols.Start[j]), true
	case ColRun:
		return int64(t.Cols.End[j] - t.Cols.Start[j]), true
	case ColWait:
		return int64(t.waited(t.Cols, j)), true
	case ColDiff:
		if t.Other == nil || int(j) >= len(t.Other.Start) || t.Other.Start[j] < t.Other.Submitted(t.Jobs)[j] {
			return 0, false
		}
		return int64(t.waited(t.Cols, j) - t.waited(t.Other, j)), true
	case ColLate:
		at, ok := t.Cols.Due(t.Jobs, int(j))
		return int64(t.Cols.End[j] - at), ok
	case ColWhy: // by the share of the wait that is not lack of processors
		if int(j) < len(t.Cols.Why) {
			w := &t.Cols.Why[j]
			var sum, other model.Time
			for i := 1; i < len(w.Waited); i++ {
				sum += w.Waited[i]
				if report.Code(i) != report.WaitProcessors {
					other += w.Waited[i]
				}
			}
			if sum > 0 {
				return int64(other * 1000 / sum), true
			}
		}
	}
	return 0, false
}

// key returns what the column sorts by; rows without a value stand last
// whichever way it is sorted.
func (t *Table) key(c Column, j int32, down bool) uint64 {
	var k uint64
	if c == ColSlowdown {
		v := t.Value(c, j)
		if math.IsNaN(v) {
			return math.MaxUint64
		}
		k = draw.FloatKey(v)
	} else {
		v, ok := t.Whole(c, j)
		if !ok {
			return math.MaxUint64
		}
		k = draw.IntKey(v)
	}
	if down {
		return ^k
	}
	return k
}

// Filter keeps the jobs that fulfil every term, in the table's order.
func (t *Table) Filter(terms []Term) {
	t.terms = terms
	t.Rows = t.Rows[:0]
	for j := range t.Jobs.Number {
		if t.keeps(int32(j)) {
			t.Rows = append(t.Rows, int32(j))
		}
	}
	t.Sort(t.SortBy, t.Down)
}

func (t *Table) keeps(j int32) bool {
	for i := range t.terms {
		if !t.terms[i].holds(t.Value(t.terms[i].Column, j)) {
			return false
		}
	}
	return true
}

// Sort orders the rows by a column, equal ones by submission.
func (t *Table) Sort(c Column, down bool) {
	t.SortBy, t.Down = c, down
	keys := make([]uint64, len(t.Rows))
	byJob := true
	for i, j := range t.Rows {
		byJob = byJob && (i == 0 || t.Rows[i-1] < j)
	}
	if !byJob { // equal keys must come in order of submission
		marks := make([]uint64, len(t.Rows))
		for i, j := range t.Rows {
			marks[i] = uint64(j)
		}
		t.Rows = permute(t.Rows, draw.SortedBy(marks))
	}
	for i, j := range t.Rows {
		keys[i] = t.key(c, j, down)
	}
	t.Rows = permute(t.Rows, draw.SortedBy(keys))
}

func permute(rows, order []int32) []int32 {
	out := make([]int32, len(rows))
	for i, o := range order {
		out[i] = rows[o]
	}
	return out
}

// Place returns the row of a job, −1 when it is filtered out.
func (t *Table) Place(job int) int {
	for i, j := range t.Rows {
		if int(j) == job {
			return i
		}
	}
	return -1
}

// Cell writes a cell for reading.
func (t *Table) Cell(c Column, j int32) string {
	v, ok := t.Whole(c, j)
	switch {
	case c == ColSlowdown:
		if x := t.Value(c, j); !math.IsNaN(x) {
			return words.Plain(x)
		}
		return words.None
	case !ok:
		return words.None
	}
	switch c {
	case ColJob, ColUser:
		return strconv.FormatInt(v, 10)
	case ColAfter:
		return t.after(j)
	case ColSubmit, ColStart, ColEligible:
		return t.Clock.ShortDay(model.Time(v)) + words.NB + t.Clock.Hour(model.Time(v))
	case ColProcs, ColGPUs:
		return words.Int(v)
	case ColMem, ColDisk:
		return words.Bytes(v)
	case ColWhy:
		return ""
	}
	return draw.HourMin(v)
}

// after writes what a job waits for before it is eligible.
func (t *Table) after(j int32) string {
	text := t.Jobs.AfterText(int(j))
	for _, a := range t.Jobs.AfterOf(int(j)) {
		if text != "" && a.On < 0 {
			text += "; "
		}
		switch a.What {
		case report.AfterBegin:
			text += "until " + t.Clock.ShortDay(a.Delay) + words.NB + t.Clock.Hour(a.Delay)
		case report.AfterArray:
			text += "array of " + strconv.Itoa(int(a.Limit))
		}
	}
	return text
}

// Lost says why a job never started that no scheduler turned down, "" of others.
func (t *Table) Lost(j int32) string {
	if int(j) < len(t.Cols.Ended) {
		switch t.Cols.Ended[j] {
		case model.EndWithdrawn:
			return "it left the queue"
		case model.EndNever:
			return "never eligible"
		}
	}
	return ""
}

// Summary is what the head and the foot of a column show of the filtered rows.
type Summary struct {
	Bars   []int   // histogram over equal parts of the logarithm; nil: none
	Median float64 // NaN without rows
	Most   float64 // greatest absolute value
}

const histogramBars = 16

// Summarise computes a column's histogram and median.
func (t *Table) Summarise(c Column) Summary {
	s := Summary{Median: math.NaN()}
	values := make([]float64, 0, len(t.Rows))
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, j := range t.Rows {
		v := t.Value(c, j)
		if math.IsNaN(v) {
			continue
		}
		values = append(values, v)
		lo, hi = min(lo, v), max(hi, v)
		s.Most = max(s.Most, math.Abs(v))
	}
	if len(values) == 0 {
		return s
	}
	if TableColumns[c].Histogram {
		s.Bars = make([]int, histogramBars)
		a, b := math.Log(max(1, lo)), math.Log(max(1, hi))+1e-9
		for _, v := range values {
			s.Bars[min(histogramBars-1, int((math.Log(max(1, v))-a)/(b-a)*histogramBars))]++
		}
	}
	s.Median = selectNth(values, len(values)/2)
	return s
}

// selectNth returns the n-th smallest value; it reorders v.
func selectNth(v []float64, n int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		// The median of three keeps sorted input fast.
		mid := (lo + hi) / 2
		a, b, c := v[lo], v[mid], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return v[n]
		}
	}
	return v[n]
}

// MedianText writes a column's median as its cells are written.
func (t *Table) MedianText(c Column, median float64) string {
	switch {
	case math.IsNaN(median):
		return words.None
	case c == ColAfter || c == ColEligible:
		return ""
	case c == ColSlowdown:
		return words.Plain(median)
	case c == ColProcs, c == ColGPUs:
		return words.Int(int64(median))
	case c == ColMem, c == ColDisk:
		return words.Bytes(int64(median))
	}
	return draw.HourMin(int64(median))
}

// CSV writes the rows as a file: plain numbers, seconds, a decimal point.
func (t *Table) CSV() []byte { return t.CSVRows(0, len(t.Rows)) }

// CSVRows is the part of CSV from one row to before another, so that a large
// file can be made in steps; the first part begins with the names of columns.
func (t *Table) CSVRows(from, to int) []byte {
	b := make([]byte, 0, 256+(to-from)*72)
	why := len(t.Cols.Why) > 0
	var has [ColWhy]bool
	for c := range has {
		has[c] = t.Has(Column(c))
	}
	if from == 0 {
		b = append(b, "job,user,submit_s,start_s,processors,requested_s,run_s,wait_s,bounded_slowdown,difference_s"...)
		for i, name := range [...]string{"lateness_s", "gpus_per_node", "memory_per_node", "disk_per_node", "eligible_s", "waits_for"} {
			if has[int(ColLate)+i] {
				b = append(append(b, ','), name...)
			}
		}
		if why {
			b = append(b, ",decision,wait_processors_s,wait_order_s,wait_shadow_s,wait_plan_s,wait_licences_s,wait_reservation_s,wait_limit_s,wait_priority_s"...)
		}
		b = append(b, "\r\n"...)
	}
	for _, j := range t.Rows[from:to] {
		for c := ColJob; c < ColWhy; c++ {
			if !has[c] {
				continue
			}
			if c > 0 {
				b = append(b, ',')
			}
			if c == ColSlowdown {
				if v := t.Value(c, j); !math.IsNaN(v) {
					b = strconv.AppendFloat(b, v, 'f', 4, 64)
				}
			} else if c == ColAfter {
				b = append(b, report.CSVText(t.Jobs.AfterText(int(j)))...)
			} else if v, ok := t.Whole(c, j); ok {
				b = strconv.AppendInt(b, v, 10)
			}
		}
		if why {
			w := &t.Cols.Why[j]
			b = append(b, ',')
			b = append(b, decisionKeys[min(int(w.Decision), len(decisionKeys)-1)]...)
			for i := 1; i < len(w.Waited); i++ {
				b = append(b, ',')
				b = strconv.AppendInt(b, int64(w.Waited[i]), 10)
			}
		}
		b = append(b, "\r\n"...)
	}
	return b
}

var decisionKeys = [...]string{
	report.StartedInOrder: "in-order", report.BackfilledBeforeShadow: "backfilled-before-shadow", report.BackfilledExtra: "backfilled-extra",
	report.StartedAsPlanned: "as-planned", report.StartedAsLogged: "as-logged",
}

// HistogramSVG draws a column's histogram for the head of the table.
func HistogramSVG(bars []int) draw.Markup {
	most := 1
	for _, n := range bars {
		most = max(most, n)
	}
	var b draw.Writer
	b.Add(`<svg class="bl-hist" viewBox="0 0 64 18" preserveAspectRatio="none" aria-hidden="true">`)
	for i, n := range bars {
		h := float64(n) / float64(most) * 16
		b.Put(`<rect x="{}" y="{}" width="3.2" height="{}" fill="var(--line-3)" opacity=".6"/>`, float64(i)*4, 17-h, h)
	}
	b.Add(`<path d="M0 17.5H64" stroke="var(--line-2)"/></svg>`)
	return b.Markup()
}
