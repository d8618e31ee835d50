package recorded

// settling bounds what settle may try: milliseconds after an end within which its nodes
// are free again, milliseconds around the guess at which priorities are computed, and
// plays.
const (
	epilogMost = 60
	killedMost = 400
	beganMost  = 40
	playsMost  = 600
)

// ending is a job's end in a play of which no file says when its nodes were free.
type ending struct {
	id       string
	at, most int64
}

// settle computes what slurmctld's log would have told, where it is not there. Two
// things of a run are in no other file: how many milliseconds after a job's end its
// nodes were free, and in which millisecond priorities are computed. They matter
// where a pass or a cycle falls in between, and then Slurm's own starts show on which
// side of it they were: the first start that differs is traced back to the latest of
// these open questions before it whose other answer makes all starts agree until
// later. A rule that is wrong is not mended so, since nothing else moves: not by more
// than epilogMost (a job that was killed: killedMost), and only beside a pass. Count is
// how many had to be answered otherwise than by the constants.
func (r *Run) settle() (count int) {
	if len(r.released) > 0 || len(r.instants) == 0 {
		return 0
	}
	plays := 0
	unexplained := map[string]bool{} // starts that no answer mends
	try := func() (*play, int64, string) {
		plays++
		p := r.play(nil)
		at, who := r.differs(p, unexplained)
		return p, at, who
	}
	p, first, who := try()
	guess := r.beginning()
	for first < never && plays < playsMost && len(unexplained) < 5 {
		better := first
		var keep func()
		attempt := func(set, undo func()) {
			if plays >= playsMost {
				return
			}
			set()
			if _, f, _ := try(); f > better {
				better, keep = f, set
			}
			undo()
		}
		tried := 0
		for k := len(p.endings) - 1; k >= 0 && tried < 12 && better == first; k-- {
			e := p.endings[k]
			if e.at > first {
				continue
			}
			was, set := r.delays[e.id]
			undo := func() {
				if delete(r.delays, e.id); set {
					r.delays[e.id] = was
				}
			}
			answers := 0
			for _, pass := range r.passes {
				if pass < e.at || pass > e.at+e.most {
					continue
				}
				if answers++; answers == 1 {
					attempt(func() { r.delays[e.id] = pass - e.at }, undo)
				}
				attempt(func() { r.delays[e.id] = pass - e.at + 1 }, undo)
			}
			if answers > 0 {
				tried++
			}
		}
		if better == first && r.cluster.Params.Multifactor {
			was := r.began
			for d := int64(2); d <= beganMost && better == first; d += 2 {
				for _, x := range []int64{guess - d, guess + d} {
					attempt(func() { r.began = x }, func() { r.began = was })
				}
			}
		}
		if keep == nil {
			unexplained[who] = true
		} else {
			keep()
			count++
		}
		p, first, who = try()
	}
	return count
}

// never is later than every instant.
const never = int64(1) << 62

// differs is when the first start differs from Slurm's, in milliseconds since t0, and
// whose it is, apart from those that are passed over.
func (r *Run) differs(p *play, over map[string]bool) (first int64, who string) {
	first = never
	for _, s := range p.result() {
		if s.Slurm == 0 || s.Slurm == s.Here || over[s.JobID] {
			continue
		}
		at := s.Slurm
		if s.Here > 0 {
			at = min(at, s.Here)
		}
		if ms := (at-r.t0)*1000 + 999; ms < first {
			first, who = ms, s.JobID
		}
	}
	return first, who
}
