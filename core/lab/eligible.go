//go:build !small

package lab

import (
	"fmt"

	"batchlab/core/eligible"
	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// eligibility is what makes of a log what its jobs wait for, by the document.
func (p *Prepared) eligibility() workload.Eligibility {
	w := &p.doc.Workload
	return workload.Eligibility{Dependencies: w.Dependencies != "", Withdrawn: w.Withdrawn != "", Clamp: w.Clean.Oversize == workload.OversizeClamp}
}

// beside returns a log with what stands beside it: in the columns of a table written by
// hand, or in the file that the document names.
func (p *Prepared) beside(l *swf.Log) (*swf.Log, error) {
	w := &p.doc.Workload
	if t := w.Source.Inline; t != nil {
		if list := extras(t); list != nil {
			own := *l
			own.Extra = list
			l = &own
		}
	}
	if w.Extra == nil {
		return l, nil
	}
	if p.env.File == nil {
		return nil, fmt.Errorf("workload.extra: this experiment needs the file %q", w.Extra.Name)
	}
	data, err := p.env.File(*w.Extra)
	if err != nil {
		return nil, err
	}
	list, err := workload.ParseExtra(w.Extra.Name, data, l)
	if err != nil {
		return nil, err
	}
	own := *l
	own.Extra = list
	return &own, nil
}

// extras returns what the columns of a table say that the log's format has no field for,
// nil where there are none.
func extras(t *experiment.Inline) []swf.Extra {
	var list []swf.Extra
	for k, key := range t.Columns {
		if experiment.FindColumn(key).Field > 0 {
			continue
		}
		if list == nil {
			list = make([]swf.Extra, len(t.Rows))
		}
		for i, row := range t.Rows {
			v, x := max(0, row[k]), &list[i]
			switch key {
			case "after":
				x.After = t.Said(row[k])
			case "begin":
				x.Begin = v
			case "withdrawn":
				x.Withdrawn = v
			case "array":
				x.Array = int32(v)
			case "array_limit":
				x.ArrayLimit = int32(v)
			case "het":
				x.Het = int32(v)
			case "partition":
				x.Partitions = nil
				if row[k] != 0 {
					x.Partitions = t.List(row[k])
				}
			case "qos":
				x.QOS = int32(v)
			case "account":
				x.Account = int32(v)
			}
		}
	}
	return list
}

// keep lets the jobs of a repetition wait for what the log says, and leave.
func (p *Prepared) keep(r *prepared, e *workload.Eligibility) error {
	if !p.doc.Workload.Gated() {
		return nil
	}
	counts, err := e.Gates(r.workload, r.log)
	if err != nil {
		return err
	}
	r.clean.Counts = append(r.clean.Counts, counts...)
	if r.workload.Gates == nil {
		return nil
	}
	r.users = eligible.New(r.workload)
	for i := range r.workload.Gates {
		r.withdraws = r.withdraws || r.workload.Gates[i].Withdrawn != 0
	}
	return nil
}
