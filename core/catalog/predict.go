package catalog

// Predictor is one row of the table of predictors of run times.
type Predictor struct {
	Key, Name, Help, Cite string
	Params                []Param
	// Clairvoyant marks a predictor that knows what nobody can: a bound, no rule.
	Clairvoyant bool
	File        bool // its predictions stand in a file
	// What of a log it goes by, beside requests and run times.
	Users, Executables bool
}

const citeTsafrir = "D. Tsafrir, Y. Etsion and D. G. Feitelson, Backfilling Using System-Generated Predictions Rather than User Runtime Estimates, " +
	"IEEE TPDS 18(6), 2007"

const citeForesight = "Batchlab's own; its constants were chosen on SDSC-SP2, KTH-SP2 and HPC2N alone"

// Predictors are all of them. DefaultPredictor is what a scheduler that goes by
// predictions uses where the document names none.
var Predictors = []Predictor{
	{Key: "kernel", Name: "Kernel", Cite: citeForesight, Users: true, Executables: true,
		Help: "The completions of the same user, scaled to the job's request and weighted by how recent and how similar they are, drawn towards what all users do; a waiting job is predicted again whenever one of its user's jobs ends.",
		Params: []Param{
			{Key: "window", Name: "Window", Type: Int, Unit: "jobs", Min: 1, Max: 1000, Default: int64(60), Help: "Completions of the user that are summed at a submission, the last ones."},
			{Key: "memory", Name: "Memory", Type: Number, Unit: "jobs", Min: 0.1, Max: 10000, Default: 8.0, Help: "After this many completions a sample counts 1/e of what it did."},
			{Key: "width", Name: "Width", Type: Number, Min: 0, Max: 10, Default: 0.5, Help: "A sample counts less by the factor exp(−this) for each doubling between its processors and the job's."},
			{Key: "length", Name: "Length", Type: Number, Min: 0, Max: 10, Default: 0.3, Help: "The same for requested times."},
			{Key: "executable", Name: "Other executable", Type: Number, Min: 0, Max: 1, Default: 0.3, Help: "What a sample of another executable counts."},
			{Key: "least", Name: "Least weight", Type: Number, Min: 0, Max: 1, Default: 1e-4, Help: "Samples that count less when they come are left out."},
			{Key: "prior", Name: "Prior", Type: Number, Min: 1e-6, Max: 1000, Default: 0.3, Help: "Samples that all users together stand for."},
			{Key: "span", Name: "Span of the prior", Type: Number, Unit: "jobs", Min: 1, Max: 1e6, Default: 200.0, Help: "Completions that the prior remembers, for each class of requested times and for all."},
			{Key: "shrink", Name: "Shrinkage", Type: Number, Unit: "jobs", Min: 1e-6, Max: 1e6, Default: 5.0, Help: "Completions by which the prior of a class is drawn towards that of all, and that towards the three numbers below."},
			{Key: "mean", Name: "First mean", Type: Number, Min: 1e-6, Max: 1, Default: 0.5, Help: "Mean of run ÷ request before anything has ended."},
			{Key: "log", Name: "First logarithm", Type: Number, Min: -20, Max: 0, Default: -1.0, Help: "Mean of ln(run ÷ request) before anything has ended."},
			{Key: "inverse", Name: "First inverse", Type: Number, Min: 1e-6, Max: 1e6, Default: 2.0, Help: "Mean of request ÷ max(run, 60 s) before anything has ended."},
		}},
	{Key: "request", Name: "Request", Cite: citeMualem, Help: "What the user asked for."},
	{Key: "last-two", Name: "Last two", Cite: citeTsafrir, Users: true,
		Help: "The mean of the two jobs of the same user that were submitted last among those that have ended, at most the request, which stands for it while there are fewer than two."},
	{Key: "user-median", Name: "User's median", Cite: "Batchlab's own, a plain rule to hold others against", Users: true,
		Help: "The request times the median of run ÷ request over the user's last completions.",
		Params: []Param{
			{Key: "window", Name: "Window", Type: Int, Unit: "jobs", Min: 1, Max: 10000, Default: int64(60), Help: "How many of the last completions are used."},
		}},
	{Key: "true", Name: "True run times", Clairvoyant: true, Cite: "Batchlab's own, a bound",
		Help: "Clairvoyant: the run time itself, which nobody can know. It shows what perfect predictions would gain."},
	{Key: "file", Name: "File", File: true, Cite: "Batchlab's own",
		Help: "A CSV with the columns job and predicted (seconds). Jobs that are not listed are predicted to run as long as requested."},
}

