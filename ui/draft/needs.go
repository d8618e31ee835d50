package draft

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// OpenNeeds makes a file say what single jobs need: deadlines and licences.
// While the settings wait for a file of another hash it changes nothing but
// the message, unless it is chosen again by UseOtherNeeds.
func (s *Draft) OpenNeeds(l experiment.Log, file any) {
	s.host.KeepFile(l, file, "needs")
	s.otherNeeds = nil
	switch f := s.Settings.Workload.Annotate.File; {
	case f == nil || !s.NeedsMissing:
	case f.SHA256 == l.SHA256: // the engine has it now
		s.host.Reload()
		s.board.Touch()
		return
	default:
		s.otherNeeds = &l
		s.LoadError = fmt.Sprintf("workload.annotate.file: %s is not the file %s of this experiment: its SHA-256 is %s instead of %s", l.Name, f.Name, words.HashBegin(l.SHA256), words.HashBegin(f.SHA256))
		s.board.Touch()
		return
	}
	s.UseNeeds(l)
}

func (s *Draft) UseNeeds(l experiment.Log) {
	s.otherNeeds = nil
	s.board.Note("Needs of jobs: %s", l.Name)
	s.Change(func(e *experiment.Experiment) { e.Workload.Annotate.File = &l })
}

// OtherNeeds is a file that came instead of the one that the settings name, nil
// none.
func (s *Draft) OtherNeeds() *experiment.Log { return s.otherNeeds }

// UseOtherNeeds takes that file all the same.
func (s *Draft) UseOtherNeeds() {
	if l := s.otherNeeds; l != nil {
		s.UseNeeds(*l)
	}
}
