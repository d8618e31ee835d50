package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"batchlab/core/catalog"
)

// flags are the flags of one command. They may stand before, between and after
// its arguments, as --flag value or --flag=value. Faults are worded in one
// line; the list of flags is printed only when it is asked for.
type flags struct {
	name, use string // of the command
	intro     string // what --help says before the flags, "" nothing
	set       *flag.FlagSet
	rows      []flagRow
	fault     error // of the value that was refused
	given     map[string]bool
}

// flagRow is a line of the help.
type flagRow struct{ name, value, help string }

func newFlags(name, use string) *flags {
	f := &flags{name: name, use: use, set: flag.NewFlagSet(name, flag.ContinueOnError), given: map[string]bool{}}
	f.set.SetOutput(io.Discard)
	f.set.Usage = func() {}
	return f
}

// add defines a flag. value names its value in the help, "" for a switch; set
// reads the text and returns what is wrong with it.
func (f *flags) add(name, value, help string, set func(string) error) {
	f.rows = append(f.rows, flagRow{name, value, help})
	read := func(s string) error {
		f.given[name] = true
		err := error(nil)
		if value != "" && strings.HasPrefix(s, "--") {
			err = fmt.Errorf("a value is missing (%s is a flag; a file of that name is ./%s)", s, s)
		} else {
			err = set(s)
		}
		if err != nil {
			f.fault = fmt.Errorf("%s: --%s: %w", f.name, name, err)
		}
		return err
	}
	if value == "" {
		f.set.BoolFunc(name, help, read)
	} else {
		f.set.Func(name, help, read)
	}
}

// text defines a flag for any text that is not empty.
func (f *flags) text(name, value, def, help string) *string {
	p := &def
	f.add(name, value, withDefault(help, def), func(s string) error {
		if s == "" {
			return errors.New("a value is missing")
		}
		*p = s
		return nil
	})
	return p
}

// files defines a flag for a file that may be given several times.
func (f *flags) files(name, value, help string) *[]string {
	p := new([]string)
	f.list(p, name, value, help)
	return p
}

// list defines a flag that may be given several times, and appends to p.
func (f *flags) list(p *[]string, name, value, help string) {
	f.add(name, value, help, func(s string) error {
		if s == "" {
			return errors.New("a value is missing")
		}
		*p = append(*p, s)
		return nil
	})
}

// whole defines a flag for a whole number in decimal digits from least to most.
func (f *flags) whole(name, value string, def, least, most int64, help string) *int64 {
	p := &def
	f.add(name, value, help, func(s string) error {
		v, err := parseWhole(s)
		if err != nil {
			return err
		}
		if v < least || v > most {
			return fmt.Errorf("must be between %d and %d, not %d", least, most, v)
		}
		*p = v
		return nil
	})
	return p
}

// toggle defines a switch: --name or --name=true, --name=false.
func (f *flags) toggle(name, help string) *bool {
	p := new(bool)
	f.add(name, "", help, func(s string) error {
		v, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("%q: true or false is expected", s)
		}
		*p = v
		return nil
	})
	return p
}

func withDefault(help, def string) string {
	if def == "" {
		return help
	}
	return help + " (default " + def + ")"
}

func parseWhole(s string) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is too large", s)
	case err != nil:
		return 0, fmt.Errorf("%q is not a whole number", s)
	}
	return v, nil
}

// parse reads the arguments and returns those that are no flags. Help that is asked for
// is written to stdout.
func (f *flags) parse(args []string, stdout io.Writer) (rest []string, err error) {
	for {
		switch err := f.set.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			f.help(stdout)
			return nil, status(0)
		case err != nil:
			return nil, f.explain(err)
		case f.set.NArg() == 0:
			return rest, nil
		}
		rest = append(rest, f.set.Arg(0))
		args = f.set.Args()[1:]
	}
}

// explain words an error of package flag.
func (f *flags) explain(err error) error {
	if f.fault != nil {
		return f.fault
	}
	s := err.Error()
	if name, found := strings.CutPrefix(s, "flag provided but not defined: -"); found {
		var names []string
		for _, r := range f.rows {
			names = append(names, "--"+r.name)
		}
		return fmt.Errorf("%s: no flag --%s%s (batchlab %s --help lists them)", f.name, name, catalog.DidYouMean("--"+name, names), f.name)
	}
	if name, found := strings.CutPrefix(s, "flag needs an argument: -"); found {
		return fmt.Errorf("%s: --%s: a value is missing", f.name, name)
	}
	return fmt.Errorf("%s: %s", f.name, s)
}

// help prints the use of the command and its flags.
func (f *flags) help(w io.Writer) {
	fmt.Fprintf(w, "usage: batchlab %s %s\n", f.name, f.use)
	if f.intro != "" {
		fmt.Fprintf(w, "\n%s\n", f.intro)
	}
	fmt.Fprintln(w)
	for _, r := range f.rows {
		fmt.Fprintf(w, "  %s\n        %s\n", strings.TrimRight("--"+r.name+" "+r.value, " "), r.help)
	}
}
