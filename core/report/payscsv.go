package report

import "strconv"

// PaysCSVHeader names the columns of PaysCSV.
const PaysCSVHeader = "scheduler,by,from,to,jobs,work,before_s,after_s,difference_s,low_s,high_s,relative,pairs,interval,without,verdict,told\n"

// PaysCSV has a line for each part of the jobs, with what Pays says, every digit kept,
// empty where there is nothing. before stands in front of each line.
func PaysCSV(dst []byte, before string, list []Pays) []byte {
	number := func(v *float64) {
		if dst = append(dst, ','); v != nil && *v-*v == 0 { // finite
			dst = strconv.AppendFloat(dst, *v, 'f', -1, 64)
		}
	}
	text := func(s string) { dst = append(append(dst, ','), CSVText(s)...) }
	for i := range list {
		for k := range list[i].Rows {
			r := &list[i].Rows[k]
			dst = strconv.AppendInt(append(dst, before...), int64(list[i].Scheduler), 10)
			text(r.By)
			for _, n := range []int64{r.From, r.To, int64(r.Jobs)} {
				dst = strconv.AppendInt(append(dst, ','), n, 10)
			}
			for _, v := range []*float64{&r.Work, &r.Before, &r.After, &r.Difference, r.Low, r.High, r.Relative} {
				number(v)
			}
			dst = strconv.AppendInt(append(dst, ','), int64(r.Pairs), 10)
			text(r.Interval)
			text(r.Without)
			text(r.Verdict)
			dst = append(strconv.AppendBool(append(dst, ','), r.Told), '\n')
		}
	}
	return dst
}
