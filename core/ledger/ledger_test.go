package ledger

import (
	"math"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// The books agree with a second-by-second count, with and without decay.
func TestLedgerAgreesWithCounting(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		from, halve := model.Time(rng.IntN(50)), model.Time(rng.IntN(3)*7)
		var l Ledger
		l.Reset(from, halve)
		type run struct {
			user     int32
			from, to model.Time
			rate     float64
		}
		var runs []run
		for range 12 {
			at := from + model.Time(rng.IntN(60))
			runs = append(runs, run{rng.Int32N(3), at, at + 1 + model.Time(rng.IntN(40)), float64(1 + rng.IntN(8))})
		}
		var plain [3]float64
		for now := from; now < from+120; now++ {
			for _, r := range runs {
				if r.to == now {
					l.End(r.user, now, r.rate)
				}
				if r.from == now {
					l.Start(r.user, now, r.rate)
				}
			}
			if halve > 0 && now > from && (now-from)%halve == 0 {
				for u := range plain {
					plain[u] /= 2
				}
			}
			for u := range plain {
				if rng.IntN(5) == 0 {
					if got := l.Used(int32(u), now); math.Abs(got-plain[u]) > 1e-9*(1+plain[u]) {
						t.Fatalf("seed %d: user %d has used %v at %d, not %v", seed, u, got, now, plain[u])
					}
				}
			}
			for _, r := range runs {
				if r.from <= now && now < r.to {
					plain[r.user] += r.rate
				}
			}
		}
	}
}

// Intent: what is asked for, however often, changes no sum, so that who comes first does not
// hang on when others came; a sum is rounded where a job starts or ends, and at the multiples.
func TestAskingChangesNoSum(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 4))
		halve := model.Time(1 + rng.IntN(20))
		var asked, quiet Ledger
		asked.Reset(0, halve)
		quiet.Reset(0, halve)
		used, rate, at := 0.0, 0.0, model.Time(0) // the slow twin: second by second, added up where it is rounded
		for now := model.Time(0); now < 1500; now++ {
			turns := rng.IntN(60) == 0
			if multiple := now > 0 && now%halve == 0; multiple || turns {
				if used, at = used+float64(rate*float64(now-at)), now; multiple {
					used /= 2
				}
			}
			if turns && rate > 0 {
				asked.End(1, now, 3)
				quiet.End(1, now, 3)
				rate = 0
			} else if turns {
				asked.Start(1, now, 3)
				quiet.Start(1, now, 3)
				rate = 3
			}
			if got := asked.Used(1, now); got != used+float64(rate*float64(now-at)) {
				t.Fatalf("seed %d: used %v at %d, not %v", seed, got, now, used+float64(rate*float64(now-at)))
			}
		}
		if a, q := asked.Used(1, 1500), quiet.Used(1, 1500); a != q {
			t.Fatalf("seed %d: %v where it was asked, else %v", seed, a, q)
		}
	}
}

// Intent: users with numbers of another system, as large as SWF has them, are
// booked like any others, take no memory for those before them, and are gone
// after a Reset.
func TestUsersWithLargeNumbers(t *testing.T) {
	numbers := []int32{0, dense - 1, dense, dense + 1, math.MaxInt32}
	var l Ledger
	for range 2 {
		l.Reset(0, 0)
		for i, u := range numbers {
			l.Start(u, 0, float64(i+1))
		}
		for i, u := range numbers {
			if got := l.Used(u, 10); got != float64(10*(i+1)) {
				t.Errorf("user %d has used %v", u, got)
			}
		}
	}
	if cap(l.users) > 2*dense {
		t.Errorf("%d accounts for %d users", cap(l.users), len(numbers))
	}
}

// A job that holds half the memory and a tenth of the processors consumes half
// the cluster.
func TestRateTakesTheLargerShare(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 4, Procs: 10, Mem: 100}, {Count: 1, Procs: 20, Mem: 200}}},
		{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 4, Procs: 10, Mem: 100}, {Count: 1, Procs: 20}}},
		{Groups: []model.NodeGroup{{Count: 60, Procs: 1, Mem: 100}}},
	}}
	if m := Memory(p, 0); m != 600 {
		t.Errorf("memory %d", m)
	}
	if Memory(p, 1) != 0 || Memory(p, 2) != 0 {
		t.Error("memory is counted where it is not limited")
	}
	for _, c := range []struct {
		procs int32
		mem   int64
		all   int64
		want  float64
	}{{6, 300, 600, 30}, {45, 300, 600, 45}, {6, 300, 0, 6}} {
		if got := Rate(c.procs, c.mem, 60, c.all); got != c.want {
			t.Errorf("rate of %d processors and %d bytes is %v, not %v", c.procs, c.mem, got, c.want)
		}
	}
}
