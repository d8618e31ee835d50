package paper

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/swf"
)

// realLog reads a real log of the folder BATCHLAB_LOGS.
func realLog(t *testing.T, name string) Log {
	t.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: the paper's figures are not compared")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name+".swf.gz"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	log, err := swf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return Log{experiment.Log{Name: name + ".swf", SHA256: strings.Repeat("0", 64), Size: 1}, log}
}

const (
	sdsc = "SDSC-SP2-1998-4.2-cln"
	kth  = "KTH-SP2-1996-2.1-cln"
)

func compute(t *testing.T, key string, in Input) *Output {
	t.Helper()
	out, err := Find("legrand2018-" + key).Compute(in)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return out
}

// value returns a row's number; the column may be cut short.
func value(t *testing.T, out *Output, label, column string) float64 {
	t.Helper()
	for _, r := range out.Rows {
		if r.Label == label && strings.HasPrefix(r.Column, column) {
			return r.Ours
		}
	}
	t.Fatalf("no row %q, %q", label, column)
	return 0
}

// pinned are digests of quick presets, the same natively and as WebAssembly:
// learned vectors, and those that xNES found.
var pinned = map[string]string{
	"legrand2018-table2":   "0c4c10d8d444e94d568db8a6aaffa853dd339bc80503d767d465e4f0f46c7bbb",
	"legrand2018-table3":   "d452d171fca69a665e90f1408c8968a82cf4b75ec390f1563d0713d667daceea",
	"legrand2018-figure1":  "e67d3172609eae9228a00275bf8e81d47ca329649713b4a40f8beba14e96268e",
	"legrand2018-figure4":  "27eff6e6740de38b3b473ec75b590f12ab56a2f46cf4c20d8f0ecb65bf979e77",
	"legrand2018-figure5":  "8bfe3eda4d10313630e4d32574427562a8658b0a1fb733e6e4a474d35dce7fba",
	"legrand2018-figure15": "0fea0fdb86d7d6faeeaa91c4a01951094d54e705157a1a1a22544031373ca561",
	"klusacek2016-figure2": "f0d5f2342e7ad9a960512a3477742f6ec2bd6d0ffdbae3091db91892882ec130",
}

// Each preset runs without a log, quickly, says so, and gives rows of finite
// numbers, the same on any number of workers. As WebAssembly only the digests of
// the different computations are looked at, but for what xNES finds: a browser
// test holds those against the native ones.
func TestLegrandStandIn(t *testing.T) {
	if len(legrand2018) != 25 {
		t.Fatalf("%d presets: 7 tables, 15 figures, months over fewer vectors, standardised features, and how searches converge", len(legrand2018))
	}
	seen := map[string]bool{}
	for _, p := range legrand2018 {
		if testing.Short() && (pinned[p.Key] == "" || p.Key == "legrand2018-figure5") {
			continue
		}
		out, err := p.Compute(Input{Quick: true})
		if err != nil {
			t.Fatalf("%s: %v", p.Key, err)
		}
		if !out.StandIn || len(out.Notes) == 0 || len(out.Rows) == 0 || len(out.Digest) != 64 || out.Log == "" {
			t.Errorf("%s: %q, %q, %d rows", p.Key, out.Notes, out.Log, len(out.Rows))
		}
		for _, r := range out.Rows {
			if math.IsNaN(r.Ours) || math.IsInf(r.Ours, 0) || r.Label == "" || r.Column == "" || r.Paper != nil {
				t.Errorf("%s: %+v", p.Key, r)
			}
		}
		if want := pinned[p.Key]; want != "" && out.Digest != want {
			t.Errorf("%s: digest %s, want %s", p.Key, out.Digest, want)
		}
		if testing.Short() || seen[out.Digest] {
			continue // other rows of the same computation
		}
		seen[out.Digest] = true
		again, err := p.Compute(Input{Quick: true, Workers: 3, Each: func(n int, work func(worker, item int) error, _ func(int) any) error {
			for i := n - 1; i >= 0; i-- { // the last first, by workers in turn
				if err := work(i%3, i); err != nil {
					return err
				}
			}
			return nil
		}})
		if err != nil || again.Digest != out.Digest || written(t, again.Rows) != written(t, out.Rows) {
			t.Errorf("%s: another order of work gives another result (%v)", p.Key, err)
		}
	}
}

