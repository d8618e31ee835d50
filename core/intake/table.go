package intake

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// setter takes the text of one cell into a job. false: it cannot be read.
type setter func(b *builder, j *job, cell []byte) bool

// column says what a column of a table holds.
type column struct {
	name string // as the header has it, for messages
	what string // "submission time"
	set  setter
	free bool // free text, in which a separator may stand
}

// table is a file of rows whose first line names the columns.
type table struct {
	separator byte
	quotes    bool // cells may stand in quotes, as in RFC 4180
	columns   []column
	taken     []int // columns that something is taken of, ascending
	// done completes a job of which all cells have been read, and says whether it
	// is one; nil takes all.
	done func(b *builder, j *job) bool
	// sure says whether cells were put in the right columns; only asked where a row
	// has too many.
	sure func(cells [][]byte) bool
	// again returns the table that goes on below a row that is a header itself, since
	// files were put together; nil where it is none. A row equal to header is one, too.
	again  func(row []byte) *table
	header []byte
}

// cells splits a row into dst. A cell in quotes is unpacked in place. open says that
// a quote was not closed.
func cells(row []byte, separator byte, quotes bool, dst [][]byte) (list [][]byte, open bool) {
	dst = dst[:0]
	if !quotes || bytes.IndexByte(row, '"') < 0 {
		return split(row, separator, dst), false
	}
	for {
		if len(row) > 0 && row[0] == '"' {
			var cell []byte
			rest := row[1:]
			for {
				i := bytes.IndexByte(rest, '"')
				if i < 0 {
					return append(dst, append(cell, rest...)), true
				}
				cell = append(cell, rest[:i]...)
				if rest = rest[i+1:]; len(rest) == 0 || rest[0] != '"' {
					break
				}
				cell, rest = append(cell, '"'), rest[1:]
			}
			dst = append(dst, cell)
			i := bytes.IndexByte(rest, separator)
			if i < 0 {
				return dst, false
			}
			row = rest[i+1:]
			continue
		}
		i := bytes.IndexByte(row, separator)
		if i < 0 {
			return append(dst, row), false
		}
		dst = append(dst, row[:i])
		row = row[i+1:]
	}
}

// split is bytes.Split into dst by one byte, eight bytes at a time: cells are short.
func split(row []byte, separator byte, dst [][]byte) [][]byte {
	const ones, most = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	pattern, begins, at := ones*uint64(separator), 0, 0
	for ; at+8 <= len(row); at += 8 {
		w := binary.LittleEndian.Uint64(row[at:]) ^ pattern
		for found := ^((w&most + most) | w | most); found != 0; found &= found - 1 {
			i := at + bits.TrailingZeros64(found)>>3
			dst = append(dst, row[begins:i])
			begins = i + 1
		}
	}
	for ; at < len(row); at++ {
		if row[at] == separator {
			dst = append(dst, row[begins:at])
			begins = at + 1
		}
	}
	return append(dst, row[begins:])
}

// line cuts the first line off, without its end.
func line(data []byte) (first, rest []byte) {
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return bytes.TrimSuffix(data, []byte("\r")), nil
	}
	return bytes.TrimSuffix(data[:i], []byte("\r")), data[i+1:]
}

// headOf returns the columns' names of the first line that is not empty, and that line.
func headOf(s *source, separator byte) (names []string, lines int, header []byte) {
	for {
		first, ok := s.line()
		if !ok {
			return nil, lines, nil
		}
		lines++
		if !isBlank(first) {
			return namesOf(first, separator), lines, bytes.Clone(first)
		}
	}
}

// namesOf are the columns' names of a header.
func namesOf(header []byte, separator byte) (names []string) {
	list, _ := cells(header, separator, true, nil)
	for _, c := range list {
		names = append(names, strings.TrimSpace(string(c)))
	}
	return names
}

