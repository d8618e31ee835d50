package draw

import (
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Intent: each rule of prediction says what it goes by, with the numbers, and what
// stands for it before anything has ended.
func TestBasisWords(t *testing.T) {
	seconds := func(t model.Time) string { return strconv.FormatInt(int64(t), 10) + " s" }
	two := []report.Sample{{Number: 20, Says: 50}, {Number: 10, Says: 20}}
	weighed := []report.Sample{{Number: 20, Says: 50, Weight: 0.88}}
	for want, b := range map[string]report.Basis{
		"comes from 12 jobs of its user that ended before, most of all job 20 (50 s, weight 0.88), and from what all users do": {Rule: "kernel", Count: 12, Samples: weighed},
		"comes from what all users do: no job like it of its user had ended":                                                   {Rule: "kernel"},
		"is the mean of the last two of its user that had ended: job 20 (50 s), job 10 (20 s)":                                 {Rule: "last-two", Count: 2, Samples: two},
		"is its request: too few jobs of its user had ended":                                                                   {Rule: "last-two"},
		"is its request times 0.340, the median of run ÷ request of the last 1 job of its user that ended before":              {Rule: "user-median", Count: 1, Share: 0.34},
	} {
		if got := strings.ReplaceAll(BasisWords(&b, seconds), "\u00a0", " "); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
