package predict

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// twinLastTwo predicts a job from all completions so far, by sorting them.
func twinLastTwo(ended []Past, job *model.Job) model.Time {
	var mine []Past
	for _, p := range ended {
		if p.Job.User == job.User {
			mine = append(mine, p)
		}
	}
	slices.SortStableFunc(mine, func(a, b Past) int {
		if a.Job.Submit != b.Job.Submit {
			return int(a.Job.Submit - b.Job.Submit)
		}
		return int(a.Job.Number - b.Job.Number)
	})
	if len(mine) < 2 {
		return job.Limit
	}
	last, before := mine[len(mine)-1], mine[len(mine)-2]
	return min(max((last.Run+before.Run)/2, 1), job.Limit)
}

// twinMedian predicts a job from the last completions of its user, by sorting.
func twinMedian(ended []Past, job *model.Job, window int) model.Time {
	var shares []float64
	for _, p := range ended {
		if p.Job.User == job.User {
			shares = append(shares, float64(p.Run)/float64(p.Job.Limit))
		}
	}
	if len(shares) > window {
		shares = shares[len(shares)-window:]
	}
	if len(shares) == 0 {
		return job.Limit
	}
	slices.Sort(shares)
	m := shares[len(shares)/2]
	if len(shares)%2 == 0 {
		m = (shares[len(shares)/2-1] + m) / 2
	}
	return min(max(model.Time(float64(job.Limit)*m+0.5), 1), job.Limit)
}

// Intent: last-two and user-median equal plain twins job for job, with jobs that
// end in any order and a history before.
func TestPlainPredictorsEqualTwins(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		jobs := make([]model.Job, 120)
		for i := range jobs {
			jobs[i] = model.Job{Number: int64(i + 1), Submit: model.Time(i / 2), Limit: 1 + model.Time(r.IntN(5000)), Procs: 1, User: int32(r.IntN(4) - 1)}
		}
		var ended []Past
		for i := range 20 {
			ended = append(ended, Past{jobs[i], 1 + model.Time(r.IntN(int(jobs[i].Limit)))})
		}
		two, median := &LastTwo{}, &UserMedian{Window: 7}
		w := &Work{Jobs: jobs, History: slices.Clone(ended)}
		two.Reset(w)
		median.Reset(w)
		var running []model.JobID
		for j := 20; j < len(jobs); j++ {
			for len(running) > 0 && r.IntN(3) > 0 {
				k := r.IntN(len(running))
				id := running[k]
				run := 1 + model.Time(r.IntN(int(jobs[id].Limit)))
				ended = append(ended, Past{jobs[id], run})
				two.End(id, run)
				median.End(id, run)
				running = slices.Delete(running, k, k+1)
			}
			id := model.JobID(j)
			two.Submit(id)
			median.Submit(id)
			running = append(running, id)
			limit := jobs[j].Limit
			a, b := two.Estimate(id), median.Estimate(id)
			if got, want := a.Seconds(limit), twinLastTwo(ended, &jobs[j]); got != want {
				t.Fatalf("seed %d: last-two says %d of job %d, the twin %d", seed, got, j+1, want)
			}
			if got, want := b.Seconds(limit), twinMedian(ended, &jobs[j], 7); got != want {
				t.Fatalf("seed %d: user-median says %d of job %d, the twin %d", seed, got, j+1, want)
			}
		}
	}
}

// Intent: a prediction that is exceeded grows by the increments of the literature
// one after the other, never beyond the request.
func TestCorrections(t *testing.T) {
	jobs := []model.Job{{Number: 1, Limit: 5000, Procs: 1}}
	b := &Book{Predictor: &Known{Seconds: []model.Time{100}}}
	b.Begin(jobs, nil)
	b.Submit(0)
	b.Start(0)
	for _, c := range [][2]model.Time{{50, 100}, {100, 160}, {159, 160}, {160, 460}, {470, 1360}, {1400, 3160}, {4000, 5000}, {5000, 5000}} {
		if got := b.Length(0, c[0]); got != c[1] {
			t.Errorf("after %d s it is thought to run %d, want %d", c[0], got, c[1])
		}
	}
}

