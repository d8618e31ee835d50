package draw

import (
	"strings"
	"testing"
)

// Intent: a long table is laid out in as many frames as it has hundreds of rows,
// none of them larger, and nothing gets lost or out of order.
func TestPortions(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 100: 1, 101: 2, 437: 5, 1001: 11} {
		rows := make([]Markup, n)
		for i := range rows {
			rows[i] = HTML("<tr>{}", i)
		}
		list := Portions(rows)
		if len(list) != want || Join(list) != Join(rows) {
			t.Errorf("%d rows: %d portions, want %d with all of them", n, len(list), want)
		}
		for _, p := range list {
			if strings.Count(string(p), "<tr>") > 100 {
				t.Errorf("%d rows: %d in one frame", n, strings.Count(string(p), "<tr>"))
			}
		}
	}
}
