package swf_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/swf"
)

// plainParse is the twin of Parse: the same format read in the obvious way. It
// returns the records and the numbers of the lines left out.
func plainParse(data []byte) (records []swf.Record, bad []int) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	for i, line := range strings.Split(text, "\n") {
		fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\v\f", r) })
		if len(fields) == 0 || fields[0][0] == ';' {
			continue
		}
		if len(fields) < 18 {
			bad = append(bad, i+1)
			continue
		}
		f, ok := plainFields(fields)
		if !ok {
			bad = append(bad, i+1)
		}
		if !ok || plainJob(fields[18:]) {
			if ok {
				bad = append(bad, i+1)
			}
			continue
		}
		records = append(records, swf.Record{
			JobNumber: f[0], SubmitTime: f[1], WaitTime: int32(f[2]), RunTime: int32(f[3]),
			AllocatedProcessors: int32(f[4]), AverageCPUTimeUsed: f[5], UsedMemory: f[6],
			RequestedProcessors: int32(f[7]), RequestedTime: int32(f[8]), RequestedMemory: f[9],
			Status: int32(f[10]), UserID: int32(f[11]), GroupID: int32(f[12]), ExecutableNumber: int32(f[13]),
			QueueNumber: int32(f[14]), PartitionNumber: int32(f[15]), PrecedingJobNumber: f[16], ThinkTime: f[17],
			Line: int32(i + 1),
		})
	}
	return records, bad
}

// plainJob says whether another job, with or without its number, stands among
// what is behind 18 fields: then the line holds two.
func plainJob(behind []string) bool {
	for i := range behind {
		if len(behind[i:]) < 17 {
			return false
		}
		if _, ok := plainFields(append([]string{"1"}, behind[i:]...)); ok {
			return true
		}
	}
	return false
}

// plainFields reads 18 fields and says whether all are within limits.
func plainFields(fields []string) (f [18]int64, ok bool) {
	for k := range f {
		f[k], ok = plainNumber(fields[k])
		low, high := int64(-999999999999999999), int64(999999999999999999)
		switch k + 1 {
		case 2:
			low, high = -1, 1<<40
		case 3, 4, 5, 8, 9:
			low, high = -1, 1<<31-1
		case 11, 12, 13, 14, 15, 16:
			low, high = -(1<<31 - 1), 1<<31-1
		}
		if !ok || f[k] < low || high < f[k] {
			return f, false
		}
	}
	return f, true
}

func plainNumber(s string) (int64, bool) {
	whole, fraction, dotted := strings.Cut(s, ".")
	if dotted {
		for _, c := range fraction {
			if c < '0' || c > '9' {
				return 0, false
			}
		}
		if strings.Trim(whole, "+-") == "" {
			if fraction == "" || len(whole) > 1 {
				return 0, false
			}
			return 0, true
		}
	}
	v, err := strconv.ParseInt(whole, 10, 64)
	return v, err == nil
}

// sameAsPlain compares what Parse made of data with what the twin makes of it.
func sameAsPlain(t *testing.T, data []byte, l *swf.Log) {
	t.Helper()
	records, bad := plainParse(data)
	if len(records) != len(l.Records) || len(bad) != l.Malformed {
		t.Fatalf("%d records and %d damaged lines, the plain parser has %d and %d (problems %v, plain %v)",
			len(l.Records), l.Malformed, len(records), len(bad), l.Problems, bad)
	}
	for i := range records {
		if records[i] != l.Records[i] {
			t.Fatalf("record %d is\n%+v, the plain parser has\n%+v", i, l.Records[i], records[i])
		}
	}
	for i, p := range l.Problems {
		if p.Line != bad[i] {
			t.Fatalf("problem %d is on line %d, the plain parser has %d", i, p.Line, bad[i])
		}
	}
}

func bytesEqual(a, b []byte) bool { return bytes.Equal(a, b) }

// sameLog compares what two logs say, apart from line numbers.
func sameLog(t *testing.T, a, b *swf.Log) {
	t.Helper()
	if len(a.Records) != len(b.Records) {
		t.Fatalf("%d and %d records", len(a.Records), len(b.Records))
	}
	for i := range a.Records {
		x, y := a.Records[i], b.Records[i]
		x.Line, y.Line = 0, 0
		if x != y {
			t.Fatalf("record %d: %+v and %+v", i, x, y)
		}
	}
}

// On random logs, made of plain lines, odd numbers, comments, blank lines, all
// line ends and damage, the fast parser and the plain one read the same.
func TestSameAsPlainOnRandomLogs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []string{"0.5", ".5", "-.5", "5.", ".", "-", "+", "+7", "-0", "-1.9", "1e5", "NaN", "inf", "abc", "0x1F",
		"2147483647", "2147483648", "-2", "-2147483648", "1099511627776", "1099511627777", "1.2.3", "1-2", "--1",
		"999999999999999999", "1000000000000000000", "-999999999999999999", "9223372036854775808", "00000000000000000000012",
		"1,000", "1073741823", "1073741824", "-1073741825", "\xfc", "é", "\x00", "1;2", "99999999999999999999999999"}
	ends := []string{"\n", "\r\n", "\r"}
	var good, bad int
	for range 3000 {
		var b strings.Builder
		end := ends[rng.IntN(3)]
		if rng.IntN(8) == 0 {
			b.WriteString("\ufeff")
		}
		if rng.IntN(2) == 0 {
			b.WriteString("; Version: 2.2" + end + ";MaxProcs: 8" + end)
		} else {
			b.WriteString(strings.Repeat("1 ", 18) + end) // a file that is a log
		}
		for range rng.IntN(12) {
			switch rng.IntN(12) {
			case 0:
				b.WriteString("; comment" + end)
			case 1:
				b.WriteString([]string{"", "  ", "\t\v", "x"}[rng.IntN(4)] + end)
			default:
				n := 18
				if rng.IntN(6) == 0 {
					n = rng.IntN(22)
				}
				for k := range n {
					b.WriteString([]string{"", " ", "\t", "   ", " \f"}[rng.IntN(5)])
					if k > 0 {
						b.WriteString(" ")
					}
					switch rng.IntN(60) {
					case 0:
						b.WriteString(odd[rng.IntN(len(odd))])
					case 1, 2, 3:
						b.WriteString("-1")
					case 4:
						fmt.Fprintf(&b, "%d.%02d", rng.IntN(1000), rng.IntN(100))
					default:
						fmt.Fprint(&b, rng.IntN(1<<rng.IntN(30)))
					}
				}
				b.WriteString([]string{"", " ", "\t"}[rng.IntN(3)] + end)
			}
		}
		data := []byte(b.String())
		if rng.IntN(3) == 0 {
			data = data[:len(data)-len(end)] // the last line may lack its end
		}
		l, err := swf.Parse(data)
		if err != nil {
			if strings.Contains(string(data), "\x00") {
				continue // a binary file by its first bytes
			}
			t.Fatalf("%v in %q", err, data)
		}
		sameAsPlain(t, data, l)
		good += len(l.Records)
		bad += l.Malformed
	}
	if good < 5000 || bad < 2000 {
		t.Errorf("the random logs have become too tame: %d good lines, %d bad ones", good, bad)
	}
}
