package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"batchlab/core/catalog"
)

// MaxReservations bounds the list of reservations in a document.
const MaxReservations = 200

// ReservationRule lets a share of the jobs, drawn at random, be advance
// reservations instead of batch jobs.
type ReservationRule struct {
	Share            float64 // of the jobs, 0–1; 0: no rule
	Ready            string  // "log": submission + the log's wait; "drawn": submission + a lead
	LeadMin, LeadMax int64   // seconds, drawn uniformly
	Length           string  // "requested" time or "run" time
	Part             float64 // of that time, rounded up
	// FactorMin and FactorMax are the range of the factor that makes requests
	// flexible, drawn uniformly. Unit says of what: of the "length" (the
	// interval is factor × length long), of the "wait" (the latest start is
	// submission + factor × (ready − submission)), or an "hour" (the interval is
	// so many hours longer than the reservation).
	FactorMin, FactorMax float64
	Unit                 string
	// Enlarge says what the factor enlarges: the "interval" ("" is the same), or
	// "both": the time that is booked ahead as well, from submission to ready.
	Enlarge string
}

// noReservations is the rule that marks none.
var noReservations = ReservationRule{Ready: "log", LeadMin: 3600, LeadMax: 86400, Length: "requested", Part: 1, FactorMin: 1, FactorMax: 1, Unit: "length", Enlarge: "interval"}

// ReservationRequest is an advance reservation by itself.
type ReservationRequest struct {
	Name       string
	Processors int64
	From, To   int64  // the interval, in seconds of the log's own time
	Length     int64  // seconds; 0: the whole interval, a fixed request
	Submit     *int64 // when it is asked for; nil: with the first job
	Cluster    string // "": any
	Effort     string // "exact" (default), "processors", "time": what it takes if it cannot have all
	Run        int64  // seconds that its job would run; 0: its length
}

func (r *ReservationRule) visit(parent *group) {
	in := parent.ask("reservations")
	parent.addition("reservations", in, *r == noReservations && parent.c.mode != reading, func(g *group) {
		none := &noReservations
		g.real("share", &r.Share, none.Share, 0, 1)
		g.choice("ready", &r.Ready, none.Ready, "rule", []string{"log", "drawn"})
		g.integer("lead_min", &r.LeadMin, none.LeadMin, natural)
		g.integer("lead_max", &r.LeadMax, none.LeadMax, natural)
		g.choice("length", &r.Length, none.Length, "rule", []string{"requested", "run"})
		g.real("part", &r.Part, none.Part, 0.01, 100)
		g.real("factor_min", &r.FactorMin, none.FactorMin, 0, 1000)
		g.real("factor_max", &r.FactorMax, none.FactorMax, 0, 1000)
		g.choice("unit", &r.Unit, none.Unit, "unit", []string{"length", "wait", "hour"})
		if g.c.mode == reading || cmp.Or(r.Enlarge, none.Enlarge) != none.Enlarge { // came later
			g.choice("enlarge", &r.Enlarge, none.Enlarge, "rule", []string{"interval", "both"})
		}
		if g.c.mode == writing {
			return
		}
		if r.LeadMax < r.LeadMin {
			g.fault("lead_max", fmt.Sprintf("must be at least lead_min, %d, not %d", r.LeadMin, r.LeadMax))
		}
		if r.FactorMax < r.FactorMin {
			g.fault("factor_max", "must be at least factor_min")
		}
	})
	if parent.c.mode == reading && in == nil {
		*r = noReservations
	}
}

// visit checks form only. What contradicts itself or the platform is named in
// the cleaning report, and left out, so that the others stay.
func (r *ReservationRequest) visit(g *group) {
	g.word("name", &r.Name, "", MaxName)
	if !g.missing("processors") {
		g.integer("processors", &r.Processors, 0, span{1, MaxProcessors})
	}
	for _, at := range []struct {
		key string
		p   *int64
	}{{"from", &r.From}, {"to", &r.To}} {
		if !g.missing(at.key) {
			g.integer(at.key, at.p, 0, anyTime)
		}
	}
	g.integer("length", &r.Length, 0, natural)
	g.optional("submit", &r.Submit, anyTime)
	g.word("cluster", &r.Cluster, "", MaxName)
	g.choice("effort", &r.Effort, "exact", "effort", []string{"exact", "processors", "time"})
	g.integer("run", &r.Run, 0, natural)
}

// visitBooking visits the rules of booking. Rules that say nothing are not there.
func (p *Platform) visitBooking(g *group) {
	g.settings("booking", catalog.Booking, &p.Booking)
	if g.c.mode == reading && slices.Equal(p.Booking, Defaults(catalog.Booking)) {
		p.Booking = nil
	}
	if g.c.mode == writing || p.Booking == nil {
		return
	}
	static, suspends := p.Booking.Text("binding") == "static", p.Booking.Text("running") == "suspend"
	fails := p.Failures != nil || slices.ContainsFunc(p.Outages, func(o Outage) bool { return !o.Announced })
	switch {
	case static && suspends:
		g.fault("booking", "with static binding batch jobs cannot be suspended for reservations: nobody knows whose processors they will take")
	case static && fails:
		g.fault("booking", "static binding names processors in advance, and failures say how many of them are gone, not which: announce the outages, or bind dynamically")
	case p.PowerScales && (suspends || p.Booking.Text("end") == "suspend"):
		g.fault("booking", "where run times depend on the machine, jobs cannot be suspended")
	}
}

// Reserves says whether the experiment has advance reservations.
func (e *Experiment) Reserves() bool {
	return e.Workload.Annotate.Reservations.Share > 0 || len(e.Platform.Reservations) > 0
}

// cloneReservations returns a deep copy.
func cloneReservations(list []ReservationRequest) []ReservationRequest {
	list = slices.Clone(list)
	for i := range list {
		list[i].Submit = clonePointer(list[i].Submit)
	}
	return list
}
