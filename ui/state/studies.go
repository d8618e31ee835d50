package state

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/words"
)

// Studies is what the page knows of the studies: their presets, the one under
// way, and what came of those that have run.
type Studies struct {
	About   []engine.Study // nil until they are there
	Papers  []engine.Paper // nil until they are there
	Fault   string         // why they are not
	Asked   bool
	Chosen  string // key of the preset that is looked at, "" none
	Quick   bool   // the next run is the smaller version
	On      string // SHA-256 of the log of the next run; "" the wanted one, else none; "none" none
	Running string // key of the preset under way, "" none
	Opening string // key of the preset whose experiment is being asked for, "" none
	News    engine.StudyNews
	Stopped bool // the one under way is to end with what it has
	Results map[string]*engine.StudyResult
	Errors  map[string]string
	Sort    int  // column of the table by which rows are sorted, from 1; 0: the paper's order
	Down    bool // the greatest first
	Runs    int  // presets that ended, well or not
	stop    func()
	full    bool // what runs in full gave has been asked for
	Settled bool // it has come, or will not: what stands below its charts keeps its place
}

// askResults asks for what runs in full gave, once: a study is open. Without an answer what
// claims quote is shown, as before.
func (s *Store) askResults() {
	r, ok := s.engine.(engine.FullResults)
	if s.Studies.Settled = s.Studies.Settled || !ok; !ok || s.Studies.full {
		return
	}
	s.Studies.full = true
	r.Results(func(all map[string]engine.StudyResult, err error) {
		if s.Studies.Settled = true; err != nil {
			s.Note("Results of the studies could not be loaded: %s", err)
			return
		}
		for i := range s.Studies.Papers {
			p := &s.Studies.Papers[i]
			p.Full = all[p.Key]
		}
		s.Touch()
	})
}

// AskPapers asks for the list of presets, unless it is there or on its way.
func (s *Store) AskPapers() {
	st := &s.Studies
	if st.Papers != nil || st.Asked {
		return
	}
	studier, ok := s.engine.(engine.StudyEngine)
	if !ok {
		st.Fault = engine.ErrNoStudies.Error()
		s.Touch()
		return
	}
	st.Asked, st.Fault, st.Quick = true, "", true
	studier.Papers(func(all *engine.Library, err error) {
		if st.Asked = false; err != nil {
			st.Fault = err.Error()
			s.Touch()
			return
		}
		st.About, st.Papers = all.Studies, all.Papers
		s.Went()
		s.Touch()
	})
	s.Touch()
}

// Went looks at the preset that the place names, once there are presets.
func (s *Store) Went() {
	if s.Place.Key != look.PapersPlace {
		return
	}
	if s.AskPapers(); s.Studies.Papers == nil {
		return
	}
	s.Studies.Chosen = ""
	if s.Place.Item != "" {
		s.askResults()
	}
	switch item := s.Place.Item; {
	case s.Paper(item) != nil:
		s.ChoosePaper(item)
	case item != "" && s.Study(item) == nil:
		s.Place.Item = ""
		s.Tell("There is no study, table or figure called " + item + ". All studies are shown instead.")
	}
}

// Study returns the study with a key, nil when there is none.
func (s *Store) Study(key string) *engine.Study {
	for i := range s.Studies.About {
		if s.Studies.About[i].Key == key {
			return &s.Studies.About[i]
		}
	}
	return nil
}

// Paper returns the preset with a key, nil when there is none.
func (s *Store) Paper(key string) *engine.Paper {
	for i := range s.Studies.Papers {
		if s.Studies.Papers[i].Key == key {
			return &s.Studies.Papers[i]
		}
	}
	return nil
}

// ChoosePaper looks at a preset.
func (s *Store) ChoosePaper(key string) {
	if s.Paper(key) != nil {
		s.Studies.Chosen, s.Studies.Sort, s.Studies.Down, s.Studies.On = key, 0, false, ""
		s.Touch()
	}
}

