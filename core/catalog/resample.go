package catalog

// ResampleParams say how the repetitions of a log differ: repetition 0 is the
// log itself, every further one a draw from it (workload.resample of a
// document).
var ResampleParams = []Param{
	{
		Key: "by", Name: "Draw", Type: Enum, Default: "weeks",
		Help: "What a draw is made of. The first repetition is always the log itself.",
		Options: []Option{
			{Key: "weeks", Name: "other weeks", Help: "What if other weeks had come? Weeks of the log, drawn at random and set one behind the other (block bootstrap, Künsch 1989)."},
			{Key: "users", Name: "other users", Help: "What if other users had come, or in other weeks? As many users as the log has, drawn at random, each moved by whole weeks (Zakay and Feitelson 2013)."},
			{Key: "shake", Name: "other minutes", Help: "What if everyone had come a little earlier or later? The same jobs, each submission moved at random (Tsafrir, Ouaknine and Feitelson 2007)."},
		},
	},
	{
		Key: "block", Name: "Weeks in a row", Type: Int, Unit: "weeks", Min: 1, Max: 520, Default: int64(1), When: "by", Is: "weeks",
		Help: "So many weeks stay together: more keep what lasts longer, but leave fewer pieces to draw from.",
	},
	{
		Key: "long-term", Name: "Long-term users from", Type: Int, Unit: "weeks", Min: 1, Max: 520, Default: int64(12), When: "by", Is: "users",
		Help: "Users whose first and last job lie so far apart are long-term users, of whom each draw has as many as the log.",
	},
	{
		Key: "jitter", Name: "Moved by at most", Type: Seconds, Unit: "s", Min: 1, Max: maxSeconds, Default: int64(600), When: "by", Is: "shake",
		Help: "Each job is submitted up to this much earlier or later, never before the log begins.",
	},
}
