package catalog

// DefaultPreset is the key of the preset that a first visit runs by itself.
const DefaultPreset = "demo"

// Presets are experiments to load with one click, the default first. Documents
// leave out what is at its default.
var Presets = []Preset{
	{
		Key: "demo", Name: "Three schedulers on a generated workload",
		Help:    "2,000 generated jobs on 100 processors: FCFS, EASY and conservative backfilling, five repetitions each.",
		Cite:    citeMualem,
		LookFor: "FCFS leaves processors idle in front of every wide job. Both backfilling schedulers fill these gaps, and the same jobs wait a fraction of the time. EASY and conservative lie close together: make one the baseline and see for which measures the difference exceeds its interval.",
		Document: `{"batchlab":1,"title":"Three schedulers on a generated workload","seed":1,
"workload":{"source":{"generator":{"key":"daily","params":{"jobs":2000,"processors":100}}}},
"platform":{"processors":100},
"schedulers":[{"key":"fcfs","repeat":5},{"key":"easy","repeat":5},{"key":"conservative","repeat":5}]}`,
	},
	{
		Key: "easy-vs-conservative", Name: "EASY against conservative",
		Help:    "The two classic backfilling schedulers on one bundled workload.",
		Cite:    citeMualem,
		LookFor: "EASY protects only the first waiting job, conservative protects all. Compare the mean with the 99th percentile of the wait, and the classes of wide and long jobs: which scheduler is better depends on where you look.",
		Document: `{"batchlab":1,"title":"EASY against conservative","seed":1,
"workload":{"source":{"bundled":"demo"}},
"schedulers":[{"key":"easy"},{"key":"conservative"}]}`,
	},
	{
		Key: "farm", Name: "A farm with licences and deadlines",
		Help:    "1,000 jobs on 100 unequal machines with 20 floating licences, as in the farm study with 12 s between submissions: FCFS, EASY, BF_UNMOD and BF_MOD, three repetitions each.",
		Cite:    citeTechiouba,
		LookFor: "How many jobs miss their deadline. FCFS lets almost all pass, backfilling in order of arrival about two in three; the priorities of BF_UNMOD and BF_MOD bring that to about half, at the price of slightly longer waits. Move their weights with the sliders, and ask a waiting job for its priority in the Gantt chart.",
		Document: `{"batchlab":1,"title":"A farm with licences and deadlines","seed":1,
"workload":{"source":{"generator":{"key":"farm","params":{"interarrival":12}}},
"annotate":{"deadlines":{"share":0.7},"licences":[{"licence":"*","share":0.3}]}},
"platform":{"generator":{"key":"farm-machines"}},
"schedulers":[{"key":"fcfs","repeat":3},{"key":"easy","label":"BF_FCFS","repeat":3},{"key":"bf-unmod","repeat":3},{"key":"bf-mod","repeat":3}]}`,
	},
	{
		Key: "users", Name: "Reacting users",
		Help:    "The overloaded bundled workload, whose 30 users submit their next jobs only after what they waited for has ended: FCFS, Orig-BF and Plan-RS.",
		Cite:    citeKlusacek,
		LookFor: "The Users tab: who complains, how loudly, and how fast the work gets done. Under FCFS all users complain; Orig-BF and Plan-RS leave a fraction of the complaints. Set Submissions to Replay under Workload and run again: with fixed submissions FCFS lets a backlog of days pile up, which users who wait for their results never build.",
		Document: `{"batchlab":1,"title":"Users who react","seed":1,
"workload":{"source":{"bundled":"overload"},"react":{}},
"schedulers":[{"key":"fcfs"},{"key":"orig-bf"},{"key":"plan-rs"}]}`,
	},
	{
		Key: "small-slurm", Name: "A small Slurm",
		Help:     "150 generated jobs on eight nodes with two partitions, as a Slurm controller runs them, at twenty phases of its loops, beside EASY and FCFS.",
		Cite:     slurmScheduler.Cite,
		LookFor:  "The band of Slurm: the same jobs twenty times, and nothing differs but when its loops tick, which nobody chooses. EASY lies within the band of mean waits, FCFS far outside. In the step view look why a job waits while nodes are free; the wave beside bf_interval makes the loop's pace vary.",
		Document: smallSlurm(),
	},
	{
		Key: "orders", Name: "Queue orders under EASY",
		Help:    "EASY with the queue in four orders, shortest jobs backfilled first and a waiting threshold of 200,000 s, over ten generated workloads.",
		Cite:    citeLegrand,
		LookFor: "SAF cuts the mean bounded slowdown clearly below FCFS order, as in the study; the maximum wait is its price. SPF, second best on the study's logs, does not help here: what an order is worth depends on the workload.",
		Document: `{"batchlab":1,"title":"Queue orders under EASY","seed":1,
"workload":{"source":{"generator":{"key":"daily","params":{"jobs":2000,"processors":100}}}},
"platform":{"processors":100},
"schedulers":[
{"key":"easy","label":"EASY FCFS/SPF","params":{"backfill":"spf","threshold":200000},"repeat":10},
{"key":"easy","label":"EASY SPF/SPF","params":{"order":"spf","backfill":"spf","threshold":200000},"repeat":10},
{"key":"easy","label":"EASY SAF/SPF","params":{"order":"saf","backfill":"spf","threshold":200000},"repeat":10},
{"key":"easy","label":"EASY LEXP/SPF","params":{"order":"lexp","backfill":"spf","threshold":200000},"repeat":10}]}`,
	},
	{
		Key: "foresight", Name: "Foresight against SAF", AnyLog: true,
		Help:    "EASY with the smallest requested area first, against the smallest area predicted from jobs that have ended, with and without rollouts, and against true run times. A log that is open stays.",
		Cite:    citeForesight,
		LookFor: "How far foresight comes from SAF towards SAF on true run times, which nobody can know. The Foresight tab shows predictions against the truth, by user and over time, and which order the rollouts chose.",
		Document: `{"batchlab":1,"title":"Foresight against SAF","seed":1,
"workload":{"source":{"generator":{"key":"daily","params":{"jobs":4000,"processors":100,"load":0.95}}}},
"platform":{"processors":100},
"schedulers":[
{"key":"easy","label":"SAF","params":{"order":"saf","backfill":"spf","ties":"newest","threshold":200000}},
{"key":"foresight","label":"F1"},
{"key":"foresight-rollout","label":"F2"},
{"key":"easy","label":"clairvoyant SAF","params":{"order":"saf","backfill":"spf","ties":"newest","threshold":200000,"orders-by":"prediction"},"predict":{"key":"true"}}],
"measures":{"tau":60}}`,
	},
}
