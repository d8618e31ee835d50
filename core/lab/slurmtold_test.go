//go:build !small

package lab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/tell"
)

// readSlurm reads what is told of a run of Slurm on counted processors a second time: the
// main loop stops at the first job that does not fit and starts no job behind it; a cycle
// starts who runs into no plan that it has made before; plans in the way overlap the job
// that they are in the way of; Slurm's reasons are those of what is told; priorities are
// the sums of their factors. It counts what it has read.
func readSlurm(steps []*tell.Step, procs int32, read map[string]int) error {
	for _, s := range steps {
		loop, stopped := "", int64(0)
		var plans []*tell.Decision
		for i := range s.Decisions {
			d := &s.Decisions[i]
			fault := func(what string) error {
				return fmt.Errorf("instant %d at %d, decision %d (%s): %s", s.Index, s.Now, i, d.Sentence(nil), what)
			}
			if d.Job < 0 {
				loop, stopped, plans = d.Tag, 0, plans[:0]
				read[loop]++
				continue
			}
			switch {
			case d.Kind == tell.Reject || d.Kind == tell.Leaves:
				continue
			case loop == "No loop" || loop == "":
				return fault("no loop runs")
			case !d.Kind.Begins() && d.Reason == "":
				return fault("it waits for no reason")
			}
			read[string(d.Kind)+" "+d.Reason]++
			switch d.Kind {
			case tell.Stops:
				if stopped = d.Number; loop != "Main loop" || d.Needs <= d.Free || d.Reason != "Resources" {
					return fault("the main loop does not stop here")
				}
			case tell.Turn:
				if loop == "Main loop" && d.Head > 0 && (d.Head != stopped || d.Reason != "Priority" && d.Reason != "Resources") {
					return fault("it stands behind another")
				}
			case tell.Starts, tell.Passes:
				if loop == "Main loop" && stopped != 0 {
					return fault("the main loop has stopped before it")
				}
				if loop == "Backfill" {
					for at := range cuts(plans, s.Now, d.Ends) {
						if heldByPlans(plans, at)+d.Needs > procs {
							return fault(fmt.Sprintf("it runs into a plan at %d", at))
						}
					}
					read["beside plans"] += min(1, len(plans))
				}
			case tell.New, tell.Earlier, tell.Later, tell.Stays:
				if d.At <= s.Now || d.From > d.At || d.To <= d.At && d.To > 0 {
					return fault("the map does not hold its plan")
				}
				if loop != "Backfill" {
					return fault("no cycle runs")
				}
				if len(d.Frees) > 0 {
					if read["in the way"]++; d.Needs > d.Free {
						return fault("it does not fit at all")
					}
					for _, n := range d.Frees {
						if !slices.ContainsFunc(plans, func(p *tell.Decision) bool { return p.Number == n && p.From < d.Ends && p.To > s.Now }) {
							return fault(fmt.Sprintf("the plan of job %d is not in its way", n))
						}
					}
				}
				if plans = append(plans, d); heldByPlans(plans, d.At) > procs {
					return fault("more is planned than there is")
				}
			}
		}
		for i := range s.Queue {
			q := &s.Queue[i]
			if v := q.Value; v != nil {
				sum := 0.0
				for _, t := range v.Terms {
					sum += t.Value
				}
				if len(v.Terms) > 1 && v.Sum != math.Floor(max(sum, 1)) {
					return fmt.Errorf("instant %d: the priority of job %d is %v, its factors come to %v", s.Index, q.Number, v.Sum, sum)
				}
				read["priorities"]++
				if i > 0 && s.Queue[i-1].Value != nil && s.Queue[i-1].Value.Sum < v.Sum && !s.Queue[i-1].Kind.Begins() {
					return fmt.Errorf("instant %d: job %d stands behind one of a lower priority", s.Index, q.Number)
				}
			}
			if !q.Kind.Begins() && q.Reason == "" && q.Kind != tell.Reject && q.Kind != tell.Leaves {
				return fmt.Errorf("instant %d: job %d waits for no reason", s.Index, q.Number)
			}
		}
	}
	return nil
}

// cuts are the times from from to to at which what plans hold changes.
func cuts(plans []*tell.Decision, from, to model.Time) func(func(model.Time) bool) {
	return func(yield func(model.Time) bool) {
		if !yield(from) {
			return
		}
		for _, p := range plans {
			if p.From > from && p.From < to && !yield(p.From) {
				return
			}
		}
	}
}

// heldByPlans is what plans hold at a time.
func heldByPlans(plans []*tell.Decision, at model.Time) (n int32) {
	for _, p := range plans {
		if p.From <= at && at < p.To {
			n += p.Needs
		}
	}
	return n
}