// read hands every row to the builder. The file goes on after the header, which had so
// many lines.
func (t *table) read(b *builder, s *source, lines int) error {
	var list [][]byte
	for at := lines + 1; ; at++ {
		row, more := s.line()
		if !more {
			return nil
		}
		if isBlank(row) {
			continue
		}
		if len(row) == len(t.header) && bytes.Equal(row, t.header) {
			continue
		}
		if t.again != nil && row[0]-'0' > 9 && bytes.Contains(row, jobID) {
			if next := t.again(row); next != nil {
				next.again, t = t.again, next
				continue
			}
		}
		var open bool
		first := at
		list, open = cells(row, t.separator, t.quotes, list)
		if open {
			row = bytes.Clone(row)
			list, _ = cells(row, t.separator, t.quotes, list)
		}
		for more := 0; open && more < 100; more++ { // a cell of several lines
			next, ok := s.line()
			if !ok {
				break
			}
			row = append(append(row, '\n'), next...)
			list, open = cells(row, t.separator, t.quotes, list)
			at++
		}
		t.row(b, list, first)
	}
}

// jobID stands in every header of sacct.
var jobID = []byte("JobID")

// row takes one row.
func (t *table) row(b *builder, list [][]byte, at int) {
	if len(list) > len(t.columns) {
		if list = t.realign(list); list == nil {
			b.problem(at, "", "", "has more cells than the header has columns, and it cannot be told where free text holds the separator")
			return
		}
		b.saw.realigned.add(at)
	}
	if len(list) < len(t.columns) {
		b.problem(at, "", "", fmt.Sprintf("has %d cells where the header has %d columns: it may be cut off", len(list), len(t.columns)))
		return
	}
	if t.taken == nil {
		for i := range t.columns {
			if t.columns[i].set != nil {
				t.taken = append(t.taken, i)
			}
		}
	}
	j := b.fresh(at)
	for _, i := range t.taken {
		if c := &t.columns[i]; !c.set(b, j, list[i]) {
			b.problem(at, c.name, string(list[i]), "is no "+c.what)
			b.beside(t, list, i)
			return
		}
	}
	if t.done == nil || t.done(b, j) {
		b.add(j)
	}
}

// beside notes what stands beside the cell that the last problem is about: up to two
// cells on each side that are numbers or times, which name nobody.
func (b *builder) beside(t *table, list [][]byte, i int) {
	if b.log.Malformed > len(b.log.Problems) {
		return // it was not listed
	}
	p := &b.log.Problems[len(b.log.Problems)-1]
	sep := string(t.separator)
	tells := func(k int) bool {
		if k < 0 || k >= len(list) || len(list[k]) > 30 || len(bytes.Trim(list[k], "0123456789:-T. ")) > 0 {
			return false
		}
		what := t.columns[k].what
		return what == "time" || what == "duration" || strings.HasPrefix(what, "number of")
	}
	from, to := i, i
	for ; i-from < 2 && tells(from-1); from-- {
		p.Before = string(list[from-1]) + sep + p.Before
	}
	for ; to-i < 2 && tells(to+1); to++ {
		p.After += sep + string(list[to+1])
	}
	if from > 0 {
		p.Before = "…" + sep + p.Before
	}
	if to+1 < len(list) {
		p.After += sep + "…"
	}
}

// realign puts the cells of a row with too many of them into their columns: a
// separator stands in one of the cells of free text. nil where that cannot be told.
func (t *table) realign(list [][]byte) [][]byte {
	extra := len(list) - len(t.columns)
	if t.sure == nil || t.quotes {
		return nil
	}
	var only [][]byte
	for i := len(t.columns) - 1; i >= 0; i-- {
		if !t.columns[i].free {
			continue
		}
		joined := append(append([][]byte{}, list[:i]...), bytes.Join(list[i:i+extra+1], []byte{t.separator}))
		if joined = append(joined, list[i+extra+1:]...); t.sure(joined) {
			return joined
		}
	}
	return only
}

// The setters that tables share.

func setTime(field func(*job) *int64) setter {
	return func(b *builder, j *job, cell []byte) (ok bool) {
		*field(j), ok = b.stamp(cell)
		return ok
	}
}

func setDuration(field func(*job) *int64) setter {
	return func(_ *builder, j *job, cell []byte) (ok bool) {
		if isAbsent(trim(cell)) {
			return true
		}
		*field(j), ok = duration(cell)
		return ok
	}
}

func setName(field func(*job) *[]byte) setter {
	return func(_ *builder, j *job, cell []byte) bool {
		*field(j) = trim(cell)
		return true
	}
}

