package resource

import "batchlab/core/model"

// CopyFrom makes c equal to d, which is left as it is.
func (c *Counts) CopyFrom(d *Counts) {
	if cap(c.steps) < slack {
		c.steps = make([]step, slack, 4*slack)
	}
	c.steps, c.lo = append(c.steps[:slack], d.steps[d.lo:]...), slack
}

// FitFrom returns the earliest time from a point on, not before now, at which
// procs processors are free for length seconds; model.Never if there is none.
func (c *Counts) FitFrom(procs int32, length, from model.Time) model.Time {
	i := c.lo
	if from > c.steps[i].at {
		i = c.find(from)
	}
	steps, first := c.steps, i
	for {
		for steps[i].free < procs {
			if i++; i == len(steps) {
				Visit(i - first)
				return model.Never
			}
		}
		start := max(steps[i].at, from)
		for i++; i < len(steps) && steps[i].at-start < length && steps[i].free >= procs; i++ {
		}
		if i == len(steps) || steps[i].at-start >= length {
			Visit(i - first)
			return start
		}
	}
}
