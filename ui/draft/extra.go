package draft

import "batchlab/core/experiment"

// OpenExtra makes a file say what stands beside the jobs of the log: whom they wait for,
// when they leave the queue, their partitions, QOS and accounts.
func (s *Draft) OpenExtra(l experiment.Log, file any) {
	s.openBeside(l, file, "extra", s.UseExtra)
}

// UseExtra takes a file that is kept.
func (s *Draft) UseExtra(l experiment.Log) {
	s.board.Note("Beside the log: %s", l.Name)
	s.Change(func(e *experiment.Experiment) { e.Workload.Extra = &l })
}
