//go:build !small

package lab

import (
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/reserve"
	"slices"
)

// newDesk makes the desk at which a repetition's reservations are accepted; nil
// where nothing is reserved.
func (p *Prepared) newDesk(w *model.Workload) *reserve.Desk {
	if slices.ContainsFunc(w.Demands, func(d model.Demand) bool { return d.Reservation != nil }) {
		return &reserve.Desk{Options: bookingRules(p.doc.Platform.Booking)}
	}
	return nil
}

// bookingRules translates platform.booking.
func bookingRules(p experiment.Params) reserve.Options {
	if p == nil {
		p = experiment.Defaults(catalog.Booking)
	}
	seconds := func(key string) model.Time {
		v, _ := p.Int(key)
		return model.Time(v)
	}
	return reserve.Options{
		Delta: seconds("delta"), Slot: seconds("slot"), Reject: p.Text("mode") == "reject", Static: p.Text("binding") == "static",
		AtEnd:   map[string]reserve.AtEnd{"kill": reserve.EndKill, "suspend": reserve.EndSuspend, "early": reserve.EndEarly}[p.Text("end")],
		Suspend: p.Text("running") == "suspend", Hold: p.Text("unused") == "hold",
	}
}
