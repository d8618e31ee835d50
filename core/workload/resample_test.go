package workload

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/model"
)

// randomJobs draws a workload of some weeks: users from −1 (unknown) on.
func randomJobs(t *rapid.T) *model.Workload {
	first := rapid.Int64Range(-1e6, 1e9).Draw(t, "first")
	weeks := rapid.IntRange(2, 9).Draw(t, "weeks")
	n := rapid.IntRange(2, 80).Draw(t, "jobs")
	w := &model.Workload{Processors: 8}
	for i := range n {
		at := rapid.Int64Range(0, int64(weeks)*int64(Week)+int64(Week)/2).Draw(t, "at")
		if i == 0 {
			at = 0
		}
		if i == 1 {
			at = int64(weeks) * int64(Week)
		}
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i) + 100, Submit: model.Time(first + at), Limit: 50, Procs: 1 + int32(i%8),
			User: int32(rapid.IntRange(-1, 6).Draw(t, "user")), Record: int32(i)})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(i) + 1, LoggedWait: -1})
	}
	w.Jobs[0].User, w.Jobs[1].User = 1, 2
	order(w)
	return w
}

func drawn(t *rapid.T, w *model.Workload, r Resample) (*model.Workload, []model.Job) {
	before := slices.Clone(w.Jobs)
	out, err := r.Draw(w)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, w.Jobs) {
		t.Fatal("the workload has changed")
	}
	if len(out.Jobs) != len(out.Truth) {
		t.Fatal("jobs and truth part")
	}
	byRecord := map[int32]int{}
	for i := range w.Jobs {
		byRecord[w.Jobs[i].Record] = i
	}
	e := ExtentOf(w)
	of := make([]model.Job, len(out.Jobs)) // the job of w that each job is
	for i := range out.Jobs {
		j := &out.Jobs[i]
		k := byRecord[j.Record]
		of[i] = w.Jobs[k]
		if j.Procs != of[i].Procs || j.Limit != of[i].Limit || out.Truth[i] != w.Truth[k] {
			t.Fatalf("job %d is none of the log: %+v", j.Number, j)
		}
		if j.Submit < e.First || j.Submit >= e.First+e.Span && r.By != ByShake {
			t.Fatalf("job %d is submitted at %d, outside the log", j.Number, j.Submit)
		}
		if i > 0 && (j.Submit < out.Jobs[i-1].Submit || j.Submit == out.Jobs[i-1].Submit && j.Number <= out.Jobs[i-1].Number) {
			t.Fatalf("job %d is out of order", j.Number)
		}
	}
	return out, of
}

// Intent: drawn by weeks, every week of the draw is one whole week of the log,
// job for job at the same second of the week, an incomplete last one its
// beginning; weeks of a block stay together.
func TestWeeksAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomJobs(t)
		block := rapid.IntRange(1, 3).Draw(t, "block")
		r := Resample{By: ByWeeks, Block: block, Random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))}
		out, of := drawn(t, w, r)
		e := ExtentOf(w)
		week := func(j *model.Job) int { return int((j.Submit - e.First) / Week) }
		from := map[int]int{} // week of the draw: week of the log
		for i := range out.Jobs {
			j := &out.Jobs[i]
			if (j.Submit-of[i].Submit)%Week != 0 || j.User != of[i].User {
				t.Fatalf("job %d moved by %d s", j.Number, j.Submit-of[i].Submit)
			}
			k := week(&of[i])
			if k >= e.Whole {
				t.Fatalf("job %d is of the incomplete week", j.Number)
			}
			if old, known := from[week(j)]; known && old != k {
				t.Fatalf("week %d is of weeks %d and %d", week(j), old, k)
			}
			from[week(j)] = k
		}
		for slot, k := range from { // nothing of the week is missing
			count, want := 0, 0
			for i := range out.Jobs {
				if week(&out.Jobs[i]) == slot {
					count++
				}
			}
			for i := range w.Jobs {
				if week(&w.Jobs[i]) == k && w.Jobs[i].Submit+model.Time(slot-k)*Week < e.First+e.Span {
					want++
				}
			}
			if count != want {
				t.Fatalf("week %d has %d jobs, %d expected", slot, count, want)
			}
			if before, known := from[slot-1]; known && slot%block != 0 && k != (before+1)%e.Whole {
				t.Fatalf("weeks %d and %d of a block are weeks %d and %d", slot-1, slot, before, k)
			}
		}
	})
}

