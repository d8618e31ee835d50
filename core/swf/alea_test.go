package swf

import (
	"reflect"
	"strings"
	"testing"
)

// Lines of the extended format keep their nodes, queue and specification, the
// odd line among plain ones, too; what only looks like it counts as extra fields.
func TestAlea(t *testing.T) {
	const job = " 100 0 60 3 1 1024 3 600 1073741824 1 7 1 1 -1 1 1 1"
	l, err := Parse([]byte("1" + job + " {12,7,12} q_1d 2:ppn=2:x86_64#excl\n" +
		"2" + job + "\n" +
		"+3" + job + "\t{5}  q_2h\t1\n" + // a sign makes it an odd line
		"4" + job + " {5,x} q_2h 1\n" +
		"5" + job + " 9 9 9\n" +
		"6" + job + " {} q_2h 1:ppn=3\n7" + job + "\n"))
	if err != nil || len(l.Records) != 7 {
		t.Fatal(err, l.Problems)
	}
	want := []Alea{
		{[]NodeUse{{12, 2}, {7, 1}}, "q_1d", "2:ppn=2:x86_64#excl"}, {}, {[]NodeUse{{5, 1}}, "q_2h", "1"}, {}, {}, {nil, "q_2h", "1:ppn=3"}, {},
	}
	if !reflect.DeepEqual(l.Alea, want) {
		t.Errorf("%+v", l.Alea)
	}
	if l.ExtraFields.Count != 2 || l.ExtraFields.Lines[0] != 4 {
		t.Errorf("%+v", l.ExtraFields)
	}
	plain, err := Parse([]byte(strings.Repeat("1"+job+"\n", 3)))
	if err != nil || plain.Alea != nil {
		t.Errorf("%+v, %v", plain.Alea, err)
	}
}

// Intent: a log of the extended format is written so that reading it gives the same
// again, a plain line among others included, and Append leaves out what has names.
func TestAppendExtended(t *testing.T) {
	const job = "1 100 0 60 3 1 1024 3 600 1073741824 1 7 1 1 -1 1 1 1"
	l, err := Parse([]byte("; MaxProcs: 4\n" + job + " {12,12,7} q_1d 2:ppn=2:x86_64#excl\n" + job + "\n" + job + " {} q_2h 1:ppn=3\n"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(l.AppendExtended(nil))
	if err != nil || !reflect.DeepEqual(again.Alea, l.Alea) || !reflect.DeepEqual(again.Records, l.Records) {
		t.Errorf("%+v, %v", again.Alea, err)
	}
	if plain := string(l.Append(nil)); strings.Contains(plain, "ppn") {
		t.Error(plain)
	}
}
