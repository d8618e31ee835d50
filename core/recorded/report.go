package recorded

import "slices"

// Report is what a run says of the scheduler, as `batchlab recorded` prints it.
type Report struct {
	Run   string `json:"run"`
	Jobs  int    `json:"jobs"`            // that started in Slurm, tasks of arrays each for itself
	Slurm string `json:"slurm,omitempty"` // version, as the run's files give it
	Given struct {
		Measure
		// Where no log tells when nodes were free again: how many of these instants were
		// settled by Slurm's own starts, and what comes out if none is.
		Settled   *int     `json:"settled,omitempty"`
		Unsettled *Measure `json:"unsettled,omitempty"`
	} `json:"given"`
	Free struct {
		Phases     int        `json:"phases"`
		Wait       [3]float64 `json:"mean_wait_s"` // least, median, greatest over the phases
		Difference float64    `json:"mean_start_difference_s"`
	} `json:"free"`
	Wait float64 `json:"slurm_mean_wait_s"`
	// Unfollowed is what stands in the run's files and is not gone by, each with its file
	// and line.
	Unfollowed []string `json:"not_gone_by,omitempty"`
}

// Measure sets starts beside Slurm's.
type Measure struct {
	Difference float64 `json:"mean_start_difference_s"`
	Within     float64 `json:"within_3_s"` // share of jobs, 0 to 1
}

// Phases is over how many phases a run is played freely.
const Phases = 40

// Report plays the run at the log's instants, and freely over Phases phases, and sets
// each beside Slurm. Starts are those at the log's instants.
func (r *Run) Report(name string) (Report, []Start) {
	out := Report{Run: name, Slurm: r.version, Unfollowed: r.notes}
	given := r.Given()
	if len(r.released) == 0 {
		_, difference, within, _, _ := compare(given)
		settled := r.settle()
		out.Given.Settled, out.Given.Unsettled = &settled, &Measure{difference, within}
		given = r.Given()
	}
	out.Jobs, out.Given.Difference, out.Given.Within, _, out.Wait = compare(given)
	out.Free.Phases = Phases
	span := max(r.cluster.Params.SchedInterval, r.cluster.Params.BFInterval, 1) * 1000
	var waits []float64
	for k := range int64(Phases) {
		_, difference, _, wait, _ := compare(r.Free(k * span / Phases))
		waits = append(waits, wait)
		out.Free.Difference += difference / Phases
	}
	slices.Sort(waits)
	out.Free.Wait = [3]float64{waits[0], (waits[Phases/2-1] + waits[Phases/2]) / 2, waits[Phases-1]}
	return out, given
}

// compare measures starts: how many, the mean difference in seconds, the share within 3
// s, the mean wait here and in Slurm. A job that did not start here counts as if it had
// started at the last start of all.
func compare(list []Start) (jobs int, difference, within, wait, slurmWait float64) {
	last := int64(0)
	for _, s := range list {
		last = max(last, s.Here, s.Slurm)
	}
	for _, s := range list {
		if s.Slurm == 0 {
			continue
		}
		here := s.Here
		if here == 0 {
			here = last
		}
		d := here - s.Slurm
		if d < 0 {
			d = -d
		}
		jobs++
		difference += float64(d)
		if d <= 3 {
			within++
		}
		wait += float64(here - s.Submitted)
		slurmWait += float64(s.Slurm - s.Submitted)
	}
	if n := float64(jobs); n > 0 {
		return jobs, difference / n, within / n, wait / n, slurmWait / n
	}
	return 0, 0, 0, 0, 0
}
