package main

import (
	"encoding/csv"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/swf"
)

// columns are those of Batsim's jobs file, in the order of the contract. Our own
// stand behind them.
var columns = strings.Split("job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"+
	"final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata", ",")

// table is a CSV file with a line of names.
type table struct {
	names []string
	rows  [][]string
}

func parseCSV(t *testing.T, text string) table {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		t.Fatalf("no CSV: %v\n%s", err, text)
	}
	return table{all[0], all[1:]}
}

func (c table) text(t *testing.T, row int, name string) string {
	t.Helper()
	i := slices.Index(c.names, name)
	if i < 0 {
		t.Fatalf("no column %q", name)
	}
	return c.rows[row][i]
}

func (c table) number(t *testing.T, row int, name string) int64 {
	t.Helper()
	v, err := strconv.ParseInt(c.text(t, row, name), 10, 64)
	if err != nil {
		t.Fatalf("row %d, %s: %v", row, name, err)
	}
	return v
}

// Intent: jobs.csv has the contract's columns in its order, and a known
// schedule reads as it should, processor intervals included.
func TestJobsCSVByHand(t *testing.T) {
	log := write(t, "three, 'jobs'.swf", "; MaxProcs: 9\n"+
		"1 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1\n"+ // 0-3
		"2 0 -1 30 4 -1 -1 4 20 -1 1 1 1 -1 -1 -1 -1 -1\n"+ // 4-7, killed at 20
		"3 5 -1  8 5 -1 -1 5 10 -1 1 1 1 -1 -1 -1 -1 -1\n") // 0-3 and 8, from 10 on
	jobs := filepath.Join(t.TempDir(), "jobs.csv")
	object(t, "simulate", "--log", log, "--algorithm", "fcfs", "--jobs", jobs)
	want := strings.Join(columns, ",") + ",attempt,user,end_reason,processors,cluster,machines," +
		"reservation_from,reservation_to,reservation_length,reservation_effort,reservation_start,reservation_late," +
		"due,lateness,weight,setup_time,licences,nodes,memory_per_node,gpus_per_node,disk_per_node\n" +
		`1,"three, 'jobs'.swf",1,0,4,10,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1,0-3,-1,,0,1,completed,4,,,,,,,,,,,,,,,,,` + "\n" +
		`2,"three, 'jobs'.swf",2,0,4,20,0,COMPLETED_WALLTIME_REACHED,0,20,20,0,20,1,4-7,-1,,0,1,walltime,4,,,,,,,,,,,,,,,,,` + "\n" +
		`3,"three, 'jobs'.swf",3,5,5,10,1,COMPLETED_SUCCESSFULLY,10,8,18,5,13,1.625,0-3 8,-1,,0,1,completed,5,,,,,,,,,,,,,,,,,` + "\n"
	if got := read(t, jobs); got != want {
		t.Errorf("jobs.csv is\n%s\ninstead of\n%s", got, want)
	}
}

// procSet is what Evalys (procset.ProcSet.from_str) reads: intervals with "-",
// separated by one blank; the empty text is the empty set.
var procSet = regexp.MustCompile(`^\d+(-\d+)?( \d+(-\d+)?)*$`)

// processorsOf reads allocated_resources.
func processorsOf(t *testing.T, s string) (list []int) {
	t.Helper()
	if s == "" {
		return nil
	}
	if !procSet.MatchString(s) {
		t.Fatalf("allocated_resources %q cannot be read", s)
	}
	for _, part := range strings.Split(s, " ") {
		a, b, both := strings.Cut(part, "-")
		if !both {
			b = a
		}
		from, _ := strconv.Atoi(a)
		to, _ := strconv.Atoi(b)
		for p := from; p <= to; p++ {
			list = append(list, p)
		}
	}
	return list
}

// Intent: the rows of jobs.csv agree with themselves, with the log and with the
// printed measures; no processor serves two jobs at once.
func TestJobsCSVHoldsTogether(t *testing.T) {
	for seed := range uint64(6) {
		log := busyLog(t, seed, 250)
		for _, key := range catalog.SchedulerKeys() {
			jobs := filepath.Join(t.TempDir(), "jobs.csv")
			o := object(t, "simulate", "--log", log, "--algorithm", key, "--jobs", jobs)
			checkJobs(t, o, parseCSV(t, read(t, jobs)), key != "as-logged")
		}
	}
}

