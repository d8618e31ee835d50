package policy

import "batchlab/core/model"

// shortness is the heuristic Wait Minimization (Techiouba et al. 2008, section
// 4): short jobs first, so that they soon release what they hold.
//
//	min_ex_t / ex_execution(J)
//	min_ex_t = min{ex_execution(J) : J in the queue}
//
// Its weight is the paper's priority_boost_value.
func shortness(least, ex model.Time) float64 { return float64(least) / float64(ex) }
