package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// schedulerFlags are flags for the parameters of all schedulers of the catalog.
// What a text means is known only with the scheduler.
type schedulerFlags map[string]*string

// schedulerParams adds the flags, one for each key.
func (f *flags) schedulerParams() schedulerFlags {
	s := schedulerFlags{}
	for _, row := range catalog.EveryScheduler() {
		for i := range row.Params {
			p := &row.Params[i]
			if s[p.Key] == nil {
				s[p.Key] = new(string)
				f.add(p.Key, placeholder(p), describeParam(p, forSchedulers(p.Key)), func(text string) error {
					*s[p.Key] = text
					return nil
				})
			}
		}
	}
	return s
}

// fieldFlags are what flags say of fields of the document, by their paths.
type fieldFlags map[string]any

// documentFields adds a flag for each field whose row asks for one.
func (f *flags) documentFields() fieldFlags {
	given := fieldFlags{}
	for _, p := range experiment.Schema() {
		if !p.Flag {
			continue
		}
		f.add(strings.ReplaceAll(p.Key, "_", "-"), placeholder(&p.Param), describeParam(&p.Param), func(text string) error {
			if text == "" {
				return errors.New("a value is missing")
			}
			v, err := parseParam(&p.Param, text)
			given[p.Path] = v
			return err
		})
	}
	return given
}

// set puts them into an experiment; whether they can be used its check says.
func (s fieldFlags) set(e *experiment.Experiment) {
	for path, v := range s {
		if at, ok := e.At(path); ok {
			at.Set(v)
		}
	}
}

// forSchedulers says which schedulers have a parameter: "for fcfs, easy".
func forSchedulers(key string) string {
	var keys []string
	for _, row := range catalog.EveryScheduler() {
		if catalog.FindParam(row.Params, key) != nil {
			keys = append(keys, row.Key)
		}
	}
	return "for " + strings.Join(keys, ", ")
}

// set gives a scheduler the parameters of the flags that were given. One that
// the scheduler does not have must be at the default that others have for it.
func (s schedulerFlags) set(f *flags, to *experiment.Scheduler) error {
	var faults []error
	fault := func(key, format string, a ...any) {
		faults = append(faults, fmt.Errorf(f.name+": --"+key+format, a...))
	}
	row := catalog.FindScheduler(to.Key)
	for _, r := range f.rows { // in order of the help
		text, ours := s[r.name]
		if !ours || !f.given[r.name] {
			continue
		}
		p := catalog.FindParam(row.Params, r.name)
		if p == nil {
			if !isDefaultElsewhere(r.name, *text) {
				fault(r.name, " %s: %s has no %s to choose", *text, to.Key, r.name)
			}
			continue
		}
		value, err := parseParam(p, *text)
		if err == nil {
			err = to.SetParam(p.Key, value)
		}
		if err != nil {
			fault(r.name, ": %s", message(err))
		}
	}
	for i := range row.Params {
		if p := &row.Params[i]; p.When != "" && f.given[p.Key] && to.Params.Text(p.When) != p.Is {
			fault(p.Key, " has a meaning only with --%s %s", p.When, p.Is)
		}
	}
	return errors.Join(faults...)
}

// isDefaultElsewhere reports whether a text is a parameter's default in the first
// scheduler of the catalog that has one for it.
func isDefaultElsewhere(key, text string) bool {
	for _, row := range catalog.EveryScheduler() {
		if p := catalog.FindParam(row.Params, key); p != nil && p.Default != nil {
			return fmt.Sprint(p.Default) == text
		}
	}
	return false
}

// printedParams are a scheduler's parameters as a document holds them, without
// those that are not set, and without later ones at their default, which no
// document needs.
func printedParams(of experiment.Scheduler) map[string]any {
	m := map[string]any{}
	row := catalog.FindScheduler(of.Key)
	for _, p := range of.Params {
		if q := catalog.FindParam(row.Params, p.Key); q != nil && q.Later && p.Value == q.Default {
			continue
		}
		switch v := p.Value.(type) {
		case nil:
		case catalog.Numbers:
			m[p.Key] = v.Slice()
		default:
			m[p.Key] = v
		}
	}
	return m
}

// parseParam reads a parameter's value from the text of a flag.
func parseParam(p *catalog.Param, s string) (any, error) {
	switch p.Type {
	case catalog.Int, catalog.Seconds:
		return parseWhole(s)
	case catalog.Number:
		return parseNumber(s)
	case catalog.Bool:
		v, err := strconv.ParseBool(s)
		if err != nil {
			return nil, fmt.Errorf("%q: true or false is expected", s)
		}
		return v, nil
	case catalog.List:
		var list []float64
		for _, part := range strings.Split(s, ",") {
			v, err := parseNumber(strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case catalog.Code:
		text, err := os.ReadFile(s)
		if err != nil {
			return nil, err
		}
		return string(text), nil
	}
	return s, nil
}

func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return v, nil
}

// placeholder names a parameter's value in the help.
func placeholder(p *catalog.Param) string {
	if p.Noun != "" {
		return strings.ToUpper(p.Noun)
	}
	switch p.Type {
	case catalog.Int:
		return "N"
	case catalog.Seconds:
		return "SECONDS"
	case catalog.Number:
		return "NUMBER"
	case catalog.Bool:
		return "true|false"
	case catalog.List:
		return "X,X,X"
	case catalog.Text, catalog.Line, catalog.Words:
		return "TEXT"
	case catalog.Code:
		return "FILE.star"
	}
	return "KEY"
}

// describeParam is a parameter's line in the help; more is added to what
// stands in its brackets.
func describeParam(p *catalog.Param, more ...string) string {
	var notes []string
	switch {
	case p.Flag && p.Type == catalog.Enum:
		for _, o := range p.Options {
			notes = append(notes, o.Key+": "+o.Name)
		}
	case p.Type == catalog.Enum:
		notes = append(notes, strings.Join(catalog.OptionKeys(p.Options), ", "))
	}
	if p.Min != 0 || p.Max != 0 {
		notes = append(notes, number(p.Min)+" to "+number(p.Max))
	}
	switch first := p.First(); {
	case p.Flag && p.Empty != "":
		notes = append(notes, "default "+p.Empty)
	case p.Flag || p.Default != nil && p.Type != catalog.Code && p.Default != "":
		notes = append(notes, fmt.Sprint("default ", first))
	}
	if p.When != "" {
		notes = append(notes, "with --"+p.When+" "+p.Is)
	}
	return p.Help + " (" + strings.Join(append(notes, more...), "; ") + ")"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