func submitOf(j *job) *int64     { return &j.submit }
func eligibleOf(j *job) *int64   { return &j.eligible }
func startOf(j *job) *int64      { return &j.start }
func endOf(j *job) *int64        { return &j.end }
func runOf(j *job) *int64        { return &j.run }
func limitOf(j *job) *int64      { return &j.limit }
func procsOf(j *job) *int64      { return &j.procs }
func askedOf(j *job) *int64      { return &j.asked }
func nodesOf(j *job) *int64      { return &j.nodes }
func gpusOf(j *job) *int64       { return &j.gpus }
func userOf(j *job) *[]byte      { return &j.user }
func groupOf(j *job) *[]byte     { return &j.group }
func accountOf(j *job) *[]byte   { return &j.account }
func qosOf(j *job) *[]byte       { return &j.qos }
func partitionOf(j *job) *[]byte { return &j.partition }
func queueOf(j *job) *[]byte     { return &j.queue }
func nameOf(j *job) *[]byte      { return &j.name }

// setID takes the job's own name; one that is a number keeps it.
func setID(_ *builder, j *job, cell []byte) bool {
	cell = trim(cell)
	j.id = cell
	if n, rest, ok := number(cell); ok && len(rest) == 0 {
		j.raw = n
	}
	return true
}

// setState takes a state in the words of Slurm and of tables that use them.
func setState(b *builder, j *job, cell []byte) bool {
	if len(cell) >= len(b.state) {
		readState(b, j, cell)
		return true
	}
	last := &b.state[len(cell)]
	if last.word != "" && last.word == string(cell) {
		j.state = last.state
		return true
	}
	unknown := b.saw.unknownState.count
	readState(b, j, cell)
	if unknown == b.saw.unknownState.count { // which is said of each row
		last.word, last.state = string(cell), j.state
	}
	return true
}

func readState(b *builder, j *job, cell []byte) {
	if s, ok := states[string(cell)]; ok {
		j.state = s
		return
	}
	word := bytes.TrimSpace(cell)
	if i := bytes.IndexByte(word, ' '); i >= 0 {
		word = word[:i] // "CANCELLED by 1001"
	}
	cut := bytes.HasSuffix(word, []byte("+")) // a narrow column cuts words off
	word = bytes.ToUpper(bytes.TrimSuffix(word, []byte("+")))
	s, ok := states[string(word)]
	if !ok && cut && len(word) >= 5 {
		for _, long := range []string{"OUT_OF_MEMORY", "REQUEUE_HOLD", "RESV_DEL_HOLD", "LAUNCH_FAILED", "RECONFIG_FAIL", "SPECIAL_EXIT", "CONFIGURING", "COMPLETING"} {
			if strings.HasPrefix(long, string(word)) {
				s, ok = states[long], true
			}
		}
	}
	switch {
	case ok:
		j.state = s
	case !isAbsent(word):
		b.saw.unknownState.add(j.line)
	}
}

var states = map[string]stateClass{
	"COMPLETED": ended, "CD": ended, "DONE": ended, "PASS": ended, "SUCCEEDED": ended, "SUCCESS": ended, "FINISHED": ended, "TERMINATED": ended,
	"FAILED": failed, "F": failed, "TIMEOUT": failed, "TO": failed, "OUT_OF_MEMORY": failed, "OOM": failed, "NODE_FAIL": failed, "NF": failed,
	"BOOT_FAIL": failed, "BF": failed, "DEADLINE": failed, "DL": failed, "EXIT": failed, "ERROR": failed, "REVOKED": failed, "LAUNCH_FAILED": failed, "RECONFIG_FAIL": failed,
	"CANCELLED": cancelled, "CA": cancelled, "KILLED": cancelled, "CANCELED": cancelled, "ABORTED": cancelled,
	"PREEMPTED": requeued, "PR": requeued, "REQUEUED": requeued, "REQUEUE": requeued, "RQ": requeued, "REQUEUE_HOLD": waiting, "REQUEUE_FED": waiting, "SPECIAL_EXIT": requeued,
	"RUNNING": running, "R": running, "COMPLETING": running, "CG": running, "SUSPENDED": running, "S": running, "STOPPED": running, "SIGNALING": running, "STAGE_OUT": running, "RESIZING": running,
	"PENDING": waiting, "PD": waiting, "CONFIGURING": waiting, "CF": waiting, "QUEUED": waiting, "HELD": waiting, "RESV_DEL_HOLD": waiting,
}