// Intent: what is told of Slurm's loops is what they did, also where they look at few jobs,
// plan for a short time, and rank jobs by factors; and a telling that says anything else
// than what happened does not pass.
func TestSlurmIsTold(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 30))
	read, mutants, caught := map[string]int{}, 0, map[string]int{}
	rounds := 60
	if testing.Short() {
		rounds = 12
	}
	for round := range rounds {
		scheduler := [...]string{
			`{"key":"slurm","params":{"phase":7}}`,
			`{"key":"slurm","params":{"phase":31,"bf_max_job_test":2,"default_queue_depth":1,"bf_interval":20}}`,
			`{"key":"slurm","params":{"phase":4,"bf_window":5,"bf_resolution":30}}`,
			`{"key":"slurm","params":{"phase":90,"version":"23.11","PriorityWeightAge":1000,"PriorityMaxAge":500,"PriorityWeightJobSize":400,"PriorityWeightFairshare":700,"PriorityCalcPeriod":60}}`,
			`{"key":"slurm","params":{"phase":12,"bf_min_age_reserve":200,"version":"25.11"}}`,
		}[round%5]
		doc := toldDocument(t, toldPairs[0], scheduler)
		steps, schedule, err := toldSteps(t, doc, toldLog(t, crowd(r, 14+r.IntN(20))))
		if err != nil {
			t.Fatal(err)
		}
		procs := int32(schedule.Platform.Procs())
		if err := readSlurm(steps, procs, read); err != nil {
			t.Fatalf("%s: %v", scheduler, err)
		}
		for name, mutate := range slurmMutants {
			for tries := 0; tries < 40; tries++ {
				s := steps[r.IntN(len(steps))]
				was := slices.Clone(s.Decisions)
				queue := slices.Clone(s.Queue)
				if mutate(r, s) {
					mutants++
					if readSlurm([]*tell.Step{s}, procs, map[string]int{}) != nil {
						caught[name]++
					} else {
						t.Errorf("%s: nobody notices %s at instant %d", scheduler, name, s.Index)
					}
					tries = 40
				}
				s.Decisions, s.Queue = was, queue
			}
		}
	}
	t.Logf("read %v; %d mutants, caught %v", read, mutants, caught)
	for _, what := range []string{"Main loop", "Backfill", "No loop", "stops Resources", "turn Priority", "new Priority", "new Resources", "passes ", "in the way", "beside plans", "priorities", "outside Priority"} {
		if read[what] == 0 {
			t.Errorf("nothing of the kind %q was read", what)
		}
	}
	for name := range slurmMutants {
		if caught[name] == 0 {
			t.Errorf("%s was never tried", name)
		}
	}
}

// slurmMutants say something else than what happened, where they can.
var slurmMutants = map[string]func(r *rand.Rand, s *tell.Step) bool{
	"a start behind the job that stops the loop": func(r *rand.Rand, s *tell.Step) bool {
		for i := range s.Decisions {
			if d := &s.Decisions[i]; d.Kind == tell.Turn && d.Head > 0 {
				d.Kind = tell.Starts
				return true
			}
		}
		return false
	},
	"another job in the way": func(r *rand.Rand, s *tell.Step) bool {
		for i := range s.Decisions {
			if d := &s.Decisions[i]; len(d.Frees) > 0 {
				d.Frees = []int64{d.Number}
				return true
			}
		}
		return false
	},
	"a reason that is not Slurm's": func(r *rand.Rand, s *tell.Step) bool {
		for i := range s.Decisions {
			if d := &s.Decisions[i]; d.Kind == tell.Stops {
				d.Reason = "Priority"
				return true
			}
		}
		return false
	},
	"a plan outside the map": func(r *rand.Rand, s *tell.Step) bool {
		for i := range s.Decisions {
			if d := &s.Decisions[i]; d.Kind == tell.New && d.To > 0 {
				d.At = d.To + 1
				return true
			}
		}
		return false
	},
	"a plan that no cycle made": func(r *rand.Rand, s *tell.Step) bool {
		for i := range s.Decisions {
			if d := &s.Decisions[i]; d.Job < 0 && d.Tag == "Backfill" && i+1 < len(s.Decisions) && s.Decisions[i+1].From > 0 {
				d.Tag = "Main loop"
				return true
			}
		}
		return false
	},
	"another priority": func(r *rand.Rand, s *tell.Step) bool {
		for i := range s.Queue {
			if v := s.Queue[i].Value; v != nil && len(v.Terms) > 1 {
				other := *v
				other.Sum += 2
				s.Queue[i].Value = &other
				return true
			}
		}
		return false
	},
}
