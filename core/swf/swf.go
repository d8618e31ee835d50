// Package swf reads and writes workload logs in the Standard Workload Format
// of the Parallel Workloads Archive, version 2.2: a header of lines that begin
// with a semicolon, then one job a line in 18 whitespace-separated numbers.
//
// Start at Parse, which takes the uncompressed bytes and returns a Log; Append
// writes one. Gunzip unpacks a .swf.gz. Parse refuses only files that are no
// logs at all (empty, binary, gzip, HTML, JSON, CSV); a damaged line is left
// out and reported with its place in Log.Problems. It cleans nothing: what a
// record means, and which jobs count, is decided in package workload. There
// −1, the format's "unknown", ends as well.
//
// # Reading
//
// core/swf/parse.go. The common line, 18 plain numbers within limits, is read in one
// sweep that looks at no byte twice. Everything else goes to readOdd, which alone
// decides what is right and words what is wrong; the fast path may be too strict, never
// too lenient. The plain parser in the tests must agree on every line. What stands
// behind the 18th field is odd, too: blanks, a remark after a semicolon, and the fields
// of the Alea simulator are fine; other fields are counted and not used; but where 17
// numbers follow that could be those of a job behind its number, a line end was lost,
// and the line is left out and named, so that no job disappears unsaid. A file of which
// no line can be read is named for what it looks like.
package swf

import "batchlab/core/report"

// Unknown is what a field holds when the log does not know.
const Unknown = -1

// Fields is the number of fields of a job line.
const Fields = 18

// Limits of what a line may hold. Beyond them it is a Problem.
const (
	MaxSubmit = 1 << 40   // seconds; Unix seconds of today are about 2^30.7
	MaxSpan   = 1<<31 - 1 // seconds of wait, run and requested time: 68 years
	MaxProcs  = 1<<31 - 1
	maxID     = 1<<31 - 1 // of users, groups, queues, …, either sign
	maxOther  = 1e18 - 1  // of memory, CPU time, job numbers, …, either sign
	maxKept   = 1000      // problems listed
	maxLines  = 5         // example lines of a Tally
	textBytes = 60        // of an offending text that are shown
)

// Record is one job line, with the format's own names. Fractions have been cut
// towards zero; −1 is unknown.
type Record struct {
	JobNumber          int64 // 1
	SubmitTime         int64 // 2: seconds, −1 … MaxSubmit
	AverageCPUTimeUsed int64 // 6: seconds
	UsedMemory         int64 // 7: kilobytes per processor by the standard; not used here
	RequestedMemory    int64 // 10: as field 7
	PrecedingJobNumber int64 // 17
	ThinkTime          int64 // 18: seconds

	WaitTime            int32 // 3: seconds, −1 … MaxSpan
	RunTime             int32 // 4: seconds, −1 … MaxSpan
	AllocatedProcessors int32 // 5: −1 … MaxProcs
	RequestedProcessors int32 // 8: −1 … MaxProcs
	RequestedTime       int32 // 9: seconds, −1 … MaxSpan
	Status              int32 // 11: 0 failed, 1 completed, 2–4 partial executions, 5 cancelled
	UserID              int32 // 12
	GroupID             int32 // 13
	ExecutableNumber    int32 // 14
	QueueNumber         int32 // 15
	PartitionNumber     int32 // 16

	Line int32 // where it stood, from 1; 0 when it was not read from a file
}

// Log is a workload log.
type Log struct {
	Header   Header
	Records  []Record  // in the order of the file
	Comments []Comment // lines with a semicolon that stand after the first job line

	Problems  []report.Problem // the first 1,000 lines that could not be read
	Malformed int              // all of them

	ExtraFields Tally // lines with more than 18 fields, of which the first 18 were read
	Unsorted    Tally // records submitted before the record above them

	// Import says how a file that is no log was understood, of which this log was
	// made; nil for a log.
	Import *report.Import
	// Table is that of such a file that is a table, and Names what numbers of the log
	// stand for; both stay in the memory of whoever reads it, and may be nil.
	Table *report.Table
	Names *Names

	// Alea holds what lines of the extended format say, parallel to Records; nil
	// for a log that has none. Such lines do not count as ExtraFields.
	Alea []Alea

	// Extra holds what stands beside the records, parallel to them: what the format
	// has no field for. Nil where nothing does.
	Extra []Extra

	texts map[string]string // of Alea, each once
	last  int64             // submit time of the record that was read last
	taken int               // records that ReadEach has handed on
}

// Comment is a run of comment lines between jobs or after the last one.
type Comment struct {
	Before int    // it stands before Records[Before]
	Text   []byte // as it stands, line ends included
}

// Tally counts lines and remembers the first few.
type Tally struct {
	Count int
	Lines []int // from 1, at most 5
}

func (t *Tally) add(line int32) {
	t.Count++
	if len(t.Lines) < maxLines {
		t.Lines = append(t.Lines, int(line))
	}
}

// Lines is the number of lines that should have been jobs.
func (l *Log) Lines() int { return l.taken + len(l.Records) + l.Malformed }

var fieldNames = [Fields]string{
	"job number", "submit time", "wait time", "run time", "allocated processors",
	"average CPU time used", "used memory", "requested processors", "requested time",
	"requested memory", "status", "user id", "group id", "executable number",
	"queue number", "partition number", "preceding job number", "think time",
}

// set fills the record from the 18 numbers of a line, which are within limits.
func (r *Record) set(f *[Fields]int64, line int32) {
	r.JobNumber = f[0]
	r.SubmitTime = f[1]
	r.WaitTime = int32(f[2])
	r.RunTime = int32(f[3])
	r.AllocatedProcessors = int32(f[4])
	r.AverageCPUTimeUsed = f[5]
	r.UsedMemory = f[6]
	r.RequestedProcessors = int32(f[7])
	r.RequestedTime = int32(f[8])
	r.RequestedMemory = f[9]
	r.Status = int32(f[10])
	r.UserID = int32(f[11])
	r.GroupID = int32(f[12])
	r.ExecutableNumber = int32(f[13])
	r.QueueNumber = int32(f[14])
	r.PartitionNumber = int32(f[15])
	r.PrecedingJobNumber = f[16]
	r.ThinkTime = f[17]
	r.Line = line
}

// Numbers returns the 18 fields in the order of the format.
func (r *Record) Numbers() [Fields]int64 {
	return [Fields]int64{
		r.JobNumber, r.SubmitTime, int64(r.WaitTime), int64(r.RunTime), int64(r.AllocatedProcessors),
		r.AverageCPUTimeUsed, r.UsedMemory, int64(r.RequestedProcessors), int64(r.RequestedTime),
		r.RequestedMemory, int64(r.Status), int64(r.UserID), int64(r.GroupID), int64(r.ExecutableNumber),
		int64(r.QueueNumber), int64(r.PartitionNumber), r.PrecedingJobNumber, r.ThinkTime,
	}
}