// Intent: a file of predictions is read as it stands, and what is wrong with it is
// said by row before anything runs.
func TestReadColumn(t *testing.T) {
	jobs := []model.Job{{Number: 7, Limit: 100}, {Number: 8, Limit: 100}}
	got, err := ReadColumn("p.csv", []byte("job,user,predicted\n8,1,33\n7,2,12.6\n"), jobs, nil)
	if err != nil || got[0] != 13 || got[1] != 33 {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                              "the file is empty",
		"job,run\n7,1\n":                "line 1: the columns job and predicted",
		"job,predicted\n9,1\n":          "line 2: job 9 is not among",
		"job,predicted\n7,1\n8,-5\n":    "line 3: predicted -5 of job 8 is negative",
		"job,predicted\n7,x\n":          "line 2: predicted \"x\" of job 7",
		"job,predicted\n7,1\n7,2\n":     "line 3: job 7 appears twice",
		"job,predicted\n7\n":            "line 2: 1 fields",
		"job,predicted\nseven,1\n9,1\n": "line 3: job 9",
		"job,predicted\n" + strings.Repeat("9,1\n", 20): "and 10 more",
	} {
		if _, err := ReadColumn("p.csv", []byte(text), jobs, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Intent: bytes from outside never end in a panic.
func FuzzReadColumn(f *testing.F) {
	f.Add([]byte("job,predicted\n7,1\n"))
	f.Add([]byte("job,predicted\n\"7\n,,\n"))
	jobs := []model.Job{{Number: 7, Limit: 100}}
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := ReadColumn("p.csv", data, jobs, nil); err == nil && (len(got) != 1 || got[0] < 0) {
			t.Errorf("%v", got)
		}
	})
}

// Intent: a log without users or executables is said to be one.
func TestMissing(t *testing.T) {
	w := &model.Workload{Jobs: []model.Job{{User: -1, Executable: -1}}}
	if list := Missing(w, true, true); len(list) != 2 {
		t.Errorf("%q", list)
	}
	if list := Missing(w, true, false); len(list) != 1 || !strings.Contains(list[0], "users") || Missing(w, false, false) != nil {
		t.Errorf("what a predictor does not go by is said to be missing: %q", list)
	}
	w.Jobs[0].User, w.Jobs[0].Executable = 3, 4
	if list := Missing(w, true, true); len(list) != 0 {
		t.Errorf("%q", list)
	}
}

// Intent: the samples that are told of a prediction are those that were summed for it:
// their weights and what they say, with the priors, give its mean; the heaviest come first.
func TestSamplesAreWhatCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	jobs := make([]model.Job, 90)
	for i := range jobs {
		jobs[i] = model.Job{Number: int64(i + 1), Limit: 60 + model.Time(r.IntN(5000)), Procs: 1 + int32(r.IntN(16)), User: int32(r.IntN(2)), Executable: int32(r.IntN(2))}
	}
	k := NewKernel(KernelDefaults())
	b := &Book{Predictor: k}
	b.Begin(jobs, nil)
	for j := range model.JobID(len(jobs)) {
		b.Submit(j)
		weight, says := 0.0, 0.0
		list := k.Basis(j).Samples
		for i, s := range list {
			weight, says = weight+s.Weight, says+s.Weight*float64(s.Says)
			if i > 0 && s.Weight > list[i-1].Weight || jobs[s.Number-1].User != jobs[j].User {
				t.Fatalf("job %d: %v", j+1, list)
			}
		}
		one := &k.kinds[k.of[j]]
		if off := one.s[0] - weight; off > 1e-9 || off < -1e-9 {
			t.Fatalf("job %d: weights %v, summed %v", j+1, weight, one.s[0])
		}
		if off := one.s[1] - says; off > weight || off < -weight { // seconds are rounded
			t.Fatalf("job %d: %v, summed %v", j+1, says, one.s[1])
		}
		basis := b.Basis(j)
		if len(basis.Samples) > mostSamples || basis.Count != len(list) || basis.Predicts != b.Seconds(j) {
			t.Fatalf("job %d: %+v of %d", j+1, basis, len(list))
		}
		b.Follow = &jobs[j].Number
		b.Start(j)
		if b.Basis(j) != nil {
			t.Fatal("samples of a job that runs")
		}
		if !reflect.DeepEqual(b.Followed, basis) {
			t.Fatalf("job %d: followed %+v, %+v", j+1, b.Followed, basis)
		}
		b.End(j, 1+model.Time(r.IntN(int(jobs[j].Limit))))
	}
}

// Intent: of the plain rules the basis is computed by hand: the two jobs as they
// were at the submission, whatever ends later; the median of what has ended by now.
func TestBasisByHand(t *testing.T) {
	jobs := make([]model.Job, 5)
	for i := range jobs {
		jobs[i] = model.Job{Number: int64(10 * (i + 1)), Submit: model.Time(i), Limit: 100, Procs: 1, User: 7}
	}
	last, median := &Book{Predictor: &LastTwo{}}, &Book{Predictor: &UserMedian{Window: 20}}
	for _, b := range []*Book{last, median} {
		b.Begin(jobs, nil)
		b.Submit(0)
		if got := b.Basis(0); got.Count != 0 || got.Predicts != 100 || got.Samples != nil {
			t.Errorf("before anything has ended: %+v", got)
		}
		b.Submit(1)
		b.Submit(2)
		for j, run := range []model.Time{20, 50, 90} {
			b.Start(model.JobID(j))
			if j == 2 {
				b.Submit(3)
			}
			b.End(model.JobID(j), run)
		}
	}
	want := &report.Basis{Rule: "last-two", Predicts: 35, Count: 2, Samples: []report.Sample{{Number: 20, Says: 50}, {Number: 10, Says: 20}}}
	if got := last.Basis(3); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	want = &report.Basis{Rule: "user-median", Predicts: 50, Count: 3, Share: 0.5}
	if got := median.Basis(3); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	plain := &Book{Predictor: &Request{}}
	plain.Begin(jobs, nil)
	plain.Submit(0)
	if plain.Basis(0) != nil {
		t.Error("requests come from nothing")
	}
}
