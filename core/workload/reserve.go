package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/swf"
)

// ReservationRule lets a share of the jobs, drawn at random, be advance
// reservations: "we chose a given percent of tasks and treated them as AR tasks"
// (Kurowski et al. 2011, section 5.2). A job is one if the number that is drawn
// for it is below the share, so that a larger share only adds jobs.
type ReservationRule struct {
	Share                float64
	Drawn                bool  // ready = submission + a lead; else + the log's wait, 0 where it is unknown
	LeadMin, LeadMax     int64 // seconds
	Run                  bool  // reserved for the run time, which the user then knew; else for the requested time
	Part                 float64
	FactorMin, FactorMax float64
	Unit                 string // of the factor: "length", "wait", "hour"
	Ahead                bool   // the factor enlarges the lead as well
}

// Reserve returns the workload with a share of its jobs as reservations; w
// itself is not changed. All randomness comes from rng
// ("annotate/reservations", one number for each question, asked or not). A
// request is fixed where its interval comes out no longer than the reservation.
func Reserve(w *model.Workload, r *ReservationRule, rng func(stream string) *rand.Rand) *model.Workload {
	out := ownDemands(w)
	random := rng("annotate/reservations")
	for j := range out.Jobs {
		marked := random.Float64() < r.Share
		lead := model.Time(r.LeadMin + random.Int64N(max(r.LeadMax-r.LeadMin, 0)+1))
		factor := r.FactorMin + float64(random.Float64()*(r.FactorMax-r.FactorMin))
		if !marked || out.Demands[j].Reservation != nil { // what is said of a job counts more than the rule
			continue
		}
		job := &out.Jobs[j]
		if !r.Drawn {
			lead = max(0, out.Truth[j].LoggedWait)
		}
		length := job.Limit
		if r.Run {
			length = out.Executed(model.JobID(j))
		}
		length = max(1, model.Time(math.Ceil(float64(r.Part*float64(length)))))
		if r.Ahead { // "the book ahead time is enlarged by the given parameter, as well as the search limit time" (section 5.2)
			lead = model.Time(float64(factor * float64(lead)))
		}
		ready := job.Submit + lead
		end := ready + length
		switch r.Unit {
		case "wait":
			end = job.Submit + model.Time(float64(factor*float64(lead))) + length
		case "hour":
			end += model.Time(float64(factor * 3600))
		default:
			end = ready + model.Time(float64(factor*float64(length)))
		}
		out.Demands[j].Reservation = &model.Reservation{Ready: ready, Deadline: max(end, ready+length), Length: length}
	}
	return out
}

// DueBefore counts the jobs that are stopped at due times by which their reservations
// cannot have begun.
func DueBefore(w *model.Workload) (jobs int) {
	for j := range w.Jobs {
		if d := w.Demand(model.JobID(j)); d != nil && d.Reservation != nil && d.OnDue == model.DueKill && d.Due > 0 && d.Due <= d.Reservation.Ready {
			jobs++
		}
	}
	return jobs
}

// ownDemands returns a copy of a workload in which each job has demands of its
// own.
func ownDemands(w *model.Workload) *model.Workload {
	out := *w
	out.Jobs = slices.Clone(w.Jobs)
	out.Demands = make([]model.Demand, len(w.Jobs))
	for j := range out.Jobs {
		if d := w.Demand(model.JobID(j)); d != nil {
			out.Demands[j] = *d
		}
		out.Jobs[j].Demand = int32(j) + 1
	}
	return &out
}

// MarkUnlimited notes which jobs state no requested time in their log.
func MarkUnlimited(w *model.Workload, l *swf.Log) *model.Workload {
	if Unrequested(w, l) == 0 {
		return w
	}
	out := ownDemands(w)
	for j := range out.Jobs {
		out.Demands[j].NoLimit = unrequested(&out.Jobs[j], l)
	}
	return out
}

// Unrequested counts the jobs that state no requested time in their log.
func Unrequested(w *model.Workload, l *swf.Log) (n int) {
	for j := range w.Jobs {
		if unrequested(&w.Jobs[j], l) {
			n++
		}
	}
	return n
}

func unrequested(j *model.Job, l *swf.Log) bool {
	return j.Record >= 0 && int(j.Record) < len(l.Records) && l.Records[j.Record].RequestedTime <= 0
}

