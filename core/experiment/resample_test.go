package experiment

import (
	"reflect"
	"strings"
	"testing"
)

// resampled is minimal with draws by users.
const resampled = `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"resample":{"by":"users","long-term":6}},"schedulers":[{"key":"easy","repeat":3}]}`

// Intent: draws travel in documents and links, say by what even at the default,
// belong to the identity, and stay out of documents without them.
func TestResampleSettings(t *testing.T) {
	e := mustDecode(t, resampled)
	if weeks, _ := e.Workload.Resample.Int("long-term"); e.Workload.Resample.Text("by") != "users" || weeks != 6 || e.Studies() {
		t.Fatalf("%+v", e.Workload.Resample)
	}
	comesBack(t, e)
	eachCounts(t, resampled, `"by":"users"|"by":"weeks"`, `"long-term":6|"long-term":7`, `,"resample":{"by":"users","long-term":6}|`)
	c := e.Clone()
	c.Workload.Resample[0].Value = "shake"
	if !reflect.DeepEqual(e, mustDecode(t, resampled)) {
		t.Error("a clone shares its settings")
	}
	bare := mustDecode(t, strings.Replace(resampled, `"by":"users","long-term":6`, `"by":"weeks"`, 1))
	if text := string(Encode(bare)); !strings.Contains(text, `"by": "weeks"`) || !reflect.DeepEqual(mustDecode(t, text), bare) {
		t.Errorf("draws by default are lost:\n%s", text)
	}
	if text := string(mustDecode(t, minimal).Canonical()); strings.Contains(text, "resample") {
		t.Errorf("a document without draws has some: %s", text)
	}
}

// Intent: faults name their key, and what cannot be drawn from says why.
func TestResampleFaults(t *testing.T) {
	for change, want := range map[string]string{
		`"by":"users"|"by":"months"`:                                                   `workload.resample.by: unknown value "months"`,
		`"by":"users","long-term":6|`:                                                  `workload.resample.by: missing; it is one of weeks, users, shake`,
		`"long-term":6|"long-term":0`:                                                  `workload.resample.long-term: must be between 1 and 520`,
		`"long-term":6|"longterm":6`:                                                   `workload.resample.longterm: unknown key; did you mean "long-term"?`,
		`{"by":"users","long-term":6}|"users"`:                                         `workload.resample: must be an object`,
		`{"bundled":"demo"}|{"generator":{"key":"daily"}}`:                             `workload.resample: a generator makes other jobs`,
		`"resample":{"by":"users"|"react":{},"resample":{"by":"users"`:                 `workload.resample: users who react`,
		`"resample":{"by":"users","long-term":6}|"resample":{"by":"shake","jitter":0}`: `workload.resample.jitter: must be between 1`,
	} {
		from, to, _ := strings.Cut(change, "|")
		_, err := Decode([]byte(strings.Replace(resampled, from, to, 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", change, err)
		}
	}
	e := mustDecode(t, resampled)
	e.Workload.Source = Source{Generator: &Generator{}}
	g, _ := NewGenerator("daily")
	e.Workload.Source.Generator = g
	if err := e.Validate(); err == nil || !strings.Contains(err.Error(), "workload.resample: a generator") {
		t.Errorf("a program's document: %v", err)
	}
}

// Intent: a repetition is a run of its own where jobs or machines differ, or the
// scheduler draws; else it is the first one once more.
func TestFirst(t *testing.T) {
	for source, varies := range map[string]bool{
		`{"bundled":"demo"}`:                                        false,
		`{"generator":{"key":"daily"}}`:                             true,
		`{"bundled":"demo"},"resample":{"by":"weeks"}`:              true,
		`{"bundled":"demo"},"annotate":{"deadlines":{"share":0.5}}`: true,
		`{"bundled":"demo"},"react":{}`:                             false,
		`{"bundled":"demo"},"react":{"think":"drawn"}`:              true,
	} {
		e := mustDecode(t, `{"batchlab":1,"workload":{"source":`+source+`},"schedulers":[{"key":"easy"},{"key":"plan-rs"},{"key":"plan-rs","params":{"optimiser":"none"}}]}`)
		if e.Varies() != varies {
			t.Errorf("%s: varies is %v", source, e.Varies())
		}
		if got, want := [3]int{e.First(0, 4), e.First(1, 4), e.First(2, 4)}, map[bool][3]int{true: {4, 4, 4}, false: {0, 4, 0}}[varies]; got != want {
			t.Errorf("%s: repetition 4 is %v, want %v", source, got, want)
		}
	}
}

// Intent: a run's part of the digest as that of another repetition is what the
// same run at that repetition would have given.
func TestCopyRun(t *testing.T) {
	row := func(i int) DigestRow { return DigestRow{Number: int64(i), Start: 7, End: 9} }
	for _, key := range []string{"fcfs", "a-rather-long-key-of-a-scheduler"} {
		one, four := AppendRun(nil, key, 0, 3, row), AppendRun(nil, key, 4, 3, row)
		if !reflect.DeepEqual(CopyRun(one, 4), four) || reflect.DeepEqual(one, four) {
			t.Errorf("%s: a copy differs from the run", key)
		}
		if head := RunHead(one[:4+len(key)+8], 4); !reflect.DeepEqual(head, four[:len(head)]) || len(head) > RunHeadSize {
			t.Errorf("%s: the head is %v", key, head)
		}
	}
}

// Intent: a file of predictions names jobs by numbers, which draws by weeks and users
// give again: that is said before anything runs, at the scheduler that names the file.
func TestForetoldDrawsAreRefused(t *testing.T) {
	const file = `"predict":{"key":"file","file":{"name":"p.csv","sha256":"` + "0123456789012345678901234567890123456789012345678901234567890123" + `","size":9}}`
	own := strings.Replace(resampled, `"key":"easy"`, `"key":"foresight",`+file, 1)
	all := strings.Replace(resampled, `"schedulers"`, file+`,"schedulers"`, 1)
	for text, want := range map[string]string{
		own: "schedulers[0].predict.file", all: "predict.file",
		strings.Replace(own, `"repeat":3`, `"repeat":1`, 1):                              "",
		strings.Replace(own, `"by":"users","long-term":6`, `"by":"shake"`, 1):            "",
		strings.Replace(all, `"key":"easy"`, `"key":"easy","predict":{"key":"true"}`, 1): "",
	} {
		_, err := Decode([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want+": repetitions")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
