package experiment

import (
	"encoding/hex"
	"slices"
	"strconv"

	"batchlab/core/sum"
)

// Decode reads a document of this or any older version. Defaults are filled
// in. Every fault is an Error with its path; all of them together are returned
// as Errors, and the experiment is nil.
func Decode(data []byte) (*Experiment, error) { return decode(data, codec{mode: reading}) }

// DecodeJobs reads a document of which only the jobs and the platform matter: it
// may be without schedulers.
func DecodeJobs(data []byte) (*Experiment, error) {
	return decode(data, codec{mode: reading, jobs: true})
}

func decode(data []byte, c codec) (*Experiment, error) {
	root, err := parse(data, &c.faults)
	if err != nil {
		return nil, err
	}
	if root.kind != objectKind {
		return nil, Errors{{Message: "a document is an object, not " + root.kind.String(), Line: 1}}
	}
	if err := upgrade(root); err != nil {
		return nil, err
	}
	e := &Experiment{}
	c.walk("", root, e.visit)
	if len(c.list) == 0 {
		e.checkVary(&c, root.get("vary"))
	}
	if err := c.err(data); err != nil {
		return nil, err
	}
	return e, nil
}

// Validate checks an experiment that was built by a program, with the same
// Errors that Decode would give for its document.
func (e *Experiment) Validate() error { return e.validate(codec{mode: checking}) }

// ValidateJobs is Validate for an experiment of which only the jobs and the
// platform matter.
func (e *Experiment) ValidateJobs() error { return e.validate(codec{mode: checking, jobs: true}) }

// Jobs returns a copy of what an experiment's jobs and platform depend on, for
// DecodeJobs and ValidateJobs: nothing else can be wrong with it.
func (e *Experiment) Jobs() *Experiment {
	e = e.Clone()
	e.Title, e.Expect, e.Trace, e.Schedulers, e.Predict, e.Vary, e.Search, e.Measures = "", "", "", nil, nil, nil, nil, Measures{Tau: 10}
	return e
}

func (e *Experiment) validate(c codec) error {
	c.walk("", nil, e.visit)
	if len(c.list) == 0 {
		e.checkVary(&c, nil)
	}
	return c.err(nil)
}

// tree turns a valid experiment into a tree, with or without what is at its
// default.
func (e *Experiment) tree(full bool) *node {
	c := codec{mode: writing, full: full}
	return c.walk("", nil, e.visit)
}

// Encode writes a valid experiment for a file: indented, defaults written out.
func Encode(e *Experiment) []byte {
	return append(appendPretty(nil, e.tree(true), 0), '\n')
}

// EncodeCompact writes a valid experiment in one line, without what is at its
// default.
func EncodeCompact(e *Experiment) []byte { return appendPlain(nil, e.tree(false), "") }

// Canonical returns the canonical form of a valid experiment: RFC 8785 of the
// document without title and expect, with the defaults written out.
func (e *Experiment) Canonical() []byte {
	root := e.tree(true)
	root.remove("title")
	root.remove("expect")
	return appendCanonical(nil, root)
}

// Identity returns the SHA-256 of the canonical form in hexadecimal.
func (e *Experiment) Identity() string {
	h := sum.Of(e.Canonical())
	return hex.EncodeToString(h[:])
}

// Clone returns a deep copy.
func (e *Experiment) Clone() *Experiment {
	c := *e
	if s := e.Workload.Source; s.Log != nil {
		log := *s.Log
		c.Workload.Source.Log = &log
	} else if s.Generator != nil {
		c.Workload.Source.Generator = &Generator{s.Generator.Key, slices.Clone(s.Generator.Params)}
	} else if s.Inline != nil {
		c.Workload.Source.Inline = s.Inline.Clone()
	}
	c.Workload.Filter.Users = slices.Clone(e.Workload.Filter.Users)
	c.Workload.Filter.ExcludeUsers = slices.Clone(e.Workload.Filter.ExcludeUsers)
	c.Workload.Window = Window{clonePointer(e.Workload.Window.From), clonePointer(e.Workload.Window.To), e.Workload.Window.History}
	c.Predict = e.Predict.clone()
	c.Workload.Annotate, c.Platform = e.Workload.Annotate.clone(), e.Platform.clone()
	c.Measures.From, c.Measures.To = clonePointer(e.Measures.From), clonePointer(e.Measures.To)
	c.Search = slices.Clone(e.Search)
	c.Vary = slices.Clone(e.Vary)
	for i := range c.Vary {
		a := &c.Vary[i]
		a.Values, a.Names, a.With = slices.Clone(a.Values), slices.Clone(a.Names), slices.Clone(a.With)
		for k := range a.With {
			a.With[k].Values = slices.Clone(a.With[k].Values)
		}
		a.Cases = slices.Clone(a.Cases)
		for k := range a.Cases {
			a.Cases[k].Set = slices.Clone(a.Cases[k].Set)
		}
	}
	c.Workload.React, c.Measures.Patience = slices.Clone(e.Workload.React), slices.Clone(e.Measures.Patience)
	c.Workload.Resample = slices.Clone(e.Workload.Resample)
	if x := e.Workload.Extra; x != nil {
		extra := *x
		c.Workload.Extra = &extra
	}
	c.Schedulers = slices.Clone(e.Schedulers)
	for i := range c.Schedulers {
		c.Schedulers[i].Params = slices.Clone(c.Schedulers[i].Params)
		c.Schedulers[i].Predict = c.Schedulers[i].Predict.clone()
		c.Schedulers[i].Providers = slices.Clone(c.Schedulers[i].Providers)
		for k := range c.Schedulers[i].Providers {
			c.Schedulers[i].Providers[k].Params = slices.Clone(c.Schedulers[i].Providers[k].Params)
		}
	}
	return &c
}

func clonePointer(p *int64) *int64 {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// appendPretty writes a tree for people: two spaces of indent, and what holds
// nothing nested on one line.
func appendPretty(dst []byte, n *node, depth int) []byte {
	indent := func(depth int) {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, "  "...)
		}
	}
	flat := true
	for _, item := range n.items {
		flat = flat && item.kind != arrayKind && item.kind != objectKind
	}
	if n.kind != arrayKind && n.kind != objectKind || flat && depth > 0 {
		return appendPlain(dst, n, " ")
	}
	brackets := "[]"
	if n.kind == objectKind {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	for i, item := range n.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		indent(depth + 1)
		if n.kind == objectKind {
			dst = append(appendString(dst, n.keys[i]), ": "...)
		}
		dst = appendPretty(dst, item, depth+1)
	}
	indent(depth)
	return append(dst, brackets[1])
}

// appendPlain writes a tree on one line, with space behind commas and colons.
func appendPlain(dst []byte, n *node, space string) []byte {
	switch n.kind {
	case nullKind:
		return append(dst, "null"...)
	case boolKind:
		return strconv.AppendBool(dst, n.truth)
	case numberKind:
		return append(dst, n.text...)
	case textKind:
		return appendString(dst, n.text)
	}
	brackets := "[]"
	if n.kind == objectKind {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	for i, item := range n.items {
		if i > 0 {
			dst = append(append(dst, ','), space...)
		}
		if n.kind == objectKind {
			dst = append(append(appendString(dst, n.keys[i]), ':'), space...)
		}
		dst = appendPlain(dst, item, space)
	}
	return append(dst, brackets[1])
}
