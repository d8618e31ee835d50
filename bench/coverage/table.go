package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"batchlab/core/metric"
)

// typical is the logarithm of the typical quotient of a measure: its mean over the
// logs that were tried and the further ones, and of how many.
func (c *cell) typical(q question, k int) (mean float64, n int) {
	add := func(v *values) {
		if x, y := v[q.a][k], v[q.b][k]; x > 0 && y > 0 {
			mean += math.Log(x / y)
			n++
		}
	}
	for i := range c.logs {
		add(&c.logs[i].Log)
	}
	for i := range c.truth {
		add(&c.truth[i])
	}
	return mean / float64(n), n
}

// count is what came of intervals.
type count struct {
	n, held, told, probably, wrong int
	width                          []float64
}

// add counts the intervals of a cell.
func (o *count) add(c *cell, at, k, way int) {
	mean, n := c.typical(questions[at], k)
	if n == 0 || !slices.Contains(c.asks, at) {
		return
	}
	for i := range c.logs {
		v := c.logs[i].Interval[at][k][way]
		if v[2] == 0 {
			continue
		}
		o.n++
		if math.Log(v[0]) <= mean+1e-12 && mean-1e-12 <= math.Log(v[1]) {
			o.held++
		}
		if math.Abs(v[2]) == float64(metric.Surely) {
			o.told++
		} else if math.Abs(v[2]) == float64(metric.Probably) {
			o.probably++
		}
		if math.Abs(v[2]) >= float64(metric.Probably) && v[2]*mean < 0 {
			o.wrong++
		}
		o.width = append(o.width, (v[1]-v[0])/2)
	}
}

func (o *count) String() string {
	if o.n == 0 {
		return "–"
	}
	slices.Sort(o.width)
	if !slices.Contains(shares, [2]int{o.n, o.held}) {
		shares = append(shares, [2]int{o.n, o.held})
	}
	return fmt.Sprintf("%d/%d %.2f", o.held, o.n, o.width[o.n/2])
}

// shares are those that the tables hold: of how many intervals so many held.
var shares [][2]int

// writeShares writes the 95 % interval of each share, in per cent.
func writeShares(w io.Writer) {
	slices.SortFunc(shares, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	n := 0
	for _, s := range shares {
		sep := ", "
		if s[0] != n {
			n = s[0]
			sep = fmt.Sprintf("\nof %d: ", n)
		}
		low, high := binomial(s[1], n)
		fmt.Fprintf(w, "%s%d %.0f–%.0f", sep, s[1], 100*low, 100*high)
	}
	fmt.Fprintln(w)
}

// tables writes those of docs/intervals.md.
func tables(w io.Writer) error {
	fmt.Fprintln(w, "| process, load, weeks | load that came | by | wait, SAF | wait, SPF | slowdown, SAF | slowdown, SPF | 95th percentile, SAF | 95th percentile, SPF |\n|---|---:|---|---|---|---|---|---|---|")
	of := [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}
	for _, c := range cells {
		if c.asks[0] != differ[0] || len(c.logs) == 0 {
			continue
		}
		load := 0.0
		for i := range c.logs {
			load += c.logs[i].Load / float64(len(c.logs))
		}
		for way, by := range ways {
			if by == "weeks" && c.weeks < 7 {
				continue
			}
			fmt.Fprintf(w, "| %s | %.2f | %s |", c, load, by)
			for _, p := range of {
				var o count
				o.add(c, p[0], p[1], way)
				fmt.Fprintf(w, " %v |", &o)
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprintln(w, "\n| load, 12 weeks | by | wait, SAF | wait, SPF | slowdown, SAF | slowdown, SPF |\n|---|---|---|---|---|---|")
	var conservative [2]count // of every 25th log
	for _, seasons := range []bool{false, true} {
		for _, load := range []float64{.6, .75, .9} {
			for way, by := range ways {
				name := fmt.Sprintf("%v, independent users", load)
				if seasons {
					name = fmt.Sprintf("%v, shared seasons", load)
				}
				if name = " " + name; way > 0 { // the rows of a load stand together
					name = ""
				}
				fmt.Fprintf(w, "|%s | %s |", name, by)
				for k := range 2 {
					for at := range 3 {
						var o count
						for _, c := range cells {
							if c.load == load && c.weeks == 12 && (c.process == "season") == seasons {
								o.add(c, at, k, way)
							}
						}
						if at == 2 {
							conservative[k].n, conservative[k].held = conservative[k].n+o.n, conservative[k].held+o.held
							continue
						}
						fmt.Fprintf(w, " %v |", &o)
					}
				}
				fmt.Fprintln(w)
			}
		}
	}
	for k, c := range conservative {
		fmt.Fprintf(w, "\nconservative, %s: %d of %d held", measures[k], c.held, c.n)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "\n| question | "+strings.Join(ways, " | ")+" |\n|---|"+strings.Repeat("---|", len(ways)))
	for at := 2; at < len(questions); at++ {
		fmt.Fprintf(w, "| %s |", questions[at].name)
		for way := range ways {
			var o count
			for _, c := range cells {
				for k := range measures {
					o.add(c, at, k, way)
				}
			}
			wrong := fmt.Sprint(o.wrong)
			if questions[at].none {
				wrong = "–"
			}
			low, high := binomial(o.told, max(1, o.n))
			fmt.Fprintf(w, " %d, %d, %s, %d of %d [%.1f–%.1f %%] |", o.told, o.probably, wrong, o.held, o.n, 100*low, 100*high)
		}
		fmt.Fprintln(w)
	}
	writeShares(w)
	_, err := fmt.Fprintf(w, "\n%d logs a cell at least, seeds from 0; typical quotients of these and %d further ones for each, seeds from 1,000,000.\n", fewestLogs(), further)
	return err
}

// fewestLogs are those of the cell with fewest, of those that ask for a difference.
func fewestLogs() int {
	n := math.MaxInt
	for _, c := range cells {
		if c.asks[0] == differ[0] {
			n = min(n, len(c.logs))
		}
	}
	return n
}

// binomial is the 95 % interval of a share of which k of n were seen (C. J. Clopper
// and E. S. Pearson, Biometrika 26, 1934).
func binomial(k, n int) (low, high float64) {
	atMost := func(k int, p float64) float64 { // probability of at most k
		sum := 0.0
		for i := 0; i <= k; i++ {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(i + 1))
			c, _ := math.Lgamma(float64(n - i + 1))
			sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
		}
		return sum
	}
	solve := func(below func(p float64) bool) float64 {
		from, to := 1e-12, 1-1e-12
		for range 60 {
			if p := (from + to) / 2; below(p) {
				from = p
			} else {
				to = p
			}
		}
		return from
	}
	if k > 0 {
		low = solve(func(p float64) bool { return 1-atMost(k-1, p) < 0.025 })
	}
	if high = 1; k < n {
		high = solve(func(p float64) bool { return atMost(k, p) > 0.025 })
	}
	return low, high
}
