//go:build !small

package lab

import (
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// newGrid makes the upper level of a grid, without its providers.
func newGrid(p experiment.Params) (sim.Scheduler, error) {
	delta, _ := p.Int("delta")
	partition, _ := p.Int("partition")
	booking := bookingRules(p)
	return &grid.Broker{Options: grid.Options{
		Batch: map[string]grid.Allocation{"random": grid.Random, "load-balance": grid.LoadBalance}[p.Text("batch")],
		Reservations: map[string]grid.Allocation{"mct": grid.MCT, "priority": grid.Priority, "partition": grid.Partition,
			"random": grid.Random, "load-balance": grid.LoadBalance}[p.Text("reservations")],
		Load:   map[string]grid.Load{"reservations": grid.CountReservations, "all": grid.CountAll}[p.Text("load")],
		Spread: p.Text("tie") == "random", Reserved: int(partition), First: p.Text("turn") == "first",
		Delta: model.Time(delta), NoLimit: p.Text("no-limit") == "never",
	}}, booking.Check()
}

// newList makes schedulers that start jobs in an order.
func newList(order policy.ListOrder) func(p experiment.Params) (sim.Scheduler, error) {
	return func(p experiment.Params) (sim.Scheduler, error) {
		period, _ := p.Int("period")
		order := order
		if p.Text("several-queues") == "turn" {
			order = policy.ByTurn
		}
		return &policy.List{
			Order: order, Stop: p.Text("blocked") == "stop", Period: model.Time(period), Large: p.Text("priority") == "large",
			Dispose: p.Text("preempted") != "", Requeue: p.Text("preempted") == "requeue",
		}, nil
	}
}

// reserve gives a repetition its reservations, and says which requests it
// refuses.
func (p *Prepared) reserve(w *model.Workload, platform *model.Platform, log *swf.Log, r int) (*model.Workload, []report.Count, error) {
	if !p.doc.Reserves() && !slices.ContainsFunc(w.Demands, func(d model.Demand) bool { return d.Reservation != nil }) {
		return w, nil, nil
	}
	w = workload.MarkUnlimited(w, log)
	if a := &p.doc.Workload.Annotate.Reservations; a.Share > 0 {
		rule := workload.ReservationRule{
			Share: a.Share, Drawn: a.Ready == "drawn", LeadMin: a.LeadMin, LeadMax: a.LeadMax, Run: a.Length == "run", Part: a.Part,
			FactorMin: a.FactorMin, FactorMax: a.FactorMax, Unit: a.Unit, Ahead: a.Enlarge == "both",
		}
		w = workload.Reserve(w, &rule, workload.Streams(p.doc.Seed, r))
	}
	var list []workload.Request
	for _, q := range p.doc.Platform.Reservations {
		list = append(list, workload.Request{
			Name: q.Name, Procs: q.Processors, From: q.From, To: q.To, Length: q.Length, Submit: q.Submit, Cluster: q.Cluster, Run: q.Run,
			Effort: map[string]model.Effort{"exact": model.EffortExact, "processors": model.EffortProcs, "time": model.EffortTime}[q.Effort],
		})
	}
	var counts []report.Count
	if late := workload.DueBefore(w); late > 0 {
		counts = append(counts, report.Count{Reason: "reservation-due", Text: "Stopped at their deadline, which comes before the interval of their reservation begins: rejected", Jobs: late, Lines: []int{}})
	}
	if len(list) == 0 {
		return w, counts, nil
	}
	w, refused := workload.AddRequests(w, log, platform, list)
	for _, why := range refused {
		counts = append(counts, report.Count{Reason: "reservation-refused", Text: strings.ToUpper(why[:1]) + why[1:] + ": left out", Jobs: 1, Drops: true, Lines: []int{}})
	}
	return w, counts, nil
}
