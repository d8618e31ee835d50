package main

import (
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/report"
)

// payer sets each case beside the first one, as the points are written.
type payer struct {
	first map[int][]metric.Paid // by point of the first case × its schedulers + scheduler
	lines spool                 // of pays.csv
}

// casesOf is the axis of cases of a document, the first one; −1 without any.
func casesOf(e *experiment.Experiment) int {
	return slices.IndexFunc(e.Vary, func(a experiment.Axis) bool { return a.Cases != nil })
}

// pay adds to the point that is written next who gains and who pays by its case.
func (a *assembler) pay(c *composed) error {
	axis := casesOf(a.doc)
	if axis < 0 || len(a.doc.Vary[axis].Cases) < 2 {
		return nil
	}
	sides, labels, err := a.sides(c)
	if err != nil {
		return err
	}
	// The point of the first case, the other axes being the same.
	choice, step := a.points.Choice(a.next), 1
	for _, x := range a.doc.Vary[axis+1:] {
		step *= len(x.Values)
	}
	base := a.next - choice[axis]*step
	if a.pays.first == nil {
		a.pays.first = map[int][]metric.Paid{}
	}
	var list []report.Pays
	for s, side := range sides {
		key := base*experiment.MaxSchedulers + s
		if choice[axis] == 0 {
			a.pays.first[key] = side
			continue
		}
		if pays := metric.Pays(a.pays.first[key], side); len(pays.Rows) > 0 {
			pays.Scheduler, pays.Label = s, labels[s]
			list = append(list, pays)
		}
		if choice[axis] == len(a.doc.Vary[axis].Cases)-1 {
			delete(a.pays.first, key)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if c.json != nil {
		c.json = append(append(append(c.json[:len(c.json)-1], `,"pays":`...), plainJSON(list)...), '}')
	}
	values := ""
	for k, v := range a.points.Values(a.next) {
		text := v.String()
		if name := a.doc.Vary[k].Called(choice[k]); name != "" {
			text = name
		}
		values += report.CSVText(text) + ","
	}
	a.pays.lines.add(report.PaysCSV(nil, values, list))
	return nil
}

// sides are the runs of a point by scheduler, with what is needed of them, and the
// schedulers' labels.
func (a *assembler) sides(c *composed) (list [][]metric.Paid, labels []string, err error) {
	doc, err := a.points.At(a.next)
	if err != nil {
		return nil, nil, err
	}
	list = make([][]metric.Paid, len(doc.Schedulers))
	for i, rec := range c.records {
		run := c.runs[i]
		run.Processors = int(gjson.GetBytes(rec.run, "processors").Int())
		mine := &list[run.Scheduler]
		paid := metric.Paid{Run: run, Parts: &report.Parts{}}
		if len(rec.parts) > 0 {
			if err := json.Unmarshal(rec.parts, paid.Parts); err != nil {
				return nil, nil, errRecord
			}
		} else if len(*mine) > 0 { // repetition 0 once more
			paid.Parts = (*mine)[0].Parts
		}
		if run.Repetition == 0 {
			if rec.again != nil {
				if rec, err = rec.again(); err != nil {
					return nil, nil, err
				}
			}
			block, err := experiment.UnpackBlock(nil, rec.block)
			if err != nil {
				return nil, nil, err
			}
			paid.Starts = lab.Starts(block)
		}
		*mine = append(*mine, paid)
	}
	return list, doc.Labels(), nil
}
