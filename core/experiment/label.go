package experiment

import (
	"strconv"
	"strings"

	"batchlab/core/catalog"
)

// Label returns what a scheduler is called in legends and tables: its own
// label, or a short name derived from what is not at its default:
// "EASY SAF/SPF" (queue order / backfill order), "EASY, newest first",
// "EASY mixed/SPF (0.5, -0.25, 0.25)".
func Label(s Scheduler) string {
	if s.Label != "" {
		return s.Label
	}
	row := catalog.FindScheduler(s.Key)
	if row == nil {
		return s.Key
	}
	label := row.Short
	if name := s.Params.Text("name"); name != "" && row.Key == catalog.CustomKey {
		return name
	}
	order, backfill := optionName(row, s, "order"), optionName(row, s, "backfill")
	changed := func(p *catalog.Param) bool {
		v, ok := s.Params.Get(p.Key)
		return ok && v != p.Default
	}
	pair := false
	for i := range row.Params {
		p := &row.Params[i]
		pair = pair || (p.Key == "order" || p.Key == "backfill") && changed(p)
	}
	switch {
	case pair && backfill != "":
		label += " " + order + "/" + backfill
	case pair:
		label += " " + order
	}
	for i := range row.Params {
		p := &row.Params[i]
		if p.Key == "order" || p.Key == "backfill" || p.Type == catalog.Code || !changed(p) {
			continue
		}
		switch v, _ := s.Params.Get(p.Key); v := v.(type) {
		case string:
			if p.Type == catalog.Text {
				label += ", "
				if p.Key != "formula" {
					label += p.Key + " "
				}
				label += shorten(v)
				continue
			}
			label += ", " + optionName(row, s, p.Key)
		case bool:
			label += ", " + strings.ToLower(p.Name) + " " + map[bool]string{true: "on", false: "off"}[v]
		case int64:
			label += ", " + p.Key + " " + strconv.FormatInt(v, 10)
			if p.Unit != "" {
				label += " " + p.Unit
			}
		case float64:
			label += ", " + p.Key + " " + writeReal(v)
		case catalog.Numbers:
			if p.Key != "weights" {
				label += ", " + p.Key
			}
			for i, x := range v.Slice() {
				label += [...]string{" (", ", ", ", ", ", ", ", ", ", "}[i] + strconv.FormatFloat(x, 'g', 3, 64)
			}
			label += ")"
		}
	}
	if s.Predict != nil {
		if row := catalog.FindPredictor(s.Predict.Key); row != nil {
			label += ", " + strings.ToLower(row.Name)
		}
	}
	return label
}

// optionName returns the name of the value of a scheduler's Enum parameter.
func optionName(row *catalog.Scheduler, s Scheduler, key string) string {
	p := catalog.FindParam(row.Params, key)
	if p == nil {
		return ""
	}
	if o := catalog.FindOption(p.Options, s.Params.Text(key)); o != nil {
		return o.Name
	}
	return s.Params.Text(key)
}

// Labels returns the labels of all schedulers. Equal ones are told apart by a
// number: "EASY", "EASY (2)".
func (e *Experiment) Labels() []string {
	labels := make([]string, len(e.Schedulers))
	taken := map[string]bool{}
	for i, s := range e.Schedulers {
		if s.Label != "" && !taken[s.Label] { // given labels first: they stay as they are
			labels[i] = s.Label
			taken[s.Label] = true
		}
	}
	for i, s := range e.Schedulers {
		if labels[i] != "" {
			continue
		}
		label := Label(s)
		for n := 2; taken[label]; n++ {
			label = Label(s) + " (" + strconv.Itoa(n) + ")"
		}
		labels[i] = label
		taken[label] = true
	}
	return labels
}
