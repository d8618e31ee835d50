package state

import (
	"errors"
	"slices"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// Own is what is known of the program that was tried last.
type Own struct {
	Code  string        // of the program
	Trial *report.Trial // of the last one that was tried to the end; nil none
	Of    string        // its code
	Good  *report.Trial // the last one that ran to its end; nil none
	Error string        // why Code could not be tried
	Busy  bool
	stop  func()

	Shrinking bool   // a smallest case is looked for
	NoCase    string // why the last one was not found
}

// Programs are the schedulers of the settings that are programs of the user's.
func (s *Store) Programs() (list []int) {
	for i := range s.Settings.Schedulers {
		if s.Settings.Schedulers[i].Key == catalog.CustomKey {
			list = append(list, i)
		}
	}
	return list
}

// Program is the program of scheduler i of the settings.
func (s *Store) Program(i int) string { return s.Settings.Schedulers[i].Program() }

// RanProgram is the program of scheduler i of the results, "" where there is none.
func (s *Store) RanProgram(i int) string {
	if s.Ran == nil || i < 0 || i >= len(s.Ran.Schedulers) {
		return ""
	}
	return s.Ran.Schedulers[i].Program()
}

// SetProgram changes the program of scheduler i. A text that no document can hold
// is an error, and the program stays.
func (s *Store) SetProgram(i int, code string) error {
	return s.setOwn(i, "code", code)
}

// NameProgram changes what scheduler i is called; "" is the catalog's name.
func (s *Store) NameProgram(i int, name string) error { return s.setOwn(i, "name", name) }

func (s *Store) setOwn(i int, key, value string) error {
	if i < 0 || i >= len(s.Settings.Schedulers) || s.Settings.Schedulers[i].Key != catalog.CustomKey {
		return errors.New("this scheduler is no program")
	}
	if s.Settings.Schedulers[i].Params.Text(key) == value {
		return nil
	}
	trial := *s.Settings.Clone()
	if err := trial.Schedulers[i].SetParam(key, value); err != nil {
		var fault experiment.Error
		if errors.As(err, &fault) {
			return errors.New("the " + map[string]string{"code": "program ", "name": "name "}[key] + fault.Message)
		}
		return err
	}
	if !s.Withheld() {
		s.Admit(trial.Programs(), false) // what the user writes here
	}
	s.Change(func(e *experiment.Experiment) { e.Schedulers[i].SetParam(key, value) })
	return nil
}

// AddProgram adds a scheduler of the user's own and opens it.
func (s *Store) AddProgram() {
	before := len(s.Settings.Schedulers)
	s.AddScheduler(catalog.CustomKey)
	if len(s.Settings.Schedulers) > before {
		s.ShowTab(look.OwnTab)
	}
}

// TryProgram has a program checked and run on the small case, in place of the one
// before.
func (s *Store) TryProgram(code string) {
	o := &s.Own
	if o.Code == code && (o.Busy || o.Of == code) {
		return
	}
	if o.stop != nil {
		o.stop()
	}
	o.Code, o.Error, o.Busy, o.stop = code, "", false, nil
	e, ok := s.engine.(engine.ProgramTester)
	if !ok {
		o.Error = "programs cannot be tried here"
		return
	}
	o.Busy = true
	o.stop = e.Try(code, func(t *report.Trial, err error) {
		if o.Code != code {
			return
		}
		o.Busy, o.stop = false, nil
		if err != nil {
			o.Error = err.Error()
		} else {
			if o.Trial, o.Of = t, code; len(t.Own) > 0 {
				o.Good = t
			}
		}
		s.Touch()
	})
	s.Touch()
}

// OpenSmallest looks for the smallest case on which a scheduler of the results parts
// from another one, and opens it with both in step where they part.
func (s *Store) OpenSmallest(own, beside int) {
	e, ok := s.engine.(engine.ProgramTester)
	r := s.Finished(own)
	if !ok || r == nil || s.Ran == nil || s.Own.Shrinking {
		return
	}
	ran := s.Ran
	s.Own.Shrinking, s.Own.NoCase = true, ""
	e.Smallest(*ran.Clone(), slices.Index(s.Runs, r), beside, func(c *report.Case, err error) {
		s.Own.Shrinking = false
		var doc *experiment.Experiment
		if err == nil && s.Ran == ran { // else something else was run meanwhile
			doc, err = experiment.Decode([]byte(c.Document))
		}
		if err != nil {
			s.Own.NoCase = err.Error()
		} else if doc != nil {
			view, _ := look.Read("1_tgantt_a0_b1_g1_s" + strconv.FormatInt(int64(c.At), 10))
			s.open(doc, "", true, func() { s.Asked = view })
			return
		}
		s.Touch()
	})
	s.Touch()
}
