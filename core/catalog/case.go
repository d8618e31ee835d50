package catalog

import (
	"fmt"
	"strings"
)

// Case is a small experiment of a few jobs written by hand, which shows one
// thing.
type Case struct {
	Key      string
	Name     string
	Shows    string // in a sentence or two: what to see
	Document string
}

// Cases are the cases of the menu, in the order of a course.
var Cases = []Case{
	{"hole", "The hole before a wide job",
		"Job 2 needs the whole machine and waits for job 1. Under FCFS one processor idles until then, although job 3 would have ended in time; EASY starts job 3 at once.",
		hand(4, "", []job{{0, 3, 60, 60, 0}, {5, 4, 60, 60, 0}, {10, 1, 30, 30, 0}}, "", `{"key":"fcfs"},{"key":"easy"}`)},
	{"promise", "EASY's promise",
		"The head, job 2, can start at 60 min. Job 3 would fit now but end too late, so EASY leaves it out and starts job 4, which ends in time. Without the promise, job 3 starts and job 2 waits for it.",
		hand(4, "", []job{{0, 3, 60, 60, 0}, {5, 4, 60, 60, 0}, {10, 1, 90, 90, 0}, {15, 1, 40, 40, 0}}, "", `{"key":"easy"},{"key":"fcfs-bf"}`)},
	{"beside", "What the head leaves over",
		"When the head starts at 60 min, two processors stay free. Job 3 needs no more than these, so it may run far beyond that time; job 4 finds them taken.",
		hand(6, "", []job{{0, 4, 60, 60, 0}, {5, 4, 60, 60, 0}, {10, 2, 120, 120, 0}, {15, 1, 120, 120, 0}}, "", `{"key":"fcfs"},{"key":"easy"}`)},
	{"everyone", "A promise for everyone",
		"EASY promises a start to the head alone: job 4 runs beside it and keeps job 3 waiting until 215 min. Conservative backfilling has promised job 3 its start at 120 min, and job 4 must wait.",
		hand(6, "", []job{{0, 4, 60, 60, 0}, {5, 3, 60, 60, 0}, {10, 5, 60, 60, 0}, {15, 2, 200, 200, 0}}, "", `{"key":"easy"},{"key":"conservative"}`)},
	{"moves-up", "Promises move earlier, never later",
		"Job 1 asked for two hours and ends after half an hour. Conservative backfilling places all waiting jobs again, in the order of their planned starts: each moves to an earlier start, none to a later one.",
		hand(4, "", []job{{0, 4, 120, 30, 0}, {5, 3, 60, 60, 0}, {10, 1, 60, 60, 0}, {15, 4, 30, 30, 0}}, "", `{"key":"conservative"}`)},
	{"estimates", "Wrong estimates",
		"Job 1 asks for two hours and runs for 20 min. EASY trusts the request and starts job 3, which then keeps the head waiting: job 2 starts at 110 min, under FCFS at 20. The promise, 120 min, is kept all the same.",
		hand(4, "", []job{{0, 3, 120, 20, 0}, {5, 4, 60, 60, 0}, {10, 1, 100, 100, 0}}, "", `{"key":"fcfs"},{"key":"easy"}`)},
	{"overrun", "Longer than it asked for",
		"Job 1 would run for 90 min and asked for 60. It is stopped after 60, as on most machines.",
		hand(4, "", []job{{0, 4, 60, 90, 0}, {5, 4, 60, 60, 0}}, "", `{"key":"fcfs"}`)},
	{"ties", "Submitted together",
		"Jobs 2, 3 and 4 are submitted in the same second: the smaller job number goes first. FCFS stops at job 3, which does not fit beside job 2; EASY starts job 4 beside it.",
		hand(4, "", []job{{0, 4, 30, 30, 0}, {10, 2, 60, 60, 0}, {10, 4, 30, 30, 0}, {10, 2, 60, 60, 0}}, "", `{"key":"fcfs"},{"key":"easy"}`)},
	{"orders", "Small jobs first, and who pays",
		"Smallest area first starts jobs 3, 4 and 5 long before the large job 2, which came before them all: three wait less, one waits two hours more.",
		hand(4, "", []job{{0, 4, 30, 30, 0}, {1, 4, 120, 120, 0}, {2, 2, 60, 60, 0}, {3, 1, 20, 20, 0}, {4, 3, 60, 60, 0}}, "",
			`{"key":"easy"},{"key":"easy","label":"EASY, smallest area first","params":{"order":"saf","backfill":"spf"}}`)},
	{"starves", "The wide job that waits and waits",
		"When every later job may pass, there is always a narrow one that fits: job 2, as wide as the machine, waits until no more jobs come. Under FCFS, which stops at it, and under EASY, which promises it a start, it starts at 40 min.",
		hand(4, "", []job{{0, 3, 40, 40, 0}, {5, 4, 60, 60, 0}, {10, 1, 50, 50, 0}, {20, 2, 40, 40, 0}, {50, 1, 40, 40, 0}, {70, 2, 50, 50, 0}, {90, 1, 60, 60, 0}, {120, 2, 40, 40, 0}}, "",
			`{"key":"fcfs"},{"key":"fcfs-bf"},{"key":"easy"}`)},
	{"formula", "An order of your own",
		"The formula wait ÷ p puts the job first that has waited longest, measured by the time it asks for: the short jobs 3 and 4 pass the long job 2, which came first.",
		hand(4, "", []job{{0, 4, 30, 30, 0}, {1, 4, 120, 120, 0}, {20, 4, 20, 20, 0}, {29, 4, 20, 20, 0}}, "",
			`{"key":"easy"},{"key":"easy","label":"EASY, by formula","params":{"order":"formula","formula":"wait / p"}}`)},
	{"threshold", "A threshold against starving",
		"With the shortest job first, the long job 2 waits as long as short ones come. With a threshold of one hour it goes to the front of the queue when it has waited longer than that.",
		hand(4, "", []job{{0, 4, 30, 30, 0}, {1, 4, 120, 120, 0}, {20, 4, 30, 30, 0}, {45, 4, 30, 30, 0}, {70, 4, 30, 30, 0}, {95, 4, 30, 30, 0}, {120, 4, 30, 30, 0}, {145, 4, 30, 30, 0}}, "",
			`{"key":"easy","label":"EASY, shortest first","params":{"order":"spf"}},{"key":"easy","label":"with a threshold","params":{"order":"spf","threshold":3600}}`)},
	{"fair", "Fair share",
		"User 1 has submitted five jobs before user 2 submits one. FCFS serves them in that order; fair share lets job 6 go before those of the user who has already used the machine.",
		hand(4, "user", []job{{0, 4, 60, 60, 1}, {1, 2, 60, 60, 1}, {2, 2, 60, 60, 1}, {3, 2, 60, 60, 1}, {4, 2, 60, 60, 1}, {30, 2, 60, 60, 2}}, "",
			`{"key":"fcfs"},{"key":"fair-share"}`)},
	{"plan", "Planning ahead, and the wide job",
		"Plan-RS plans all waiting jobs and looks for a plan that is better on the whole: jobs 3, 4 and 5 wait less, and the wide job 2 waits two hours more than under conservative backfilling.",
		hand(6, "", []job{{0, 4, 60, 60, 0}, {1, 6, 60, 60, 0}, {2, 3, 120, 120, 0}, {3, 3, 50, 50, 0}, {4, 2, 60, 60, 0}}, "", `{"key":"conservative"},{"key":"plan-rs"}`)},
	{"anew", "Promises that are rebuilt",
		"Orig-BF makes reservations for all waiting jobs, those of the users who have used least first, and rebuilds them at every event: when user 2 comes with job 3, job 2 of user 1 moves from 60 to 90 min. Conservative backfilling keeps its promise.",
		hand(4, "user", []job{{0, 4, 60, 60, 1}, {5, 4, 60, 60, 1}, {30, 4, 30, 30, 2}}, "", `{"key":"conservative"},{"key":"orig-bf"}`)},
	{"exchange", "An exchange that gains",
		"Hill climbing exchanges two waiting jobs as long as that makes the last end earlier: with jobs 2 and 4 exchanged the last job ends at 120 min, in order of submission at 150.",
		hand(2, "", []job{{0, 2, 60, 60, 0}, {5, 1, 30, 30, 0}, {10, 1, 30, 30, 0}, {15, 1, 60, 60, 0}}, "", `{"key":"conservative"},{"key":"hill-climbing"}`)},
	{"reservation", "A reservation that everyone keeps",
		"A course has the machine from 90 to 120 min. Job 2 still fits before it; job 3 goes beside job 1 under EASY, and job 4, which would run into the course, starts after it.",
		hand(4, "", []job{{0, 2, 60, 60, 0}, {10, 4, 30, 30, 0}, {15, 2, 40, 40, 0}, {20, 2, 60, 60, 0}}, `"platform":{"reservations":[{"name":"course","processors":4,"from":5400,"to":7200}]}`, `{"key":"fcfs"},{"key":"easy"}`)},
	{"outage", "Maintenance that was announced",
		"The machine is serviced from 90 to 120 min, and schedulers know it: job 2 would run into it and starts afterwards. Under EASY job 3, which ends before it, starts at once; FCFS stops at job 2.",
		hand(4, "", []job{{0, 2, 60, 60, 0}, {10, 2, 90, 90, 0}, {15, 2, 50, 50, 0}}, `"platform":{"outages":[{"name":"maintenance","from":5400,"to":7200,"processors":4,"announced":true}]}`, `{"key":"fcfs"},{"key":"easy"}`)},
	{"failure", "A power cut",
		"A failure that nobody foresees: job 1 is stopped after half its time, waits until the power is back, and runs from its beginning.",
		hand(4, "", []job{{0, 4, 60, 60, 0}, {5, 2, 60, 60, 0}}, `"platform":{"outages":[{"name":"power cut","from":1800,"to":2400,"processors":4}]}`, `{"key":"easy"}`)},
	{"licence", "One copy of a licence",
		"Jobs 1 and 2 need the same licence, of which there is one copy: processors are free, and job 2 waits. FCFS stops at it; EASY starts job 3.",
		hand(0, "", []job{{0, 2, 60, 60, 0}, {5, 2, 60, 60, 0}, {10, 2, 30, 30, 0}},
			`"platform":{"licences":[{"name":"cad","copies":1}],"clusters":[{"name":"farm","packing":"machine","groups":[{"count":2,"processors":4,"licences":["cad"]}]}]}`,
			`{"key":"fcfs"},{"key":"easy"}`, `"annotate":{"jobs":[{"job":1,"licences":["cad"]},{"job":2,"licences":["cad"]}]}`)},
	{"deadline", "Deadlines in the order",
		"Job 3 is due at 125 min, job 2 much later. BF_MOD serves job 3 first and both are in time; in order of submission job 3 is late by 55 min.",
		hand(4, "", []job{{0, 4, 60, 60, 0}, {5, 4, 60, 60, 0}, {10, 4, 60, 60, 0}}, `"platform":{"clusters":[{"name":"farm","packing":"machine","groups":[{"processors":4}]}]}`,
			`{"key":"easy"},{"key":"bf-mod"}`, `"annotate":{"jobs":[{"job":2,"due":24000},{"job":3,"due":7500}]}`)},
	{"due-stop", "Stopped at the deadline",
		"Here a deadline is the time at which a job is stopped, done or not: job 2 starts at 60 min and is stopped at 100.",
		hand(4, "", []job{{0, 4, 60, 60, 0}, {5, 4, 60, 60, 0}}, "", `{"key":"easy"}`, `"annotate":{"deadlines":{"on_due":"kill"},"jobs":[{"job":2,"due":6000}]}`)},
	{"nodes", "Free, but not in one place",
		"Two processors are free, one on each machine, and job 3 needs two on one machine: it waits, and job 4 starts.",
		hand(0, "", []job{{0, 3, 60, 60, 0}, {5, 3, 60, 60, 0}, {10, 2, 30, 30, 0}, {12, 1, 30, 30, 0}}, `"platform":{"clusters":[{"name":"farm","packing":"machine","groups":[{"count":2,"processors":4}]}]}`, `{"key":"easy"}`)},
	{"gpu", "The GPU that is missing",
		"Five processors are free, and job 2 waits: it needs a GPU, and the only one is job 1's until 60 min. The head's box stands on the machine that has it; job 3 needs none and starts.",
		hand(0, "", []job{{0, 1, 60, 60, 0}, {5, 1, 30, 30, 0}, {10, 1, 30, 30, 0}}, `"platform":{"clusters":[{"name":"n","packing":"machine","groups":[{"processors":2,"gpus":1},{"processors":4}]}]}`,
			`{"key":"fcfs"},{"key":"easy"}`, `"annotate":{"jobs":[{"job":1,"gpus":1},{"job":2,"gpus":1}]}`)},
	{"limit", "As much as one user may have",
		"No user may hold more than four processors. Four are free, and job 2 waits for its own user's job 1. FCFS stops at it; EASY starts job 3.",
		hand(8, "user", []job{{0, 4, 60, 60, 1}, {5, 4, 60, 60, 1}, {10, 4, 60, 60, 2}}, `"platform":{"limits":{"user_processors":4}}`, `{"key":"fcfs"},{"key":"easy"}`)},
	{"class", "Long jobs may not fill the machine",
		"Jobs of more than an hour may hold 4 of the 10 processors together. Jobs 1 and 2 do until 120 min, and job 4, a long one as well, waits though 2 are free; job 3 is short and starts at once.",
		hand(10, "", []job{{0, 2, 120, 120, 0}, {5, 2, 180, 180, 0}, {10, 4, 30, 30, 0}, {15, 2, 90, 90, 0}}, `"platform":{"limits":{"classes":[{"longer_than":3600,"share":0.4}]}}`, `{"key":"easy"}`)},
	{"grid", "Two machines, two queues",
		"A grid sends each job to a machine when it is submitted, and there it stays: job 2 goes to North, where it can start. Job 4 needs six processors, so only South will do, and it waits there for job 1.",
		hand(0, "", []job{{0, 4, 60, 60, 0}, {5, 4, 60, 60, 0}, {10, 2, 30, 30, 0}, {12, 6, 30, 30, 0}},
			`"platform":{"clusters":[{"name":"North","groups":[{"processors":4}]},{"name":"South","groups":[{"processors":6}]}]}`, `{"key":"grid"}`)},
	{"after", "A chain of jobs",
		"Job 3 is submitted at 10 min and waits for job 1: it is eligible at 60 min, and stands behind job 4, which was submitted later and has been eligible for longer. Job 5 waits for job 3.",
		hand(4, "after", []job{{0, 4, 60, 60, -1}, {5, 2, 30, 30, 1}, {10, 3, 30, 30, 1}, {20, 2, 30, 30, -1}, {25, 1, 30, 30, 3}}, "", `{"key":"fcfs"},{"key":"easy"}`, `"dependencies":"keep"`)},
	{"array", "Two of an array at a time",
		"Jobs 1 to 5 are one array of which two may run at a time. Four processors are free, and yet jobs 3 to 5 are eligible only one by one, as others of the array end; job 6, which belongs to nobody's array, starts at once.",
		hand(6, "array array_limit", []job{{0, 1, 30, 30, 1, 2}, {0, 1, 45, 45, 1, 2}, {0, 1, 30, 30, 1, 2}, {0, 1, 30, 30, 1, 2}, {0, 1, 30, 30, 1, 2}, {5, 4, 30, 30, -1, -1}}, "", `{"key":"fcfs"}`, `"dependencies":"keep"`)},
	{"begin", "Not before a time",
		"Job 3 does not want to begin before 40 min. It stands in the queue from then on: behind job 2 under FCFS, while under EASY it still fits into the hole before job 2.",
		hand(4, "begin", []job{{0, 3, 60, 60, -1}, {5, 4, 30, 30, -1}, {10, 1, 20, 20, 2400}}, "", `{"key":"fcfs"},{"key":"easy"}`, `"dependencies":"keep"`)},
	{"delay", "Some time after another has started",
		"Job 3 reads what job 2 writes, and wants to begin ten minutes after its start. Job 2 starts at 30 min, so job 3 is eligible at 40, and finds the machine full of job 4, which was submitted later.",
		said(hand(4, "after", []job{{0, 4, 30, 30, -1}, {5, 2, 60, 60, -1}, {6, 2, 30, 30, -100}, {10, 2, 30, 30, -1}}, "", `{"key":"fcfs"}`, `"dependencies":"keep"`), "2:start+600")},
	{"notok", "A clean-up that is not needed",
		"Job 2 wants job 1 to have ended well, job 3 wants it to have failed. It ends well: job 2 is eligible then, behind job 4, and job 3 leaves the queue, for what it waits for can never come.",
		said(hand(4, "after", []job{{0, 4, 30, 30, -1}, {5, 2, 30, 30, -100}, {6, 2, 30, 30, -101}, {10, 4, 30, 30, -1}}, "", `{"key":"fcfs"}`, `"dependencies":"keep"`), "1:ok", "1:notok")},
	{"any", "Whichever ends first",
		"Job 4 needs what job 2 or job 3 brings, whichever comes first. Job 2 ends at 20 min, and job 4 takes its place.",
		said(hand(4, "after", []job{{0, 2, 60, 60, -1}, {0, 1, 20, 20, -1}, {0, 1, 50, 50, -1}, {5, 1, 30, 30, -100}}, "", `{"key":"fcfs"}`, `"dependencies":"keep"`), "2?3")},
	{"withdrawn", "The job that gave up",
		"Job 2 wants the whole machine and leaves at 40 min, before it could start. Under FCFS job 3 waits behind it until then, and a log from which it was left out does not show why.",
		hand(4, "withdrawn", []job{{0, 3, 60, 60, -1}, {5, 4, 60, 60, 2400}, {10, 1, 30, 30, -1}}, "", `{"key":"fcfs"},{"key":"easy"}`, `"withdrawn":"keep"`)},
	{"react", "Users who wait for results",
		"User 1 submits job 4 ten minutes after job 3 has ended, as in the log. Under FCFS job 3 ends late, so job 4 comes late, too: a slow scheduler is given less to do.",
		hand(4, "user wait", []job{{0, 3, 60, 60, 2}, {5, 4, 60, 60, 3, 3600}, {10, 1, 30, 30, 1, 300}, {55, 1, 10, 10, 1}}, "", `{"key":"fcfs"},{"key":"easy"}`, `"react":{}`)},
	{"slurm-loops", "Slurm's two loops",
		"Job 3 fits beside job 1 and would end before job 2 could start. Slurm's main loop stops at job 2 all the same, whenever it looks; only its backfill loop lets job 3 pass, and that comes every five minutes here: at 15 min. EASY starts it at once.",
		hand(4, "", []job{{0, 3, 60, 60, 0}, {5, 4, 60, 60, 0}, {11, 1, 30, 30, 0}}, "",
			`{"key":"slurm","label":"main loop alone","params":{"phase":49,"SchedulerType":"sched/builtin"}},{"key":"slurm","label":"both loops","params":{"phase":486,"bf_interval":300}},{"key":"easy"}`)},
	{"slurm-nodes", "A plan holds whole nodes",
		"Two nodes of two processors: job 2 needs three of the four and is planned at 60 min. One processor would stay free beside it, and EASY lets job 3 have it for 90 min. Slurm's plan holds both nodes as wholes: job 3 would run into it and waits, job 4 ends before it and starts.",
		hand(0, "", []job{{0, 2, 60, 60, 0}, {5, 3, 60, 60, 0}, {10, 1, 90, 90, 0}, {15, 1, 40, 40, 0}}, `"platform":{"clusters":[{"name":"small","packing":"nodes","groups":[{"count":2,"processors":2}]}]}`,
			`{"key":"slurm","params":{"phase":49}},{"key":"easy"}`)},
	{"slurm-depth", "As far as a cycle looks",
		"A cycle of the backfill loop tests bf_max_job_test jobs. With 2 it plans jobs 2 and 3 and goes no further: job 4, which would fit at once, is not tested until 120 min. With Slurm's own 500 it starts when it comes.",
		hand(4, "", []job{{0, 3, 60, 60, 0}, {5, 4, 60, 60, 0}, {6, 2, 60, 60, 0}, {7, 1, 30, 30, 0}}, "",
			`{"key":"slurm","label":"bf_max_job_test 2","params":{"phase":49,"bf_max_job_test":2}},{"key":"slurm","params":{"phase":49}}`)},
	{"slurm-tier", "A partition of a higher tier",
		"Two partitions share the nodes, and the second has a higher tier: job 3, in the second, goes before job 2, which came first and would have been next. FCFS knows no tiers.",
		hand(0, "partition", []job{{0, 4, 60, 60, 1}, {5, 4, 60, 60, 1}, {10, 4, 30, 30, 2}},
			`"platform":{"clusters":[{"name":"small","packing":"nodes","groups":[{"count":2,"processors":2}]}],"partitions":[{"name":"batch"},{"name":"urgent","tier":2}]}`,
			`{"key":"slurm","params":{"phase":49}},{"key":"fcfs"}`)},
	{"as-logged", "What the log says",
		"The log states when each job started. As logged repeats that, whether or not it fits: at 5 min two jobs hold more processors than there are.",
		hand(4, "wait", []job{{0, 4, 60, 60, 0}, {5, 2, 60, 60, 0}, {10, 2, 30, 30, 3000}}, "", `{"key":"as-logged"},{"key":"easy"}`)},
}

