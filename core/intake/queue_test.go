package intake

import (
	"fmt"
	"strings"
	"testing"
)

// Intent: what squeue prints becomes what runs and waits, with users as numbers of the log
// and arrays as so many jobs; held jobs are counted and left out; no name goes on.
func TestReadQueue(t *testing.T) {
	bars := `JOBID|USER|STATE|TIME|TIME_LIMIT|CPUS|NODES|SUBMIT_TIME|START_TIME|REASON
11|anna|RUNNING|1:30:00|12:00:00|64|2|2026-07-02T08:00:00|2026-07-02T10:00:00|None
12|nobody-known|COMPLETING|2:00|1:00:00|64|2|2026-07-02T08:00:00|2026-07-02T10:00:00|None
13_[1-4%2]|berta|PENDING|0:00|1-00:00:00|8|1|2026-07-02T11:00:00|N/A|Resources
14|berta|PENDING|0:00|UNLIMITED|16|1-2|2026-07-02T11:20:00|N/A|Priority
15|anna|PENDING|0:00|1:00:00|16|1|2026-07-02T09:00:00|N/A|Dependency
16|clara|PENDING|0:00|1:00:00|16|1|2026-07-02T09:30:00|N/A|Priority
`
	q, err := ReadQueue([]byte(bars), &Names{Users: []string{"anna", "berta"}})
	if err != nil {
		t.Fatal(err)
	}
	want := "[{64 2 43200 1 5400 -1 2}"
	for range 4 {
		want += " {8 1 86400 2 -1 1800 4}"
	}
	want += " {16 1 0 2 -1 600 5} {16 1 3600 -1 -1 7200 7}]"
	if got := fmt.Sprint(q.Jobs); got != want || q.Held != 1 || q.Unknown != 1 {
		t.Errorf("%s\nnot %s; %d held, %d unknown", got, want, q.Held, q.Unknown)
	}
	long := `Thu Jul  2 11:42:00 2026
             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)
               101     batch   my-job     anna  RUNNING       3:05     30:00      4 cn[001-004]
               102     batch   my-job     anna  PENDING       0:00     30:00      4 (Resources)
`
	q, err = ReadQueue([]byte(long), nil)
	if err != nil || fmt.Sprint(q.Jobs) != "[{0 4 1800 -1 185 -1 3} {0 4 1800 -1 -1 -1 4}]" {
		t.Error(q, err)
	}
	for text, says := range map[string]string{
		"JOBID|ST|TIME\n1|R|1:00\n":                 "time limits",
		"JOBID|ST|TIME|TIME_LIMIT\n1|R|1:00|2:00\n": "how large",
		"hello\n": "not what squeue prints",
		"JOBID|ST|TIME|TIME_LIMIT|CPUS\n1|R|soon|2:00|4\n":         "line 2: TIME",
		"JOBID|ST|TIME|TIME_LIMIT|CPUS\n1|R|1:00|2:00|x\n":         "line 2: CPUS",
		"JOBID|ST|TIME|TIME_LIMIT|CPUS\n1|secret name|1:00|2:00|4": "line 2: ST",
		"JOBID|ST|TIME|TIME_LIMIT|CPUS\n":                          "nothing runs",
	} {
		if _, err := ReadQueue([]byte(text), nil); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Intent: no bytes make the reader of queues fail otherwise than by an error, and what it
// gives can run.
func FuzzReadQueue(f *testing.F) {
	f.Add([]byte("JOBID|ST|TIME|TIME_LIMIT|CPUS|NODES|SUBMIT_TIME|START_TIME\n1_[1-3:2,7]|PD|0:00|1:00|4|1|2026-07-02T11:00:00|N/A\n2|R|0:01|1:00|4|1||\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := ReadQueue(data, nil)
		if err != nil {
			return
		}
		for _, j := range q.Jobs {
			if j.Procs < 0 || j.Nodes < 0 || j.Limit < 0 || j.Ran < -1 || j.Waited < -1 {
				t.Fatalf("%+v", j)
			}
		}
	})
}
