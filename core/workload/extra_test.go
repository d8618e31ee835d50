//go:build !small

package workload

import (
	"reflect"
	"strings"
	"testing"

	"batchlab/core/intake"
	"batchlab/core/swf"
)

func extraLog(t testing.TB, jobs int) *swf.Log {
	t.Helper()
	rows := make([][]int64, jobs)
	for i := range rows {
		rows[i] = []int64{int64(i), 1, 10}
	}
	l, err := FromRows(4, []int{2, 8, 4}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Intent: what the readers of accounting write beside a log is read again as it was; a
// column that got lost would let a job start before its time.
func TestExtraComesBack(t *testing.T) {
	l := extraLog(t, 4)
	want := []swf.Extra{
		{Begin: 7, Partitions: []int32{3, 5}, QOS: 2},
		{},
		{After: "1:ok,2", Withdrawn: 90, Account: 4, Nodes: 2, GPUs: 3, Share: 500},
		{Array: 1, ArrayLimit: 2, Het: 1},
	}
	text := (&intake.Result{Log: l, Extra: want}).AppendExtra(nil)
	got, err := ParseExtra("extra.csv", text, l)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v\n%s", got, err, text)
	}
}

// Intent: what cannot be read is refused with its row and column, not taken for nothing.
func TestExtraFaults(t *testing.T) {
	l := extraLog(t, 3)
	for text, want := range map[string]string{
		"":                                 "is empty",
		"job,aftr\n":                       `row 1: column "aftr"`,
		"after\n":                          "no column job",
		"job,after,after\n":                "each once",
		"job,after\nx,1\n":                 "row 2: job",
		"job,after\n9,1\n":                 "row 2: the log has no job 9",
		"job,after\n1,2\n1,3\n":            "row 3: job 1 stands here twice",
		"job,after\n1,2:soon\n":            `row 2: after: "2:soon"`,
		"job,begin\n1,2\n2,noon\n":         "row 3: begin",
		"job,array\n1,99999999999\n":       "row 2: array",
		"job,partition\n1,\"2,x\"\n":       "row 2: partition",
		"job,begin,withdrawn\n1,2,-5\n":    "row 2: withdrawn",
		"job,begin\n1\n":                   "wrong number of fields",
		"job,begin\n1,\"2\n":               "quote",
		"job,withdrawn\n1,9999999999999\n": "row 2: withdrawn",
	} {
		if _, err := ParseExtra("extra.csv", []byte(text), l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Intent: no bytes make the reader panic or give other than one entry a job.
func FuzzParseExtra(f *testing.F) {
	f.Add([]byte("job,after,begin,withdrawn,array,array_limit,het,partition,qos,account,nodes,gpus,gpu_share\n3,\"1:ok,2\",7,,1,2,,\"3,5\",1,1,1,1,500\n"))
	f.Add([]byte("\ufeffjob,after\r\n2,1?3\r\n"))
	l := extraLog(f, 3)
	f.Fuzz(func(t *testing.T, data []byte) {
		if list, err := ParseExtra("x", data, l); err == nil && len(list) != len(l.Records) {
			t.Fatalf("%d entries for %d jobs", len(list), len(l.Records))
		}
	})
}
