package metric

import "slices"

// binding ties a measure's key in the catalog to the function that reads it
// off a meter; ok is false where it does not exist.
type binding struct {
	key string
	of  func(m *Meter) (v float64, ok bool)
}

// table binds every row of catalog.Metrics, in its order (a test proves it).
var table = slices.Concat(
	statistics("wait", ofWait),
	statistics("turnaround", ofTurnaround),
	statistics("slowdown", ofSlowdown),
	statistics("bounded-slowdown", ofBounded),
	statistics("per-proc-bounded-slowdown", ofPerProc),
	[]binding{
		{"makespan", spanning(func(m *Meter) float64 { return float64(m.machine.makespan()) })},
		{"utilization", func(m *Meter) (float64, bool) {
			var whole sum
			whole.addProduct(int64(m.machine.processors), m.machine.makespan())
			if whole == (sum{}) {
				return 0, false
			}
			return m.machine.busy.float() / whole.float(), true
		}},
		{"throughput", spanning(func(m *Meter) float64 { return float64(m.measured*3600) / float64(m.machine.makespan()) })},
		{"mean-queue-length", spanning(func(m *Meter) float64 { return m.machine.waited.float() / float64(m.machine.makespan()) })},
		{"max-queue-length", spanning(func(m *Meter) float64 { return float64(m.machine.maxQueue) })},
		{"jobs", func(m *Meter) (float64, bool) { return float64(m.measured), true }},
		{"rejected", func(m *Meter) (float64, bool) { return float64(m.rejected), true }},
		{"killed", func(m *Meter) (float64, bool) { return float64(m.killed), true }},
		{"area", func(m *Meter) (float64, bool) { return m.area.float(), true }},
		{"system-usage", func(m *Meter) (float64, bool) { return m.farm.usage, m.farm.used }},
		{"out-of-deadline", due(func(f *farm) float64 { return float64(100*f.late) / float64(f.due) })},
		{"mean-tardiness", func(m *Meter) (float64, bool) {
			return m.farm.tardiness.float() / float64(max(1, m.farm.due-m.farm.never)), m.farm.due > m.farm.never
		}},
		{"max-tardiness", func(m *Meter) (float64, bool) { return float64(m.farm.latest), m.farm.due > m.farm.never }},
		{"weighted-tardiness", ended(func(f *farm) float64 { return f.weighted / f.weights })},
		{"mean-lateness", ended(func(f *farm) float64 { return f.lateness.float() / float64(f.due-f.never) })},
		{"max-lateness", ended(func(f *farm) float64 { return float64(f.worst) })},
		{"stopped-at-deadline", due(func(f *farm) float64 { return float64(f.stopped) })},
		{"licence-usage", func(m *Meter) (float64, bool) { return m.farm.licences, m.farm.licensed }},
		{"complaints", patient(func(f *satisfaction) float64 { return float64(len(f.complaints)) })},
		{"complaint-share", patient(func(f *satisfaction) float64 { return float64(100*len(f.complaints)) / float64(f.jobs) })},
		{"complaining-users", patient(func(f *satisfaction) float64 { return float64(f.users) })},
		{"mean-complaint", patient(func(f *satisfaction) float64 { return f.levels / float64(max(1, len(f.complaints))) })},
		{"max-complaint", patient(func(f *satisfaction) float64 {
			if len(f.complaints) == 0 {
				return 0
			}
			return f.complaints[0].Level
		})},
	},
	[]binding{
		{"mean-flow", ofGrid(func(g *grid) float64 { return g.flow.float() / float64(g.jobs) })},
		{"reservation-tardiness", ofReserved(func(g *grid) float64 { return g.tardiness.float() / float64(g.reserved) })},
		{"provider-utilization", ofGrid(func(g *grid) float64 { return g.usage })},
		{"reservation-delay", ofReserved(func(g *grid) float64 { return g.delay.float() / float64(g.reserved) })},
		{"rejected-reservations", func(m *Meter) (float64, bool) {
			all := m.grid.rejected + m.grid.reserved
			return 100 * float64(m.grid.rejected) / float64(max(1, all)), all > 0
		}},
		{"reserved-idle", ofReserved(func(g *grid) float64 { return 100 * g.idle })},
		{"batch-wait", func(m *Meter) (float64, bool) { return m.summaries[ofWait].mean, m.grid.there && len(m.last) > 0 }},
		{"batch-flow", func(m *Meter) (float64, bool) { return m.summaries[ofTurnaround].mean, m.grid.there && len(m.last) > 0 }},
		{"submitted-flow", func(m *Meter) (float64, bool) {
			return m.grid.submitted.float() / float64(max(1, m.grid.jobs)), m.grid.jobs > 0 && m.grid.reserves
		}},
	},
	[]binding{
		{"mean-nuwt", func(m *Meter) (float64, bool) { return m.fairness.mean, m.fairness.users > 0 }},
		{"std-nuwt", func(m *Meter) (float64, bool) { return m.fairness.deviation, m.fairness.users > 0 }},
		{"waits-over-day", func(m *Meter) (float64, bool) {
			n := 0
			for i := range m.last {
				if m.wait(i) > 86400 {
					n++
				}
			}
			return float64(n), len(m.last) > 0
		}},
		{"stopped", func(m *Meter) (float64, bool) { return float64(m.stopped), m.stopped > 0 }},
		{"lost-work", func(m *Meter) (float64, bool) { return m.lost.float(), m.stopped > 0 }},
	},
	[]binding{
		{"mean-submission-wait", func(m *Meter) (float64, bool) {
			return m.workflow.submitted.float() / float64(max(1, m.workflow.jobs)), m.workflow.jobs > 0
		}},
		{"longest-path", onPath(func(w *workflow) int64 { return w.path })},
		{"longest-path-run", onPath(func(w *workflow) int64 { return w.run })},
		{"longest-path-wait", onPath(func(w *workflow) int64 { return w.wait })},
		{"withdrawn", func(m *Meter) (float64, bool) { return float64(m.workflow.withdrawn), m.workflow.there }},
		{"never-eligible", func(m *Meter) (float64, bool) { return float64(m.workflow.never), m.workflow.there }},
	},
)

// patient makes a measure that exists when some measured job has a user.
func patient(of func(*satisfaction) float64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) {
		if m.satisfaction.jobs == 0 {
			return 0, false
		}
		return of(&m.satisfaction), true
	}
}

// spanning makes a measure that exists when the measured jobs span some time.
func spanning(of func(*Meter) float64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) {
		if m.machine.makespan() <= 0 {
			return 0, false
		}
		return of(m), true
	}
}

// statistics binds the seven measures of a quantity.
func statistics(name string, quantity int) []binding {
	row := func(key string, of func(*summary) float64) binding {
		return binding{key + "-" + name, func(m *Meter) (float64, bool) {
			return of(&m.summaries[quantity]), len(m.last) > 0
		}}
	}
	return []binding{
		row("mean", func(s *summary) float64 { return s.mean }),
		row("median", func(s *summary) float64 { return s.median }),
		row("p90", func(s *summary) float64 { return s.p90 }),
		row("p95", func(s *summary) float64 { return s.p95 }),
		row("p99", func(s *summary) float64 { return s.p99 }),
		row("std", func(s *summary) float64 { return s.std }),
		row("max", func(s *summary) float64 { return s.max }),
	}
}