// checkJobs checks a jobs file beside the object that simulate printed, or one
// run of run with the same names.
func checkJobs(t *testing.T, o map[string]any, c table, fits bool) {
	t.Helper()
	if !slices.Equal(c.names[:min(len(c.names), len(columns))], columns) {
		t.Fatalf("columns are %v", c.names)
	}
	if float64(len(c.rows)) != o["jobs"] {
		t.Fatalf("%d rows for %v jobs", len(c.rows), o["jobs"])
	}
	busyUntil := map[int]int64{}
	var wait, area, first, last int64
	first = math.MaxInt64
	order := make([]int, len(c.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(c.number(t, a, "starting_time") - c.number(t, b, "starting_time"))
	})
	for _, i := range order {
		n := func(name string) int64 { return c.number(t, i, name) }
		procs := processorsOf(t, c.text(t, i, "allocated_resources"))
		killed := c.text(t, i, "final_state") == "COMPLETED_WALLTIME_REACHED"
		switch {
		case n("waiting_time") != n("starting_time")-n("submission_time") || n("waiting_time") < 0,
			n("execution_time") != n("finish_time")-n("starting_time") || n("execution_time") < 1,
			n("turnaround_time") != n("finish_time")-n("submission_time"),
			n("execution_time") > n("requested_time"), killed != (n("success") == 0), killed && n("execution_time") != n("requested_time"),
			n("consumed_energy") != -1, c.text(t, i, "metadata") != "", c.text(t, i, "profile") != c.text(t, i, "job_id"):
			t.Fatalf("row %d does not hold together: %v", i, c.rows[i])
		}
		if stretch, err := strconv.ParseFloat(c.text(t, i, "stretch"), 64); err != nil || stretch != float64(n("turnaround_time"))/float64(n("execution_time")) {
			t.Fatalf("row %d: stretch %v", i, c.text(t, i, "stretch"))
		}
		if fits && int64(len(procs)) != n("requested_number_of_resources") {
			t.Fatalf("row %d: %d processors of %d", i, len(procs), n("requested_number_of_resources"))
		}
		for _, p := range procs {
			if until, used := busyUntil[p]; used && until > n("starting_time") || float64(p) >= o["processors"].(float64) {
				t.Fatalf("row %d starts on processor %d, which is busy or none", i, p)
			}
			busyUntil[p] = n("finish_time")
		}
		wait += n("waiting_time")
		area += n("execution_time") * n("requested_number_of_resources")
		first, last = min(first, n("submission_time")), max(last, n("finish_time"))
	}
	if w := float64(wait) / float64(len(c.rows)); w != o["mean_wait_s"] {
		t.Errorf("mean wait %v, printed %v", w, o["mean_wait_s"])
	}
	if m := float64(last - first); m != o["makespan_s"] {
		t.Errorf("makespan %v, printed %v", m, o["makespan_s"])
	}
	if u := float64(area) / (o["processors"].(float64) * float64(last-first)); math.Abs(u-o["utilization"].(float64)) > 1e-12 {
		t.Errorf("utilization %v, printed %v", u, o["utilization"])
	}
}

// Intent: a logged schedule that uses more processors than there are has no
// processor numbers, and a note says so.
func TestJobsCSVAsLogged(t *testing.T) {
	text := "; MaxProcs: 4\n" + "1 0 0 10 3 -1 -1 3 10 -1 1 1 1 -1 -1 -1 -1 -1\n" + "2 0 0 10 3 -1 -1 3 10 -1 1 1 1 -1 -1 -1 -1 -1\n"
	jobs := filepath.Join(t.TempDir(), "jobs.csv")
	out := batchlab("simulate", "--log", write(t, "a.swf", text), "--algorithm", "as-logged", "--jobs", jobs)
	says(t, out, 0, jobs+": the logged schedule uses more than the 4 processors")
	if c := parseCSV(t, read(t, jobs)); c.text(t, 0, "allocated_resources") != "" || c.text(t, 1, "starting_time") != "0" {
		t.Errorf("rows are %v", c.rows)
	}
	out = batchlab("simulate", "--log", write(t, "a.swf", text), "--algorithm", "as-logged", "--jobs", jobs, "--processors", "6")
	says(t, out, 0)
	if c := parseCSV(t, read(t, jobs)); c.text(t, 1, "allocated_resources") != "3-5" || out.stderr != "" {
		t.Errorf("rows are %v; %q", c.rows, out.stderr)
	}
}

