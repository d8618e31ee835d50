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
	Parts []TruthPart `json:"parts"` // by what, then in order of From
}

// TruthPart is a part of the jobs of a Truth.
type TruthPart struct {
	By   string `json:"by"`   // "partition" (SWF field 16), "queue" (15), "size" (requested processors), "group" (13), "week" (of submission: ⌊s ÷ 604,800⌋)
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
	Tenth       float64  `json:"within_a_tenth"`   // ≤ a tenth of the logged wait
}
