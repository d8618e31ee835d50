package worker

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/swf"
)

// maxKept is how many bytes of text the logs have together that a worker keeps; one
// that is larger is kept alone.
const maxKept = 32 << 20

// logs are the logs that a worker has read, the one used last in front. There is
// more than one so that an experiment whose points go from log to log and back
// reads each of them once.
type logs []keptLog

type keptLog struct {
	hash string // of its text
	size int    // bytes of text
	log  *swf.Log
}

// readAs is by what a log is kept: the hash of its text, and how that is read.
func readAs(hash string, how experiment.Log) string {
	how.Name, how.SHA256, how.Size = "", "", 0
	if how == (experiment.Log{}) {
		return hash
	}
	return fmt.Sprintf("%s %s %s %q", hash, how.Format, how.Zone, how.Columns)
}

// find returns a log by the hash of its text, nil when it is not kept.
func (l logs) find(hash string) *swf.Log {
	for i, one := range l {
		if one.hash == hash {
			copy(l[1:i+1], l[:i])
			l[0] = one
			return one.log
		}
	}
	return nil
}

// last returns the log that was read or found last, nil when there is none.
func (l logs) last() *swf.Log {
	if len(l) == 0 {
		return nil
	}
	return l[0].log
}

// room makes room for a log of so many bytes of text: of the others those stay
// that were used last and together with it are not too much.
func (l *logs) room(size int) {
	n := 0
	for n < len(*l) && size+(*l)[n].size <= maxKept {
		size += (*l)[n].size
		n++
	}
	clear((*l)[n:])
	*l = (*l)[:n]
}

// add keeps a log for which there is room.
func (l *logs) add(hash string, size int, log *swf.Log) {
	*l = append(logs{{hash, size, log}}, *l...)
}
