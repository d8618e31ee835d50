package paper

import (
	"encoding/json"
	"slices"
	"strings"
)

// Results writes what the page shows of runs in full before anything has run there,
// static/results.json: of docs/results.json the presets on their own logs, each with its
// rows in order of their names, numbers by size.
func Results(full []byte) ([]byte, error) {
	runs := map[string]VerdictRun{}
	if err := json.Unmarshal(full, &runs); err != nil {
		return nil, err
	}
	out := map[string]libraryRun{}
	for key, run := range runs {
		if strings.Contains(key, "@") || len(run.Rows) == 0 {
			continue
		}
		one := libraryRun{Log: run.Log, Digest: run.Digest}
		for at, r := range run.Rows {
			label, column, _ := strings.Cut(at, "|")
			ours := r.Ours
			one.Rows = append(one.Rows, libraryRow{Label: label, Column: column, Ours: &ours, Half: r.Half, From: r.From, To: r.To, Unit: r.Unit})
		}
		slices.SortFunc(one.Rows, func(a, b libraryRow) int {
			if c := natural(a.Label, b.Label); c != 0 {
				return c
			}
			if c := natural(a.Column, b.Column); c != 0 {
				return c
			}
			return strings.Compare(a.Label+"|"+a.Column, b.Label+"|"+b.Column)
		})
		out[key] = one
	}
	text, err := json.MarshalIndent(out, "", "")
	return append(text, '\n'), err
}

// natural compares names, with whole numbers in them by size.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if len(m) != len(n) {
				return len(m) - len(n)
			}
			if c := strings.Compare(m, n); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// digits is how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
