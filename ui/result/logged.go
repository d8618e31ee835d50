package result

import (
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// BesideText says how the log's own schedule goes with the platform, "" when
// there is nothing to say: where it needed more than there is, and to what of
// the experiment its jobs were not held.
func BesideText(b *report.Logged) string {
	if b == nil {
		return ""
	}
	var say []string
	switch {
	case b.Unknown > 0 && b.Unknown == b.Jobs:
		say = append(say, "The log states no wait times: every job starts when it is submitted.")
	case b.Unknown > 0:
		say = append(say, words.Count(b.Unknown, "job has", "jobs have")+" no wait time in the log and start when submitted.")
	}
	for _, x := range b.Excess {
		what := "more processors than there are"
		if x.Licence {
			what = "more copies of licence " + x.What + " than there are"
		}
		say = append(say, "The log needed "+what+" "+words.Count(x.Spans, "time", "times")+", "+words.Dur(float64(x.Seconds))+
			" together, at most "+words.Count(int(x.Most), "more", "more")+".")
	}
	var list []string
	for _, key := range b.Ignores {
		if f := catalog.FindFeature(key); f != nil {
			list = append(list, f.Name)
		}
	}
	if len(list) > 0 {
		say = append(say, "Its jobs ran without "+strings.Join(list, ", ")+".")
	}
	if b.Requests > 0 {
		say = append(say, words.Count(b.Requests, "reservation", "reservations")+" beside its jobs "+map[bool]string{true: "is", false: "are"}[b.Requests == 1]+" absent.")
	}
	return strings.Join(say, " ")
}
