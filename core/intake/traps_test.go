package intake

import (
	"fmt"
	"strings"
	"testing"
)

// The ways in which the output of sacct says something else than it seems to, each
// seen in that of Slurm 22.05.8; the rows are made up.
const trapHead = "JobID|JobIDRaw|User|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|AllocCPUS|ReqCPUS|AllocTRES|Reason|Flags\n"

// trap makes one row out of what differs from a job that ran for 60 s from 08:00:10.
func trap(id, raw string, cells map[string]string) string {
	row := map[string]string{"JobID": id, "JobIDRaw": raw, "User": "ann", "Partition": "main", "Submit": "2026-11-23T08:00:00", "Eligible": "2026-11-23T08:00:00", "Start": "2026-11-23T08:00:10",
		"End": "2026-11-23T08:01:10", "ElapsedRaw": "60", "TimelimitRaw": "2", "State": "COMPLETED", "NNodes": "1", "AllocCPUS": "2", "ReqCPUS": "2", "AllocTRES": "cpu=2,node=1", "Reason": "None", "Flags": "SchedMain"}
	for k, v := range cells {
		row[k] = v
	}
	var list []string
	for _, name := range strings.Split(strings.TrimSpace(trapHead), "|") {
		list = append(list, row[name])
	}
	return strings.Join(list, "|") + "\n"
}

