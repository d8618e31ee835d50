package catalog

// SearchParams are the settings of a search for queue orders: into which windows
// a workload is cut, which orders are compared in them, and how the space of
// mixed orders is searched. The document's seed and τ hold for it as well.
var SearchParams = []Param{
	{
		Key: "length", Name: "Window", Type: Seconds, Unit: "s", Min: 600, Max: maxSeconds, Default: int64(604800),
		Help: "Length of a window, such as 7d. Each is simulated by itself, from an empty machine to its last end.",
	},
	{
		Key: "origin", Name: "Counted from", Type: Seconds, Unit: "s", Min: 0, Max: MaxOrigin, Default: int64(0),
		Help: "Where window 0 begins, in seconds of the log; a date such as 1998-05-04 stands for midnight UTC.",
	},
	{
		Key: "first", Name: "Skip at the start", Type: Int, Unit: "windows", Min: 0, Max: 100_000, Default: int64(0),
		Help: "How many windows at the log's beginning are left out; the next one is called week 1.",
	},
	{
		Key: "count", Name: "Windows", Type: Int, Min: 0, Max: 100_000, Default: int64(0),
		Help: "How many windows are studied. 0: all up to the end of the log.",
	},
	{
		Key: "backfill", Name: "Backfill order", Type: Enum, Options: orderOptions(Orders...), Default: "spf",
		Help: "Order in which the jobs behind the head are tried for the gap in front of its reservation.",
	},
	{
		Key: "ties", Name: "Ties", Type: Enum, Options: tiesParam.Options, Default: "newest",
		Help: tiesParam.Help,
	},
	{
		Key: "threshold", Name: "Waiting threshold", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Optional: true, Default: int64(200_000),
		Help: "Jobs that have waited strictly longer stand first, by submission. Not set: none.",
	},
	{
		Key: "features", Name: "Features", Type: Enum, Default: "3",
		Help: "What a mixed order weighs.",
		Options: []Option{
			{Key: "3", Name: "processors q, requested time p̃, wait", Help: "Processors, requested time and wait."},
			{Key: "6", Name: "all six", Help: "And the ratio p̃ ÷ q, the expansion factor and the area."},
		},
	},
	{
		Key: "scales", Name: "Scales", Type: List, Optional: true,
		Help: scalesHelp,
	},
	{
		Key: "method", Name: "Search", Type: Enum, Default: "coverage",
		Help: "How the space of mixed orders is searched in each window.",
		Options: []Option{
			{Key: "coverage", Name: "uniform coverage", Help: "The same weights in each window, evenly spread: what maps and learning need."},
			{Key: "xnes", Name: "xNES", Help: "Exponential natural evolution strategy: few tries, other weights in each window."},
			{Key: "both", Name: "coverage and xNES", Help: "Coverage first, then xNES, to compare them."},
			{Key: "none", Name: "pure orders only", Help: "Only the 12 pure orders, and the formula if there is one."},
		},
	},
	{
		Key: "points", Name: "Grid points", Type: Int, Min: 2, Max: 400, Default: int64(40),
		Help: "Grid points along each dimension of weights: with 3 features 12 give 146 weights, 40 give 1,602, 100 give 10,002.",
	},
	{
		Key: "budget", Name: "Tries in each window", Type: Int, Unit: "tries", Min: 1, Max: 100_000, Default: int64(300),
		Help: "How many sets of weights xNES tries in each window.",
	},
	{
		Key: "penalty", Name: "Penalty on the weights' size, λ", Type: Number, Min: 0, Max: 1000, Default: 1.0,
		Help: "λ of the penalty λ (‖w‖ + 1 ÷ ‖w‖) that keeps xNES's weights near norm 1.",
	},
	{
		Key: "split", Name: "Training, testing", Type: Enum, Default: "halves",
		Help: "On which windows weights are learned, and on which others they are tested.",
		Options: []Option{
			{Key: "halves", Name: "two halves", Help: "The first half of the windows, rounded down, and the others."},
			{Key: "28-64", Name: "28–64, 65–100", Help: "Equation 5 of the study."},
			{Key: "29-64", Name: "29–64, 65–100", Help: "Two halves of 36 windows."},
		},
	},
	{
		Key: "sliding", Name: "Sliding window", Type: Int, Unit: "windows", Min: 1, Max: 1000, Default: int64(4),
		Help: "Over how many windows before it the weights of a window are chosen. The study has only 1.",
	},
	{
		Key: "formula", Name: "Own order", Type: Text, Optional: true,
		Help: "An order of your own beside the pure ones. " + formulaHelp,
	},
}

// MaxOrigin bounds where the windows of a search may begin, in seconds.
const MaxOrigin = 1 << 40
