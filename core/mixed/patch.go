package mixed

import (
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
)

// The mean bounded slowdown of a week is constant over patches of the weight
// space: the schedule depends on the weights only through which waiting job
// stands first at each pass. Of a simulated vector the patch can be told
// exactly: all w under which the same jobs stand first. With 3 features, which
// do not change with time, "job h stands before job j" is the half-space
// wᵀ(x_h − x_j) > 0, so a patch is a cone of few faces around the vector. A
// search that knows it need not simulate a second vector of it. (Only on counted
// processors: elsewhere more happens than submissions and ends.)

// patch is the cone of weight vectors with one schedule.
type patch struct {
	faces []triple // inward normals of length 1
	value float64
}

// triple is a vector of 3 weights or features.
type triple [3]float64

func dot(a, b *triple) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b *triple) triple {
	return triple{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func (t triple) scaled(by float64) triple { return triple{t[0] * by, t[1] * by, t[2] * by} }

func (t triple) unit() triple { return t.scaled(1 / math.Sqrt(dot(&t, &t))) }

// Distances from a face below which rounding could decide: corners nearer than
// near stand on it, so that cuts along one line add no corners, and what is
// nearer than border is not said to lie within a patch.
const (
	near   = 1e-10
	border = 1e-9
)

// holds says whether a vector lies well within the patch.
func (p *patch) holds(w *policy.Weights) bool {
	v := triple{w[0], w[1], w[2]}
	for i := range p.faces {
		if dot(&p.faces[i], &v) < border {
			return false
		}
	}
	return true
}

// clip cuts a patch out of the plane that touches the sphere at a vector. Its
// coordinates are those along the vector, which are 1 on the plane, and two
// across.
type clip struct {
	axes    [3]triple // orthonormal; the first is the vector's direction
	corners []corner  // in order around the patch
	next    []corner  // scratch
	radius  float64   // no corner has a coordinate across beyond
}

// corner is a corner and the inward normal of the side to the next one.
type corner struct {
	u, v float64
	side triple
}

// reach bounds patches: no coordinate across goes beyond.
const reach = 2

// newClip returns a square around a vector.
func newClip(w *policy.Weights) *clip {
	c := &clip{radius: reach}
	c.axes[0] = triple{w[0], w[1], w[2]}.unit()
	var least triple
	switch a := c.axes[0]; {
	case math.Abs(a[0]) <= min(math.Abs(a[1]), math.Abs(a[2])):
		least[0] = 1
	case math.Abs(a[1]) <= math.Abs(a[2]):
		least[1] = 1
	default:
		least[2] = 1
	}
	c.axes[1] = cross(&c.axes[0], &least).unit()
	c.axes[2] = cross(&c.axes[0], &c.axes[1])
	c.corners = []corner{
		{-reach, -reach, triple{reach, 0, 1}}, {reach, -reach, triple{reach, -1, 0}},
		{reach, reach, triple{reach, 0, -1}}, {-reach, reach, triple{reach, 1, 0}},
	}
	return c
}

// local returns a vector in the clip's coordinates.
func (c *clip) local(x *triple) triple {
	return triple{dot(x, &c.axes[0]), dot(x, &c.axes[1]), dot(x, &c.axes[2])}
}

// cut keeps what has gᵀw ≥ 0. It reports whether the vector is well within.
func (c *clip) cut(g triple) bool {
	if g[0] > float64(c.radius*(math.Abs(g[1])+math.Abs(g[2]))) {
		return true
	}
	if g == (triple{}) {
		return true // equal jobs, whatever the weights
	}
	g = g.unit()
	height := func(k *corner) float64 {
		h := g[0] + float64(k.u*g[1]) + float64(k.v*g[2])
		if math.Abs(h) < near {
			return 0
		}
		return h
	}
	if g[0] < 10*border {
		return false
	}
	if !slices.ContainsFunc(c.corners, func(k corner) bool { return height(&k) < 0 }) {
		return true
	}
	c.next = c.next[:0]
	for i := range c.corners {
		p, q := c.corners[i], &c.corners[(i+1)%len(c.corners)]
		x, y := height(&p), height(q)
		crossing := func(side triple) corner {
			t := x / (x - y)
			return corner{p.u + float64(t*(q.u-p.u)), p.v + float64(t*(q.v-p.v)), side}
		}
		switch {
		case x > 0 && y < 0: // from the crossing on along the cut
			c.next = append(c.next, p, crossing(g))
		case x < 0 && y > 0:
			c.next = append(c.next, crossing(p.side))
		case x == 0 && y < 0:
			p.side = g
			c.next = append(c.next, p)
		case x >= 0:
			c.next = append(c.next, p)
		}
	}
	c.corners, c.next = c.next, c.corners
	c.radius = 0
	for i := range c.corners {
		c.radius = max(c.radius, math.Abs(c.corners[i].u), math.Abs(c.corners[i].v))
	}
	return len(c.corners) > 2
}

// patch returns the patch of the vector that was simulated last, in a window
// and under a mixed order of 3 features; ok is false where the vector stands on
// the border of one. It follows the schedule and looks who stood first.
func (e *Evaluator) patch(window int, w *policy.Weights, value float64) (p patch, ok bool) {
	s, jobs, basis := e.last, e.windows[window].Workload.Jobs, e.weeks[window].basis
	n := len(jobs)
	c := newClip(w)
	at, score := make([]triple, n), make([]float64, n)
	instants := make([]model.Time, 0, 2*n)
	for j := range jobs {
		x := triple{basis.Feature(0)[j], basis.Feature(1)[j], basis.Feature(2)[j]}
		at[j], score[j] = c.local(&x), float64(w[0]*x[0])+float64(w[1]*x[1])+float64(w[2]*x[2])
		instants = append(instants, s.Executions[j].Submit, s.Executions[j].End)
	}
	slices.Sort(instants)

	var waiting []model.JobID
	arrived := 0
	head, known := model.JobID(-1), 0 // waiting[:known] are known to stand behind the head
	for _, now := range slices.Compact(instants) {
		for ; arrived < n && jobs[arrived].Submit <= now; arrived++ {
			waiting = append(waiting, model.JobID(arrived))
		}
		for len(waiting) > 0 {
			top, late := e.first(waiting, jobs, score, now)
			first := waiting[top]
			if first != head {
				known = 0
			}
			for i := known; i < len(waiting) && !late; i++ {
				a, b := &at[first], &at[waiting[i]]
				if i != top && !c.cut(triple{a[0] - b[0], a[1] - b[1], a[2] - b[2]}) {
					return patch{}, false
				}
			}
			if s.Executions[first].Start > now { // it waits, others were backfilled
				waiting = slices.DeleteFunc(waiting, func(j model.JobID) bool { return s.Executions[j].Start == now })
				if head, known = first, len(waiting); late {
					known = 0
				}
				break
			}
			head = -1
			waiting = slices.Delete(waiting, top, top+1)
		}
	}
	p.value = value
	for i := range c.corners {
		g := c.corners[i].side.unit()
		var face triple
		for k := range face {
			face[k] = float64(g[0]*c.axes[0][k]) + float64(g[1]*c.axes[1][k]) + float64(g[2]*c.axes[2][k])
		}
		p.faces = append(p.faces, face)
	}
	return p, true
}

// first returns the place of the waiting job that stands first, and whether it
// does so whatever the weights, since it waits for longer than the threshold.
func (e *Evaluator) first(waiting []model.JobID, jobs []model.Job, score []float64, now model.Time) (top int, late bool) {
	if e.rules.UseThreshold && now-jobs[waiting[0]].Submit > e.rules.Threshold {
		for e.rules.Newest && top+1 < len(waiting) && jobs[waiting[top+1]].Submit == jobs[waiting[0]].Submit {
			top++
		}
		return top, true
	}
	for i, j := range waiting { // in order of submission: of equal scores the last is the newest
		if x := score[j] - score[waiting[top]]; x > 0 || x == 0 && e.rules.Newest {
			top = i
		}
	}
	return top, false
}
