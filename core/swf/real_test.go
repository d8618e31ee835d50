package swf_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"batchlab/core/swf"
)

// logNames are the real logs that tests use where BATCHLAB_LOGS holds them.
const (
	sdsc   = "SDSC-SP2-1998-4.2-cln.swf.gz"
	kth    = "KTH-SP2-1996-2.1-cln.swf.gz"
	hpc2n  = "HPC2N-2002-2.2-cln.swf.gz"
	nasa   = "NASA-iPSC-1993-3.1-cln.swf.gz"
	cerit  = "CERIT-SC-wagap-2013.alea21.swf.gz"
	lublin = "lublin_256.swf.gz"
)

// realLog returns the text of a real log, or skips the test.
func realLog(tb testing.TB, name string) []byte {
	tb.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		tb.Skip("BATCHLAB_LOGS is not set: it names the folder of the real logs")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		tb.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// The real logs read whole: the counts, machine sizes and users that are known
// of them, and no line with a problem but two of CERIT-SC, whose run times of
// -1359980917 and -1359981026 s stand for jobs that never ended.
func TestRealLogs(t *testing.T) {
	tests := []struct {
		name, sha256            string
		jobs                    int
		maxProcs, maxNodes      int64
		users, extra, noRunTime int // noRunTime -1: not known
		zone                    string
	}{
		{sdsc, "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2", 59715, 128, 128, 437, 0, 5671, "US/Pacific"},
		{kth, "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87", 28476, 100, 100, 214, 0, -1, "Europe/Stockholm"},
		{hpc2n, "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa", 202871, 240, 240, 257, 0, -1, "Europe/Stockholm"},
		{nasa, "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76", 18239, 128, 128, 69, 0, -1, "US/Pacific"},
		{cerit, "bf5c1cc69915f2d5d26c579f69e206513ceff9bd60e6c4b112182da0c6183ed7", 17900, 0, 0, 75, 17900, -1, ""},
		{lublin, "a394ab3d81179ebcf645a1cbd593a60b6dff7f11a510e1e6285c45f43310c962", 10000, 0, 256, 1, 0, -1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := realLog(t, tt.name)
			sum := sha256.Sum256(data)
			if got := hex.EncodeToString(sum[:]); got != tt.sha256 {
				t.Fatalf("sha256 %s, want %s", got, tt.sha256)
			}
			l, err := swf.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			damaged := 0
			if tt.name == cerit {
				damaged = 2
			}
			if len(l.Records) != tt.jobs-damaged || l.Malformed != damaged || l.Lines() != tt.jobs {
				t.Errorf("%d records and %d damaged lines, want %d lines: %v", len(l.Records), l.Malformed, tt.jobs, l.Problems)
			}
			for i, line := range []int{4186, 4200}[:damaged] {
				if p := l.Problems[i]; p.Line != line || p.Field != 4 {
					t.Errorf("problem %d is %v, want line %d, field 4", i, p, line)
				}
			}
			h := &l.Header
			if h.MaxProcs != tt.maxProcs || h.MaxNodes != tt.maxNodes || h.TimeZoneString != tt.zone {
				t.Errorf("MaxProcs %d, MaxNodes %d, zone %q", h.MaxProcs, h.MaxNodes, h.TimeZoneString)
			}
			if got := l.ExtraFields.Count + len(l.Alea); got != max(tt.extra-damaged, 0) { // the latter are understood
				t.Errorf("%d lines with extra fields, want %d", got, tt.extra-damaged)
			}
			users, neverRan := map[int32]bool{}, 0
			for i := range l.Records {
				users[l.Records[i].UserID] = true
				if l.Records[i].RunTime == -1 {
					neverRan++
				}
			}
			if len(users) != tt.users {
				t.Errorf("%d users, want %d", len(users), tt.users)
			}
			if tt.noRunTime >= 0 && neverRan != tt.noRunTime {
				t.Errorf("%d jobs without a run time, want %d", neverRan, tt.noRunTime)
			}
			sameAsPlain(t, data, l)
			again, err := swf.Parse(l.Append(nil))
			if err != nil {
				t.Fatal(err)
			}
			sameLog(t, l, again)
			if !bytesEqual(l.Header.Text, again.Header.Text) || !bytesEqual(l.Header.Text, data[:len(l.Header.Text)]) {
				t.Error("the header is not kept byte for byte")
			}
		})
	}
}

// SDSC-SP2's header carries its terms of use: they stay readable as one field.
func TestTermsOfUse(t *testing.T) {
	l, err := swf.Parse(realLog(t, sdsc))
	if err != nil {
		t.Fatal(err)
	}
	want := "referenced in any written or electronic publication."
	if got := l.Header.Get("copyright"); len(got) < 500 || got[len(got)-len(want):] != want {
		t.Errorf("Copyright is %q", got)
	}
	if l.Header.UnixStartTime != 893466664 || l.Header.TimeZone != -28800 || len(l.Header.Notes) != 1 {
		t.Errorf("start %d, zone %d, %d notes", l.Header.UnixStartTime, l.Header.TimeZone, len(l.Header.Notes))
	}
}
