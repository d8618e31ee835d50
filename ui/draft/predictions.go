package draft

import (
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// OpenPredictions makes a file say how long jobs are predicted to run. A file that the
// settings name already and were waiting for is only taken note of.
func (s *Draft) OpenPredictions(l experiment.Log, file any) {
	s.openBeside(l, file, "predictions", s.UsePredictions)
}

// openBeside keeps a file beside the log and has it used, unless the settings name it
// already and were waiting for it.
func (s *Draft) openBeside(l experiment.Log, file any, kind string, use func(experiment.Log)) {
	s.host.KeepFile(l, file, kind)
	if named := s.Settings.Files(); s.NeedsMissing && slices.ContainsFunc(named, func(n experiment.NamedFile) bool { return n.File.SHA256 == l.SHA256 }) {
		s.host.Reload()
		s.board.Touch()
		return
	}
	use(l)
}

func (s *Draft) UsePredictions(l experiment.Log) {
	s.board.Note("Predicted run times: %s", l.Name)
	s.Change(func(e *experiment.Experiment) {
		e.Predict, _ = experiment.NewPredict("file")
		e.Predict.File = &l
	})
}

// predict chooses the predictor of all schedulers that name none of their own.
func predict(key string) func(*Draft) {
	return func(s *Draft) {
		s.Change(func(e *experiment.Experiment) {
			if e.Predict = nil; key != catalog.DefaultPredictor {
				e.Predict, _ = experiment.NewPredict(key)
			}
		})
	}
}

func init() {
	for _, row := range catalog.Predictors {
		if !row.File {
			acts["predict."+row.Key] = predict(row.Key)
		}
	}
}

// predictSection says how run times are predicted, where a scheduler goes by that.
func predictSection(s *Draft) Section {
	e := &s.Settings
	out := Section{Key: "predict", Title: "Predicted run times"}
	at := slices.IndexFunc(e.Schedulers, func(one experiment.Scheduler) bool { return one.Predict == nil })
	goes := false
	for i := range e.Schedulers {
		goes = goes || e.Foreseen(i)
	}
	if !goes && e.Predict == nil {
		return out
	}
	key := catalog.DefaultPredictor
	if e.Predict != nil {
		key = e.Predict.Key
	}
	row := catalog.FindPredictor(key)
	if row == nil {
		return out
	}
	out.Sum = row.Name
	list := Item{Label: "Foretold by"}
	for _, one := range catalog.Predictors {
		if !one.File {
			list.Choices = append(list.Choices, Act{Key: "predict." + one.Key, Name: one.Name, Help: one.Help, Pressed: one.Key == key})
		}
	}
	out.Items = append(out.Items, list, Item{Text: row.Help})
	if e.Predict != nil && e.Predict.File != nil {
		f := e.Predict.File
		out.Sum = f.Name
		out.Items = append(out.Items, Item{Text: f.Name + ", " + words.Bytes(f.Size) + "."},
			Item{Acts: []Act{{Key: "needs.file", Name: "Another file"}, {Key: "predict." + catalog.DefaultPredictor, Name: "Remove"}}})
	} else {
		out.Items = append(out.Items, Item{Acts: []Act{{Key: "needs.file", Name: "A file of predictions …", Help: "CSV with the columns job (its number) and predicted (seconds); dropping it on the page does the same"}}})
	}
	switch {
	case !goes:
		out.Items = append(out.Items, Item{Text: "No scheduler uses predictions: choose Foresight, or predicted times for orders, reservations or plans."})
	case at < 0:
		out.Items = append(out.Items, Item{Text: "Each scheduler names a predictor of its own."})
	}
	for _, f := range s.Faults() {
		if len(f.Path) >= 7 && f.Path[:7] == "predict" || e.Predict != nil && e.Predict.File != nil && f.Path == e.Predict.File.Name {
			out.Items = append(out.Items, Item{Fault: f.Message})
		}
	}
	return out
}
