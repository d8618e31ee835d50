package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"batchlab/reference"
)

// Intent: every schedule of every reference case can be, and is found among those of
// its case, when it comes as somebody else would bring it.
func TestReferenceSchedulesAreTheirOwn(t *testing.T) {
	names := reference.Names()
	if len(names) != 300 {
		t.Errorf("%d cases, not 300", len(names))
	}
	for i, name := range names {
		if testing.Short() && i%10 > 0 {
			continue // the files and rules are those of every test, whatever a guide adds
		}
		c, ok := reference.Find(name)
		if !ok {
			t.Fatalf("%s lacks a file", name)
		}
		rows, err := csv.NewReader(strings.NewReader(string(c.Starts))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for column := 1; column < len(rows[0]); column++ {
			text := "job,start\n"
			for _, row := range rows[1:] {
				text += row[0] + "," + row[column] + "\n"
			}
			starts, err := readStarts([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := checkCase(name, c, starts)
			if err != nil {
				t.Fatal(err)
			}
			if !got.Valid || !slices.Contains(got.Same, rows[0][column]) {
				t.Errorf("%s, %s: %v, same as %v", name, rows[0][column], got.Faults, got.Same)
			}
		}
	}
}

// Intent: whoever brings a schedule learns whether it can be, whose rules it keeps,
// and which start parts first from the others; a script learns it from the status.
func TestCheckCommand(t *testing.T) {
	// The first table of the rules: FCFS starts job 3 at 6, behind job 2; EASY at 1.
	schedule := write(t, "fcfs.csv", "job_id,starting_time\n1,0\n2,6\n3,6\n4,8\n")
	var got checked
	out := batchlab("check", schedule, "--case", "rule-03", "--as", "fcfs")
	says(t, out, 0)
	if err := json.Unmarshal([]byte(out.stdout), &got); err != nil {
		t.Fatal(err)
	}
	easy := slices.IndexFunc(got.Differs, func(p parting) bool { return p.Scheduler == "easy" })
	if !got.Valid || !slices.Contains(got.Same, "fcfs") || easy < 0 || got.Differs[easy] != (parting{"easy", 3, "6", "1"}) {
		t.Errorf("%+v", got)
	}
	says(t, batchlab("check", schedule, "--case", "rule-03", "--as", "easy"), 3)
	for text, want := range map[string]string{
		"job,start\n1,0\n2,1\n3,6\n4,8\n":       "at 1 processors are held: 5 of 4",
		"job,start\n1,0\n2,6\n3,0\n4,8\n":       "job 3 starts at 0, before its submission at 1",
		"job,start\n1,0\n2,6\n3,6\n":            "job 4 never starts",
		"job,start\n1,0\n2,6\n3,6\n4,8\n9,70\n": "there is no job 9",
	} {
		out := batchlab("check", write(t, "bad.csv", text), "--case", "rule-03")
		if says(t, out, 3); !strings.Contains(out.stdout, want) {
			t.Errorf("%q: %s", want, out.stdout)
		}
	}
	says(t, batchlab("check", write(t, "bad.csv", "job,start\n1,soon\n"), "--case", "rule-03"), 2, `line 2: start: "soon" is no whole number of seconds`)
	says(t, batchlab("check", write(t, "bad.csv", "a,b\n1,2\n"), "--case", "rule-03"), 2, "line 1: the columns job and start")
	says(t, batchlab("check", schedule, "--case", "rule-3"), 2, `no case "rule-3"`)
	says(t, batchlab("check", schedule), 2, "give one schedule and --case NAME")
	says(t, batchlab("check", schedule, "--case", "rule-03", "--as", "eazy"), 2, `rule-03 has no scheduler "eazy"; did you mean "easy"?`)
}

// Intent: the engine and the second implementation still give the starts that the
// reference files hold.
func TestReferenceSchedulesByBoth(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	every := "3"
	if testing.Short() {
		every = "15"
	}
	python(t, "../../twin", "reference.py", "--batchlab", self, "--check", "--every", every)
}
