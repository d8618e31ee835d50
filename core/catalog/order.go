package catalog

// Orders are the 12 pure queue orders. p̃ is a job's requested time, q its processors;
// submission and job number decide where the score leaves two jobs equal.
var Orders = []Order{
	{Key: "fcfs", Name: "FCFS", Title: "First come, first served", Score: "longest wait first",
		Help: "In order of submission, so that no job starves: what other orders are compared with.", Cite: citeLegrand},
	{Key: "lcfs", Name: "LCFS", Title: "Last come, first served", Score: "shortest wait first",
		Help: "The newest job first; jobs may starve without a threshold.", Cite: citeLegrand},
	{Key: "spf", Name: "SPF", Title: "Smallest estimated processing time first", Score: "smallest p̃ first",
		Help: "Short jobs first, by requested time: good for slowdown, long jobs may starve.", Cite: citeLegrand},
	{Key: "lpf", Name: "LPF", Title: "Longest estimated processing time first", Score: "largest p̃ first",
		Help: "Long jobs first, by requested time.", Cite: citeLegrand},
	{Key: "sqf", Name: "SQF", Title: "Smallest resource requirement first", Score: "smallest q first",
		Help: "Narrow jobs first: they fit easily, wide jobs may starve.", Cite: citeLegrand},
	{Key: "lqf", Name: "LQF", Title: "Largest resource requirement first", Score: "largest q first",
		Help: "Wide jobs first: they are the hardest to place.", Cite: citeLegrand},
	{Key: "saf", Name: "SAF", Title: "Smallest estimated area first", Score: "smallest p̃·q first",
		Help: "Small jobs first, by processors times requested time: the best pure order of its study for mean bounded slowdown.", Cite: citeLegrand},
	{Key: "laf", Name: "LAF", Title: "Largest estimated area first", Score: "largest p̃·q first",
		Help: "Big jobs first, by processors times requested time.", Cite: citeLegrand},
	{Key: "sexp", Name: "SEXP", Title: "Smallest estimated expansion factor first", Score: "smallest (wait + p̃) ÷ p̃ first",
		Help: "Jobs that have waited least, measured by their requested time, first.", Cite: citeLegrand},
	{Key: "lexp", Name: "LEXP", Title: "Largest estimated expansion factor first", Score: "largest (wait + p̃) ÷ p̃ first",
		Help: "Jobs that have waited longest, measured by their requested time, first: close to the slowdown itself, and every waiting job keeps rising.", Cite: citeLegrand},
	{Key: "srf", Name: "SRF", Title: "Smallest estimated ratio first", Score: "smallest p̃ ÷ q first",
		Help: "Jobs short for their width first.", Cite: citeLegrand},
	{Key: "lrf", Name: "LRF", Title: "Largest estimated ratio first", Score: "largest p̃ ÷ q first",
		Help: "Jobs long for their width first.", Cite: citeLegrand},
}

// ScoreOrders are the orders by a score that the user composes. They need
// parameters of their own.
var ScoreOrders = []Order{
	{Key: "mixed", Name: "mixed", Title: "Mixed order", Score: "largest weighted sum of the features first",
		Help: "A weighted sum of processors q, requested time p̃, wait, ratio p̃ ÷ q, expansion factor and area, each divided by a fixed scale.", Cite: citeLegrand},
	{Key: "formula", Name: "formula", Title: "Order by formula", Score: "largest value of the formula first",
		Help: "A formula over the features, submission, deadline and user, such as q * p / (1 + wait) or -due.", Cite: "Batchlab's own"},
}

// everyOrder are all orders.
var everyOrder = append(Orders[:len(Orders):len(Orders)], ScoreOrders...)

// orderOptions are orders as values of a parameter.
func orderOptions(orders ...Order) []Option {
	options := make([]Option, len(orders))
	for i, o := range orders {
		options[i] = Option{Key: o.Key, Name: o.Name, Help: o.Title + ": " + o.Score + "."}
	}
	return options
}