// written are rows as JSON, intervals and all.
func written(t *testing.T, rows []Row) string {
	t.Helper()
	text, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Logs are recognised by name, or by their header when they were renamed.
func TestLegrandFindsLogs(t *testing.T) {
	header := func(installation, computer string) *swf.Log {
		l, err := swf.Parse([]byte("; Computer: " + computer + "\n; Installation: " + installation + "\n1 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct{ name, installation, computer, want string }{
		{"SDSC-SP2-1998-4.2-cln.swf", "", "", "SDSC-SP2"}, {"sdsc-blue-2000-4.2-cln.swf", "", "", "SDSC-BLUE"}, {"SDSC-BLU-2000.swf", "", "", "SDSC-BLUE"},
		{"CTC-SP2-1996-3.1-cln.swf", "", "", "CTC-SP2"}, {"KTH-SP2-1996-2.1-cln.swf", "", "", "KTH-SP2"}, {"HPC2N.swf", "HPC2N", "cluster", ""},
		{"a.swf", "SDSC", "IBM SP2", "SDSC-SP2"}, {"b.swf", "Swedish Royal Institute of Technology (KTH)", "IBM SP2", "KTH-SP2"},
		{"c.swf", "Cornell Theory Center", "IBM SP2", "CTC-SP2"}, {"d.swf", "San Diego Supercomputer Center (SDSC)", "IBM SP (Blue Horizon)", "SDSC-BLUE"},
		{"e.swf", "", "", ""},
	} {
		if got := findTrace(c.name, header(c.installation, c.computer)).name; got != c.want {
			t.Errorf("%s of %q, %q is taken for %q, not %q", c.name, c.installation, c.computer, got, c.want)
		}
	}
}

// A log without two weeks is refused by name, in words.
func TestLegrandShortLog(t *testing.T) {
	log, err := swf.Parse([]byte("; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"table2", "table3", "figure15"} {
		_, err = Find("legrand2018-" + key).Compute(Input{Logs: []Log{{experiment.Log{Name: "tiny.swf"}, log}}})
		if !errors.Is(err, mixed.ErrShort) || !strings.HasPrefix(err.Error(), "tiny.swf: ") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// Table 1's counts and means are the paper's within 0.25 % and 0.1 %, and table
// 7's jobs are the paper's jobs.
func TestLegrandTables1And7(t *testing.T) {
	out := compute(t, "table1", Input{Logs: []Log{realLog(t, kth), realLog(t, sdsc)}})
	if len(out.Rows) != 8 {
		t.Fatalf("%d rows", len(out.Rows))
	}
	for _, r := range out.Rows {
		most := map[string]float64{"jobs": 0.0025, "mean job duration": 0.001, "mean job size": 0.05}[r.Column]
		if math.Abs(r.Ours / *r.Paper - 1) > most {
			t.Errorf("%s, %s: %v, the paper has %v", r.Label, r.Column, r.Ours, *r.Paper)
		}
	}
	for _, r := range compute(t, "table7", Input{Logs: []Log{realLog(t, sdsc)}}).Rows {
		if r.Ours != *r.Paper {
			t.Errorf("job %s, %s: %v, the paper has %v", r.Label, r.Column, r.Ours, *r.Paper)
		}
	}
}

// Tables 3 to 6, on the paper's own logs with week 1 at index 3: the sums of the
// independent simulator under both tie rules, SAF first as in the paper, and as many of
// the 36 printed numbers within 2 % as an independent simulation found with that index.
func TestLegrandThresholds(t *testing.T) {
	for _, c := range []struct {
		key, log       string
		newest, oldest float64 // SAF, 2.31 days; 0 not known
		near           float64 // numbers within 2 %, ties to the newest
		most           float64 // how far any number is off
	}{{"table3", sdsc, 1630.75, 1646.40, 24, 0.13}, {"table4", "SDSC-BLUE-2000-4.2-cln", 0, 0, 32, 0.13}, {"table5", kth, 505.76, 476.31, 29, 0.13}, {"table6", "CTC-SP2-1996-3.1-cln", 0, 0, 15, 0.30}} {
		out := compute(t, c.key, Input{Logs: []Log{realLog(t, c.log)}})
		newest, oldest := value(t, out, "SAF", "2.31 days, ties to the newest"), value(t, out, "SAF", "2.31 days, ties to the oldest")
		for _, x := range [][2]float64{{newest, c.newest}, {oldest, c.oldest}} {
			if x[1] != 0 && math.Abs(x[0]-x[1]) > 0.06 {
				t.Errorf("%s: %v, want %v", c.key, x[0], x[1])
			}
		}
		if got := value(t, out, "within 2 % of the paper's 36", "as printed, ties to the newest"); got != c.near {
			t.Errorf("%s: %v of 36 numbers are within 2 %%, want %v", c.key, got, c.near)
		}
		counts := 0
		for _, r := range out.Rows {
			if strings.HasPrefix(r.Label, "within ") { // a count of the paper's numbers
				if counts++; r.Ours < 1 || r.Ours > 36 {
					t.Errorf("%s: %+v", c.key, r)
				}
				continue
			}
			if strings.Contains(r.Label, "÷") || strings.Contains(r.Column, "÷") {
				if r.From == nil || r.To == nil || !(*r.From <= r.Ours && r.Ours <= *r.To) {
					t.Errorf("%s: %+v has no interval about it", c.key, r)
				}
				continue
			}
			if strings.HasPrefix(r.Label, "place of ") || r.Label == "orders" {
				continue
			}
			if r.Paper == nil {
				t.Errorf("%s: the paper's value of %+v is missing", c.key, r)
			} else if math.Abs(r.Ours / *r.Paper - 1) > c.most {
				t.Errorf("%s: %+v, %v", c.key, r, *r.Paper)
			}
			if strings.HasPrefix(r.Column, "2.31 days, ties to the newest") && r.Ours < newest {
				t.Errorf("%s: %s is better than SAF", c.key, r.Label)
			}
		}
		if counts != 12 {
			t.Errorf("%s: %d counts of numbers that agree: within 2 and 5 %%, for two tie rules and the better of both, as printed and by rank", c.key, counts)
		}
	}
}

// Table 2, SDSC-SP2: over the testing weeks w* is at most 0.56 of SAF's sum,
// and last week's best is far worse than SAF, as in the paper.
func TestLegrandTable2(t *testing.T) {
	out := compute(t, "table2", Input{Logs: []Log{realLog(t, sdsc)}, Points: 40})
	test := "testing, weeks 65 to 100"
	best, saf, greedy, trained := value(t, out, "w*", test), value(t, out, "SAF", test), value(t, out, "w_greedy", test), value(t, out, "w_train", test)
	t.Logf("w* %.2f, SAF %.2f, w_train %.2f, w_greedy %.2f", best, saf, trained, greedy)
	if math.Abs(saf-727.08) > 0.01 || best > 0.56*saf || greedy < 1.1*saf || trained < best {
		t.Errorf("w* %v, SAF %v, w_train %v, w_greedy %v", best, saf, trained, greedy)
	}
	for _, p := range Find("legrand2018-table2").Published() {
		if !slices.ContainsFunc(out.Rows, func(r Row) bool {
			return r.Label == p.Label && r.Column == p.Column && r.Paper != nil && *r.Paper == *p.Paper
		}) {
			t.Errorf("%s, %s is not set beside the paper's number", p.Label, p.Column)
		}
	}
}
