package report

// Truth sets one run beside what the log says happened: all its jobs, and parts of them.
type Truth struct {
	Scheduler  int    `json:"scheduler"` // index in the experiment
	Key        string `json:"key"`
	Label      string `json:"label"`
	Repetition int    `json:"repetition"`
	Unserved   int    `json:"unserved"` // jobs that ran by the log, and never start here
	Unknown    int    `json:"unknown"`  // jobs whose wait the log does not know

	Nearness
	Parts   []TruthPart `json:"parts"`   // by what, then in order of From
	Top     int64       `json:"top_s"`   // where the squares of Density end, in seconds
	Density []TruthCell `json:"density"` // where the jobs lie, waits beyond Top at the edge
	Worst   []TruthJob  `json:"worst"`   // that differ most, those first; at most MostWorst
}

// MostWorst is how many jobs that differ most are named.
const MostWorst = 10

// TruthCell is one of the hexagons that tile the square of logged (to the right) and
// simulated waits (upwards), both as √(wait ÷ Top) × DensityCells. Hexagons of a row are
// 1 wide, rows √3 ÷ 2 apart, and every other row begins half a hexagon further right.
type TruthCell struct {
	Column int `json:"column"`
	Row    int `json:"row"`
	Jobs   int `json:"jobs"`
}

// DensityCells is how many hexagons a side of the square is wide.
const DensityCells = 20

// TruthJob is a job by its number in the log, times in seconds.
type TruthJob struct {
	Job        int64 `json:"job"`
	Processors int32 `json:"processors"` // requested
	Limit      int64 `json:"limit_s"`    // requested time
	Submit     int64 `json:"submit_s"`
	Simulated  int64 `json:"wait_s"`
	Logged     int64 `json:"logged_wait_s"`
	Partition  int64 `json:"partition"` // SWF field 16, −1 unknown
	GPUs       int64 `json:"gpus"`      // 0 none, or not known
}

// TruthRuns are the runs of one scheduler beside the log.
type TruthRuns struct {
	// Itself sets repetition 0 beside the mean of the others, in place of the log: what
	// the scheduler leaves open by itself. nil where its repetitions are all alike.
	Itself *Nearness `json:"itself,omitempty"`
	Runs   []*Truth  `json:"runs"` // by repetition; of those alike the first

	Processors int64 `json:"processors"` // of the machine
	Widest     int64 `json:"widest"`     // processors of the widest job
}

// TruthPart is a part of the jobs of a Truth.
type TruthPart struct {
	By   string `json:"by"`   // "partition" (SWF field 16), "queue" (15), "size" (requested processors), "group" (13), "qos", "account", "gpus" (extra.csv), "week" (of submission: ⌊s ÷ 604,800⌋), "half" (0: the first half of the jobs in order of submission)
	From int64  `json:"from"` // the number, or of a size the least
	To   int64  `json:"to"`   // the same number, or of a size the greatest
	Nearness
}

// Nearness says how near simulated waits come to logged ones, over the jobs that have
// both. Times are in seconds.
type Nearness struct {
	Jobs        int      `json:"jobs"`
	MeanWait    float64  `json:"mean_wait_s"` // simulated
	LoggedWait  float64  `json:"logged_mean_wait_s"`
	Ratio       *float64 `json:"ratio"`            // mean wait ÷ logged mean wait; nil where nobody waited
	Bias        float64  `json:"bias_s"`           // mean of simulated − logged
	MedianError float64  `json:"median_error_s"`   // median of |simulated − logged|
	Rank        *float64 `json:"rank_correlation"` // Spearman's ρ of both, ties at their mean rank; nil where one of them is the same for all
	Minute      float64  `json:"within_a_minute"`  // share of jobs, 0 to 1, with |simulated − logged| ≤ 60 s
	Hour        float64  `json:"within_an_hour"`   // ≤ 3,600 s
	Twofold     float64  `json:"within_twofold"`   // ≤ twice and ≥ half the logged wait, each give or take a minute
	Tenth       float64  `json:"within_a_tenth"`   // ≤ a tenth of the logged wait
}
