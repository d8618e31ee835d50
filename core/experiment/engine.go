package experiment

import (
	"fmt"
	"strings"
)

// Release is the version of Batchlab, as people cite it: semantic, and apart from
// the engine's number, since most versions change no schedule. docs/engine.md says
// what it promises; TestReleaseEverywhere holds all that names it to it.
const Release = "1.0.0"

// Commit names the sources that a build was made of, as git does, "" when that is
// not known. The linker sets it on the command line, the start script in the page:
// it stands in no program of the page, so that a commit leaves their bytes alone.
var Commit string

// Build is what made a result: carried by reports, traces and shards beside it.
type Build struct {
	Version string `json:"version"` // of Batchlab, "" before there were any
	Engine  string `json:"engine"`  // whose schedules these are: the number that decides whether results compare
	Commit  string `json:"commit,omitempty"`
}

// ThisBuild is what makes results here.
func ThisBuild() Build { return Build{Release, Engine, Commit} }

// String names a build for people: "Batchlab 1.0.0, engine 2, commit 0123456789ab".
func (b Build) String() string {
	text := "Batchlab"
	if b.Version != "" {
		text += " " + b.Version
	}
	text += ", engine " + b.Engine
	if b.Commit != "" {
		text += ", commit " + b.Commit
	}
	return text
}

// Engine numbers the behaviour of the simulator. It grows with every change by
// which some experiment gets another schedule: a new entry of engines, whose words
// are shown wherever results of two engines meet. TestEngineNumber of core/lab
// fails when a schedule moves without that.
const Engine = "2"

// engines are all there were, in order: its number, and what has other schedules
// under it than under the one before, as subjects of a sentence.
var engines = []struct {
	number string
	moved  []string
}{
	// All of the first weeks: earlier builds differ under this number, for example
	// by conservative backfilling on named nodes.
	{"1", nil},
	{"2", []string{
		"conservative backfilling, PPPD, all that shares licences or limits with it, and fair share as local policies of a grid",
		"reservations on a grid that begin without suspending a job, and providers where outages overlap",
		"reservations of jobs that are killed at their due time",
		"lists with a period beside jobs that are killed at their due time",
		"Orig-BF on machines of unequal speed, with a depth, and where users have consumed the same to the last digits",
		"hill climbing on more than 65,536 processors, beside outages and reservations, where memory is short, and where jobs are given up or stopped at due times",
		"Slurm beside outages and reservations, where waiting jobs are given up at due times, with partition_job_depth, and with accounts",
		"optimised plans beside reservations that end early or are asked for again, and with a depth beside failures",
		"foresight with rollouts where a running job has to end before its request, or one goes on that a reservation gave fewer processors",
		"draws by users with one who comes twice in one week",
		"jobs that wait for one whose reservation is over",
		"against early builds of engine 1, conservative backfilling on named nodes and others",
	}},
}

// EnginesApart says of a result of theirs, for people, that it may differ from one
// of ours and by what: "made by engine 1; since then …". "" means that both are of
// one engine. Results whose engine is "" were made before engines were named, or came
// without it: they are taken for engine 1, and that is said.
func EnginesApart(theirs, ours string) string {
	if theirs == ours {
		return ""
	}
	made := "made by engine " + theirs
	if theirs == "" {
		theirs, made = "1", "made by an engine that is not named, and taken for engine 1"
	}
	from, to, when := engineOf(theirs), engineOf(ours), "since then"
	if from < 0 || to < 0 {
		return fmt.Sprintf("%s, not by engine %s; what changed in between is not known here, and results may differ", made, ours)
	}
	if from > to {
		from, to, when = to, from, "since engine "+ours
	}
	var what []string
	for _, e := range engines[from+1 : to+1] {
		what = append(what, e.moved...)
	}
	return fmt.Sprintf("%s, not by engine %s; %s these have changed, and results may differ: %s", made, ours, when, strings.Join(what, "; "))
}

// engineOf returns where a number stands in engines, −1 if it is not known here.
func engineOf(number string) int {
	for i := range engines {
		if engines[i].number == number {
			return i
		}
	}
	return -1
}
