package paper

import (
	"math"
	"strings"
	"testing"
)

// Intent: what the page shows as printed is what a run on the paper's log sets
// beside ours, row by row and under the same names; each preset prints a value
// once, and every claim that is about a table names one that there is.
func TestPublished(t *testing.T) {
	all := map[string]map[string]float64{}
	for i := range Presets {
		p := &Presets[i]
		all[p.Key] = map[string]float64{}
		for _, r := range p.Published() {
			at := r.Label + "|" + r.Column
			if _, twice := all[p.Key][at]; twice || r.Paper == nil || !math.IsNaN(r.Ours) {
				t.Errorf("%s, %s: %+v", p.Key, at, r)
			}
			all[p.Key][at] = *r.Paper
		}
	}
	for _, key := range []string{"kurowski2011-table2", "kurowski2011-table3", "kurowski2011-table4", "kurowski2011-table5", "kurowski2011-table6", "klusacek2016-table1",
		"legrand2018-table1", "legrand2018-table2", "legrand2018-table3", "legrand2018-table4", "legrand2018-table5", "legrand2018-table6", "legrand2018-table7"} {
		if len(all[key]) == 0 {
			t.Errorf("%s has printed values and shows none", key)
		}
	}
	for i := range Claims {
		for _, key := range Claims[i].Presets() {
			if p := Find(key); p == nil || p.Study != Claims[i].Study {
				t.Errorf("%q is about %s", Claims[i].Says, key)
			}
		}
	}
	for _, key := range []string{"kurowski2011-table4", "legrand2018-table1", "legrand2018-table7"} {
		out, err := Find(key).Compute(Input{Logs: []Log{realLog(t, sdsc)}})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range out.Rows {
			if r.Paper == nil {
				continue
			}
			if v, there := all[key][r.Label+"|"+r.Column]; !there || v != *r.Paper {
				t.Errorf("%s, %s, %s: printed %v, on the page %v", key, r.Label, r.Column, *r.Paper, v)
			}
			n++
		}
		if n == 0 {
			t.Errorf("%s sets nothing beside ours", key)
		}
	}
}

// Intent: places named in a text are found one by one, ranges included.
func TestPlacesIn(t *testing.T) {
	for text, want := range map[string]string{
		"figures 8 to 10":                       "figure 8|figure 9|figure 10",
		"tables 3 and 5":                        "table 3|table 5",
		"figures 1(a) and 1(b), 20 repetitions": "figure 1(a)|figure 1(b)",
		"table 2, 10,002 vectors":               "table 2",
		"no place":                              "",
		"tables 5 and 6, figures 11 to 13":      "table 5|table 6|figure 11|figure 12|figure 13",
		"figures 3, 5 to 7":                     "figure 3|figure 5|figure 6|figure 7",
		"figures 3, 5 and 7; table 1, KTH-SP2":  "figure 3|figure 5|figure 7|table 1",
	} {
		if got := strings.Join(placesIn(text), "|"); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
