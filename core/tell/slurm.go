package tell

import "batchlab/core/model"

// SlurmReason is Slurm's word for why a job is not eligible. It looks at the time before
// which a job does not want to begin first, at dependencies then, and at the place in an
// array as a loop comes to the job.
func SlurmReason(list []For) string {
	word := ""
	for i := range list {
		switch f := &list[i]; {
		case f.What == ForBegin:
			return "BeginTime"
		case f.Lost || f.Itself:
			word = "DependencyNeverSatisfied"
		case f.What == ForPlace:
			if word == "" {
				word = "JobArrayTaskLimit"
			}
		case word != "DependencyNeverSatisfied":
			word = "Dependency"
		}
	}
	return word
}

// Jobs names jobs by their numbers, and says how many more they are.
func Jobs(list []int64, more int) string { return jobs(list, more) }

// Processors says so many processors.
func Processors(n int32) string { return processors(n) }

// Brace writes a time as Fill reads it.
func Brace(t model.Time) string { return brace(t) }
