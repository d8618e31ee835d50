//go:build !small

package workload

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/model"
)

// Annotations give jobs what logs do not state: deadlines, weights, set-up
// times, eligibility and licences. Rules come first, in order; then what is said
// of single jobs replaces what rules gave these.
type Annotations struct {
	Deadlines DeadlineRule
	Kill      bool // a job with a deadline is stopped at it
	Weights   WeightRule
	Setup     SetupRule
	Eligible  []EligibleRule
	Needs     []NeedRule
	Licences  []LicenceRule
	Jobs      []Annotation

	// Origin holds the log's own jobs where those to annotate are a draw from
	// them: what is said of single jobs uses its numbers and times, and to
	// every job of the draw that is one of them (by Job.Record). nil: no draw.
	Origin *model.Workload
}

// DeadlineRule gives a share of the jobs the deadline submission + Factor ×
// requested time (rounded down) + a margin of MarginMin … MarginMax seconds.
type DeadlineRule struct {
	Share                float64
	Factor               float64
	MarginMin, MarginMax int64
}

// LicenceRule lets a share of the jobs need copies of a licence; "*" is each
// licence of the platform by itself.
type LicenceRule struct {
	Licence string
	Share   float64
	Copies  int64
	Where   string // for errors: "workload.annotate.licences[0]"
}

// Annotation is what one job needs.
type Annotation struct {
	Job      int64 // number
	Due      *int64
	Licences *[]string // "name" or "name:copies"
	Weight   *float64  // at least 0
	Setup    *int64    // seconds, at least 0
	On       *[]string // see EligibleRule; empty: every machine

	GPUs, Memory, Disk *int64 // of each machine; memory and disk in bytes

	Reservation *model.Reservation // an advance reservation instead of a batch job; Length 0: the requested time

	Where string // for errors: "workload.annotate.jobs[3]", "needs.csv: row 7"

	from, to, length *int64 // of the reservation, while a file is read
	effort           string
}

// Empty says whether there is nothing to do.
func (a *Annotations) Empty() bool {
	return a.Deadlines.Share == 0 && a.Weights.none() && a.Setup.Max == 0 && len(a.Eligible) == 0 && len(a.Needs) == 0 && len(a.Licences) == 0 && len(a.Jobs) == 0
}

// tries is how often a job's random licences are drawn before giving up.
const tries = 1000

// Annotate returns the workload with annotations; w itself is not changed. All
// randomness comes from rng ("annotate/…"). A job whose random licences no
// machine could activate together, beside enough processors, is drawn again.
// It fails, naming rule, entry or row, on a licence, cluster, machine or property
// that the platform does not have, on more copies than there are, on a deadline
// that is not after the submission, on a job that is not there, named twice or
// ambiguous, and on one that its machines could never hold.
func Annotate(w *model.Workload, p *model.Platform, a *Annotations, rng func(stream string) *rand.Rand) (*model.Workload, error) {
	if a.Empty() {
		return w, nil
	}
	out := ownDemands(w)
	out.Truth = slices.Clone(w.Truth)
	due, needs := rng("annotate/deadlines"), rng("annotate/licences")
	nodes := p.Nodes()
	rules, err := resolve(p, a.Licences)
	if err != nil {
		return nil, err
	}
	if err := attribute(out, p, a, rng); err != nil {
		return nil, err
	}
	for j := range out.Jobs {
		job, d := &out.Jobs[j], &out.Demands[j]
		r := &a.Deadlines
		// One number for each question, asked or not.
		draws, margin := due.Float64(), due.Int64N(max(r.MarginMax-r.MarginMin, 0)+1)
		if draws < r.Share {
			d.Due = job.Submit + model.Time(float64(r.Factor*float64(job.Limit))) + model.Time(r.MarginMin+margin)
		}
		if len(rules) == 0 {
			continue
		}
		for try := 0; ; try++ {
			d.Licences = draw(rules, needs)
			if holds(p, nodes, job, d, d.Licences) {
				break
			}
			if try == tries {
				return nil, fmt.Errorf("workload: no machine with %d processors can activate the licences that the rules of workload.annotate.licences give job %d together (drawn %d times)", job.Procs, job.Number, tries)
			}
		}
	}
	if err := annotateJobs(out, p, a); err != nil {
		return nil, err
	}
	if a.Kill {
		for j := range out.Demands {
			if d := &out.Demands[j]; d.Due > 0 {
				d.OnDue = model.DueKill
			}
		}
	}
	return out, nil
}

// licenceRule is a rule for one licence.
type licenceRule struct {
	need  model.LicenceNeed
	share float64
}

func resolve(p *model.Platform, rules []LicenceRule) ([]licenceRule, error) {
	var list []licenceRule
	for _, r := range rules {
		if r.Licence == "*" {
			for l := range p.Licences {
				copies := r.Copies
				if c := int64(p.Licences[l].Copies); c > 0 {
					copies = min(copies, c)
				}
				list = append(list, licenceRule{model.LicenceNeed{Licence: int32(l), Copies: int32(copies)}, r.Share})
			}
			continue
		}
		need, err := licenceNeed(p, r.Licence, r.Copies)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Where, err)
		}
		list = append(list, licenceRule{need, r.Share})
	}
	return list, nil
}

// licenceNeed checks a need against the platform.
func licenceNeed(p *model.Platform, name string, copies int64) (model.LicenceNeed, error) {
	l := licence(p, name)
	if l < 0 {
		names := make([]string, len(p.Licences))
		for i := range names {
			names[i] = p.Licences[i].Name
		}
		return model.LicenceNeed{}, fmt.Errorf("nobody has licence %q%s", name, catalog.DidYouMean(name, names))
	}
	if c := p.Licences[l].Copies; c > 0 && copies > int64(c) {
		return model.LicenceNeed{}, fmt.Errorf("%d copies of licence %q, of which there are %d", copies, name, c)
	}
	return model.LicenceNeed{Licence: int32(l), Copies: int32(copies)}, nil
}