// Intent: each trap by itself, with the jobs that are meant.
func TestTraps(t *testing.T) {
	first := trap("1", "1", nil)
	const is = "1 0 10 60 2 2 120 1 1\n"
	never := map[string]string{"Eligible": "Unknown", "Start": "None", "End": "2026-11-23T08:01:00", "ElapsedRaw": "0", "State": "CANCELLED by 1001", "AllocTRES": ""}
	at := func(kv ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = kv[i+1]
		}
		return m
	}
	for _, c := range []struct {
		trap  string
		files []string
		want  string
		extra string // of the last job
		check string // said in the report
	}{
		{"1: -S hides jobs that never became eligible; -s CA shows them, and others again", []string{first + trap("2", "2", at("State", "CANCELLED by 0")), trap("2", "2", at("State", "CANCELLED by 0")) + trap("3", "3", never)},
			is + "2 0 10 60 2 2 120 5 1\n3 0 -1 -1 -1 2 120 5 1", "Withdrawn:60", "1 stands in the files more than once"},
		{"2: cancelled in the queue: the processors it shows were asked for", []string{first + trap("2", "2", never)}, is + "2 0 -1 -1 -1 2 120 5 1", "Withdrawn:60", ""},
		{"3: Eligible of a throttled task is its start: that is no wait for a time to begin", []string{first + trap("2_7", "9", at("Eligible", "2026-11-23T08:00:40", "Start", "2026-11-23T08:00:40", "End", "2026-11-23T08:01:40"))},
			is + "9 0 40 60 2 2 120 1 1", "Array:1", ""},
		{"3: Eligible of --begin is one", []string{first + trap("2", "2", at("Eligible", "2026-11-23T08:00:40", "Start", "2026-11-23T08:00:45", "End", "2026-11-23T08:01:45"))}, is + "2 0 45 60 2 2 120 1 1", "Begin:40", ""},
		{"4: rows are not in order of ids, and the last task has the array's own number", []string{trap("5_2", "5", nil) + trap("5_0", "7", nil) + trap("5_1", "6", nil)}, "5 0 10 60 2 2 120 1 1\n7 0 10 60 2 2 120 1 1\n6 0 10 60 2 2 120 1 1", "Array:1", "0 no number stands for two jobs"},
		{"4: a waiting array is one row", []string{first + trap("6_[0-3%2]", "6", at("Start", "Unknown", "End", "Unknown", "ElapsedRaw", "0", "State", "PENDING"))},
			is + "2 0 -1 -1 2 2 120 -1 1\n3 0 -1 -1 2 2 120 -1 1\n4 0 -1 -1 2 2 120 -1 1\n5 0 -1 -1 2 2 120 -1 1", "ArrayLimit:2", ""},
		{"4a: jobs that wait are in a file of their own", []string{first, trap("2", "2", at("Start", "Unknown", "End", "Unknown", "ElapsedRaw", "0", "State", "PENDING"))}, is + "2 0 -1 -1 2 2 120 -1 1", "", ""},
		{"5: Reason stays at its last one", []string{first + trap("2", "2", at("Reason", "Dependency"))}, is + "2 0 10 60 2 2 120 1 1", "After: Begin:0", ""},
		{"6: a second try is submitted when it was put back, and waits 121 s", []string{trap("1", "1", at("State", "PREEMPTED")) + trap("1", "1", at("Submit", "2026-11-23T08:01:10", "Eligible", "2026-11-23T08:03:11", "Start", "2026-11-23T08:03:12", "End", "2026-11-23T08:04:12", "Reason", "BeginTime"))},
			"1 0 10 60 2 2 120 0 1\n2 70 122 60 2 2 120 1 1", "Begin:191", ""},
		{"7: a job that is stopped at its limit runs a while longer", []string{first + trap("2", "2", at("End", "2026-11-23T08:02:38", "ElapsedRaw", "148", "State", "TIMEOUT"))}, is + "2 0 10 148 2 2 120 0 1", "", "1 ran longer than its limit"},
		{"8: limits that are words", []string{first + trap("2", "2", at("TimelimitRaw", "UNLIMITED")) + trap("3", "3", at("TimelimitRaw", "Partition_Limit"))}, is + "2 0 10 60 2 2 -1 1 1\n3 0 10 60 2 2 -1 1 1", "", "1 has its partition's limit"},
		{"9: GPUs of the whole job stand in AllocTRES", []string{first + trap("2", "2", at("NNodes", "2", "AllocTRES", "billing=2,cpu=2,gres/gpu=4,node=2"))}, is + "2 0 10 60 2 2 120 1 1", "GPUs:4", ""},
		{"10: select/linear gives whole nodes", []string{first + trap("2", "2", at("NNodes", "2", "AllocCPUS", "8", "ReqCPUS", "2"))}, is + "2 0 10 60 8 2 120 1 1", "", "1 was given more processors than it asked for"},
		{"11: a list of partitions until it starts", []string{first + trap("2", "2", at("Partition", "short,main", "Start", "Unknown", "End", "Unknown", "ElapsedRaw", "0", "State", "PENDING"))}, is + "2 0 -1 -1 2 2 120 -1 1", "Partitions:[2 1]", ""},
		{"14: jobs that wait for ever start at no time", []string{first + trap("2", "2", at("Start", "Unknown", "End", "Unknown", "ElapsedRaw", "0", "State", "PENDING", "Reason", "PartitionTimeLimit"))}, is + "2 0 -1 -1 2 2 120 -1 1", "Withdrawn:0", ""},
		{"15: who started a job is in Flags, which changes nothing here", []string{first + trap("2", "2", at("Flags", "SchedBackfill,StartRecieved"))}, is + "2 0 10 60 2 2 120 1 1", "", ""},
	} {
		t.Run(c.trap, func(t *testing.T) {
			var files [][]byte
			for _, f := range c.files {
				files = append(files, []byte(trapHead+f))
			}
			r, err := Read(Options{}, files...)
			if err != nil {
				t.Fatal(err)
			}
			if got := all(r); got != c.want {
				t.Errorf("%s\nwant\n%s\n%v", got, c.want, r.Log.Problems)
			}
			if last := fmt.Sprintf("%+v", r.Extra[len(r.Extra)-1]); !strings.Contains(last, c.extra) {
				t.Errorf("%s, want %s", last, c.extra)
			}
			if got := checks(r); !strings.Contains(got, c.check) {
				t.Errorf("%q is not said:\n%s", c.check, got)
			}
		})
	}
	t.Run("13: -P does not escape: the name shifts all columns behind it", func(t *testing.T) {
		r := read(t, "sacct", "JobID|JobName|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NCPUS\n91|we|rd name|ann|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|60|2|COMPLETED|4\n")
		if got := all(r); got != "91 0 10 60 4 -1 120 1 1" {
			t.Errorf("%s %v", got, r.Log.Problems)
		}
	})
	t.Run("12: --json of 22.05 names another cluster of the same database, 0 for no reservation and for no limit on an array", func(t *testing.T) {
		r := read(t, "sacct-json", `{"meta": {"plugin": {"type": "openapi/dbv0.0.38"}}, "jobs": [{"job_id": 4, "association": {"cluster": "elsewhere", "user": "ann"}, "array": {"job_id": 3, "limits": {"max": {"running": {"tasks": 0}}}, "task_id": 1}, "reservation": {"id": 0, "name": 0}, "time": {"submission": 1795420800, "start": 1795420810, "end": 1795420870, "elapsed": 60, "limit": 2}, "state": {"current": "COMPLETED"}, "required": {"CPUs": 4}, "tres": {"allocated": [{"type": "cpu", "count": 4}]}}]}`)
		if got := all(r); got != "4 0 10 60 4 4 120 1 1" || r.Extra[0].ArrayLimit != 0 || r.Extra[0].Array != 1 {
			t.Errorf("%s %+v", got, r.Extra)
		}
	})
}

