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

// trace is one of the paper's logs: how many weeks it used, and what it prints.
type trace struct {
	name   string // "" for any other log
	weeks  int
	table1 [4]float64                  // processors, jobs, mean run time in seconds, mean processors
	sums   map[policy.Order][3]float64 // tables 3 to 6: no threshold, 200,000 s, 72,000 s
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
	{name: "SDSC-SP2", weeks: 100, table1: [4]float64{128, 49809, 6318, 12}, sums: map[policy.Order][3]float64{
		policy.SAF: {1461.39, 1585.53, 2395.29}, policy.SPF: {1467.70, 1689.55, 2447.58}, policy.LCFS: {1739.24, 1940.71, 2471.02},
		policy.LEXP: {1936.93, 1955.04, 2496.97}, policy.SQF: {1988.62, 2082.25, 2579.47}, policy.SRF: {2426.40, 2475.90, 2818.35},
		policy.SEXP: {2519.32, 2484.96, 2864.63}, policy.LRF: {2726.74, 2517.65, 2875.95}, policy.FCFSOrder: {2864.63, 2864.63, 2879.22},
		policy.LPF: {3277.66, 3020.96, 3064.14}, policy.LQF: {4188.31, 4159.97, 3346.24}, policy.LAF: {5322.73, 4811.85, 3525.13}}},
	{name: "SDSC-BLUE", weeks: 100, table1: [4]float64{1152, 208716, 3184, 40}, sums: map[policy.Order][3]float64{
		policy.SAF: {302.73, 311.83, 344.51}, policy.SPF: {329.95, 328.88, 350.36}, policy.LEXP: {384.27, 383.99, 396.27},
		policy.LCFS: {388.40, 392.03, 407.91}, policy.SQF: {395.27, 401.76, 416.65}, policy.SRF: {409.12, 418.78, 431.64},
		policy.SEXP: {468.82, 473.94, 465.08}, policy.FCFSOrder: {487.37, 487.37, 487.37}, policy.LQF: {494.14, 493.77, 508.77},
		policy.LRF: {522.95, 526.12, 514.99}, policy.LPF: {566.17, 554.11, 563.42}, policy.LAF: {582.87, 578.66, 563.43}}},
	{name: "CTC-SP2", weeks: 45, table1: [4]float64{338, 68687, 9807, 10}, sums: map[policy.Order][3]float64{
		policy.SAF: {190.95, 191.24, 219.51}, policy.SQF: {238.50, 235.10, 248.85}, policy.SPF: {254.26, 251.65, 251.64},
		policy.LEXP: {273.20, 273.20, 252.27}, policy.LCFS: {276.91, 277.79, 273.96}, policy.SRF: {281.82, 280.94, 283.89},
		policy.SEXP: {330.40, 325.02, 292.36}, policy.LQF: {346.15, 346.27, 292.84}, policy.LPF: {356.77, 357.75, 313.92},
		policy.FCFSOrder: {357.75, 358.56, 341.83}, policy.LRF: {366.45, 370.98, 357.75}, policy.LAF: {466.47, 466.42, 386.57}}},
	{name: "KTH-SP2", weeks: 45, table1: [4]float64{100, 27670, 8579, 8}, sums: map[policy.Order][3]float64{
		policy.SAF: {501.16, 507.76, 632.93}, policy.SPF: {554.63, 571.57, 638.55}, policy.LEXP: {568.07, 573.80, 651.27},
		policy.SRF: {600.80, 590.25, 651.45}, policy.LCFS: {679.75, 692.97, 768.40}, policy.SQF: {772.55, 775.86, 784.52},
		policy.LQF: {797.87, 796.77, 786.36}, policy.FCFSOrder: {850.16, 850.16, 850.16}, policy.SEXP: {882.39, 886.61, 889.64},
		policy.LRF: {1001.39, 961.17, 917.95}, policy.LPF: {1066.83, 1023.84, 963.46}, policy.LAF: {1076.52, 1026.10, 976.46}}},
}

// legrandTable2Stated are the numbers of table 2, SDSC-SP2: training, testing.
// It has none for LCFS.
var legrandTable2Stated = map[string][2]float64{
	"w*": {376.67, 357.51}, "w_train": {682.11, 778.44}, "w_greedy": {818.71, 902.55},
	"SAF": {691.10, 721.54}, "SPF": {706.24, 787.92}, "LEXP": {820.94, 934.21}, "SQF": {970.49, 869.41}, "SEXP": {1016.52, 1204.73},
	"LRF": {1041.18, 1134.92}, "SRF": {1147.96, 1114.46}, "FCFS": {1180.24, 1398.13}, "LPF": {1239.79, 1483.35}, "LQF": {1702.14, 2191.97}, "LAF": {2109.84, 2355.16},
}

// legrandTable7Stated are the jobs of table 7: number, submission, run time,
// processors.
var legrandTable7Stated = [10][4]float64{
	{28663, 14837924, 510209, 9}, {28664, 14837963, 508420, 16}, {8040, 7660725, 474510, 6}, {25891, 13785409, 452520, 60}, {9036, 8427638, 227033, 64},
	{31620, 17005431, 162564, 4}, {31623, 17005453, 162536, 32}, {17, 577685, 118561, 5}, {14408, 12186754, 114369, 8}, {34441, 19458401, 112013, 64},
}
