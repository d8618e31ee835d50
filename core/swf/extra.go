package swf

// Extra is what the format has no field for, of one job. Zero values say nothing. Names
// are numbers here, as in the format.
type Extra struct {
	After      string  // dependencies: "3", "3:ok", "3:start+60", several with "," (all) or "?" (any); package expr reads it
	Begin      int64   // not eligible before: seconds as the log's submit times; 0 or below: at once
	Withdrawn  int64   // left the queue without having run: seconds as the log's submit times; 0 or below: did not
	Array      int32   // which array the job belongs to, from 1
	ArrayLimit int32   // how many of the array may run at once
	Het        int32   // which group of jobs it starts together with, from 1
	QOS        int32   // from 1
	Account    int32   // from 1
	Partitions []int32 // several where a job waited for more than one, from 1
	Nodes      int32   // how many nodes it had, or asked for
	GPUs       int32   // of the whole job
	Share      int32   // thousandths of one GPU that it asked for, where it shares it
}

// Names are the names that numbers of a log stand for, in order from 1. They stay with
// whoever read the file that it was made of.
type Names struct{ Users, Groups, Accounts, Queues, Partitions, QOS, Jobs []string }

// Withdrawn returns when the job of a record left the queue without having run: what
// stands beside the log, or of one that was cancelled (status 5) and never ran its wait
// (field 3) after its submission; 0: it did not, or nobody knows when.
func (l *Log) Withdrawn(record int) int64 {
	if l.Extra != nil && l.Extra[record].Withdrawn > 0 {
		return l.Extra[record].Withdrawn
	}
	if r := &l.Records[record]; r.Status == 5 && r.RunTime <= 0 && r.WaitTime > 0 {
		return r.SubmitTime + int64(r.WaitTime)
	}
	return 0
}
