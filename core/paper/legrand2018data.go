package paper

import (
	"strings"

	"batchlab/core/policy"
	"batchlab/core/swf"
)

// legrandFirst is the index of the paper's week 1, on each of its logs, counted from
// the log's own beginning. Replaying its tables shows it: with 3 most of their
// numbers are met on all four logs, and the weeks of SDSC-SP2 that section 6.2 names.
const legrandFirst = 3

// trace is one of the paper's logs, and how many weeks it used.
type trace struct {
	name  string // "" for any other log
	weeks int
	sums  string // which of tables 3 to 6 is of it
}

// findTrace recognises a log by its name, else by its header; a log that the
// paper did not use has an empty trace.
func findTrace(name string, log *swf.Log) *trace {
	name = strings.ToUpper(name)
	for i := range traces {
		if strings.HasPrefix(name, strings.TrimSuffix(traces[i].name, "E")) { // the archive's file is SDSC-BLUE, its older ones SDSC-BLU
			return &traces[i]
		}
	}
	place, computer := strings.ToUpper(log.Header.Installation), strings.ToUpper(log.Header.Computer)
	for i, words := range [][2]string{{"SDSC", "SP2"}, {"SDSC", "BLUE HORIZON"}, {"CORNELL", "SP2"}, {"KTH", "SP2"}} {
		if (strings.Contains(place, words[0]) || words[0] == "SDSC" && strings.Contains(place, "SAN DIEGO")) && strings.Contains(computer, words[1]) {
			return &traces[i]
		}
	}
	return &trace{}
}

var traces = []trace{
	{"SDSC-SP2", 100, "legrand2018-table3"}, {"SDSC-BLUE", 100, "legrand2018-table4"},
	{"CTC-SP2", 45, "legrand2018-table6"}, {"KTH-SP2", 45, "legrand2018-table5"},
}

// sum is what the paper prints for an order under a threshold of legrandThresholdNames,
// 0 where it prints nothing.
func (t *trace) sum(o policy.Order, threshold int) float64 {
	if v := printed(t.sums, orderName(o), legrandThresholdNames[threshold]+", ties to the newest"); v != nil {
		return *v
	}
	return 0
}