// DefaultPredictor is the key of the first row.
const DefaultPredictor = "kernel"

// FindPredictor returns the row with the key, or nil.
func FindPredictor(key string) *Predictor {
	return find(Predictors, key, func(r *Predictor) string { return r.Key })
}

// PredictorKeys returns all keys of predictors in table order.
func PredictorKeys() []string {
	return keys(Predictors, func(r *Predictor) string { return r.Key })
}

// byParam says what of a scheduler uses requested or predicted run times.
func byParam(key, name, help string) Param {
	return Param{Key: key, Name: name, Type: Enum, Default: "request", Later: true, General: true, Help: help, Options: []Option{
		{Key: "request", Name: "requested times", Help: "What users asked for."},
		{Key: "prediction", Name: "predicted times", Help: "The prediction of the predictor (predict); the kernel where none is named."},
	}}
}

var (
	ordersBy = byParam("orders-by", "Orders use", "Which run times pure and mixed orders sort by. A formula has both: p is requested, foretold predicted.")
	fillsBy  = byParam("backfill-by", "Reservations use", "The run times behind the head's reservation and the right to pass it; predictions and shortest-first backfilling make EASY++. Jobs are still killed at their requests.")
)

// plansBy are the parameter of schedulers that plan: by what jobs stand in a plan.
var plansBy = byParam("plan-by", "Plan uses", "How long jobs hold their place in the plan, and what it is judged by. Where a prediction was too short, jobs without room get a new place. Jobs are still killed at their requests.")

// foresightParams are the constants of foresight.
var foresightParams = []Param{
	{Key: "ties", Name: tiesParam.Name, Type: Enum, Options: tiesParam.Options, Default: "newest", Help: tiesParam.Help},
	{Key: "threshold", Name: "Waiting threshold", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(200000),
		Help: "Jobs that have waited strictly longer stand first in the queue order, by submission, so that none starves."},
	{Key: "step", Name: "Step", Type: Number, Min: 1e-6, Max: 10, Default: 0.02,
		Help: "Logarithms of predictions are rounded to multiples of this, so that similar jobs are equal and ties decide."},
}

// rolloutParams are those by which the queue order is chosen.
var rolloutParams = []Param{
	{Key: "interval", Name: "Interval", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(600), Help: "Least time between two choices."},
	{Key: "better", Name: "Better by", Type: Number, Min: 0, Max: 1, Default: 0.01, Help: "How much less than p̂ q another order must cost to be chosen, as a share."},
	{Key: "depth", Name: "Depth", Type: Int, Unit: "jobs", Min: 1, Max: 10000, Default: int64(100), Help: "How many waiting jobs are tried, the first in the order p̂ q."},
	{Key: "scenarios", Name: "Scenarios", Type: Int, Min: 1, Max: 100, Default: int64(8), Help: "How many futures each order is tried in."},
	{Key: "spread", Name: "Spread", Type: Number, Min: 0, Max: 100, Default: 2.0, Help: "σ² of a job's run times is this times ln(E ÷ G), the logarithm of their means' quotient."},
	{Key: "stretch", Name: "Stretch", Type: Number, Min: 0, Max: 100, Default: 0.7, Help: "A job that has outlived its draw goes on for this times |z| of its age, z standard normal."},
	{Key: "salt", Name: "Salt", Type: Int, Min: 0, Max: 1e6, Default: int64(62), Help: "Seed of the scenarios' random numbers: another one is another draw of scenarios."},
}

// foresights are the schedulers that put the queue in the order of what is
// foretold.
var foresights = []Scheduler{
	{
		Key: "foresight", Name: "Foresight (EASY in order of predicted areas)", Short: "Foresight", Counted: true, Apart: true, Foretells: true,
		Help:   "EASY backfilling with the queue in order of predicted run time × processors, smallest first, and backfilling in order of predicted run time. Threshold, reservation and the right to backfill use requested times.",
		Cite:   citeForesight + ", an answer to: " + citeLegrand,
		Params: foresightParams,
	},
	{
		Key: "foresight-rollout", Name: "Foresight with rollouts", Short: "Foresight, rollouts", Foretells: true,
		Help:   "Foresight that from time to time tries five queue orders on the present queue, in several futures drawn from the predictions, and continues with the one that slows jobs down least.",
		Cite:   citeForesight + ", an answer to: " + citeLegrand,
		Params: append(foresightParams[:len(foresightParams):len(foresightParams)], rolloutParams...),
	},
}
