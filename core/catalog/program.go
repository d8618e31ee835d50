package catalog

// Programs are schedulers that are programs of their own, beside Batchlab: only
// the command line runs them. They stand apart from Schedulers, since menus of
// the page, links and policies of a grid have none.
var Programs = []Scheduler{{
	Key: "exec", Name: "A program of your own", Short: "Program",
	Help: "Starts a program on this computer and asks it at each instant which jobs start, one line of JSON each way. Command line only.",
	Cite: "docs/exec-protocol.md",
	Params: []Param{
		{
			Key: "command", Name: "Command", Type: Line, Optional: true,
			Help: "The program and its arguments, quoted where they have spaces; no shell is started. Not set: batchlab run wants --command. A lone - is the program that started batchlab, over standard input and output.",
		},
		{
			Key: "timeout", Name: "Time-out", Type: Seconds, Unit: "s", Min: 1, Max: 86400, Default: int64(60),
			Help: "How long the program may take for one answer.",
		},
	},
	Draws: []Draw{{}}, // it may: what it does with its seed is its own affair
}}

// IsProgram says whether a key is that of a scheduler that is a program of its own.
func IsProgram(key string) bool {
	return find(Programs, key, func(r *Scheduler) string { return r.Key }) != nil
}

// EveryScheduler returns Schedulers and Programs.
func EveryScheduler() []Scheduler {
	return append(Schedulers[:len(Schedulers):len(Schedulers)], Programs...)
}
