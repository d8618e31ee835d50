package metric

import (
	"math"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/order"
	"batchlab/core/predict"
	"batchlab/core/report"
)

// MeanCI returns the mean of the values and the half-width of its 95 %
// confidence interval by Student's t, which takes the values as independent
// and about normally distributed: mean ± half. n is the number of values.
// With fewer than two values half is NaN, with none mean is NaN, too.
func MeanCI(values []float64) (mean, half float64, n int) {
	n = len(values)
	mean, deviation := spread(values)
	if n < 2 {
		return mean, math.NaN(), n
	}
	return mean, float64(studentT(float64(n-1))*deviation) / math.Sqrt(float64(n)), n
}

// spread returns the mean of the values and the standard deviation of the sample.
// NaN is what does not exist.
func spread(values []float64) (mean, deviation float64) {
	n := len(values)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	total := 0.0
	for _, v := range values {
		total += v
	}
	mean = total / float64(n)
	squares := 0.0
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	return mean, math.Sqrt(squares / float64(n-1))
}

// Paired compares two schedulers over the same repetitions: MeanCI of a[i] −
// b[i]. Since each pair shares its workload, what varies between workloads
// drops out. Only as many pairs as the shorter list has are looked at. The
// difference is significant at 5 % when |mean| > half.
func Paired(a, b []float64) (mean, half float64, n int) {
	differences := make([]float64, min(len(a), len(b)))
	for i := range differences {
		differences[i] = a[i] - b[i]
	}
	return MeanCI(differences)
}

// Sample says how the values of repetitions came about, which is what an
// interval means. The zero value is a sample of independent workloads: those of a
// generator, or of a log with other chances.
type Sample struct {
	By string // of draws from one log, what was drawn: report.Draws; ByPhases: the jobs are the same in all
	// Pieces is, for values of draws from one log, of how many pieces of about
	// the same weight the log consists (report.Draws).
	Pieces float64
	Log    bool // the first value is that of the log itself, no draw
	Own    Own  // what the log itself says of its sway; only of pairs
}

// Own is what the two runs of one log say, without a draw, of how far the
// logarithm of their quotient would sway. Zeros: nothing.
type Own struct {
	Known bool
	Users float64 // variance that comes from users being others
	Days  float64 // variance that comes from good and bad days, which follow each other
	Alike float64 // users that brought about the same work: (Σ work)² ÷ Σ work²
	Lacks string  // why it says nothing of other users, for people; "" where it does, or is not asked
}

// Certainty is how sure a difference is.
type Certainty int

const (
	NoInterval Certainty = iota // Difference.Why says why
	Unclear                     // the interval holds no difference
	Probably                    // the interval leaves it out, which alone is no proof
	Surely
)

// Difference is how the values a of one scheduler compare with the values b of
// another over the same workloads, pair by pair.
type Difference struct {
	// Mean is that of a − b, in the measure's unit; of draws that of the log itself.
	Mean float64
	// Relative is the typical quotient a ÷ b − 1: that of the log itself where others
	// were drawn from it, else the geometric mean of the pairs'. Where some value
	// is not above 0, it is the quotient of the means; NaN where b's is not, either.
	Relative float64
	// Low and High are the ends of the 95 % interval: of Relative where Quotient
	// says so, else of Mean. NaN where there is none; Why says why.
	Low, High float64
	Quotient  bool
	How       string // what the interval goes by: a report.By… constant, "" without one
	Why       string // why there is none, for people; "" with one, or with a single pair that says nothing
	Certainty Certainty

	Base float64 // mean of b; of draws that of the log itself
	N    int     // pairs
	Same bool    // no pair differs

	// Band says that the values are of phases: Mean and Relative are then the medians of
	// the pairs, Low and High their least and greatest, and Certainty is Surely where one
	// is below the other in every phase. It is no interval.
	Band bool

	least float64    // of the measure
	gaps  [2]float64 // of a band: the least and greatest of a − b
}

// Estimate is a measure of one scheduler: its mean over independent workloads, or
// its value in the log that others were drawn from, and the ends of the 95 % interval,
// NaN where there is none. Of a band over phases it is the median, with the least and the
// greatest.
type Estimate struct {
	Value, Low, High float64
	N                int // values
	Band             bool
}