// Intent: drawn by users, there are as many streams as users, of either kind; a
// stream is all jobs of one user, moved by whole weeks, at most two different
// ways where it crosses the end of the log, and three where a week is incomplete;
// no two streams have one user's number.
func TestUsersAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomJobs(t)
		long := rapid.IntRange(1, 5).Draw(t, "long")
		r := Resample{By: ByUsers, LongTerm: long, Random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))}
		out, of := drawn(t, w, r)
		type stay struct{ first, last model.Time }
		stays, jobs := map[int32]stay{}, map[int32]int{}
		for _, j := range w.Jobs {
			s, known := stays[j.User]
			if !known {
				s.first = j.Submit
			}
			s.last = j.Submit
			stays[j.User] = s
			jobs[j.User]++
		}
		isLong := func(u int32) bool { return stays[u].last-stays[u].first >= model.Time(long)*Week }
		users, moves := map[int32][]int32{}, map[int32]map[model.Time]bool{}
		for i := range out.Jobs {
			j := &out.Jobs[i]
			if (j.Submit-of[i].Submit)%Week != 0 {
				t.Fatalf("job %d moved by %d s", j.Number, j.Submit-of[i].Submit)
			}
			users[j.User] = append(users[j.User], of[i].User)
			if moves[j.User] == nil {
				moves[j.User] = map[model.Time]bool{}
			}
			moves[j.User][j.Submit-of[i].Submit] = true
		}
		var kinds, want [2]int
		for u, list := range users {
			if u < 0 { // unknown ones may come several times under one number
				kinds[map[bool]int{true: 0, false: 1}[isLong(u)]] += len(list) / jobs[u]
				continue
			}
			slices.SortFunc(list, cmp.Compare[int32])
			if list[0] != list[len(list)-1] || len(list) != jobs[list[0]] {
				t.Fatalf("user %d has %d jobs of users %d to %d", u, len(list), list[0], list[len(list)-1])
			}
			if list[0] != u && slices.ContainsFunc(w.Jobs, func(j model.Job) bool { return j.User == u }) {
				t.Fatalf("user %d is user %d of the log, under another's number", u, list[0])
			}
			kinds[map[bool]int{true: 0, false: 1}[isLong(list[0])]]++
		}
		for u := range stays {
			want[map[bool]int{true: 0, false: 1}[isLong(u)]]++
		}
		if kinds != want {
			t.Fatalf("%v long-term and temporary users, the log has %v", kinds, want)
		}
	})
}

// Intent: where a user who is drawn several times comes to the same week again, of a
// job's copies the one that was drawn first stands first: the user of the log, then new
// ones by their numbers.
func TestCopiesStandAsDrawn(t *testing.T) {
	w, copies := &model.Workload{Processors: 8}, 0
	for i := range 40 {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i), Submit: model.Time(i/20) * Week, Limit: 50, Procs: 1, User: int32(i % 3), Record: int32(i)})
		w.Truth = append(w.Truth, model.Truth{Run: 1})
	}
	for seed := range uint64(20) {
		r := Resample{By: ByUsers, LongTerm: 1, Random: rand.New(rand.NewPCG(seed, 1))}
		out, err := r.Draw(w)
		if err != nil {
			t.Fatal(err)
		}
		for i := range out.Jobs[1:] {
			if a, b := &out.Jobs[i], &out.Jobs[i+1]; a.Submit == b.Submit && a.Record == b.Record {
				copies++
				if a.User > b.User {
					t.Fatalf("seed %d: job %d of user %d stands before its copy of user %d", seed, a.Number, a.User, b.User)
				}
			}
		}
	}
	if copies == 0 {
		t.Error("no job was drawn twice into one week")
	}
}

// Intent: shaken jobs are the same jobs, each moved by itself by no more than it
// may, and none before the log begins.
func TestShakeMovesALittle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomJobs(t)
		jitter := model.Time(rapid.Int64Range(1, 5000).Draw(t, "jitter"))
		out, of := drawn(t, w, Resample{By: ByShake, Jitter: jitter, Random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))})
		if len(out.Jobs) != len(w.Jobs) {
			t.Fatal("jobs are lost")
		}
		for i := range out.Jobs {
			if by := out.Jobs[i].Submit - of[i].Submit; by < -jitter || by > jitter || out.Jobs[i].Number != of[i].Number {
				t.Fatalf("job %d moved by %d s", out.Jobs[i].Number, by)
			}
		}
	})
}