// Intent: the report of a file with a pause, partitions and arrays, as one works it out
// on paper; what became of the rows sums up to all of them.
func TestReport(t *testing.T) {
	r := read(t, "sacct", trapHead+
		trap("1", "1", nil)+
		trap("2", "2", map[string]string{"Partition": "gpu", "Submit": "2026-11-23T08:00:30", "Start": "2026-11-23T10:00:00", "End": "2026-11-23T10:10:00", "ElapsedRaw": "600", "TimelimitRaw": "60", "AllocCPUS": "4", "ReqCPUS": "4"})+
		trap("3_1", "3", map[string]string{"Partition": "gpu", "User": "bob"})+
		trap("3", "3", map[string]string{"Submit": "2026-11-23T09:00:00", "Start": "2026-11-23T10:00:00", "End": "2026-11-23T10:00:10", "ElapsedRaw": "10", "User": "ann"})+
		"no row\n")
	rep := &r.Report
	total := 0
	for _, f := range rep.Became {
		total += f.Count
	}
	if total != 5 || rep.Rows+r.Log.Malformed != 5 || rep.InArrays != 1 {
		t.Errorf("%d of %d rows: %+v", total, rep.Rows, rep.Became)
	}
	if got := fmt.Sprintf("%+v", rep.Partitions); got != "[{Number:1 Name: Jobs:2 Work:140 Wait:1805 Asked:120 Used:10} {Number:2 Name: Jobs:2 Work:2520 Wait:3590 Asked:120 Used:60}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(rep.Pauses); got != "[{70 7200}]" {
		t.Error(got)
	}
	// 7,800 s in 60 parts of 130 s: 4 processors for 60 s in the first, then nothing
	// until 7,200 s, which lies in the 56th.
	if rep.BusyTo != 7800 || rep.Busy[0] != 4*60 || rep.Busy[1] != 0 || rep.Busy[55] != 4*80+20 || rep.Busy[59] != 4*130 {
		t.Errorf("%d %v", rep.BusyTo, rep.Busy)
	}
	if got := checks(r); !strings.Contains(got, "1 shares its number with another job") || !strings.Contains(got, "waits are real: 4 of 4") || !strings.Contains(got, "1 nothing ran for an hour") {
		t.Error(got)
	}
	rep.Capacity(6)
	rep.Capacity(5)
	if got := checks(r); !strings.Contains(got, "0 never more in use than the machine has: at most 6 of 6 processors") || !strings.Contains(got, "1 more processors were in use at once than the machine has: 6 of 5") {
		t.Error(got)
	}
	for _, a := range rep.Assumed {
		if a.Choice == "processors" {
			t.Error("the size is known and still assumed")
		}
	}
}

// Intent: JSON on one line is no header of a table, whatever words stand in it; sacct
// --json is known without its head, too.
func TestJSONIsNoTable(t *testing.T) {
	const job = `{"account":"a","allocation_nodes":1,"group":"g","job_id":7,"name":"JobID","partition":"main","required":{"CPUs":2},"state":{"current":["COMPLETED"]},"submit":1,"start":1,"end":2,"jobid":1,"Submit":1,"time":{"elapsed":50,"eligible":1700000000,"end":1700000060,"start":1700000010,"submission":1700000000,"limit":9},"user":"u"}`
	for _, text := range []string{`{"jobs":[` + job + `]}`, `{"jobs": [` + job + `], "warnings": []}`, " \r\n{\"errors\":[],\"jobs\":[" + job + "]}\n"} {
		f := Recognise([]byte(text))
		if f == nil || f.Key != "sacct-json" {
			t.Fatalf("%s is taken for %v", text, f)
		}
		r, err := Read(Options{}, []byte(text))
		if err != nil || len(r.Log.Records) != 1 || r.Log.Records[0].JobNumber != 7 || r.Log.Records[0].WaitTime != 10 {
			t.Errorf("%v %v", r, err)
		}
	}
	for _, text := range []string{`{"submit":1,"start":2,"end":3,"jobid":4}`, `["JobID","Submit","submit","start"]`} {
		if f := Recognise([]byte(text)); f != nil {
			t.Errorf("%s is taken for %s", text, f.Key)
		}
	}
}
