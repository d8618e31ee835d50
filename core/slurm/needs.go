package slurm

import "slices"

// Licence is something of which the whole cluster has so many, such as seats of a
// program.
type Licence struct {
	Name  string
	Total int64
}

// Need is how many of a licence a job holds while it runs.
type Need struct {
	Licence int // index into Cluster.Licences
	Count   int64
}

// licensed says whether the licences that a job needs are there (license_job_test).
func (c *Controller) licensed(j *Job) bool {
	for _, n := range j.Licences {
		if c.leased[n.Licence]+n.Count > c.Cluster.Licences[n.Licence].Total {
			return false
		}
	}
	return true
}

// lease counts the licences of a job that starts (1) or ends (−1).
func (c *Controller) lease(j *Job, sign int64) {
	for _, n := range j.Licences {
		c.leased[n.Licence] += sign * n.Count
	}
}

// countWhole counts a job that starts (1) or ends (−1) on the nodes that it has whole.
func (c *Controller) countWhole(j *Job, n int) {
	if j.Whole || c.Partitions[j.Part].Exclusive {
		for _, k := range j.Nodes {
			c.wholly[k] += n
		}
	}
}

// fitting are the nodes that have all the features a job asks for, nil if it asks for
// none.
func (c *Controller) fitting(j *Job) set {
	if len(j.Features) == 0 {
		return nil
	}
	s := newSet(len(c.Cluster.Nodes))
	for i := range c.Cluster.Nodes {
		have := c.Cluster.Nodes[i].Features
		if !slices.ContainsFunc(j.Features, func(f string) bool { return !slices.Contains(have, f) }) {
			s.add(i)
		}
	}
	return s
}

// nodesOf fills a set with the nodes that are up, of a partition, and have what a job
// asks for.
func (c *Controller) nodesOf(j *Job, part int, to set) {
	copy(to, c.Partitions[part].set)
	to.and(c.all)
	if j.fit != nil {
		to.and(j.fit)
	}
	if j.On != nil {
		to.and(j.On)
	}
}

// completing says whether a job has been completing for less than CompleteWait, which
// keeps both loops from doing anything (job_is_completing).
func (c *Controller) completing(now int64) bool {
	wait := c.Params.CompleteWait
	return wait > 0 && slices.ContainsFunc(c.ending, func(j *Job) bool { return j.completing && j.Ended >= now-wait })
}