// PaperLogs lists the logs that a preset can run on, the wanted one first: of
// those that the browser keeps and the one that is loaded.
func (s *Store) PaperLogs(p *engine.Paper) []experiment.Log {
	var all []experiment.Log
	add := func(l experiment.Log) {
		if l.SHA256 != "" && !slices.ContainsFunc(all, func(o experiment.Log) bool { return o.SHA256 == l.SHA256 }) {
			all = append(all, l)
		}
	}
	if l := s.Settings.Workload.Source.Log; l != nil {
		add(*l)
	}
	for _, k := range s.Kept {
		if k.Kind == "" {
			add(k.Log)
		}
	}
	rank := func(l experiment.Log) int {
		switch {
		case p.SHA256 != "" && l.SHA256 == p.SHA256:
			return 0
		case p.Wants(l.Name):
			return 1
		}
		return 2
	}
	order.Stable(all, func(a, b experiment.Log) int { return cmp.Compare(rank(a), rank(b)) })
	if !p.AnyLog {
		all = slices.DeleteFunc(all, func(l experiment.Log) bool { return rank(l) == 2 })
	}
	return all
}

// PaperLog returns the log that a preset would run on now, nil none.
func (s *Store) PaperLog(p *engine.Paper) *experiment.Log {
	list := s.PaperLogs(p)
	for i := range list {
		l := &list[i]
		wanted := p.Log != "" && (l.SHA256 == p.SHA256 || p.Wants(l.Name)) || p.Log == "" && p.AnyLog && s.isLoaded(l)
		if l.SHA256 == s.Studies.On || s.Studies.On == "" && wanted {
			return l
		}
	}
	return nil
}

// isLoaded says whether a log is the one that is loaded.
func (s *Store) isLoaded(l *experiment.Log) bool {
	source := s.Settings.Workload.Source.Log
	return source != nil && source.SHA256 == l.SHA256
}

// SetPaperLog chooses the log of the next run: its SHA-256, "none" for none.
func (s *Store) SetPaperLog(sha256 string) { s.Studies.On = sha256; s.Touch() }

// SetQuick says whether the next run is the smaller version.
func (s *Store) SetQuick(quick bool) { s.Studies.Quick = quick; s.Touch() }

// studied is the preset that is looked at, the log that it would run on, and what
// runs it; nil where it cannot run: there is no engine for it, or no log that it
// needs.
func (s *Store) studied() (*engine.Paper, *experiment.Log, engine.StudyEngine) {
	p := s.Paper(s.Studies.Chosen)
	studier, ok := s.engine.(engine.StudyEngine)
	if p == nil || !ok {
		return nil, nil, nil
	}
	log := s.PaperLog(p)
	if p.Needs && log == nil {
		return nil, nil, nil
	}
	return p, log, studier
}

// RunPaper runs the preset that is looked at.
func (s *Store) RunPaper() {
	st := &s.Studies
	p, log, studier := s.studied()
	if p == nil || st.Running != "" {
		return
	}
	st.Running, st.News, st.Stopped = p.Key, engine.StudyNews{}, false
	delete(st.Results, p.Key)
	delete(st.Errors, p.Key)
	if st.Results == nil {
		st.Results, st.Errors = map[string]*engine.StudyResult{}, map[string]string{}
	}
	s.Note("Study: %s", p.Key)
	st.stop = studier.Study(p.Key, st.Quick, log, nil, func(n engine.StudyNews) { s.studyNews(p.Key, n) })
	s.Touch()
}

func (s *Store) studyNews(key string, n engine.StudyNews) {
	st := &s.Studies
	if st.Running != key {
		return
	}
	st.News = n
	if !n.Over {
		s.Moved()
		return
	}
	st.Running, st.stop = "", nil
	st.Runs++
	switch {
	case n.Err != nil:
		st.Errors[key] = n.Err.Error()
		s.Note("Study %s: %s", key, n.Err)
	case n.Result == nil:
		st.Errors[key] = "Stopped before anything was complete."
		s.Note("Study %s: stopped", key)
	default:
		st.Results[key] = n.Result
		s.Note("Study %s: %s, digest %s", key, words.Count(len(n.Result.Rows), "row", "rows"), n.Result.Digest)
	}
	s.Touch()
}

// StopPaper ends the preset under way; what is complete stays.
func (s *Store) StopPaper() {
	if st := &s.Studies; st.stop != nil && !st.Stopped {
		st.Stopped = true
		st.stop()
		s.Touch()
	}
}