// Request is a reservation beside the jobs of the log.
type Request struct {
	Name     string
	Procs    int64
	From, To int64  // the interval
	Length   int64  // 0: the whole interval
	Submit   *int64 // nil: with the first job
	Cluster  string // "": any
	Effort   model.Effort
	Run      int64 // 0: the length
}

// AddRequests returns the workload with requests as jobs, numbered on from the largest
// number of its jobs and of its log, whose other jobs may have been left out; w itself is
// not changed. Requests that contradict themselves or the platform are left out and named.
func AddRequests(w *model.Workload, l *swf.Log, p *model.Platform, list []Request) (*model.Workload, []string) {
	var refused []string
	out := ownDemands(w)
	out.Truth = slices.Clone(w.Truth)
	first, _ := w.Span()
	number := int64(0)
	for j := range out.Jobs {
		number = max(number, out.Jobs[j].Number)
	}
	for i := range l.Records {
		number = max(number, l.Records[i].JobNumber)
	}
	for i := range list {
		q := &list[i]
		job, d, run, why := q.job(p, first)
		if why != "" {
			refused = append(refused, fmt.Sprintf("reservation %s %s", cmp.Or(q.Name, fmt.Sprint("platform.reservations[", i, "]")), why))
			continue
		}
		number++
		job.Number = number
		d.Reservation.Name = cmp.Or(q.Name, fmt.Sprintf("no. %d", i+1))
		out.Demands = append(out.Demands, d)
		job.Demand = int32(len(out.Demands))
		out.Jobs, out.Truth = append(out.Jobs, job), append(out.Truth, model.Truth{Run: run, LoggedWait: -1})
	}
	sortJobs(out)
	return out, refused
}

// job makes a request's job, or says why it cannot be.
func (q *Request) job(p *model.Platform, first model.Time) (job model.Job, d model.Demand, run model.Time, why string) {
	submit := first
	if q.Submit != nil {
		submit = model.Time(*q.Submit)
	}
	from, to := model.Time(q.From), model.Time(q.To)
	length := cmp.Or(model.Time(q.Length), to-from)
	run = cmp.Or(model.Time(q.Run), length)
	procs := q.Procs
	widest := int64(0)
	for c := range p.Clusters {
		if q.Cluster == "" || p.Clusters[c].Name == q.Cluster {
			widest = max(widest, int64(p.Clusters[c].Procs()))
			if q.Cluster != "" {
				d.Eligible = []int32{int32(c)}
			}
		}
	}
	switch {
	case to <= from:
		return job, d, run, fmt.Sprintf("ends at %d, not after its start at %d", to, from)
	case widest == 0:
		return job, d, run, fmt.Sprintf("wants the provider %q, which is not there", q.Cluster)
	case procs > widest && q.Effort != model.EffortProcs:
		return job, d, run, fmt.Sprintf("wants %d processors; the largest provider that it may use has %d", procs, widest)
	case from < submit:
		return job, d, run, fmt.Sprintf("starts at %d, in the past: it is asked for at %d", from, submit)
	case length > to-from && q.Effort != model.EffortTime:
		return job, d, run, fmt.Sprintf("lasts %d s, longer than its interval of %d s", length, to-from)
	}
	d.Reservation = &model.Reservation{Ready: from, Deadline: to, Length: length, Effort: q.Effort}
	job = model.Job{Submit: submit, Limit: max(run, length), Procs: int32(min(procs, widest)), User: -1, Group: -1, Queue: -1, Record: -1}
	return job, d, run, ""
}

// sortJobs puts the jobs into the order of (Submit, Number), and follows them
// with what names jobs by their index.
func sortJobs(w *model.Workload) {
	order := make([]model.JobID, len(w.Jobs))
	for i := range order {
		order[i] = model.JobID(i)
	}
	slices.SortStableFunc(order, func(a, b model.JobID) int {
		x, y := &w.Jobs[a], &w.Jobs[b]
		return cmp.Or(cmp.Compare(x.Submit, y.Submit), cmp.Compare(x.Number, y.Number))
	})
	jobs, truth, at := make([]model.Job, len(order)), make([]model.Truth, len(order)), make([]model.JobID, len(order))
	for i, j := range order {
		jobs[i], truth[i], at[j] = w.Jobs[j], w.Truth[j], model.JobID(i)
	}
	w.Jobs, w.Truth = jobs, truth
}
