package policy

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

// FCFS starts jobs in order of submission and stops at the first that does not
// fit (rule 7). The zero value is ready.
type CountedFCFS struct {
	Newest bool // of jobs submitted together, the larger number first (rule 6)

	ranker ranker
	order  []model.JobID // job by rank, only when Newest
	ranks  []int32
	head   int // rank of the first waiting job
}

// Reset prepares for a new simulation.
func (f *CountedFCFS) Reset(v *sim.CountedView) {
	f.head = 0
	if !f.Newest {
		return
	}
	f.ranks, f.order = resize(f.ranks, len(v.Jobs)), resize(f.order, len(v.Jobs))
	if v.Pool != nil {
		return // Pass does it
	}
	f.ranker.rank(f.ranks, v.Jobs, FCFSOrder, true)
	for j, r := range f.ranks {
		f.order[r] = model.JobID(j)
	}
}

func (f *CountedFCFS) at(rank int) model.JobID {
	if f.Newest {
		return f.order[rank]
	}
	return model.JobID(rank)
}

// Pass starts jobs in order while they fit.
func (f *CountedFCFS) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	if f.Newest && v.Pool != nil {
		for j := v.Arrived; j < v.Next; j++ {
			f.order[v.Arrived+v.Next-1-j] = j
		}
	}
	if sim.Ahead && v.Ahead != nil {
		return f.passBeside(v, starts)
	}
	for free := v.Free; f.head < int(v.Next); f.head++ {
		j := f.at(f.head)
		if free -= v.Jobs[j].Procs; free < 0 {
			break
		}
		starts = append(starts, j)
	}
	return starts
}

// passBeside is Pass beside reservations and a calendar.
func (f *CountedFCFS) passBeside(v *sim.CountedView, starts []model.JobID) []model.JobID {
	for free := v.Free; f.head < int(v.Next); f.head++ {
		j := f.at(f.head)
		if v.Reserved[j] {
			continue
		}
		if free -= v.Jobs[j].Procs; free < 0 || !v.Clear(j) {
			break
		}
		v.Hold(j)
		starts = append(starts, j)
	}
	return starts
}