// SortPaper sorts the table by a column, from 1; once more turns the order, a
// third time goes back to the paper's.
func (s *Store) SortPaper(column int) {
	st := &s.Studies
	switch {
	case st.Sort != column:
		st.Sort, st.Down = column, false
	case !st.Down:
		st.Down = true
	default:
		st.Sort, st.Down = 0, false
	}
	s.Touch()
}

// PaperRows returns the rows of the preset that is looked at, beside what its
// paper prints, as they are sorted.
func (s *Store) PaperRows() []engine.StudyRow {
	st := &s.Studies
	p := s.Paper(st.Chosen)
	if p == nil {
		return nil
	}
	rows := p.Merged(st.Results[st.Chosen])
	number := func(a, b *float64) int {
		switch {
		case a == nil && b == nil:
			return 0
		case a == nil:
			return 1
		case b == nil:
			return -1
		}
		return cmp.Compare(*a, *b)
	}
	order.Stable(rows, func(a, b engine.StudyRow) int {
		c := 0
		switch st.Sort {
		case 1:
			c = cmp.Compare(a.Label, b.Label)
		case 2:
			c = cmp.Compare(a.Column, b.Column)
		case 3:
			c = number(a.Ours, b.Ours)
		case 4:
			c = number(a.Paper, b.Paper)
		}
		if st.Down {
			c = -c
		}
		return c
	})
	return rows
}

// PaperCSV writes the rows of the preset that is looked at as a file, in the
// paper's order.
func (s *Store) PaperCSV() []byte {
	p := s.Paper(s.Studies.Chosen)
	if p == nil {
		return nil
	}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	text := report.CSVText
	var b strings.Builder
	b.WriteString("label,column,ours,half_interval_95,paper,unit\n")
	for _, row := range p.Merged(s.Studies.Results[p.Key]) {
		b.WriteString(text(row.Label) + "," + text(row.Column) + "," + number(row.Ours) + "," + number(row.Half) + "," + number(row.Paper) + "," + text(row.Unit) + "\n")
	}
	return []byte(b.String())
}

// StudyPercent is how far the preset under way is, "42".
func (s *Store) StudyPercent() string { return strconv.Itoa(int(s.Studies.News.Progress * 100)) }

// StudyText is "14 of 100 pieces, about 9 s left".
func (s *Store) StudyText() string {
	st := &s.Studies
	n := &st.News
	switch {
	case st.Stopped:
		return "Stopping; what is complete stays"
	case s.Fetching.Active:
		return "Loading more of Batchlab"
	case n.Total == 0:
		return "Preparing"
	}
	text := words.Int(n.Done) + " of " + words.Int(n.Total) + " pieces"
	if n.Phase > 1 {
		text = "Part " + strconv.Itoa(n.Phase) + ": " + text
	}
	if n.Left > 0 {
		text += ", " + words.Left(n.Left)
	}
	return text
}

// OpenStudy opens the experiment behind the preset that is looked at, on the log
// on which it would run; then is told when it is open.
func (s *Store) OpenStudy(then func()) {
	st := &s.Studies
	p, log, studier := s.studied()
	if p == nil || st.Opening != "" {
		return
	}
	key := p.Key
	st.Opening = key
	delete(st.Errors, key)
	studier.Document(key, st.Quick, log, nil, func(d engine.StudyDocument, err error) {
		if st.Opening != key {
			return
		}
		st.Opening = ""
		if err != nil {
			if st.Errors == nil {
				st.Errors = map[string]string{}
			}
			st.Errors[key] = err.Error()
			s.Touch()
			return
		}
		then()
		s.Note("Study: the experiment of %s is open", key)
		s.OpenText(key, []byte(d.Document))
	})
	s.Touch()
}

// OpenPaper opens an experiment of the preset that is looked at.
func (s *Store) OpenPaper(i int) {
	if r := s.Studies.Results[s.Studies.Chosen]; r != nil && i >= 0 && i < len(r.Experiments) {
		s.OpenText(r.Experiments[i].Label, []byte(r.Experiments[i].Document))
	}
}
