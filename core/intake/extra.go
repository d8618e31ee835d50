package intake

import (
	"strconv"
)

// ExtraColumns are the columns of extra.csv behind the job's number: what the Standard
// Workload Format has no field for. Names are numbers, those of Names.
var ExtraColumns = []string{"after", "begin", "withdrawn", "array", "array_limit", "het", "partition", "qos", "account", "nodes", "gpus", "gpu_share"}

// AppendExtra appends extra.csv: a header, then a row for each job of which one of the
// columns says something. Times count as the log's submit times.
func (r *Result) AppendExtra(dst []byte) []byte {
	dst = append(dst, "job"...)
	for _, c := range ExtraColumns {
		dst = append(append(dst, ','), c...)
	}
	dst = append(dst, '\n')
	for i := range r.Extra {
		begun := len(dst)
		dst = strconv.AppendInt(dst, r.Log.Records[i].JobNumber, 10)
		bare := len(dst) + len(ExtraColumns)
		x := &r.Extra[i]
		dst = append(dst, ',')
		if x.After != "" {
			dst = append(append(append(dst, '"'), x.After...), '"')
		}
		for k, v := range []int64{x.Begin, x.Withdrawn, int64(x.Array), int64(x.ArrayLimit), int64(x.Het), -1, int64(x.QOS), int64(x.Account), int64(x.Nodes), int64(x.GPUs), int64(x.Share)} {
			dst = append(dst, ',')
			if k == 5 { // several partitions stand in one cell
				dst = appendList(dst, x.Partitions)
			} else if v > 0 {
				dst = strconv.AppendInt(dst, v, 10)
			}
		}
		if len(dst) == bare {
			dst = dst[:begun]
			continue
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendList writes 3, or "3,5" in quotes.
func appendList(dst []byte, list []int32) []byte {
	if len(list) > 1 {
		dst = append(dst, '"')
	}
	for i, k := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(k), 10)
	}
	if len(list) > 1 {
		dst = append(dst, '"')
	}
	return dst
}

// AppendNames appends names.csv: kind, number and name, for whoever asks for it.
func (r *Result) AppendNames(dst []byte) []byte {
	n := &r.Names
	dst = append(dst, "kind,number,name\n"...)
	for _, list := range []struct {
		kind  string
		names []string
	}{{"user", n.Users}, {"group", n.Groups}, {"account", n.Accounts}, {"queue", n.Queues}, {"partition", n.Partitions}, {"qos", n.QOS}, {"job", n.Jobs}} {
		for i, name := range list.names {
			dst = append(append(dst, list.kind...), ',')
			dst = append(strconv.AppendInt(dst, int64(i)+1, 10), ',')
			dst = append(appendQuoted(dst, name), '\n')
		}
	}
	return dst
}

// appendQuoted writes a cell in quotes, each quote in it twice.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