// Intent: over many draws every week, every user and every second of the jitter
// is drawn about as often as any other, and the work that a draw brings is that of
// the log in the mean.
func TestDrawsAreFair(t *testing.T) {
	w := &model.Workload{Processors: 8}
	for week := range 6 {
		for k := range 4 {
			w.Jobs = append(w.Jobs, model.Job{Number: int64(len(w.Jobs)), Submit: model.Time(week)*Week + model.Time(k)*100_000, Limit: 100, Procs: 1,
				User: int32((week + k) % 5), Record: int32(len(w.Jobs))})
			w.Truth = append(w.Truth, model.Truth{Run: 100})
		}
	}
	w.Jobs[len(w.Jobs)-1].Submit = 6*Week - 1 // exactly six weeks
	const draws = 4000
	random := rand.New(rand.NewPCG(7, 7))
	for _, by := range []string{ByWeeks, ByUsers} {
		var record, week [24]int
		jobs := 0
		for range draws {
			r := Resample{By: by, Block: 1, LongTerm: 3, Random: random}
			out, err := r.Draw(w)
			if err != nil {
				t.Fatal(err)
			}
			jobs += len(out.Jobs)
			for _, j := range out.Jobs {
				record[j.Record]++
				week[j.Submit/Week]++
			}
		}
		if mean := float64(jobs) / draws; mean < 23.5 || mean > 24.5 {
			t.Errorf("%s: %v jobs in the mean instead of 24", by, mean)
		}
		for i, n := range record {
			if n < draws*90/100 || n > draws*110/100 {
				t.Errorf("%s: job %d came %d times in %d draws", by, i, n, draws)
			}
		}
		for i, n := range week[:6] {
			if n < 4*draws*90/100 || n > 4*draws*110/100 {
				t.Errorf("%s: week %d got %d jobs in %d draws", by, i, n, draws)
			}
		}
	}
}

// Intent: what cannot be drawn from is refused with the reason, before any draw.
func TestDrawRefuses(t *testing.T) {
	short := &model.Workload{Jobs: []model.Job{{User: 1, Submit: 5}, {User: 1, Submit: 5 + 2*Week - 2}}, Truth: make([]model.Truth, 2)}
	for by, want := range map[string]string{ByWeeks: "14.0 days", ByUsers: "names 1 user:", "months": `"months"`} {
		r := Resample{By: by, Block: 1, LongTerm: 1}
		if _, err := r.Draw(short); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", by, err)
		}
	}
	r := Resample{By: ByShake, Jitter: 9}
	if w, err := r.Draw(short); err != nil || w != short || r.Pieces != 0 {
		t.Errorf("shake: %v, %v pieces", err, r.Pieces)
	}
	long := *short
	long.Jobs = slices.Clone(short.Jobs)
	long.Jobs[1].Submit++
	r = Resample{By: ByWeeks, Block: 1}
	if w, err := r.Draw(&long); err != nil || w != &long || r.Pieces != 2 {
		t.Errorf("two weeks: %v, %v pieces", err, r.Pieces)
	}
}

// Intent: jobs of one second that are one job of the log, of a user drawn more than once, stand
// as they were drawn: the user's own first, then those with new numbers, as these count up.
func TestDrawnTwiceStandsAsDrawn(t *testing.T) {
	w := &model.Workload{}
	for i := range 40 {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(i / 10), Procs: 1, Limit: 1, User: int32(i % 4), Record: int32(i)})
	}
	w.Truth = make([]model.Truth, len(w.Jobs))
	twice := 0
	for seed := range uint64(20) {
		r := Resample{By: ByUsers, LongTerm: 12, Random: model.Stream(seed, "workload/resample/users", 1)}
		out, err := r.Draw(w)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(out.Jobs); i++ {
			if a, b := &out.Jobs[i-1], &out.Jobs[i]; a.Record == b.Record {
				twice++
				if b.User < 4 || a.User >= b.User {
					t.Fatalf("seed %d: jobs %d and %d are of users %d and %d", seed, a.Number, b.Number, a.User, b.User)
				}
			}
		}
	}
	if twice == 0 {
		t.Error("nobody was drawn twice")
	}
}
