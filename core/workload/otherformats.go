//go:build !small

package workload

import (
	"bytes"
	"errors"

	"batchlab/core/intake"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// fromOther reads a file of a kind that package intake recognises, or of the format
// that how names; nil and no error where it knows none.
func fromOther(w *swf.Window, how Reading) (*swf.Log, error) {
	head := bytes.Clone(w.Head(headBytes + 1))
	if how.Format == "" && len(how.Columns) == 0 && intake.Recognise(head) == nil {
		if isBatsim(w) {
			return FromBatsim(w.Data)
		}
		if intake.RecogniseMachine(w.Head(intake.MaxMachine+1)) != nil {
			return nil, ErrMachine
		}
		if why := intake.Hint(head); why != "" {
			return nil, errors.New(why)
		}
		if t := intake.Table(head, nil); t != nil {
			return nil, t
		}
		return nil, nil
	}
	offset, err := intake.Offset(how.Zone, how.Zones)
	if err != nil {
		return nil, err
	}
	r, err := intake.ReadPieces(intake.Options{Format: how.Format, Offset: offset, Columns: how.Columns}, w)
	if err != nil {
		return nil, err
	}
	r.Report.Zone = how.Zone
	for i := range r.Report.Partitions {
		p := &r.Report.Partitions[i]
		p.Name = r.Names.Partitions[p.Number-1]
	}
	for i, name := range r.Names.QOS {
		r.Report.QOS = append(r.Report.QOS, report.Named{Number: int64(i) + 1, Name: name})
	}
	if r.Report.Format == "csv" {
		r.Log.Table = intake.Table(head, how.Columns)
	}
	r.Log.Names = &intake.Names{Users: r.Names.Users, Accounts: r.Names.Accounts, Partitions: r.Names.Partitions, QOS: r.Names.QOS}
	r.Log.Import = &r.Report
	return r.Log, nil
}

// ReadMachine reads files that describe a cluster: slurm.conf, and what sinfo, squeue
// and sacctmgr print. names are those of the log of its jobs, which partitions, QOS and
// accounts are numbered by; nil: there is none.
func ReadMachine(names *swf.Names, files ...[]byte) (*report.Conf, error) {
	return intake.ReadMachine(names, files...)
}