// fewest is how many independent workloads make an interval.
const fewest = 3

// Estimate returns what the values of a measure come to. The interval lies on the
// logarithm where all values are above 0, so that it never reaches 0: of
// independent workloads mean × exp(± half ÷ mean).
func (s Sample) Estimate(values []float64, row *catalog.Metric) Estimate {
	mean, half, n := MeanCI(values)
	e := Estimate{Value: mean, Low: math.NaN(), High: math.NaN(), N: n}
	if s.By == report.ByPhases && n > 1 {
		e.Low, e.Value, e.High = band(values)
		e.Band = true
		return e
	}
	if s.Pieces > 0 && s.Log && n > 0 {
		e.Value = values[0]
		if n < fewest || s.By != "users" || s.drawn(row) != "" || !positive(values) {
			return e
		}
		x := make([]float64, n)
		for i, v := range values {
			x[i] = predict.Log(v)
		}
		half := factor(row) * s.width(x)
		low, high := predict.Exp(within(x[0]-half)), predict.Exp(within(x[0]+half))
		e.Low, e.High = min(e.Value, max(row.Least(), low)), max(e.Value, high) // rounding and bounds leave the value inside
		return e
	}
	switch {
	case s.Pieces > 0 || n < fewest:
	case row.Points() || !positive(values):
		e.Low, e.High = mean-half, mean+half
		if least(values) >= 0 {
			e.Low = max(row.Least(), e.Low)
		}
		if row.Points() {
			e.High = min(e.High, whole(row))
		}
	default:
		e.Low, e.High = Around(mean, half/mean)
		e.Low = max(row.Least(), e.Low)
	}
	return e
}

// band returns the least, the median and the greatest of at least one value.
func band(values []float64) (low, middle, high float64) {
	v := append([]float64(nil), values...)
	order.Stable(v, order.Floats)
	n := len(v)
	return v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]
}

// Around returns the ends v × exp(± half) of an interval that lies on the logarithm,
// with the same digits on every machine.
func Around(v, half float64) (low, high float64) {
	k := predict.Exp(min(half, 700))
	return v / k, v * k
}

// Compare compares pairs of values of a measure; a and b are equally long.
//
// The interval is that of the typical quotient over logs of this length, by its
// logarithm x, so that it reaches nothing that cannot be, and that its ends change
// places when the schedulers do:
//
//   - independent workloads: the mean of x ± t × s ÷ √n;
//   - draws of users: x of the log ± k × t × √(s² × m ÷ (m − 1) + b²), with s the
//     deviation of the draws' x, b how far their mean lies from the log's, and m the
//     pieces. Draws vary less than logs do by √((m − 1) ÷ m), and t has 1 ÷ (1 ÷ (m − 1) +
//     1 ÷ (R − 1)) degrees of freedom, since s is known from m pieces by R draws (F. E.
//     Satterthwaite, Biometrics Bulletin 2, 1946). k is 1.25 for waits, 1.5 for slowdowns;
//   - draws of weeks: x ± k × max(3.5, t) × √(s² × m ÷ (m − 1) + V), with k 1 and 1.25, and
//     V the variance by days, since weeks that are cut apart do not sway as the log does;
//   - one log: x ± c × √(variance by users + V), with c 2.78 and 4.17.
//
// How often they hold the truth was measured: bench/coverage, docs/intervals.md.
// More draws do not make an interval go to nothing, only more of the log would.
//
// The word "better" has a rule of its own: of draws of users by the interval with k
// = 1, of one log never. An interval that leaves 1 out says "probably".
func (s Sample) Compare(a, b []float64, row *catalog.Metric) Difference {
	nan := math.NaN()
	d := Difference{N: len(a), Same: len(a) > 0, Relative: nan, Low: nan, High: nan, least: row.Least()}
	for i := range a {
		d.Same = d.Same && a[i] == b[i]
	}
	if d.N == 0 {
		return d
	}
	above, _ := spread(a)
	d.Base, _ = spread(b)
	if s.Pieces > 0 && s.Log {
		above, d.Base = a[0], b[0]
	}
	d.Mean = above - d.Base
	if d.Base > 0 {
		d.Relative = above/d.Base - 1
	}
	if d.Same {
		return d
	}
	if d.N == 1 { // the log alone, whatever could be drawn from it
		s.By, s.Pieces = "", 0
	}
	if s.By == report.ByPhases {
		d.band(a, b, row)
		return d
	}
	single, draws := d.N == 1, s.Pieces > 0
	switch {
	case draws && d.N < fewest:
		d.Why = "an interval needs two draws beside the log"
	case single || draws:
		if d.Why = s.lacks(a, b, row); d.Why == "" {
			s.drawnQuotient(&d, a, b, row)
		}
	case d.N < fewest:
		d.Why = "an interval needs three different workloads"
	case row.Points() || !positive(a) || !positive(b):
		s.linear(&d, a, b, row)
	default:
		x := make([]float64, len(a))
		for i := range a {
			x[i] = predict.Log(a[i]) - predict.Log(b[i])
		}
		middle, half, _ := MeanCI(x)
		d.Relative = predict.Exp(middle) - 1
		d.quotient(middle, half, report.ByPairs)
		d.Certainty = outside(middle, half, Surely)
	}
	return d
}

