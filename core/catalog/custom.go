package catalog

// MaxCode is the number of characters that a program may have.
const MaxCode = 16_000

// CustomKey is the key of schedulers that users write.
const CustomKey = "custom"

// customDefault is the program that a scheduler of your own begins with. Documents
// without a program mean this one, so it never changes.
const customDefault = `# Jobs start in order of submission. The first that does not fit gets a
# reservation; others may pass it where they do not delay it (EASY).

def order(job, s):
    return job.submit

backfill = "easy"
`

// customScheduler is a program that a user writes.
var customScheduler = Scheduler{
	Key: CustomKey, Name: "A scheduler of your own", Short: "Own",
	Help:  "Runs a program in Starlark, which looks like Python: decide(s) returns the jobs to start at an instant, or order(job, s) gives the order for a rule of backfilling.",
	Cite:  "docs/your-own-scheduler.md; the Starlark language, github.com/bazelbuild/starlark",
	Draws: []Draw{{Param: "code", Value: "random", Within: true}},
	Params: []Param{
		{Key: "code", Name: "Program", Type: Code, Default: customDefault,
			Help: "The program, in Starlark. It defines decide(s), or order(job, s) with backfill = \"easy\", \"conservative\" or \"none\" beside it."},
		{Key: "name", Name: "Name", Type: Words, Default: "",
			Help: "What the scheduler is called in legends and tables; empty: Own."},
	},
}

// Word is a name that programs of custom know, for completion and the reference.
type Word struct {
	Of   string // "": anywhere; "s", "job", "cluster", …: after a dot
	Name string
	Args string // of a function: "(job)", "(job, after = s.now)"; "" for a value
	Kind string // of the value, or of what the function returns: "int", "list of jobs"
	Help string // one plain sentence
}

// CustomValues are the kinds of values that have parts, in the order of the
// reference, with what they are.
var CustomValues = []struct{ Of, Help string }{
	{"", "Functions, beside those of Python that Starlark has: abs, all, any, bool, dict, enumerate, fail, float, int, len, list, max, min, range, repr, reversed, set, sorted, str, tuple, type, zip."},
	{"s", "What decide, order, begin and reset are given: the platform and the jobs at this instant. Times are seconds of the log."},
	{"job", "A job that waits, runs or has ended. Jobs can be compared with == and be keys of a dict."},
	{"cluster", "A part of s.clusters."},
	{"node", "A part of s.nodes: a machine, or a cluster whose processors are only counted."},
	{"licence", "A part of s.licences."},
	{"outage", "A part of s.outages."},
	{"reservation", "A part of s.reserved."},
	{"limits", "What s.limits is."},
	{"limit", "A part of s.limits.classes."},
}

// CustomEntries are the functions and the variable that a program may define.
var CustomEntries = []Word{
	{"", "decide", "(s)", "list of jobs", "Called at each instant. Returns the jobs to start now, in order, or starts them with s.start and returns nothing."},
	{"", "order", "(job, s)", "number or tuple", "Returns the place of a waiting job: the smallest stands first, ties go to the job submitted earlier, then to the smaller number."},
	{"", "backfill", "", `"easy", "conservative" or "none"`, "The rule under which order is used. none, which holds where nothing is said: the first job that does not fit stops all behind it. conservative without order: who was promised first is placed first."},
	{"", "backfill_order", "(job, s)", "number or tuple", "With backfill = \"easy\": the order in which the jobs behind the first are tried, where it is another one."},
	{"", "begin", "(s)", "None", "Called at each instant before order, to bring up to date what order looks at."},
	{"", "reset", "(s)", "None", "Called once before a run. The program is loaded again for each run, so its variables start empty."},
}