// job is submission, processors, requested and run time, times in minutes, and
// what further columns say.
type job [6]int64

// said puts texts in the place of -100, -101 and so on in a document of hand.
func said(document string, texts ...string) string {
	for i, text := range texts {
		document = strings.ReplaceAll(document, fmt.Sprintf(",%d]", -100-i), fmt.Sprintf(",%q]", text))
	}
	return document
}

// hand writes the document of a case; processors 0: the platform says it; further are
// the names of further columns. The platform is a part of the document, more are parts of the workload.
func hand(processors int, further string, jobs []job, platform, schedulers string, more ...string) string {
	var b strings.Builder
	b.WriteString(`{"batchlab":1,"workload":{"source":{"inline":{`)
	if processors > 0 {
		fmt.Fprintf(&b, `"processors":%d,`, processors)
	}
	b.WriteString(`"columns":["submit","procs","requested","run"`)
	columns := strings.Fields(further)
	for _, c := range columns {
		fmt.Fprintf(&b, `,%q`, c)
	}
	b.WriteString(`],"rows":[`)
	for i, j := range jobs {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%d,%d,%d,%d", 60*j[0], j[1], 60*j[2], 60*j[3])
		for k := range columns {
			fmt.Fprintf(&b, ",%d", j[4+k])
		}
		b.WriteByte(']')
	}
	b.WriteString(`]}}`)
	for _, m := range more {
		b.WriteString("," + m)
	}
	b.WriteByte('}')
	if platform != "" {
		b.WriteString("," + platform)
	}
	return b.String() + `,"schedulers":[` + schedulers + `]}`
}