// band is what two schedulers differ by, phase by phase: the jobs are the same, so that
// nothing is estimated.
func (d *Difference) band(a, b []float64, row *catalog.Metric) {
	gaps, quotients := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		gaps[i] = a[i] - b[i]
		quotients[i] = gaps[i] / b[i]
	}
	_, d.Base, _ = band(b)
	d.gaps[0], d.Mean, d.gaps[1] = band(gaps)
	d.Band, d.How, d.Low, d.High = true, report.ByPhases, d.gaps[0], d.gaps[1]
	d.Relative = math.NaN()
	if positive(b) {
		var low, high float64
		low, d.Relative, high = band(quotients)
		if !row.Points() {
			d.Low, d.High, d.Quotient = low, high, true
		}
	}
	if d.Certainty = Unclear; d.gaps[0] > 0 || d.gaps[1] < 0 {
		d.Certainty = Surely
	}
}

// linear is the interval of the mean of independent differences, within what can be.
func (s Sample) linear(d *Difference, a, b []float64, row *catalog.Metric) {
	mean, half, _ := Paired(a, b)
	d.Low, d.High, d.How = mean-half, mean+half, report.ByPairs
	d.Certainty = outside(mean, half, Surely)
	if least(a) >= 0 && least(b) >= 0 {
		d.Low = max(d.Low, row.Least()-d.Base)
		if row.Points() {
			d.High = min(d.High, whole(row)-d.Base)
		}
	}
}

// drawnQuotient is the interval of one log, by draws from it or by itself.
func (s Sample) drawnQuotient(d *Difference, a, b []float64, row *catalog.Metric) {
	x := make([]float64, len(a))
	for i := range a {
		x[i] = predict.Log(a[i]) - predict.Log(b[i])
	}
	k, slow := factor(row), factor(row) == slowFactor
	var half float64
	switch {
	case d.N == 1:
		half = float64(ownWait * math.Sqrt(s.Own.Users+s.Own.Days))
		if slow {
			half = float64(slowFactor * half)
		}
		d.quotient(x[0], half, report.ByLog)
		d.Certainty = outside(x[0], half, Probably)
		return
	case s.By == "weeks":
		variance, t := s.variance(x[1:])
		half = float64(max(weekT, t) * math.Sqrt(variance+s.Own.Days))
		if k = 1; slow {
			k = slowWeeks
		}
		d.quotient(x[0], k*half, report.ByWeeks)
	default:
		half = s.width(x)
		d.quotient(x[0], k*half, report.ByUsers)
	}
	if d.Certainty = outside(x[0], k*half, Surely); d.Certainty == Unclear {
		d.Certainty = outside(x[0], half, Probably)
	}
}

// Factors of the intervals of one log (docs/reading-the-charts.md).
const (
	waitFactor = 1.25 // draws of users, waits
	slowFactor = 1.5  // the same, slowdowns: means that few overloaded weeks make; and of one log beside waits
	slowWeeks  = 1.25 // draws of weeks: slowdowns beside waits
	weekT      = 3.5  // least t of draws of weeks
	ownWait    = 2.78 // one log, waits
)

