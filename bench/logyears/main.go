// Logyears sets side by side what is said of ten years of real logs without draws and
// with draws of users: docs/years.csv. It is run by hand:
//
//	go run ./bench/logyears -logs DIR              # DIR holds the logs as the archive has them, .swf.gz
//	go run ./bench/logyears -logs DIR -only KTH    # those whose names hold KTH
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// years are the windows: a calendar year of a log, or all of one that is about a year
// or less.
var years = []struct {
	name, file string
	year       int // 0: all of it
	begins     int64
	processors int // of the platform; 0: what the log says
}{
	{"NASA iPSC 1993", "NASA-iPSC-1993-3.1-cln", 0, 0, 0},
	{"KTH SP2 1996–97", "KTH-SP2-1996-2.1-cln", 0, 0, 0},
	{"CTC SP2 1996–97", "CTC-SP2-1996-3.1-cln", 0, 0, 0},
	{"SDSC SP2 1999", "SDSC-SP2-1998-4.2-cln", 1999, 893466664, 0},
	{"SDSC BLUE 2001", "SDSC-BLUE-2000-4.2-cln", 2001, 956700003, 0},
	{"SDSC BLUE 2002", "SDSC-BLUE-2000-4.2-cln", 2002, 956700003, 0},
	{"HPC2N 2003", "HPC2N-2002-2.2-cln", 2003, 1027839845, 0},
	{"HPC2N 2004", "HPC2N-2002-2.2-cln", 2004, 1027839845, 0},
	{"HPC2N 2005", "HPC2N-2002-2.2-cln", 2005, 1027839845, 0},
	{"CERIT-SC 2013", "CERIT-SC-wagap-2013.alea21", 0, 0, 2176},
}

const document = `{"batchlab":1,"workload":{"source":{"log":{"name":%q,"size":%d,"sha256":%q}}%s,"resample":{"by":"users"}}%s,
"schedulers":[{"key":"easy","repeat":20},{"key":"easy","params":{"order":"saf","backfill":"spf"},"repeat":20},{"key":"easy","params":{"backfill":"spf"},"repeat":20},{"key":"conservative","repeat":20}]}`

// names are the schedulers that are compared with the first, EASY.
var names = []string{"", "SAF", "SPF backfilling", "conservative"}

func main() {
	folder := flag.String("logs", "", "the folder of the logs")
	only := flag.String("only", "", "only years whose names hold this")
	flag.Parse()
	head := "log,jobs,pieces,scheduler"
	for _, c := range []string{"wait", "wait_draws", "slowdown", "slowdown_draws"} {
		head += fmt.Sprintf(",%s,%[1]s_low,%[1]s_high,%[1]s_verdict", c)
	}
	fmt.Println(head)
	for i := range years {
		if strings.Contains(years[i].name, *only) {
			if err := year(i, *folder); err != nil {
				fmt.Fprintln(os.Stderr, years[i].name+":", err)
				os.Exit(1)
			}
		}
	}
}

func year(i int, folder string) error {
	y := &years[i]
	packed, err := os.ReadFile(filepath.Join(folder, y.file+".swf.gz"))
	if err != nil {
		return err
	}
	text, err := swf.Gunzip(packed, 0)
	if err != nil {
		return err
	}
	log, err := swf.Parse(text)
	if err != nil {
		return err
	}
	window, platform := "", ""
	if y.year > 0 {
		at := func(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() - y.begins }
		window = fmt.Sprintf(`,"window":{"from":%d,"to":%d}`, at(y.year), at(y.year+1))
	}
	if y.processors > 0 {
		platform = fmt.Sprintf(`,"platform":{"processors":%d}`, y.processors)
	}
	sum := sha256.Sum256(text)
	e, err := experiment.Decode(fmt.Appendf(nil, document, y.file+".swf", len(text), hex.EncodeToString(sum[:]), window, platform))
	if err != nil {
		return err
	}
	rep, err := lab.Run(e, lab.Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}, lab.Options{}, nil)
	if err != nil {
		return err
	}
	var by [4][]*report.Run
	for _, r := range rep.Runs {
		by[r.Scheduler] = append(by[r.Scheduler], r)
	}
	for s := 1; s < len(names); s++ {
		var line bytes.Buffer
		fmt.Fprintf(&line, "%s,%d,%.0f,%s", y.name, by[0][0].Jobs, by[0][0].Draws.Pieces, names[s])
		for _, key := range []string{"mean-wait", "mean-bounded-slowdown"} {
			row := catalog.FindMetric(key)
			for _, n := range []int{1, len(by[s])} {
				fmt.Fprintf(&line, ",%s", say(row, metric.CompareRuns(by[s][:n], by[0][:n], row)))
			}
		}
		fmt.Println(line.String())
	}
	return nil
}

// say is a quotient, the ends of its interval, where it has one, and the verdict.
func say(row *catalog.Metric, d metric.Difference) string {
	if !d.Has() {
		return fmt.Sprintf("%.2f,,,%s", 1+d.Relative, d.Verdict(row))
	}
	return fmt.Sprintf("%.2f,%.2f,%.2f,%s", 1+d.Relative, 1+d.Low, 1+d.High, d.Verdict(row))
}
