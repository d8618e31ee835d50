package metric

import (
	"cmp"
	"math"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// Patience says which wait a user finds acceptable for a job: (ln of its
// processors + 1) × requested time ÷ factor, where the factor depends on the
// requested time (Klusáček and Chlumský 2016, section 4.3). The zero value is
// not valid: see DefaultPatience.
type Patience struct {
	Factor [5]float64    // what requested times are divided by, by class
	From   [4]model.Time // requested time from which classes 1 to 4 apply, in seconds, ascending
	// Floors grants a class at least what the end of the class before it has,
	// as the study's simulator does.
	Floors bool
	// Summed adds up what is acceptable for all jobs that the user has in the
	// system when a job is submitted.
	Summed bool
}

// DefaultPatience is that of the study: factors 1 to 5 from 0, 3 h, 7 h, a day
// and a week on, summed by user.
func DefaultPatience() Patience {
	return Patience{
		Factor: [5]float64{1, 2, 3, 4, 5}, From: [4]model.Time{3 * 3600, 7 * 3600, 24 * 3600, 7 * 24 * 3600}, Summed: true,
	}
}

// PatienceOf returns what the parameters of catalog.PatienceParams describe.
func PatienceOf(params interface {
	Number(key string) (float64, bool)
	Int(key string) (int64, bool)
	Bool(key string) bool
}) Patience {
	var p Patience
	for i := range p.Factor {
		p.Factor[i], _ = params.Number("factor-" + strconv.Itoa(i+1))
	}
	for i := range p.From {
		from, _ := params.Int("from-" + strconv.Itoa(i+2))
		p.From[i] = model.Time(from)
	}
	p.Floors, p.Summed = params.Bool("floors"), params.Bool("summed")
	return p
}

// Acceptable returns the wait that is acceptable for a job by itself, in whole
// seconds, at least 1.
func (p *Patience) Acceptable(procs int32, limit model.Time) model.Time {
	class := 0
	for class < len(p.From) && limit >= p.From[class] {
		class++
	}
	t := float64(limit) / p.Factor[class]
	if p.Floors && class > 0 {
		t = max(t, float64(p.From[class-1])/p.Factor[class-1])
	}
	return max(1, model.Time(math.Round(min((logarithm(procs)+1)*t, 1<<60))))
}

// logarithm is the natural one of a whole number, to the same bits on every
// machine: math.Log is not.
func logarithm(n int32) float64 {
	m, e := math.Frexp(float64(max(1, n)))
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := (m - 1) / (m + 1)
	square, sum := float64(s*s), 0.0
	for k := 23; k > 0; k -= 2 { // 2 (s + s³/3 + s⁵/5 + …), from its end
		sum = 1/float64(k) + float64(sum*square)
	}
	return float64(float64(e)*math.Ln2) + float64(2*float64(s*sum))
}

// satisfaction holds the measures of acceptable waits.
type satisfaction struct {
	jobs       int                // measured batch jobs with a user
	complaints []report.Complaint // the most serious first
	users      int                // with at least one
	levels     float64            // their sum
}

// visitor is a job that a user has or had in the system.
type visitor struct {
	end        model.Time
	acceptable model.Time
}

// satisfy finds the batch jobs that waited longer than their users find acceptable.
// What is acceptable is settled when a job is submitted: its own time and, if
// summed, that of each job of its user that was submitted before and has not
// ended by then.
func (m *Meter) satisfy(s *model.Schedule, o *Options) {
	f := &m.satisfaction
	f.jobs, f.users, f.levels, f.complaints = 0, 0, 0, f.complaints[:0]
	w := s.Workload
	byUser := resize(m.keys, len(s.Executions))[:0] // user << 32 | execution
	for i := 0; i < len(s.Executions); i++ {
		i = lastAttempt(s.Executions, i)
		if e := &s.Executions[i]; w.Jobs[e.Job].User >= 0 && !e.Reason.Unserved() {
			byUser = append(byUser, uint64(w.Jobs[e.Job].User)<<32|uint64(i))
		}
	}
	m.keys, m.spare = order.Keys(byUser, resize(m.spare, len(byUser)), 0)
	byUser = m.keys
	for from := 0; from < len(byUser); {
		user, to := byUser[from]>>32, from
		for to < len(byUser) && byUser[to]>>32 == user {
			to++
		}
		m.complain(s, o, byUser[from:to])
		from = to
	}
	order.Sort(f.complaints, func(a, b report.Complaint) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Job, b.Job))
	})
	for i := range f.complaints {
		f.levels += f.complaints[i].Level
	}
}

// complain goes through the executions of one user's jobs, in order of
// submission.
func (m *Meter) complain(s *model.Schedule, o *Options, executions []uint64) {
	f, w := &m.satisfaction, s.Workload
	m.present = m.present[:0]
	for _, i := range executions {
		e := &s.Executions[uint32(i)]
		j := &w.Jobs[e.Job]
		m.present = append(m.present, visitor{e.End, o.Patience.Acceptable(j.Procs, j.Limit)})
	}
	before := len(f.complaints)
	own := append(m.own[:0], m.present...) // in order of submission
	m.own = own
	order.Sort(m.present, func(a, b visitor) int { return cmp.Compare(a.end, b.end) })
	sum, gone := model.Time(0), 0
	for k, i := range executions {
		e := &s.Executions[uint32(i)]
		j := &w.Jobs[e.Job]
		for m.present[gone].end <= j.Submit { // never all: this job's own end is later
			sum -= m.present[gone].acceptable
			gone++
		}
		sum += own[k].acceptable
		acceptable := own[k].acceptable
		if o.Patience.Summed {
			acceptable = sum
		}
		if !o.in(j.Submit) || reservation(w, e.Job) != nil {
			continue
		}
		f.jobs++
		if wait := e.Start - min(e.Start, j.Submit); wait > acceptable {
			f.complaints = append(f.complaints, report.Complaint{
				Job: e.Job, User: j.User, Wait: wait, Acceptable: acceptable, Level: float64(wait) / float64(acceptable),
			})
		}
	}
	if len(f.complaints) > before {
		f.users++
	}
}

// Complaints returns the jobs of the schedule measured last that waited longer
// than their users find acceptable, the most serious first, then in order of
// jobs. They are valid until the next Measure.
func (m *Meter) Complaints() []report.Complaint { return m.satisfaction.complaints }
