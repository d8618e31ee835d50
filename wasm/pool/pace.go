package pool

// pace tells how long something will still take from how fast it went lately:
// work that gets slower, or stands still, is not promised to end in a second.
type pace struct {
	from, next mark // the rate is taken since from, which next replaces in time
	began      float64
}

// mark is a time in seconds and how far the work was, 0–1.
type mark struct{ at, done float64 }

// begin starts the clock.
func (p *pace) begin(now float64) { *p = pace{mark{at: now}, mark{at: now}, now} }

// left is how many seconds work that is so far done at now will still take, 0
// unknown. The rate is that of the last eighth to quarter of the time so far.
func (p *pace) left(now, done float64) float64 {
	if now-p.next.at > (now-p.began)/8 && done > p.next.done {
		p.from, p.next = p.next, mark{now, done}
	}
	if now-p.began < 0.5 || done <= p.from.done || done >= 1 {
		return 0
	}
	return (now - p.from.at) * (1 - done) / (done - p.from.done)
}
