package policy

import "batchlab/core/model"

// age is the heuristic Aging (Techiouba et al. 2008, section 4), against
// starvation: the longer a job has waited, the higher it stands.
//
//	age(J) = wall_clock − submit(J)        in seconds
//
// Its weight is the paper's age_factor.
func age(now, submit model.Time) float64 { return float64(now - submit) }
