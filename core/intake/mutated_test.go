package intake

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/report"
)

// mutant is how rows of one format are made and read plainly. The first row of each file
// is whole. Where judge is nil, rows that are no longer split in the same way are not
// judged; only that nothing breaks is.
type mutant struct {
	key, head, foot string
	row             func(id int) string
	from            string // what stands before the part that is changed
	bytes           string // that are put in
	plain           func(row string) (p plainRow, judged bool)
	alone           bool // one row a file: a wrong byte may spoil all
}

// lsfWhole is a record in which fields are parted by blanks.
var lsfWhole = regexp.MustCompile(`^(?:"(?:[^"]|"")*"|[^ "]+)(?: (?:"(?:[^"]|"")*"|[^ "]+))*$`)

const whiteBytes = " |:-,;T0189xZ=./K+\x00\xff"

var mutants = []mutant{
	{key: "sacct", head: "JobID|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NCPUS|ReqCPUS\n", from: "ann|", bytes: whiteBytes + "\"",
		row: func(id int) string {
			return fmt.Sprintf("%d|ann|2026-11-23T08:00:%02d|2026-11-23T08:00:50|2026-11-23T08:01:00|2026-11-24T08:02:00|86460|1500|CANCELLED by 7|4|8", id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			c := strings.Split(row, "|")
			p = plainBlank()
			if len(c) != 11 {
				p.bad = true
				return p, len(c) < 11
			}
			p.submit, p.eligible, p.start, p.end, p.run = p.stampOf(c[2], false), p.stampOf(c[3], false), p.stampOf(c[4], false), p.stampOf(c[5], false), p.durationOf(c[6])
			switch limit := strings.ToUpper(c[7]); {
			case regexp.MustCompile(`^\d{1,15}$`).MatchString(limit):
				p.limit = 60 * plainInt(limit)
			case limit != "UNLIMITED" && limit != "INFINITE" && limit != "PARTITION_LIMIT" && !plainAbsent.MatchString(c[7]):
				p.bad = true
			}
			p.stateOf(c[8])
			p.procs, p.asked = p.countOf(c[9], true), p.countOf(c[10], true)
			if p.state == waiting || p.start < 0 {
				p.start, p.run = -1, -1
			}
			if p.start < 0 && p.state == cancelled {
				p.procs = -1
			}
			return p, true
		}},
	{key: "pbs", from: "user=ann ", bytes: whiteBytes,
		row: func(id int) string {
			return fmt.Sprintf("11/23/2026 08:02:00;E;%d.head;user=ann ctime=17954208%02d etime=1795420850 start=1795420860 end=1795420920 Resource_List.ncpus=8 Resource_List.walltime=1-02:03:04 Exit_status=0", id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			p = plainBlank()
			parts := strings.SplitN(row, ";", 4)
			p.state = ended
			for _, field := range strings.Fields(parts[3]) {
				name, value, ok := strings.Cut(field, "=")
				if !ok {
					continue
				}
				value = strings.Trim(value, `"`)
				switch name {
				case "ctime":
					p.submit = p.stampOf(value, false)
				case "etime":
					p.eligible = p.stampOf(value, false)
				case "start":
					p.start = p.stampOf(value, false)
				case "end":
					p.end = p.stampOf(value, false)
				case "Resource_List.ncpus":
					p.procs = p.countOf(value, false)
				case "Resource_List.walltime":
					if plainAbsent.MatchString(value) {
						p.bad = true
					}
					p.limit = p.durationOf(value)
				case "Exit_status":
					if value != "0" {
						p.state = failed
					}
				}
			}
			if p.procs <= 0 {
				p.procs = -1
			}
			p.procs = max(p.procs, -1)
			p.asked = p.procs
			return p, true
		}},
	{key: "lsf", from: " 1001 ", bytes: " 0189x-.",
		row: func(id int) string {
			return fmt.Sprintf(`"JOB_FINISH" "10.1" 1795420920 %d 1001 33554438 8 17954208%02d 0 1795421800 1795420860 "ann" "main" "" "" "" "host" "dir" "" "" "" "f" 1 "n3" 2 "n1" "n2" 64 60.0 "x" "c" 1.0 0.1 0 0 -1 0 0 0 0 0 0 -1 0 0 0 0 -1 0 0 "" "bio" 0 8 "" "" 0 0 0`, id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			p = plainBlank()
			var c []string
			for _, m := range regexp.MustCompile(`"(?:[^"]|"")*"|[^ "]+`).FindAllString(row, -1) {
				c = append(c, strings.Trim(m, `"`))
			}
			if !lsfWhole.MatchString(row) || len(c) != 59 || c[22] != "1" || c[24] != "2" || c[11] != "ann" || c[13] != "" || strings.Contains(row, `"x`) != strings.Contains(row, ` "x" `) {
				return p, false
			}
			positive := func(s string) int64 {
				if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
					return n
				}
				return -1
			}
			p.submit, p.start, p.end = positive(c[7]), positive(c[10]), positive(c[2])
			p.bad = p.submit < 0
			if begin := positive(c[8]); begin > p.submit {
				p.eligible = begin
			}
			p.procs = max(positive(c[6]), positive(c[53]), 1)
			p.asked = p.procs
			if term := positive(c[9]); p.start > 0 && term > p.submit && term > p.start {
				p.limit = term - p.start
			}
			p.state = ended
			if c[27] != "64" {
				if p.state = failed; p.start < 0 {
					p.state = cancelled
				}
			}
			return p, positive(c[56]) < 0
		}},
	{key: "alcf", head: "JOB_ID,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_REQUESTED,STATUS\n", from: "j,", bytes: strings.ReplaceAll(whiteBytes, "|", ""),
		row: func(id int) string {
			return fmt.Sprintf("%dj,2026-11-23 08:00:%02d,2026-11-23 08:01:00,2026-11-23 08:02:00,600.0,60.0,16,COMPLETED", id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			c := strings.Split(row, ",")
			p = plainBlank()
			if len(c) != 8 {
				p.bad = true
				return p, true
			}
			p.submit, p.start, p.end = p.stampOf(c[1], true), p.stampOf(c[2], true), p.stampOf(c[3], true)
			p.limit, p.run, p.procs = p.durationOf(c[4]), p.durationOf(c[5]), p.countOf(c[6], true)
			p.stateOf(c[7])
			if p.submit >= relative && p.start == 0 {
				p.start = -1
			}
			if p.submit >= relative && p.end == 0 {
				p.end = -1
			}
			if p.start < 0 && p.end >= 0 && p.run > 0 {
				p.start = p.end - p.run
			}
			if p.procs > 0 {
				p.asked = p.procs
			}
			return p, true
		}},
	{key: "openb", head: "name,cpu_milli,memory_mib,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,scheduled_time\n", from: "p,", bytes: strings.ReplaceAll(whiteBytes, "|", ""),
		row: func(id int) string { return fmt.Sprintf("%dp,12000,16384,1,1000,Running,%d,1200,120", id, id%50) },
		plain: func(row string) (p plainRow, judged bool) {
			c := strings.Split(row, ",")
			p = plainBlank()
			if len(c) != 9 {
				p.bad = true
				return p, true
			}
			milli, _, _ := p.countOf(c[1], false), p.countOf(c[2], false), p.countOf(c[4], false)
			p.countOf(c[3], true)
			p.submit, p.end, p.start = p.stampOf(c[6], true), p.stampOf(c[7], true), p.stampOf(c[8], true)
			if p.submit >= relative && p.start == 0 {
				p.start = -1
			}
			if p.submit >= relative && p.end == 0 {
				p.end = -1
			}
			if p.stateOf(c[5]); p.state == running && p.end >= 0 {
				p.state = ended
			}
			if milli >= 0 {
				milli = min((milli+999)/1000, 1<<31-1)
			}
			p.procs = max(milli, 1)
			p.asked = p.procs
			return p, plainInt(c[3]) < 1<<31
		}},
	{key: "csv", head: "job_id,user,cpu_num,gpu_num,state,submit_time,start_time,end_time,duration,queue,time_limit\n", from: "u,", bytes: strings.ReplaceAll(whiteBytes, "|", ""),
		row: func(id int) string {
			return fmt.Sprintf("%d,u,8,2,FAILED,2026-11-23 08:00:%02d+01:00,2026-11-23 08:01:00+01:00,2026-11-23 08:02:00+01:00,60,9,600", id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			c := strings.Split(row, ",")
			p = plainBlank()
			if len(c) != 11 {
				p.bad = true
				return p, true
			}
			p.procs = p.countOf(c[2], true)
			gpus := p.countOf(c[3], true)
			p.stateOf(c[4])
			p.submit, p.start, p.end = p.stampOf(c[5], true), p.stampOf(c[6], true), p.stampOf(c[7], true)
			p.run = p.durationOf(c[8])
			p.durationOf(c[9])
			p.limit = p.durationOf(c[10])
			if p.submit >= relative && p.start == 0 {
				p.start = -1
			}
			if p.submit >= relative && p.end == 0 {
				p.end = -1
			}
			if p.start < 0 && p.end >= 0 && p.run > 0 {
				p.start = p.end - p.run
			}
			p.bad = p.bad || gpus > 1<<31-1
			return p, true
		}},
	{key: "sacct-json", head: `{"meta": {"plugin": {"type": "openapi/dbv0.0.40"}}, "jobs": [`, foot: "]}", from: `"ann", `, bytes: "019x ", alone: true,
		row: func(id int) string {
			return fmt.Sprintf(`{"job_id": %d, "user": "ann", "time": {"submission": 17954208%02d, "eligible": 1795420850, "start": 1795420860, "end": 1795420920, "elapsed": 60, "limit": {"set": true, "infinite": false, "number": 10}}, "state": {"current": ["FAILED"]}, "required": {"CPUs": 4}, "allocation_nodes": 1, "tres": {"allocated": [{"type": "cpu", "count": 8}]}}`, id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			p = plainBlank()
			var v struct {
				Time struct {
					Submission, Eligible, Start, End, Elapsed float64
					Limit                                     struct {
						Set    bool
						Number float64
					}
				}
				State    struct{ Current []string }
				Required struct{ CPUs *float64 }
				TRES     struct {
					Allocated []struct {
						Type  string
						Count float64
					}
				}
			}
			d := json.NewDecoder(strings.NewReader(row))
			if err := d.Decode(&v); err != nil || len(v.State.Current) != 1 || strings.Count(row, "x") > 0 {
				return p, false // names and values of another kind: only that nothing breaks
			}
			time := func(f float64) int64 {
				if f <= 0 || f > 1<<50 || f == 1<<32-1 || f == 1<<32-2 {
					return -1
				}
				return int64(f)
			}
			for _, name := range []string{`"submission"`, `"eligible"`, `"start"`, `"end"`, `"elapsed"`, `"limit"`, `"set"`, `"number"`, `"current"`, `"CPUs"`, `"allocated"`, `"cpu"`, `"count"`, `"time"`, `"state"`, `"required"`, `"tres"`, `"type"`, `"infinite": false`} {
				if !strings.Contains(row, name) {
					return p, false
				}
			}
			p.submit, p.eligible, p.start, p.end = time(v.Time.Submission), time(v.Time.Eligible), time(v.Time.Start), time(v.Time.End)
			if p.run = int64(v.Time.Elapsed); v.Time.Limit.Set && v.Time.Limit.Number > 0 {
				p.limit = 60 * int64(v.Time.Limit.Number)
			}
			p.stateOf(v.State.Current[0])
			p.asked, p.procs = int64(*v.Required.CPUs), int64(v.TRES.Allocated[0].Count)
			if p.start < 0 {
				p.run = -1
			}
			return p, p.limit != -1 && !strings.ContainsAny(row, ".eE+") || true
		}},
	{key: "philly", head: "[", foot: "]", from: `"status"`, bytes: "019x:- ", alone: true,
		row: func(id int) string {
			return fmt.Sprintf(`{"vc": "v", "jobid": "a_%d", "user": "u", "status": "Pass", "submitted_time": "2017-10-07 00:00:%02d", "attempts": [{"start_time": "2017-10-07 00:01:00", "end_time": "2017-10-07 00:02:00", "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}]}`, id, id%50)
		},
		plain: func(row string) (p plainRow, judged bool) {
			p = plainBlank()
			var v struct {
				Status    string
				Submitted string `json:"submitted_time"`
				Attempts  []struct {
					Start, End string
				}
			}
			row = strings.NewReplacer(`"start_time"`, `"start"`, `"end_time"`, `"end"`).Replace(row)
			if json.Unmarshal([]byte(row), &v) != nil || len(v.Attempts) != 1 || strings.Count(row, `"gpu`) != 3 || !strings.Contains(row, `"detail"`) || !strings.Contains(row, `"gpus"`) || !strings.Contains(row, `"status"`) {
				return p, false
			}
			for _, name := range []string{`"submitted_time"`, `"start"`, `"end"`} {
				if !strings.Contains(row, name) {
					return p, false
				}
			}
			p.submit, p.start, p.end = p.stampOf(v.Submitted, false), p.stampOf(v.Attempts[0].Start, false), p.stampOf(v.Attempts[0].End, false)
			p.stateOf(v.Status)
			p.procs, p.asked = 2, 2
			return p, true
		}},
}

// Intent: rows in which bytes are wrong are read as a plain reader reads them, or left out
// and named; none makes a reader panic, and none changes what its neighbours say. With
// BATCHLAB_ROWS=N so many rows of each format; some in the suite.
func TestMutatedFormats(t *testing.T) {
	rows := 4000
	if text := os.Getenv("BATCHLAB_ROWS"); text != "" {
		rows, _ = strconv.Atoi(text)
	}
	var keys []string
	for _, m := range mutants {
		keys = append(keys, m.key)
		t.Run(m.key, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(len(m.key)), uint64(rows)))
			judged, left, kept := 0, 0, 0
			each := 100
			if m.alone {
				each = 1
			}
			for done := 0; done < rows; done += each {
				text, list := m.head, []string(nil)
				anchor := m.row(999_999)
				if !m.alone {
					text += anchor + "\n"
				}
				for i := range each {
					row := []byte(m.row(i + 1))
					from := strings.Index(string(row), m.from) + len(m.from)
					for range 1 + random.IntN(3) {
						at := from + random.IntN(len(row)-from)
						for m.alone && (row[at] < '0' || row[at] > '9') && random.IntN(50) > 0 { // names and brackets only now and then
							at = from + random.IntN(len(row)-from)
						}
						switch random.IntN(4) {
						case 0: // one away
							row = slices.Delete(row, at, at+1)
						case 1: // one more
							row = slices.Insert(row, at, m.bytes[random.IntN(len(m.bytes))])
						default:
							row[at] = m.bytes[random.IntN(len(m.bytes))]
						}
					}
					list = append(list, string(row))
					if m.alone {
						text += string(row)
					} else {
						text += string(row) + "\n"
					}
				}
				r, err := Read(Options{Format: m.key}, []byte(text+m.foot))
				if err != nil {
					if !m.alone {
						t.Fatalf("%v: %s", err, text)
					}
					if p, sure := m.plain(list[0]); sure && p.record() != "" {
						t.Fatalf("%s is refused: %v; it says %s", list[0], err, p.record())
					}
					left++
					continue
				}
				got, first := map[int]string{}, strings.Count(m.head, "\n")+1
				zero := zeroOf(r, m, anchor)
				for i := range r.Log.Records {
					x := &r.Log.Records[i]
					got[int(x.Line)] = fmt.Sprint(x.SubmitTime+zero, x.WaitTime, x.RunTime, x.AllocatedProcessors, x.RequestedProcessors, x.RequestedTime, x.Status)
				}
				for i, row := range list {
					line := first + i
					if !m.alone {
						line++
					}
					p, sure := m.plain(row)
					if !sure {
						continue
					}
					judged++
					want := p.record()
					if got[line] != want && !(m.alone && zero == 0) {
						t.Fatalf("%q\nis read as %q, a plain reader reads %q\n%v", row, got[line], want, r.Log.Problems)
					}
					if want == "" {
						left++
						if r.Log.Malformed <= maxProblems && !slices.ContainsFunc(r.Log.Problems, func(p report.Problem) bool { return p.Line == line }) {
							t.Fatalf("%q is left out and not named: %+v", row, r.Log.Problems)
						}
					} else {
						kept++
					}
				}
			}
			if kept < rows/100 || judged < rows/8 {
				t.Errorf("%d of %d rows are judged, %d of them read and %d left out: that says little", judged, rows, kept, left)
			}
			t.Logf("%d rows: %d judged, %d read, %d left out", rows, judged, kept, left)
		})
	}
	for _, key := range Keys() {
		if !slices.Contains(keys, key) {
			t.Errorf("%s has no plain reader", key)
		}
	}
}

// zeroOf is the Unix second (or the trace's own) that is second 0 of the log: that of the
// first row, which is whole, or of the only one.
func zeroOf(r *Result, m mutant, anchor string) int64 {
	if m.alone {
		return r.Log.Header.UnixStartTime
	}
	p, _ := m.plain(anchor)
	for i := range r.Log.Records {
		if x := &r.Log.Records[i]; int(x.Line) == strings.Count(m.head, "\n")+1 {
			return p.submit - x.SubmitTime
		}
	}
	return 0
}
