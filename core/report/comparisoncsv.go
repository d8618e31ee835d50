package report

import "strconv"

// ComparisonCSV has a line for each measure and scheduler that are compared, with what
// Comparison says, every digit kept, empty where there is nothing.
func ComparisonCSV(list []Comparison) []byte {
	out := []byte("metric,scheduler,baseline,mean,low,high,repetitions,difference,difference_low,difference_high,relative,relative_low,relative_high,pairs,interval,without,verdict,least,median,greatest,difference_least,difference_median,difference_greatest,relative_least,relative_median,relative_greatest\n")
	number := func(v *float64) {
		if out = append(out, ','); v != nil && *v-*v == 0 { // finite
			out = strconv.AppendFloat(out, *v, 'f', -1, 64)
		}
	}
	text := func(s string) { out = append(append(out, ','), CSVText(s)...) }
	for i := range list {
		c := &list[i]
		out = append(out, c.Metric...)
		text(strconv.Itoa(c.Scheduler))
		text(strconv.Itoa(c.Baseline))
		number(&c.Mean)
		number(c.Low)
		number(c.High)
		text(strconv.Itoa(c.Repetitions))
		number(c.Difference)
		number(c.DifferenceLow)
		number(c.DifferenceHigh)
		number(c.Relative)
		number(c.RelativeLow)
		number(c.RelativeHigh)
		text(strconv.Itoa(c.Pairs))
		text(c.Interval)
		text(c.Without)
		text(c.Verdict)
		for _, band := range []*[3]float64{c.Band, c.DifferenceBand, c.RelativeBand} {
			for k := range 3 {
				if band == nil {
					out = append(out, ',')
					continue
				}
				number(&band[k])
			}
		}
		out = append(out, '\n')
	}
	return out
}
