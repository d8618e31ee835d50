package draw

import (
	"math"
	"strconv"
	"strings"
)

// ResultRow is one number of a study: what it is of (Label), whose it is or
// which measure (Column), and in which unit.
type ResultRow struct {
	Label, Column     string
	Ours, Half, Paper float64 // half the width of the interval and the published value: NaN none
	Unit              string
}

// Results makes charts of a study's numbers: one for each unit, differences
// ("A − B") apart, with the labels along the axis and a set for each column.
// Where the labels are numbers ("0.5", "load = 0.5"), the sets are curves, else
// bars. A chart has at most eight sets; more go to further ones.
func Results(rows []ResultRow) []Result {
	var out []Result
	type kind struct {
		unit       string
		difference bool
	}
	var kinds []kind
	for _, row := range rows {
		k := kind{row.Unit, strings.Contains(row.Column, " − ")}
		known := false
		for _, o := range kinds {
			known = known || o == k
		}
		if !known {
			kinds = append(kinds, k)
		}
	}
	for _, k := range kinds {
		var labels []string
		place, set := map[string]int{}, map[string]int{}
		first := len(out)
		for _, row := range rows {
			if (kind{row.Unit, strings.Contains(row.Column, " − ")}) != k {
				continue
			}
			if _, ok := place[row.Label]; !ok {
				place[row.Label] = len(labels)
				labels = append(labels, row.Label)
			}
		}
		values := func() []float64 {
			v := make([]float64, len(labels))
			for i := range v {
				v[i] = math.NaN()
			}
			return v
		}
		for _, row := range rows {
			if (kind{row.Unit, strings.Contains(row.Column, " − ")}) != k {
				continue
			}
			n, ok := set[row.Column]
			if !ok {
				n = len(set)
				set[row.Column] = n
				if n%8 == 0 {
					out = append(out, Result{Shape: AsBars, Names: labels, Y: Quantity{Unit: row.Unit}})
				}
				r := &out[len(out)-1]
				r.Sets = append(r.Sets, Set{Name: row.Column, Series: n % 8, Y: values(), Half: values(), Paper: values()})
			}
			s, i := &out[first+n/8].Sets[n%8], place[row.Label]
			s.Y[i], s.Half[i], s.Paper[i] = row.Ours, row.Half, row.Paper
		}
		name, xs := numbersOf(labels)
		for i := range out[first:] {
			r := &out[first+i]
			if r.Y.Name = "value"; len(r.Sets) == 1 {
				r.Y.Name = r.Sets[0].Name
			} else if k.difference {
				r.Y.Name = "difference"
			}
			if xs == nil {
				continue
			}
			r.Shape, r.Names, r.X.Name = AsCurves, nil, name
			for j := range r.Sets {
				r.Sets[j].X = xs
			}
		}
	}
	return out
}

// numbersOf reads labels such as "0.5" or "load = 0.5" as ascending numbers of
// one name; xs is nil when they are not.
func numbersOf(labels []string) (name string, xs []float64) {
	if len(labels) < 3 {
		return "", nil
	}
	for i, l := range labels {
		of, number, found := strings.Cut(l, "=")
		if !found {
			of, number = "", l
		}
		of = strings.TrimSpace(of)
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || i > 0 && (of != name || v <= xs[i-1]) {
			return "", nil
		}
		name, xs = of, append(xs, v)
	}
	return name, xs
}
