package metric

import (
	"cmp"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// users divides the jobs by user, most executed processor-seconds first, then
// by number. Jobs of unknown user stand under −1.
func (m *Meter) users(w *model.Workload) []report.UserRow {
	if m.userSlot == nil {
		m.userSlot = map[int32]int32{}
	}
	clear(m.userSlot)
	var rows []report.UserRow
	var waits []sum
	for i := range m.last {
		user, wait := w.Jobs[m.job(i)].User, m.wait(i)
		slot, ok := m.userSlot[user]
		if !ok {
			slot = int32(len(rows))
			m.userSlot[user] = slot
			rows = append(rows, report.UserRow{User: user})
			waits = append(waits, sum{})
		}
		r := &rows[slot]
		r.Jobs++
		r.Area += m.work(i)
		r.MaxWait = max(r.MaxWait, model.Time(wait))
		r.MeanSlowdown += m.bounded(i)
		waits[slot].add(wait)
	}
	for i := range rows {
		rows[i].MeanWait = waits[i].float() / float64(rows[i].Jobs)
		rows[i].MeanSlowdown /= float64(rows[i].Jobs)
	}
	order.Stable(rows, func(a, b report.UserRow) int {
		return cmp.Or(cmp.Compare(b.Area, a.Area), cmp.Compare(a.User, b.User))
	})
	return rows
}
