package state

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// NeedsMissing says that an experiment names a file beside its log that is not here,
// and where it names it.
type NeedsMissing struct {
	Path string
	File experiment.Log
}

// Error implements error.
func (e NeedsMissing) Error() string {
	return e.Path + ": this experiment needs the file " + e.File.Name + " (SHA-256 " + short(e.File.SHA256) + words.NB + "…): choose it, or drop it on the page"
}

// Keeper is what an engine offers that holds files beside the log, by their
// hash, and keeps them between visits where it can.
type Keeper interface {
	KeepFile(l experiment.Log, file any, kind string) // kind "needs" or "predictions"
}

// OpenNeeds makes a file say what single jobs need: deadlines and licences.
// While the settings wait for a file of another hash it changes nothing but
// the message, unless it is chosen again by UseOtherNeeds.
func (s *Store) OpenNeeds(l experiment.Log, file any) {
	if k, ok := s.engine.(Keeper); ok {
		k.KeepFile(l, file, "needs")
	}
	s.otherNeeds = nil
	switch f := s.Settings.Workload.Annotate.File; {
	case f == nil || !s.needsMissing:
	case f.SHA256 == l.SHA256: // the engine has it now
		s.reload()
		s.touch()
		return
	default:
		s.otherNeeds = ptr(&l)
		s.LoadError = fmt.Sprintf("workload.annotate.file: %s is another file than %s, which this experiment names: its SHA-256 is %s instead of %s", l.Name, f.Name, short(l.SHA256), short(f.SHA256))
		s.touch()
		return
	}
	s.useNeeds(l)
}

func (s *Store) useNeeds(l experiment.Log) {
	s.otherNeeds = nil
	s.note("Needs of jobs: %s", l.Name)
	s.Change(func(e *experiment.Experiment) { e.Workload.Annotate.File = &l })
}

// OtherNeeds is a file that came instead of the one that the settings name, nil
// none.
func (s *Store) OtherNeeds() *experiment.Log { return s.otherNeeds }

// UseOtherNeeds takes that file all the same.
func (s *Store) UseOtherNeeds() {
	if l := s.otherNeeds; l != nil {
		s.useNeeds(*l)
	}
}
