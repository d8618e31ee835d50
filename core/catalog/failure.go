package catalog

// Failures are all generators of failures.
var Failures = []Generator{
	{
		Key:  "exponential",
		Name: "Failures at random",
		Help: "Each machine fails independently after an exponential time and is down for an exponential time; drawn for each repetition, the same for all schedulers. No scheduler knows of a failure before it begins.",
		Cite: "B. Schroeder and G. A. Gibson, A large-scale study of failures in high-performance computing systems, DSN 2006, measure times like these",
		Params: []Param{
			{Key: "mtbf", Name: "Time between failures", Type: Seconds, Unit: "s", Min: 60, Max: maxSeconds, Default: int64(30 * 86400),
				Help: "Mean time from the end of a repair of a machine to its next failure."},
			{Key: "repair", Name: "Repair", Type: Seconds, Unit: "s", Min: 1, Max: 366 * 86400, Default: int64(4 * 3600),
				Help: "Mean time for which a machine is away."},
			{Key: "processors", Name: "Processors a machine", Type: Int, Unit: "processors", Min: 1, Max: 1_000_000, Default: int64(1),
				Help: "Where processors are only counted: how many fail together; the last ones may be fewer."},
		},
	},
}

// FindFailures returns the row with the key, or nil.
func FindFailures(key string) *Generator {
	return find(Failures, key, func(r *Generator) string { return r.Key })
}

// FailureKeys returns all keys of generators of failures in table order.
func FailureKeys() []string { return keys(Failures, func(r *Generator) string { return r.Key }) }
