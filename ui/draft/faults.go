package draft

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

type part struct{ path, section, name string }

// parts are what the left column calls parts of the document, and the sections that
// show them ("" none); of several that a path begins with the first one holds.
var parts = []part{
	{"workload.annotate.reservations", "grid", "Reservations"},
	{"workload.annotate.licences", "needs", "Licences by rule"},
	{"workload.annotate.eligible", "needs", "Where jobs may run"},
	{"workload.annotate.needs", "needs", "GPUs, memory and disk"},
	{"workload.annotate.jobs", "needs", "Single jobs"},
	{"workload.annotate", "needs", "Deadlines, licences, weights"},
	{"workload.filter", "filter", "the filter"},
	{"workload.window", "filter", "the window"},
	{"workload.scale", "filter", "the scale"},
	{"workload.clean", "filter", "Window, scale, filter"},
	{"workload.source.generator", "generator", "the generator"},
	{"workload.predict", "predict", "Predictions"},
	{"workload.react", "react", "Users who react"},
	{"workload", "", "Workload"},
	{"platform.reservations", "grid", "Reservations"},
	{"platform.booking", "grid", "Reservations"},
	{"platform.clusters", "machines", "Machines and licences"},
	{"platform.licences", "machines", "Floating licences"},
	{"platform.generator", "machines", "Machines and licences"},
	{"platform.outages", "guards", "Outages"},
	{"platform.failures", "guards", "Failures"},
	{"platform.limits", "guards", "Limits"},
	{"platform.partitions", "partitions", "Partitions"},
	{"platform.qos", "qos", "QOS"},
	{"platform.accounts", "accounts", "Accounts"},
	{"platform", "", "Platform"},
	{"schedulers", "", "Schedulers"},
	{"measures", "measure", "Measuring window"},
	{"vary", "", "What varies"},
}

// inWords says a message with the names that the left column has for places of the
// document, unless they are quoted.
func (s *Draft) inWords(message string) string {
	var out strings.Builder
	for at := 0; at < len(message); {
		path := pathAt(message, at)
		if name, _ := s.placeAt(path); name != "" {
			out.WriteString(name)
			at += len(path)
			continue
		}
		out.WriteByte(message[at])
		at++
	}
	return out.String()
}

// pathAt is the place of a document, as workload.annotate.needs[0].gpus, that begins at
// a byte of a message, "" none.
func pathAt(message string, at int) string {
	if at > 0 && strings.IndexByte(`"._`, message[at-1]) >= 0 || at > 0 && message[at-1] >= 'a' && message[at-1] <= 'z' {
		return ""
	}
	text := message[at:]
	if !slices.ContainsFunc([]string{"workload.", "platform.", "schedulers[", "schedulers.", "measures.", "vary["}, func(root string) bool { return strings.HasPrefix(text, root) }) {
		return ""
	}
	end := strings.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("._[]", r))
	})
	if end < 0 {
		end = len(text)
	}
	text = strings.TrimRight(text[:end], ".")
	if !strings.ContainsAny(text, ".[") {
		return "" // the word by itself, at the end of a sentence
	}
	return text
}

// placeAt is what a person calls a place of the document, and the id of the input
// that stands there, "" none; name is "" for what is no place of a document.
func (s *Draft) placeAt(path string) (name, id string) {
	for _, t := range sheets {
		if list, _, _ := strings.Cut(t.list, "[]"); !strings.HasPrefix(path, list+"[") {
			continue
		}
		for row := range t.len(&s.Settings) {
			rest, ok := strings.CutPrefix(path, t.pathAt(&s.Settings, row))
			if !ok || rest != "" && rest[0] != '.' {
				continue
			}
			name, id = t.name+", row "+strconv.Itoa(row+1), t.id+"."+strconv.Itoa(row)+"."
			columns := t.columns(s)
			key, _, _ := strings.Cut(strings.TrimPrefix(rest, "."), "[")
			if k := slices.IndexFunc(columns, func(c Column) bool { return c.Key == key }); k >= 0 {
				return name + ", " + columns[k].Name, id + key
			}
			return name, id + columns[0].Key
		}
	}
	if id = inputAt(path); id != "" {
		if b, ok := s.bind(id); ok {
			return b.row.Name, id
		}
	}
	for _, part := range parts {
		if rest, ok := strings.CutPrefix(path, part.path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return part.name, ""
		}
	}
	return "", ""
}

// Says is what reading the workload said, in words of the left column.
func (s *Draft) Says() string {
	list := s.Said
	if !s.Unreadable || s.LoadError == "" || len(list) == 0 {
		return s.inWords(s.LoadError)
	}
	lines := make([]string, len(list))
	for i, f := range list {
		name, _ := s.placeAt(f.Path)
		if name == "" {
			name = f.Path // a file beside the log
		}
		lines[i] = s.inWords(f.Message)
		if name != "" {
			lines[i] = name + ": " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// FaultField is the input at which something is wrong with the settings, the section
// of the left column that shows it, and the group of that; all "" where nothing is.
// Of a fault that stands at no input there is the section alone.
func (s *Draft) FaultField() (id, section, group string) {
	var path string
	for at := range s.Fields {
		if id == "" || at < id {
			id = at
		}
	}
	if id == "" && s.NeedsProcessors() {
		id = "processors"
	}
	for _, f := range s.Faults() {
		if id == "" {
			_, id = s.placeAt(f.Path)
			path = words.Either(path == "", f.Path, path)
		}
	}
	if id == "" && s.DrawFault() != "" {
		id = "draw"
	}
	if id == "" && path == "" {
		return "", "", ""
	}
	holds := func(one Section) bool {
		if id == "" {
			return slices.ContainsFunc(parts, func(p part) bool { return p.section == one.Key && strings.HasPrefix(path, p.path) })
		}
		return slices.ContainsFunc(one.Items, func(it Item) bool { return it.Field == id || it.Sheet != "" && strings.HasPrefix(id, it.Sheet+".") })
	}
	for _, f := range groups {
		g := f(s)
		if holds(g) {
			return id, "", g.Key
		}
		for _, one := range s.Sections(g.Key) {
			if holds(one) {
				return id, one.Key, g.Key
			}
		}
	}
	return id, "", words.Either(strings.HasPrefix(id, "sched."), "schedulers", "")
}

// worded says the messages of faults in words of the left column.
func (s *Draft) worded(list []experiment.Error) []experiment.Error {
	list = slices.Clone(list)
	for i := range list {
		list[i].Message = s.inWords(list[i].Message)
	}
	return list
}