// factor is what widens an interval of draws of users in a measure; 0 where none
// was found that holds: what the longest wait or the last jobs decide.
func factor(row *catalog.Metric) float64 {
	switch {
	case row == nil || row.Family == "machine" || strings.HasPrefix(row.Key, "max-"):
		return 0
	case row.Family == "wait" || row.Family == "turnaround":
		return waitFactor
	}
	return slowFactor
}

// lacks says why there is no interval of one log, "" where there is one.
func (s Sample) lacks(a, b []float64, row *catalog.Metric) string {
	switch {
	case s.Pieces == 0 && s.By != "":
		return "an interval needs three different workloads"
	case !positive(a) || !positive(b):
		return "the measure is 0 under one of them, and nothing can be said of quotients"
	case s.Pieces > 0:
		return s.drawn(row)
	case s.Own.Alike > 0 && s.Own.Alike < fewestPieces:
		return "nearly all of the work is one user's, and nobody knows what another would do"
	case s.Own.Lacks != "" && (row.Key == meanWait || row.Key == meanSlowdown):
		return s.Own.Lacks
	case s.Own.Alike == 0:
		return "one workload says nothing of others"
	}
	return ""
}

// fewestPieces are the pieces below which no interval of draws is given.
const fewestPieces = 2

// drawn says why draws give no interval of a measure, "" where they do.
func (s Sample) drawn(row *catalog.Metric) string {
	switch {
	case factor(row) == 0:
		return "no interval by draws was found that holds: the last jobs, or the longest wait, decide this measure"
	case s.Pieces < fewestPieces && s.By == "users":
		return "nearly all of the work is one user's, and nobody knows what another would do"
	case s.Pieces < fewestPieces:
		return "the log has fewer than two blocks of weeks"
	case s.By == "weeks" && (row.Key != meanWait && row.Key != meanSlowdown || !s.Own.Known):
		return "draws of weeks give an interval of the mean wait and the mean bounded slowdown alone; draws of users give others"
	}
	return ""
}

// variance is that of logs like this one, of draws from it, with the quantile that
// goes with it.
func (s Sample) variance(draws []float64) (v, t float64) {
	r, m := float64(len(draws)), s.Pieces
	_, deviation := spread(draws)
	return float64(deviation*deviation) * m / (m - 1), studentT(max(1, 1/(1/(m-1)+1/(r-1))))
}

// width is t × √(s² × m ÷ (m − 1) + b²) of logarithms, the log's own first.
func (s Sample) width(x []float64) float64 {
	v, t := s.variance(x[1:])
	mean, _ := spread(x[1:])
	return float64(t * math.Sqrt(v+float64((mean-x[0])*(mean-x[0]))))
}

// quotient sets the ends of an interval on the logarithm.
func (d *Difference) quotient(x, half float64, how string) {
	d.Low, d.High, d.Quotient, d.How = predict.Exp(within(x-half))-1, predict.Exp(within(x+half))-1, true, how
}

// Ends are those of the interval in the measure's own unit, NaN where there is
// none: of the base's multiples, as far as the measure can go.
func (d *Difference) Ends() (low, high float64) {
	if d.Band {
		return d.gaps[0], d.gaps[1]
	}
	if d.Quotient {
		return max(d.Base*d.Low, d.least-d.Base), max(d.Base*d.High, d.least-d.Base)
	}
	return d.Low, d.High
}

// Value is what the interval is around: Relative or Mean.
func (d *Difference) Value() float64 {
	if d.Quotient {
		return d.Relative
	}
	return d.Mean
}

// Less reports whether a is below b, by what the interval is around.
func (d *Difference) Less() bool { return d.Value() < 0 }

// Has reports whether there is an interval.
func (d *Difference) Has() bool { return d.Low == d.Low }

func positive(values []float64) bool { return least(values) > 0 }

func least(values []float64) float64 {
	v := math.Inf(1)
	for _, x := range values {
		v = min(v, x)
	}
	return v
}

// whole is all of what a measure is a share of.
func whole(row *catalog.Metric) float64 {
	if row.Unit == "%" {
		return 100
	}
	return 1
}

func within(x float64) float64 { return max(-700, min(x, 700)) }

func outside(middle, half float64, is Certainty) Certainty {
	if math.Abs(middle) > half {
		return is
	}
	return Unclear
}
