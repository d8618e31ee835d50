package paper

import (
	"encoding/json"
	"slices"
	"strings"
)

// Results writes what the page shows of runs in full before anything has run there,
// static/results.json: of docs/results.json each preset on its own log, else on the first
// of shownOn, else what of another preset is the same; with its rows in order of their
// names, numbers by size.
func Results(full []byte) ([]byte, error) {
	runs := map[string]VerdictRun{}
	if err := json.Unmarshal(full, &runs); err != nil {
		return nil, err
	}
	out := map[string]libraryRun{}
	for i := range Presets {
		key, only := Presets[i].Key, []string(nil)
		run, there := runFor(runs, key)
		if part, is := partOf[key]; !there && is {
			run, _ = runFor(runs, part.key)
			only = part.only
		}
		one := libraryRun{Log: run.Log, Digest: run.Digest}
		for at, r := range run.Rows {
			if only != nil && !slices.ContainsFunc(only, func(s string) bool { return strings.Contains(at, s) }) {
				continue
			}
			label, column, _ := strings.Cut(at, "|")
			ours := r.Ours
			one.Rows = append(one.Rows, libraryRow{Label: label, Column: column, Ours: &ours, Half: r.Half, From: r.From, To: r.To, Unit: r.Unit})
		}
		if len(one.Rows) == 0 {
			continue
		}
		slices.SortFunc(one.Rows, func(a, b libraryRow) int {
			// One reading after the other, so that curves go on.
			if c := btoi(strings.Contains(a.Label, gridForRun)) - btoi(strings.Contains(b.Label, gridForRun)); c != 0 {
				return c
			}
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

// shownOn are the logs whose run is shown of a preset that takes any log, or several one
// after the other.
var shownOn = []string{"SDSC-SP2+SDSC-BLUE+CTC-SP2+KTH-SP2", "KTH-SP2", "SDSC-SP2"}

// runFor is the run in full that is shown of a preset.
func runFor(runs map[string]VerdictRun, key string) (VerdictRun, bool) {
	if run, there := runs[key]; there {
		return run, true
	}
	for _, log := range shownOn {
		if run, there := runs[key+"@"+log]; there {
			return run, true
		}
	}
	return VerdictRun{}, false
}

// partOf are presets whose schedules and rows are those of another one, or some of them:
// the rows in whose label or column one of these stands.
var partOf = map[string]struct {
	key  string
	only []string
}{
	planStudy + "-figure2":          {planStudy + "-replayed", []string{"processors|", "requested|"}},
	planStudy + "-figure3":          {planStudy + "-replayed", []string{"|mean NUWT", "|standard deviation of NUWT", "|users with NUWT below 1"}},
	planStudy + "-figure4":          {planStudy + "-replayed", []string{"accepted plans", "|changes of"}},
	planStudy + "-figure5":          {planStudy + "-replayed", []string{"|calls", "|plans evaluated", "|length of the plan"}},
	planStudy + "-figure6-replayed": {planStudy + "-replayed", []string{"|mean wait", "|mean bounded", "|longest wait", "|99th", "|standard deviation of the wait", "|waits", "|starts"}},
	planStudy + "-figure7-replayed": {planStudy + "-replayed", []string{"NUWT"}},
	planStudy + "-figure6":          {planStudy + "-users", []string{"wait", "|mean bounded", "|makespan", "|utilization"}},
	planStudy + "-figure7":          {planStudy + "-users", []string{"NUWT"}},
	planStudy + "-figure8":          {planStudy + "-users", []string{"complain", "seriousness"}},
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
