package paper

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// foresightPinned are digests of the quick presets, the same natively and as
// WebAssembly.
var foresightPinned = map[string]string{
	"foresight-weeks": "56c2173e30cd46af9834d7bbe443c8b2ef0134402c465bc43b8bf879872a24f8",
	"foresight-whole": "5131f8395fa87bfd4570edc30d9216a2adc81e1738b32c46f0fdfe03f7bc273b",
}

// Intent: the presets run without a log, quickly, with all rows and columns that
// are promised, the same on any number of workers that share nothing but JSON.
func TestForesightPresets(t *testing.T) {
	columns := map[string][]string{
		"foresight-weeks": {"sum", "ratio", "won", "lost", "longest wait", "p99 wait"},
		"foresight-whole": {"mean bounded slowdown", "ratio", "longest wait", "p99 wait"},
	}
	labels := []string{"SAF", "F1", "F2", "clairvoyant SAF", "w_train", "w_greedy"}
	for i := range foresightPresets {
		p := &foresightPresets[i]
		if testing.Short() && p.Key == "foresight-weeks" {
			continue
		}
		out, err := p.Compute(Input{Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, r := range out.Rows {
			there[r.Label+"/"+r.Column] = true
			if math.IsNaN(r.Ours) || math.IsInf(r.Ours, 0) || r.Column == "ratio" && r.Ours <= 0 {
				t.Errorf("%s: %+v", p.Key, r)
			}
		}
		for _, label := range labels {
			for _, column := range columns[p.Key] {
				if !there[label+"/"+column] && (p.Key == "foresight-weeks" || label[:2] != "w_") {
					t.Errorf("%s: no %s of %s", p.Key, column, label)
				}
			}
		}
		if out.Digest != foresightPinned[p.Key] {
			t.Errorf("%s: digest %s, want %s", p.Key, out.Digest, foresightPinned[p.Key])
		}
		if testing.Short() || p.Key == "foresight-weeks" {
			continue
		}
		again, err := p.Compute(Input{Quick: true, Workers: 2, Each: func(n int, work func(worker, item int) error, result func(int) any) error {
			for i := n - 1; i >= 0; i-- {
				if err := work(i%2, i); err != nil {
					return err
				}
				text, err := json.Marshal(result(i))
				if err == nil {
					err = json.Unmarshal(text, result(i))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}})
		if err != nil || again.Digest != out.Digest || fmt.Sprint(again.Rows) != fmt.Sprint(out.Rows) {
			t.Errorf("%s: other workers give another result: %v", p.Key, err)
		}
	}
}

// Intent: the sign test is the binomial one, by hand.
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		won, lost int
		want      float64
	}{{5, 0, 2.0 / 32}, {3, 1, 10.0 / 16}, {2, 2, 1}, {72, 30, 3.885e-5}} {
		if got := signTest(c.won, c.lost); math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("%d–%d: %v, want %v", c.won, c.lost, got, c.want)
		}
	}
}

// Intent: on the study's logs the presets give the study's figures. For
// BATCHLAB_STUDY=1, with BATCHLAB_LOGS; the whole logs come to within 1 %.
func TestForesightOnLogs(t *testing.T) {
	if os.Getenv("BATCHLAB_STUDY") == "" {
		t.Skip("BATCHLAB_STUDY is not set")
	}
	for name, want := range map[string][5]float64{ // weeks: F1, F2, clairvoyant; whole: F1, F2
		sdsc:                 {0.919, 0.872, 0.69, 18.75, 16.74},
		kth:                  {0.944, 0.901, 0.70, 15.25, 14.76},
		"HPC2N-2002-2.2-cln": {0.894, 0.895, 0.56, 7.38, 7.22},
	} {
		in := Input{Logs: []Log{realLog(t, name)}, Points: 12}
		weeks, err := foresightPresets[0].Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := foresightPresets[1].Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		got := [5]float64{value(t, weeks, "F1", "ratio"), value(t, weeks, "F2", "ratio"), value(t, weeks, "clairvoyant SAF", "ratio"),
			value(t, whole, "F1", "mean bounded slowdown"), value(t, whole, "F2", "mean bounded slowdown")}
		t.Logf("%s: %.4v, the study has %v", name, got, want)
		for i, within := range [5]float64{0.005, 0.005, 0.011, 0.01 * want[3], 0.1 * want[4]} {
			if math.Abs(got[i]-want[i]) > within {
				t.Errorf("%s: %v is not within %v of %v", name, got[i], within, want[i])
			}
		}
	}
}
