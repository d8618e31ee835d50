package result

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// What the log's own schedule is told to lack reads as sentences, and a schedule
// that fits says nothing.
func TestBesideText(t *testing.T) {
	if s := BesideText(&report.Logged{}); s != "" {
		t.Errorf("%q", s)
	}
	if s := BesideText(&report.Logged{Unknown: 3, Jobs: 3}); s != "The log states no wait times: every job starts when it is submitted." {
		t.Errorf("%q", s)
	}
	got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(BesideText(&report.Logged{
		Excess:  []report.Excess{{What: "processors", Spans: 2, Seconds: 7200, Most: 45}, {What: "cad", Licence: true, Spans: 1, Seconds: 60, Most: 1}},
		Ignores: []string{catalog.FeatureLimits, catalog.FeatureReservations}, Requests: 2,
	}))
	want := "The log needed more processors than there are 2 times, 2 h together, at most 45 more. The log needed more copies of licence cad than there are 1 time, 60 s together, at most 1 more. " +
		"Its jobs ran without limits, advance reservations. 2 reservations beside its jobs are absent."
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
