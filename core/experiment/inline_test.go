package experiment

import (
	"reflect"
	"strings"
	"testing"
)

const inlineText = `{"batchlab":1,"workload":{"source":{"inline":{"processors":8,"columns":["submit","procs","requested","run"],"rows":[[0,4,100,80],[5,8,60,60]]}}},"schedulers":[{"key":"easy"}]}`

// Intent: a table of jobs reaches its fields, survives files, links and clones,
// and every number of it counts for the identity.
func TestInline(t *testing.T) {
	e := mustDecode(t, inlineText)
	want := &Inline{Processors: 8, Columns: []string{"submit", "procs", "requested", "run"}, Rows: [][]int64{{0, 4, 100, 80}, {5, 8, 60, 60}}}
	if got := e.Workload.Source.Inline; !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	comesBack(t, e)
	c := e.Clone()
	if c.Workload.Source.Inline.Rows[1][0] = 6; e.Workload.Source.Inline.Rows[1][0] != 5 {
		t.Error("a clone shares rows")
	}
	eachCounts(t, inlineText, `"processors":8|"processors":9`, `[0,4,|[1,4,`, `60,60]|60,59]`, `"submit","procs"|"procs","submit"`, `,[5,8,60,60]|`)
}

// Intent: what is wrong with a table is named by row and column.
func TestInlineFaults(t *testing.T) {
	for _, c := range []struct{ old, with, want string }{
		{`[5,8,60,60]`, `[5,8,60]`, `workload.source.inline.rows[1]: must have 4 numbers, one for each column (submit, procs, requested, run), not 3`},
		{`[5,8,60,60]`, `[5,8,60,60,1]`, `workload.source.inline.rows[1]: must have 4 numbers, one for each column (submit, procs, requested, run), not 5`},
		{`[5,8,60,60]`, `[5,8,"60",60]`, `workload.source.inline.rows[1][2]: must be a number, not a string`},
		{`[5,8,60,60]`, `[5,8,60.5,60]`, `workload.source.inline.rows[1][2]: must be a whole number without point or exponent, not 60.5`},
		{`[5,8,60,60]`, `[5,-2,60,60]`, `workload.source.inline.rows[1][1]: procs must be from -1 (unknown) to 2147483647, not -2`},
		{`[5,8,60,60]`, `[5,8,60,3000000000]`, `workload.source.inline.rows[1][3]: run must be from -1 (unknown) to 2147483647, not 3000000000`},
		{`[5,8,60,60]`, `5`, `workload.source.inline.rows[1]: must be a list of numbers, not a number`},
		{`"requested"`, `"request"`, `workload.source.inline.columns[2]: there is no column "request"; did you mean "requested"?`},
		{`"requested"`, `"run"`, `workload.source.inline.columns[3]: "run" stands already in the list`},
		{`"requested","run"`, `"requested","wait"`, `workload.source.inline.columns: "run" is missing; submit, procs and run are what every table of jobs needs`},
		{`"rows":[[0,4,100,80],[5,8,60,60]]`, `"rows":[]`, `workload.source.inline.rows: must have 1 to 1000 entries, not 0`},
		{`[5,8,60,60]`, strings.Repeat(`[5,8,60,60],`, 1000) + `[5,8,60,60]`, `workload.source.inline.rows: must have 1 to 1000 entries, not 1002`},
		{`"processors":8,`, ``, `workload.source.inline.processors: nobody says how large the machine is: give processors here or in platform`},
		{`"processors":8,`, `"procesors":8,`, `workload.source.inline.procesors: unknown key; did you mean "processors"?`},
		{`"inline":{`, `"bundled":"demo","inline":{`, `workload.source: must hold exactly one of log, bundled, generator and inline`},
	} {
		if !strings.Contains(inlineText, c.old) {
			t.Fatal(c.old)
		}
		_, err := Decode([]byte(strings.Replace(inlineText, c.old, c.with, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.with, err, c.want)
		}
	}
	e := mustDecode(t, inlineText)
	e.Workload.Source.Inline.Rows[0] = []int64{1}
	if err := e.Validate(); err == nil || !strings.Contains(err.Error(), "rows[0]: must have 4 numbers") {
		t.Errorf("a program's table: %v", err)
	}
}

// Intent: a job of a table may name several partitions, as a text; such a cell comes back
// from file and link as it was, one number stays a number, and what is no list is refused.
func TestInlineLists(t *testing.T) {
	text := `{"batchlab":1,"workload":{"source":{"inline":{"processors":8,"columns":["submit","procs","run","partition","after"],"rows":[[0,4,100,"2,1","2"],[5,8,60,1,""],[5,8,60,"3",""],[5,8,60,-1,"1"]]}}},"schedulers":[{"key":"easy"}]}`
	e := mustDecode(t, text)
	in := e.Workload.Source.Inline
	if got := [][]int32{in.List(in.Rows[0][3]), in.List(in.Rows[1][3]), in.List(in.Rows[2][3]), in.List(in.Rows[3][3])}; !reflect.DeepEqual(got, [][]int32{{2, 1}, {1}, {3}, nil}) {
		t.Errorf("%v", got)
	}
	if in.Said(in.Rows[0][4]) != "2" {
		t.Errorf("the text beside it is %q", in.Said(in.Rows[0][4]))
	}
	comesBack(t, e)
	eachCounts(t, text, `"2,1"|"1,2"`, `60,1,""|60,"1,2",""`)
	if a, b := mustDecode(t, text), mustDecode(t, strings.Replace(text, `"3"`, `3`, 1)); !reflect.DeepEqual(a, b) {
		t.Error("one number as a text is another")
	}
	for _, bad := range []string{`"2,2"`, `"2,"`, `"0,1"`, `"a"`, `""`, `"1,-2"`, `"01,2"`, `-2`, `"1,99999999999"`} {
		_, err := Decode([]byte(strings.Replace(text, `"2,1"`, bad, 1)))
		if err == nil || !strings.Contains(err.Error(), "rows[0][3]: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