// draw draws one job's licences. A licence that several rules give counts once,
// with the most copies.
func draw(rules []licenceRule, rng *rand.Rand) []model.LicenceNeed {
	var needs []model.LicenceNeed
	for _, r := range rules {
		if rng.Float64() >= r.share {
			continue
		}
		if at := slices.IndexFunc(needs, func(n model.LicenceNeed) bool { return n.Licence == r.need.Licence }); at >= 0 {
			needs[at].Copies = max(needs[at].Copies, r.need.Copies)
			continue
		}
		needs = append(needs, r.need)
	}
	return needs
}

func annotateJobs(w *model.Workload, p *model.Platform, all *Annotations) error {
	list, origin := all.Jobs, all.Origin
	if len(list) == 0 {
		return nil
	}
	copies := map[int32][]model.JobID{} // in a draw: the jobs of each record
	if origin == nil {
		origin = w
	} else {
		for j := range w.Jobs {
			copies[w.Jobs[j].Record] = append(copies[w.Jobs[j].Record], model.JobID(j))
		}
	}
	byNumber := make(map[int64]model.JobID, len(origin.Jobs))
	for j := range origin.Jobs {
		if _, twice := byNumber[origin.Jobs[j].Number]; twice {
			byNumber[origin.Jobs[j].Number] = -1
		} else {
			byNumber[origin.Jobs[j].Number] = model.JobID(j)
		}
	}
	said := map[int64]string{}
	names, nodes := nodeNames(p), p.Nodes()
	for i := range list {
		a := &list[i]
		j, there := byNumber[a.Job]
		switch {
		case !there:
			return fmt.Errorf("%s: there is no job %d (of the %d jobs that are simulated)", a.Where, a.Job, len(origin.Jobs))
		case j < 0:
			return fmt.Errorf("%s: several jobs have the number %d", a.Where, a.Job)
		case said[a.Job] != "":
			return fmt.Errorf("%s: job %d stands already in %s", a.Where, a.Job, said[a.Job])
		}
		said[a.Job] = a.Where
		to := []model.JobID{j}
		if all.Origin != nil {
			to = copies[origin.Jobs[j].Record]
		}
		submit := origin.Jobs[j].Submit
		if a.Due != nil && model.Time(*a.Due) <= submit {
			return fmt.Errorf("%s: the deadline %d of job %d is not after its submission at %d", a.Where, *a.Due, a.Job, submit)
		}
		for _, j := range to {
			if err := annotateJob(w, j, p, a, names, nodes, w.Jobs[j].Submit-submit); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutLast cuts a text at its last colon: names of licences may hold others.
func cutLast(s string) (before, after string, found bool) {
	if at := strings.LastIndexByte(s, ':'); at >= 0 {
		return s[:at], s[at+1:], true
	}
	return s, "", false
}

// checkReservation refuses a reservation that contradicts itself.
func checkReservation(job *model.Job, r *model.Reservation) error {
	switch length := cmp.Or(r.Length, job.Limit); {
	case r.Ready < job.Submit:
		return fmt.Errorf("the reservation starts at %d, before it is asked for at %d", r.Ready, job.Submit)
	case r.Deadline <= r.Ready:
		return fmt.Errorf("the reservation ends at %d, not after its start at %d", r.Deadline, r.Ready)
	case length > r.Deadline-r.Ready && r.Effort != model.EffortTime:
		return fmt.Errorf("the reservation lasts %d s, longer than its interval of %d s", length, r.Deadline-r.Ready)
	}
	return nil
}

// annotateJob gives a job what is said of it, moved by as much as the job was.
func annotateJob(w *model.Workload, j model.JobID, p *model.Platform, a *Annotation, names [][]string, nodes []model.Node, moved model.Time) error {
	d := &w.Demands[j]
	if err := attributeJob(w, j, p, a, names, nodes); err != nil {
		return err
	}
	if a.Reservation != nil {
		r := *a.Reservation
		r.Ready, r.Deadline = r.Ready+moved, r.Deadline+moved
		if err := checkReservation(&w.Jobs[j], &r); err != nil {
			return fmt.Errorf("%s: job %d: %w", a.Where, a.Job, err)
		}
		d.Reservation = &r
	}
	if a.Due != nil {
		d.Due = model.Time(*a.Due) + moved
	}
	if a.Licences == nil {
		return nil
	}
	d.Licences = nil
	for _, text := range *a.Licences {
		name, copies := text, int64(1)
		if before, after, found := cutLast(text); found {
			n, err := strconv.ParseInt(after, 10, 32)
			if err != nil || n < 1 {
				return fmt.Errorf("%s: %q: a number of copies, at least 1, follows the colon", a.Where, text)
			}
			name, copies = before, n
		}
		need, err := licenceNeed(p, name, copies)
		if err != nil {
			return fmt.Errorf("%s: job %d needs %w", a.Where, a.Job, needsWord(err))
		}
		if slices.ContainsFunc(d.Licences, func(l model.LicenceNeed) bool { return l.Licence == need.Licence }) {
			return fmt.Errorf("%s: licence %q stands twice", a.Where, name)
		}
		d.Licences = append(d.Licences, need)
	}
	return nil
}

// needsWord keeps the sentence whole: "job 3 needs …: nobody has licence x".
func needsWord(err error) error {
	if strings.HasPrefix(err.Error(), "nobody") {
		return fmt.Errorf("a licence that is not there: %w", err)
	}
	return err
}
