package intake

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/report"
)

// Intent: a table is the same table whatever its columns are called and in whatever order
// they stand: told by a map, it gives the jobs that it gives under names that are known,
// and what is taken to hold what is what was said.
func TestColumnsByAnyName(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 7))
	keys := []string{"job", "submit", "start", "end", "requested", "procs", "nodes", "gpus", "user", "group", "account", "partition", "qos", "name"}
	usual := []string{"id", "submit_time", "start_time", "end_time", "walltime", "cpus", "nodes", "gpus", "user", "group", "project", "partition", "qos", "jobname"}
	for round := range 200 {
		order := random.Perm(len(keys))
		n := 6 + random.IntN(len(keys)-5)
		var rows [][]string
		at := 1_700_000_000
		for i := range 1 + random.IntN(20) {
			at += random.IntN(100)
			rows = append(rows, []string{fmt.Sprint(i + 1), fmt.Sprint(at), fmt.Sprint(at + 5), fmt.Sprint(at + 9 + random.IntN(500)), "600", fmt.Sprint(1 + random.IntN(9)),
				"1", "0", fmt.Sprint("u", random.IntN(4)), "g", fmt.Sprint("a", random.IntN(3)), "p,\"x\"", "q", "prog"})
		}
		write := func(names []string) []byte {
			var b bytes.Buffer
			line := func(row []string) {
				sep := ""
				for _, k := range order {
					if k >= n {
						continue
					}
					b.WriteString(sep + `"` + strings.ReplaceAll(row[k], `"`, `""`) + `"`)
					sep = ";"
				}
				b.WriteString("\n")
			}
			line(names)
			for _, r := range rows {
				line(r)
			}
			return b.Bytes()
		}
		own, chosen := make([]string, len(keys)), map[string]string{}
		for k := range keys {
			own[k] = fmt.Sprintf("Spalte %c", 'A'+k)
			if k < n {
				chosen[keys[k]] = own[k]
			}
		}
		want, err := Read(Options{Format: "csv"}, write(usual))
		if err != nil {
			t.Fatal(round, err)
		}
		data := write(own)
		if _, err := Read(Options{}, data); !errors.As(err, new(*report.Table)) {
			t.Fatalf("%d: %v of a table that nobody can know", round, err)
		}
		got, err := Read(Options{Columns: chosen}, data)
		if err != nil {
			t.Fatal(round, err)
		}
		if !reflect.DeepEqual(got.Log.Records, want.Log.Records) || !reflect.DeepEqual(got.Extra, want.Extra) {
			t.Fatalf("%d: %v\nwant %v", round, got.Log.Records, want.Log.Records)
		}
		shown := Table(data, chosen)
		for _, w := range shown.Wanted {
			if name := chosen[w.Key]; (name == "") != (w.Column < 0) || name != "" && shown.Columns[w.Column].Name != name {
				t.Errorf("%d: %s is taken to stand in column %d, not in %q", round, w.Key, w.Column, name)
			}
		}
		if shown.Why != "" || len(shown.Columns) != n || len(shown.Columns[0].Values) != min(rowsShown, len(rows)) {
			t.Errorf("%d: %+v", round, shown)
		}
	}
}

// Intent: what a table is shown as is its header and its first rows, whatever parts its
// cells; what is no table is none.
func TestTable(t *testing.T) {
	got := Table([]byte("\n Who | Asked at |n\r\nann| 5 |\"a|b\"\n\nbob|6|c\n"), nil)
	want := []report.TableColumn{{Name: "Who", Values: []string{"ann", "bob"}}, {Name: "Asked at", Values: []string{"5", "6"}}, {Name: "n", Values: []string{"a|b", "c"}}}
	if got == nil || !reflect.DeepEqual(got.Columns, want) || len(got.Wanted) != len(roles) || !strings.HasPrefix(got.Why, "no column looks like the time of submission, nor like") {
		t.Fatalf("%+v", got)
	}
	if got := Table([]byte("submit,end,cpus,wait\n1,2,3,4\n"), nil); got == nil || got.Why != "" || got.Wanted[0].Column != 0 || got.Wanted[1].Column != -1 || got.Wanted[2].Column != 1 {
		t.Errorf("%+v", got)
	}
	for _, text := range []string{"", "a,b\n1,2\n", "a,b,c\n", "a,b,c\n1,2\n", "{\"a\":1,\"b\":2,\"c\":3}\n1,2,3\n", "1 0 10 60 2 -1 -1 2 60 -1 1 1 1 -1 1 -1 -1 -1\n", "NodeName=a CPUs=8\nPartitionName=p Nodes=a\n", "a,b,c\x00\n1,2,3\n"} {
		if got := Table([]byte(text), nil); got != nil {
			t.Errorf("%q is a table: %+v", text, got)
		}
	}
}

// Intent: a table that says no more than when jobs came, how long they ran and how large they
// were is a workload: its jobs ran, although nobody says when.
func TestTableWithoutStarts(t *testing.T) {
	r, err := Read(Options{Format: "csv"}, []byte("submit,run,procs\n5,60,2\n9,0,1\n20,,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, x := range r.Log.Records {
		got += fmt.Sprintln(x.SubmitTime, x.WaitTime, x.RunTime, x.AllocatedProcessors)
	}
	if want := "0 -1 60 2\n4 -1 0 1\n15 -1 -1 1\n"; got != want {
		t.Errorf("%swant\n%s", got, want)
	}
	if !strings.Contains(fmt.Sprint(r.Report.Missing), "nothing can be set beside what happened") {
		t.Error(r.Report.Missing)
	}
}

// Intent: cells are what bytes.Split makes of a row, whatever stands beside a separator.
func TestSplit(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 3))
	for range 20_000 {
		separator := "|,;\t\x01\xff"[random.IntN(6)]
		row := make([]byte, random.IntN(40))
		for i := range row {
			row[i] = separator + byte(random.IntN(4)-2)*byte(random.IntN(2))
			if random.IntN(4) == 0 {
				row[i] = byte(random.IntN(256))
			}
		}
		got, want := split(row, separator, nil), bytes.Split(row, []byte{separator})
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("%q by %q: %q, want %q", row, separator, got, want)
		}
	}
}
