package experiment

import (
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

func (r *ReservationRule) visit(g *group) {
	g.field(&r.Share, row{Key: "share", Name: "Jobs reserved", Type: catalog.Number, Max: 1, Default: 0.0,
		Help: "Share of the jobs, drawn at random, that are advance reservations. A larger share only adds some"})
	g.field(&r.Ready, row{Key: "ready", Name: "Begins", Type: catalog.Enum, Noun: "rule", Default: "log", Help: "When the interval of a reservation begins", Options: []catalog.Option{
		{Key: "log", Name: "after the log's wait", Help: "Submission + the wait that the log states"},
		{Key: "drawn", Name: "after a lead", Help: "Submission + a lead drawn at random, for workloads without waits"}}})
	g.field(&r.LeadMin, row{Key: "lead_min", Name: "Lead from", Type: catalog.Seconds, Max: MaxInteger, Default: int64(3600), When: "ready", Is: "drawn", Help: "Least lead, drawn uniformly"})
	g.field(&r.LeadMax, row{Key: "lead_max", Name: "Lead to", Type: catalog.Seconds, Max: MaxInteger, Default: int64(86400), When: "ready", Is: "drawn", Help: "Greatest lead"})
	g.field(&r.Length, row{Key: "length", Name: "For the", Type: catalog.Enum, Noun: "rule", Default: "requested", Help: "How long a reservation is", Options: []catalog.Option{
		{Key: "requested", Name: "requested time"}, {Key: "run", Name: "run time", Help: "As if the user knew it"}}})
	g.field(&r.Part, row{Key: "part", Type: catalog.Number, Min: 0.01, Max: 100, Default: 1.0, Help: "Of that time, rounded up."})
	g.field(&r.FactorMin, row{Key: "factor_min", Name: "Interval ×, from", Type: catalog.Number, Max: 1000, Default: 1.0, Help: "Least factor of the interval; 1 is a fixed request"})
	g.field(&r.FactorMax, row{Key: "factor_max", Name: "Interval ×, to", Type: catalog.Number, Max: 1000, Default: 1.0, Help: "Greatest factor, drawn uniformly"})
	g.field(&r.Unit, row{Key: "unit", Name: "Of the", Type: catalog.Enum, Noun: "unit", Default: "length", Help: "What the factor multiplies", Options: []catalog.Option{
		{Key: "length", Name: "length"}, {Key: "wait", Name: "time until ready"}, {Key: "hour", Name: "hour", Help: "So many hours longer"}}})
	g.field(&r.Enlarge, row{Key: "enlarge", Name: "Enlarged", Type: catalog.Enum, Noun: "rule", Default: "interval", Later: true, Help: "What becomes longer by the factor", Options: []catalog.Option{
		{Key: "interval", Name: "interval"}, {Key: "both", Name: "interval and lead", Help: "The time from submission to the beginning of the interval as well"}}})
	if !g.checks() {
		return
	}
	if r.LeadMax < r.LeadMin {
		g.fault("lead_max", fmt.Sprintf("must be at least lead_min, %d, not %d", r.LeadMin, r.LeadMax))
	}
	if r.FactorMax < r.FactorMin {
		g.fault("factor_max", "must be at least factor_min")
	}
}

var efforts = []catalog.Option{{Key: "exact", Name: "all or nothing"}, {Key: "processors", Name: "fewer processors"}, {Key: "time", Name: "a shorter time"}}

// visit checks form only. What contradicts itself or the platform is named in
// the cleaning report, and left out, so that the others stay.
func (r *ReservationRequest) visit(g *group) {
	g.field(&r.Name, row{Key: "name", Name: "Name", Type: catalog.Words, Most: MaxName})
	g.field(&r.Processors, row{Key: "processors", Name: "Procs", Required: true, Min: 1, Max: MaxProcessors, Help: "Processors that it wants"})
	g.field(&r.From, row{Key: "from", Name: "From", Type: catalog.Moment, Required: true,
		Help: "When its interval begins, from the start of the log, as 8d 9h; or the first Tue 09:00, or 2004-03-05 09:00, where the log says when it began"})
	g.field(&r.To, row{Key: "to", Name: "To", Type: catalog.Moment, Required: true, Help: "When its interval ends"})
	g.field(&r.Length, row{Key: "length", Name: "Lasts", Type: catalog.Seconds, Max: MaxInteger, Empty: "all of it", Help: "How long it lasts within the interval. Empty: all of it, a fixed request"})
	g.field(&r.Submit, row{Key: "submit", Name: "Requested at", Type: catalog.Moment, Optional: true, Empty: "the start of the log", Help: "When it is requested. Empty: with the first job"})
	g.field(&r.Cluster, row{Key: "cluster", Name: "Provider", Type: catalog.Words, Most: MaxName})
	g.field(&r.Effort, row{Key: "effort", Name: "If not", Type: catalog.Enum, Noun: "effort", Default: "exact", Options: efforts, Help: "What happens if not all of it is free"})
	g.field(&r.Run, row{Key: "run", Type: catalog.Seconds, Max: MaxInteger, Help: "How long its job would run; 0: its length; it requests the longer of the two."})
}

// visitBooking visits the rules of booking. Rules that say nothing are not there.
func (p *Platform) visitBooking(g *group) {
	g.settings("booking", catalog.Booking, &p.Booking)
	if g.c.mode == reading && slices.Equal(p.Booking, Defaults(catalog.Booking)) {
		p.Booking = nil
	}
	if !g.checks() || p.Booking == nil {
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
