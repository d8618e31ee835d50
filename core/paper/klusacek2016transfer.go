package paper

import (
	"encoding/json"
	"math"

	"batchlab/core/metric"
)

// passedFacts are planFacts on their way to another worker. Changes travel as
// the bits of their numbers, since some are none.
type passedFacts struct {
	Wait, Slowdown   float64
	ByProcs, ByLimit []metric.Spread
	Users            []metric.UserWait
	Waits            []int64
	Calls            int
	Iterations       int64
	Placed           int64
	Improved         [][3]uint64
	Lengths          []int
	Predicted        []metric.Accuracy
	Block            []byte
}

// MarshalJSON writes what is measured of a run.
func (f *planFacts) MarshalJSON() ([]byte, error) {
	p := passedFacts{f.wait, f.slowdown, f.byProcs, f.byLimit, f.users, f.waits, f.calls, f.iterations, f.placed, make([][3]uint64, len(f.improved)), f.lengths, f.predicted, f.block}
	for i := range f.improved {
		for k, v := range f.improved[i] {
			p.Improved[i][k] = math.Float64bits(v)
		}
	}
	return json.Marshal(p)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *planFacts) UnmarshalJSON(data []byte) error {
	var p passedFacts
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*f = planFacts{p.Wait, p.Slowdown, p.ByProcs, p.ByLimit, p.Users, p.Waits, p.Calls, p.Iterations, p.Placed, make([][3]float64, len(p.Improved)), p.Lengths, p.Predicted, p.Block}
	for i := range p.Improved {
		for k, v := range p.Improved[i] {
			f.improved[i][k] = math.Float64frombits(v)
		}
	}
	return nil
}