// Intent: an exported schedule is a log that holds it: simulated as logged, it
// gives the same starts and ends, and so the same means, whatever was cleaned.
func TestExportThenAsLogged(t *testing.T) {
	for seed := range uint64(8) {
		log := busyLog(t, 100+seed, 300)
		for _, flags := range []string{
			"fcfs", "conservative", "as-logged", "easy --order saf --backfill spf --threshold 50",
			"easy --overrun extend", "easy --overrun drop", "easy --oversize clamp", "easy --processors 9 --oversize clamp",
		} {
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name) }
			args := append([]string{"simulate", "--log", log, "--jobs", file("a.csv"), "--swf", file("a.swf"), "--algorithm"}, strings.Fields(flags)...)
			before := object(t, args...)
			again := []string{"simulate", "--log", file("a.swf"), "--algorithm", "as-logged", "--jobs", file("b.csv"), "--swf", file("b.swf")}
			if strings.Contains(flags, "--processors") { // the header still states the machine of the log
				again = append(again, "--processors", "9")
			}
			after := object(t, again...)
			for _, key := range []string{"jobs", "processors", "mean_wait_s", "mean_bounded_slowdown", "utilization", "makespan_s"} {
				if before[key] != after[key] {
					t.Errorf("seed %d, %s: %s is %v, and %v as logged", seed, flags, key, before[key], after[key])
				}
			}
			a, b := parseCSV(t, read(t, file("a.csv"))), parseCSV(t, read(t, file("b.csv")))
			for i := range a.rows {
				for _, name := range []string{"job_id", "submission_time", "starting_time", "finish_time", "requested_number_of_resources"} {
					if a.text(t, i, name) != b.text(t, i, name) {
						t.Fatalf("seed %d, %s, row %d: %s is %s, and %s as logged", seed, flags, i, name, a.text(t, i, name), b.text(t, i, name))
					}
				}
			}
			if get(t, after, "cleaning", "malformed") != 0. || get(t, after, "cleaning", "lines") != after["jobs"] {
				t.Errorf("seed %d, %s: cleaning the export left jobs out: %v", seed, flags, after["cleaning"])
			}
		}
	}
}

// Intent: where the machine was given, the export's header still states the
// log's, and a note says how to read it.
func TestExportOfOtherMachine(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.swf")
	log := write(t, "a.swf", threeJobs)
	says(t, batchlab("simulate", "--log", log, "--algorithm", "easy", "--processors", "7", "--swf", out), 0,
		out+": its header states the 4 processors of the log, not the 7", "--processors 7")
	if o := batchlab("simulate", "--log", log, "--algorithm", "easy", "--processors", "4", "--swf", out); strings.Contains(o.stderr, "header") {
		t.Errorf("nothing to note, yet %q", o.stderr)
	}
}

// Intent: an export keeps the log's own header, whatever its bytes, names the
// algorithm, and states the machine.
func TestExportHeader(t *testing.T) {
	head := "; Acknowledge: J\xfcrgen\r\n; Note: terms of use\n"
	out := filepath.Join(t.TempDir(), "out.swf")
	object(t, "simulate", "--log", write(t, "a.swf", head+oneJob), "--processors", "8", "--algorithm", "easy", "--order", "saf", "--swf", out)
	text := read(t, out)
	if !strings.HasPrefix(text, head) || !strings.Contains(text, "; MaxProcs: 8\n") || !strings.Contains(text, "EASY SAF") {
		t.Errorf("the export is\n%s", text)
	}
	l, err := swf.Parse([]byte(text))
	if err != nil || len(l.Records) != 1 || l.Records[0].WaitTime != 0 || l.Malformed > 0 {
		t.Errorf("the export reads as %+v: %v", l, err)
	}
}

// Intent: a label, a cluster and a log's name that a spreadsheet would compute
// have an apostrophe in every table of a run.
func TestTablesAreHarmless(t *testing.T) {
	doc := write(t, "x.json", `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"window":{"to":200000},"clean":{"oversize":"clamp"}},
"platform":{"clusters":[{"name":"=a","groups":[{"count":60}]},{"name":"@b","groups":[{"count":60}]}]},
"schedulers":[{"key":"grid","label":"=1+1"},{"key":"fcfs","label":"-2+3"}]}`)
	out := t.TempDir()
	object(t, "run", doc, "--out", out)
	files, _ := filepath.Glob(filepath.Join(out, "*.csv"))
	for _, name := range files {
		table, quoted := parseCSV(t, read(t, name)), false
		for _, row := range table.rows {
			for _, cell := range row {
				_, number := strconv.ParseFloat(cell, 64)
				if number != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
					t.Fatalf("%s: %q", name, cell)
				}
				quoted = quoted || strings.HasPrefix(cell, "'")
			}
		}
		if !quoted && filepath.Base(name) != "comparison.csv" { // which has numbers of schedulers and measures' keys alone
			t.Errorf("%s holds no hostile name", name)
		}
	}
	if len(files) < 4 {
		t.Errorf("only %v", files)
	}
}
