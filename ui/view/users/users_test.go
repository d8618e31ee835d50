package users

import (
	"fmt"
	"math"
	"testing"

	"batchlab/core/report"
)

// Users sort by every column, ties by user, missing differences last.
func TestSortUsers(t *testing.T) {
	rows := []UserRow{{report.UserRow{User: 3, Jobs: 5}, 10}, {report.UserRow{User: 1, Jobs: 5}, math.NaN()}, {report.UserRow{User: 2, Jobs: 9}, -4}}
	for _, c := range []struct {
		key  string
		down bool
		want string
	}{{"jobs", true, "2 1 3"}, {"jobs", false, "1 3 2"}, {"diff", true, "3 2 1"}, {"diff", false, "2 3 1"}, {"user", false, "1 2 3"}} {
		SortUsers(rows, c.key, c.down)
		if got := fmt.Sprint(rows[0].User, rows[1].User, rows[2].User); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.key, c.down, got, c.want)
		}
	}
}
