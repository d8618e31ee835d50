package catalog

// MaxCode is the number of characters that a program may have.
const MaxCode = 16_000

// customDefault is the program that a scheduler of one's own begins with. Documents
// without a program mean this one, so it never changes.
const customDefault = `# Jobs start in order of submission. The first that does not fit gets a
# reservation; others may pass it where they do not delay it (EASY).

def order(job, s):
    return job.submit

backfill = "easy"
`

// customScheduler is a program that a user writes.
var customScheduler = Scheduler{
	Key: "custom", Name: "A scheduler of your own", Short: "Own",
	Help:  "Runs a program in Starlark, which looks like Python: decide(s) returns the jobs to start at an instant, or order(job, s) gives the order for a rule of backfilling.",
	Cite:  "docs/your-own-scheduler.md; the Starlark language, github.com/bazelbuild/starlark",
	Draws: []Draw{{Param: "code", Value: "random", Within: true}},
	Params: []Param{
		{Key: "code", Name: "Program", Type: Code, Default: customDefault,
			Help: "The program, in Starlark, of at most 16,000 characters. It defines decide(s), or order(job, s) with backfill = \"easy\", \"conservative\" or \"none\" beside it."},
		{Key: "name", Name: "Name", Type: Words, Default: "",
			Help: "What the scheduler is called in legends and tables; empty: Own."},
	},
}