// CustomWords are all names that programs know. A test holds them against the code.
var CustomWords = []Word{
	{"", "note", "(job, text)", "None", "Keeps up to 200 characters about a job, which are shown where the lab says why it waited."},
	{"", "print", "(value, …)", "None", "Prints a line; the first 200 of a run are kept."},
	{"", "random", "(n)", "int or float", "A random number of 0, 1 … n − 1; without n a float from 0 to 1. Drawn from the experiment's seed, so that a run can be repeated."},
	{"", "sqrt", "(x)", "float", "The square root."},
	{"", "floor", "(x)", "int", "The largest whole number not above x."},
	{"", "ceil", "(x)", "int", "The smallest whole number not below x."},

	{"s", "now", "", "int", "The time."},
	{"s", "free", "", "int", "Processors that are free now, on all clusters together, less what this call has started."},
	{"s", "processors", "", "int", "Processors of the platform."},
	{"s", "queue", "", "list of jobs", "The jobs that wait, in order of submission, as they were when the call began."},
	{"s", "running", "", "list of jobs", "The jobs that run, by the ends that they requested."},
	{"s", "arrived", "", "list of jobs", "The jobs that have just been submitted."},
	{"s", "ended", "", "list of jobs", "The jobs that have just ended."},
	{"s", "start", "(job)", "bool", "Starts a job now if there is room for as long as it may run, and says whether it did. Only in decide."},
	{"s", "reserve", "(job, after = s.now)", "int or None", "Keeps the earliest room for a job free, for the length of this call, and returns its start. It is kept from other jobs only; a second call moves it. Only in decide."},
	{"s", "keep", "(job)", "int or None", "Keeps the place free that a job got by s.reserve, s.place or s.keep in an earlier call, and returns its start; None if it got none or its place is taken. After it s.reserve moves the job to an earlier start only, and s.start starts it in that place when its time has come. Only in decide."},
	{"s", "place", "(job)", "int or None", "Starts a job now if there is room, else reserves its earliest place; returns its start. Only in decide."},
	{"s", "fits", "(job)", "bool", "Whether s.start(job) would start it."},
	{"s", "earliest", "(job, after = s.now)", "int or None", "The earliest time at which there is room for a job for as long as it may run, by what the running jobs requested."},
	{"s", "profile", "(cluster)", "list of (time, processors)", "How many processors are free from which time on, of the cluster with this name or of all."},
	{"s", "wake", "(time)", "None", "Asks for a call of decide at a time, even if nothing happens then. Only in decide."},
	{"s", "clusters", "", "list of clusters", "The clusters of the platform."},
	{"s", "nodes", "", "list of nodes", "The machines of the platform."},
	{"s", "licences", "", "list of licences", "The licences of the platform."},
	{"s", "outages", "", "list of outages", "What is out of order now or will be, as far as it is known."},
	{"s", "reserved", "", "list of reservations", "What advance reservations hold, now or later."},
	{"s", "limits", "", "limits", "The limits of the platform."},

	{"job", "id", "", "int", "Its number in the log."},
	{"job", "submit", "", "int", "When it was submitted."},
	{"job", "procs", "", "int", "Processors that it asks for."},
	{"job", "requested", "", "int", "Seconds that it asks for."},
	{"job", "wait", "", "int", "Seconds since it was submitted; of a job that runs, up to its start."},
	{"job", "user", "", "int", "Its user, −1 unknown."},
	{"job", "group", "", "int", "Its group, −1 unknown."},
	{"job", "queue", "", "int", "Its queue in the log, −1 unknown."},
	{"job", "area", "", "int", "Processors × requested seconds."},
	{"job", "left", "", "int", "Seconds of its request that are left, where it was suspended before."},
	{"job", "stopped", "", "int", "How often it was stopped and waited again."},
	{"job", "started", "", "int or None", "When it started."},
	{"job", "ends", "", "int or None", "When it ends, by its request."},
	{"job", "ended", "", "int or None", "When it ended."},
	{"job", "nodes", "", "int", "Nodes that it asks for; 0 any number."},
	{"job", "gpus", "", "int", "GPUs that it asks for on each node."},
	{"job", "memory", "", "int", "Bytes of memory that it asks for on each node."},
	{"job", "disk", "", "int", "Bytes of disk that it asks for on each node."},
	{"job", "licences", "", "dict", "Copies that it needs, by the licence's name."},
	{"job", "due", "", "int or None", "Its deadline."},
	{"job", "weight", "", "float", "Its weight, 0 where the workload gives none."},

	{"cluster", "name", "", "text", "Its name."},
	{"cluster", "processors", "", "int", "Its processors."},
	{"cluster", "free", "", "int", "Processors that are free now."},

	{"node", "name", "", "text", "Its name."},
	{"node", "cluster", "", "text", "The name of its cluster."},
	{"node", "processors", "", "int", "Its processors."},
	{"node", "free", "", "int", "Processors that are free now."},
	{"node", "speed", "", "float", "Its speed, 1 where nothing is said."},
	{"node", "memory", "", "int", "Bytes of memory, 0 where it is not counted."},
	{"node", "disk", "", "int", "Bytes of disk, 0 where it is not counted."},
	{"node", "gpus", "", "int", "GPUs."},
	{"node", "licences", "", "list of texts", "Licences that may be used there."},

	{"licence", "name", "", "text", "Its name."},
	{"licence", "copies", "", "int", "Copies in all, 0 where they are not counted."},
	{"licence", "free", "", "int", "Copies that are free now."},

	{"outage", "name", "", "text", "Its name."},
	{"outage", "cluster", "", "text", "The name of the cluster."},
	{"outage", "starts", "", "int", "When it begins."},
	{"outage", "ends", "", "int", "When it ends."},
	{"outage", "procs", "", "int", "Processors that it takes away."},

	{"reservation", "id", "", "int", "The number of its job in the log."},
	{"reservation", "cluster", "", "text", "The name of the cluster."},
	{"reservation", "starts", "", "int", "When it begins."},
	{"reservation", "ends", "", "int", "When it ends."},
	{"reservation", "procs", "", "int", "Processors that it holds."},

	{"limits", "user_processors", "", "int or None", "Processors of a cluster that the jobs of one user may hold together."},
	{"limits", "classes", "", "list of limits", "What jobs with long requests may hold together."},
	{"limit", "longer_than", "", "int", "It holds for jobs that ask for more seconds than this."},
	{"limit", "procs", "", "int", "Processors that they may hold together, if the platform is one cluster."},
}
