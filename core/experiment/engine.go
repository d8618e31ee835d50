package experiment

import (
	"fmt"
	"slices"
)

// Engine numbers the behaviour of the simulator. It grows with every change by
// which some experiment gets another schedule: a new entry of engines, whose words
// are shown wherever results of two engines meet. TestEngineNumber of core/lab
// fails when a schedule moves without that.
const Engine = "2"

// engines are all there were, in order: its number, and what has other schedules
// under it than under the one before, as the subject of a sentence.
var engines = []struct{ number, moved string }{
	// All of the first weeks: earlier builds differ under this number, for example
	// by conservative backfilling on named nodes.
	{"1", ""},
	{"2", "conservative backfilling, PPPD and fair share as local policies of a grid, " +
		"reservations on a grid that begin without suspending a job, " +
		"reservations of jobs that are killed at their due time, " +
		"lists with a period beside jobs that are killed at their due time, " +
		"Orig-BF on machines of unequal speed and with a depth, " +
		"hill climbing on more than 65,536 processors, " +
		"and, against early builds of engine 1, conservative backfilling on named nodes and others"},
}

// EnginesApart says of a result of theirs, for people, that it may differ from one
// of ours and by what: "made by engine 1; since then …". "" means that both are of
// one engine.
func EnginesApart(theirs, ours string) string {
	if theirs == ours {
		return ""
	}
	find := func(number string) int {
		return slices.IndexFunc(engines, func(e struct{ number, moved string }) bool { return e.number == number })
	}
	from, to, when := find(theirs), find(ours), "since then"
	if from < 0 || to < 0 {
		return fmt.Sprintf("made by engine %s, not by engine %s; what changed in between is not known here, and results may differ", theirs, ours)
	}
	if from > to {
		from, to, when = to, from, "since engine "+ours
	}
	what := ""
	for _, e := range engines[from+1 : to+1] {
		if what != "" {
			what += "; "
		}
		what += e.moved
	}
	return fmt.Sprintf("made by engine %s, not by engine %s; %s these have changed, and results may differ: %s", theirs, ours, when, what)
}
