package experiment

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
)

// Programs are the programs of users that an experiment holds, each once: those of
// its schedulers in order, then those that vary. A scheduler without a program has
// that of the catalog.
func (e *Experiment) Programs() (list []string) {
	for i := range e.Schedulers {
		if code := e.Schedulers[i].Program(); code != "" {
			list = adding(list, code)
		}
	}
	for i := range e.Vary {
		for _, place := range e.Vary[i].places() {
			for _, v := range place.Values {
				if !v.holdsText() {
					continue
				}
				if n, err := v.node(); err == nil {
					_, key, _ := strings.Cut(place.Path, ".params.")
					list = n.programs(key, list)
				}
			}
		}
	}
	return list
}

// programs adds the programs in a value of a key, at whatever depth, to a list.
func (n *node) programs(key string, list []string) []string {
	if n.kind == textKind && key == "code" {
		list = adding(list, n.text)
	}
	for i, item := range n.items {
		if key = ""; n.kind == objectKind {
			key = n.keys[i]
		}
		list = item.programs(key, list)
	}
	return list
}

// Program is a scheduler's program, "" for one that is no program of a user.
func (s *Scheduler) Program() string {
	if s.Key != catalog.CustomKey {
		return ""
	}
	if code := s.Params.Text("code"); code != "" {
		return code
	}
	row := catalog.FindScheduler(s.Key)
	return catalog.FindParam(row.Params, "code").Default.(string)
}

// Programs are the programs of users in all steps of a lesson.
func (l *Lesson) Programs() (list []string) {
	for i := range l.Steps {
		if e := l.Steps[i].Experiment; e != nil {
			for _, code := range e.Programs() {
				list = adding(list, code)
			}
		}
	}
	return list
}

// adding appends what a list does not hold yet.
func adding(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
