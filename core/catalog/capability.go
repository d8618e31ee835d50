package catalog

import "slices"

// Feature is something that an experiment may ask of a scheduler, beyond jobs
// that ask for processors and time on one machine that only counts them.
type Feature struct {
	Key   string // kebab, stable: the code of a refusal is "no-" + Key
	Name  string // as it stands in a sentence: "limits"
	Where string // key of the document that asks for it
}

// Keys of Features.
const (
	FeatureClusters     = "clusters"
	FeatureNodes        = "nodes"
	FeatureMachines     = "machines"
	FeatureGenerated    = "generated-machines"
	FeatureSpeeds       = "speeds"
	FeatureLicences     = "licences"
	FeatureOutages      = "outages"
	FeatureFailures     = "failures"
	FeatureLimits       = "limits"
	FeatureDueStops     = "due-stops"
	FeatureEligibility  = "eligibility"
	FeatureReservations = "reservations"
	FeatureBinding      = "static-binding"
	FeatureReacting     = "reacting-users"
)

// Features are all of them, platforms first.
var Features = []Feature{
	{FeatureClusters, "several clusters", "platform.clusters"},
	{FeatureNodes, "jobs that are spread over nodes", "packing nodes"},
	{FeatureMachines, "jobs within one machine", "packing machine"},
	{FeatureGenerated, "generated machines", "platform.generator"},
	{FeatureSpeeds, "run times that depend on the machine", "platform.power_scales"},
	{FeatureLicences, "floating licences", "platform.licences"},
	{FeatureOutages, "outages", "platform.outages"},
	{FeatureFailures, "failures", "platform.outages, platform.failures"},
	{FeatureLimits, "limits", "platform.limits"},
	{FeatureDueStops, "jobs that are stopped at their deadlines", "workload.annotate.deadlines.on_due"},
	{FeatureEligibility, "jobs for some machines only", "workload.annotate.eligible"},
	{FeatureReservations, "advance reservations", "workload.annotate.reservations, platform.reservations"},
	{FeatureBinding, "processors that are bound when reservations are accepted", "platform.booking.binding"},
	{FeatureReacting, "users who react", "workload.react"},
}

// Is is a condition: a parameter of the scheduler has a value. Numbers are
// compared as they are written.
type Is struct{ Param, Value string }

func is(param, value string) Is { return Is{Param: param, Value: value} }

// all says whether all conditions hold with parameters, of which text gives the
// words.
func all(when []Is, text func(param string) string) bool {
	return !slices.ContainsFunc(when, func(c Is) bool { return text(c.Param) != c.Value })
}

// Gap is what a scheduler does not know: an experiment that asks for one of the
// features is refused while all conditions of When hold.
type Gap struct {
	Features []string // keys of Features
	When     []Is     // nil: always
	// Why is the reason of the field. A gap without one is work that is still to
	// be done: the conformance test fails when it has become possible, so that
	// the row is corrected.
	Why string
}

// Gap returns why a scheduler cannot do what a feature asks, with parameters of
// which text gives the words; nil when it can.
func (s *Scheduler) Gap(feature string, text func(param string) string) *Gap {
	for i := range s.Gaps {
		if g := &s.Gaps[i]; slices.Contains(g.Features, feature) && all(g.When, text) {
			return g
		}
	}
	return nil
}

// FindFeature returns the row with the key, or nil.
func FindFeature(key string) *Feature {
	return find(Features, key, func(r *Feature) string { return r.Key })
}
