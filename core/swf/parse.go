package swf

import "bytes"

// Parse reads a log from the uncompressed bytes of an SWF file. It keeps no
// reference to data. The error is not nil only when the file is no workload
// log at all; it says what the file looks like instead. Lines that cannot be
// read are left out and listed in Log.Problems.
//
// Line ends may be LF, CRLF or CR. A byte order mark is passed over.
func Parse(data []byte) (*Log, error) { return Read(Whole(data)) }

// Read is Parse of a file that comes in pieces: the log is the same whatever these
// are. Besides, its error may be that of the pieces.
func Read(w *Window) (*Log, error) { return read(w, nil) }

// ReadEach is Read for who needs no record twice: each gets the log with the records of
// one piece, which are gone when it returns, and how many lines the file may have. The log
// that is returned has neither records nor what stands beside or between them.
func ReadEach(w *Window, each func(l *Log, lines int)) (*Log, error) { return read(w, each) }

func read(w *Window, each func(l *Log, lines int)) (*Log, error) {
	if err := recognise(w.Head(headBytes)); err != nil {
		return nil, err
	}
	w.Data = bytes.TrimPrefix(w.Data, []byte(byteOrderMark))
	l := &Log{last: -1 << 62}
	p, line := l.readHeader(w)
	lines := estimate(w.Data[p:], max(int(w.Size), len(w.Data))-p)
	if each == nil {
		l.Records = make([]Record, 0, lines)
	}
	_, end, _ := splitLine(w.Data, p)
	first := bytes.Clone(w.Data[p:end])
	for len(w.Data) > 0 || w.More() {
		n := w.lines()
		line = l.readJobs(w.Data[:n], p, line)
		w.Data, p = w.Data[n:], 0
		if each != nil {
			each(l, lines)
			l.taken += len(l.Records)
			l.Records, l.Alea, l.Comments = l.Records[:0], l.Alea[:0], nil
		}
	}
	if w.Err() != nil {
		return nil, w.Err()
	}
	for len(l.Alea) > 0 && len(l.Alea) < len(l.Records) {
		l.Alea = append(l.Alea, Alea{})
	}
	l.texts = nil
	if l.Lines() == l.Malformed {
		if err := l.notALog(first); err != nil {
			return nil, err
		}
	}
	return l, nil
}

const byteOrderMark = "\xef\xbb\xbf"

// headBytes is how much of a file it is recognised by.
const headBytes = 64 << 10

// estimate returns how many job lines to make room for in so many bytes, from the length
// of the first lines. No line is shorter than 18 digits and as many separators.
func estimate(rest []byte, size int) int {
	sample := rest[:min(len(rest), 32<<10)]
	lines := bytes.Count(sample, []byte{'\n'})
	if lines == 0 {
		lines = 1 + bytes.Count(sample, []byte{'\r'})
	}
	n := int(float64(size) / float64(len(sample)+1) * float64(lines))
	return min(n+n/16+16, size/(2*Fields)+1)
}

// readHeader takes the lines before the first job line and returns where and
// at which line number that one begins.
func (l *Log) readHeader(w *Window) (p int, line int32) {
	for begun := false; !begun; {
		n := w.lines()
		for p, line = 0, 1; p < n; line++ {
			first, end, next := splitLine(w.Data[:n], p)
			if begun = first < end && w.Data[first] != ';'; begun {
				break
			}
			p = next
		}
		begun = begun || !w.More()
	}
	l.Header.Text = bytes.Clone(w.Data[:p])
	l.Header.parse()
	return p, line
}

// readJobs reads all lines from p on, the first of which has a number, and returns the
// number of the line behind them. The common line, 18 plain numbers within
// limits, is read here without looking at a byte twice; every other one goes
// to readOdd, which alone decides what is right.
func (l *Log) readJobs(data []byte, p int, line int32) int32 {
	var f [Fields]int64
	records := l.Records
	last := l.last
lines:
	for ; p < len(data); line++ {
		begin := p
		for k := range f {
			for p < len(data) && (data[p] == ' ' || data[p] == '\t') {
				p++
			}
			sign := int64(0)
			if p < len(data) && data[p] == '-' {
				sign = -1
				p++
			}
			digits := p
			v := int64(0)
			for p < len(data) {
				d := data[p] - '0'
				if d > 9 {
					break
				}
				v = v*10 + int64(d)
				p++
			}
			if uint(p-digits-1) >= 18 { // none, or more than an int64 surely holds
				p, records, last = l.readOdd(data, begin, line, records, last)
				continue lines
			}
			if p < len(data) && data[p] > ' ' {
				if data[p] == '.' { // the fraction is cut off
					for p++; p < len(data) && data[p]-'0' <= 9; p++ {
					}
				}
				if p < len(data) && data[p] > ' ' {
					p, records, last = l.readOdd(data, begin, line, records, last)
					continue lines
				}
			}
			f[k] = (v ^ sign) - sign
		}
		if !common(&f) {
			p, records, last = l.readOdd(data, begin, line, records, last)
			continue
		}
		for p < len(data) && blank(data[p]) {
			p++
		}
		if p < len(data) && data[p] != '\n' && data[p] != '\r' { // something stands behind field 18
			p, records, last = l.readOdd(data, begin, line, records, last)
			continue
		}
		if p < len(data) {
			if data[p] == '\r' && p+1 < len(data) && data[p+1] == '\n' {
				p++
			}
			p++
		}
		if f[1] < last {
			l.Unsorted.add(line)
		}
		last = f[1]
		records = append(records, Record{})
		records[len(records)-1].set(&f, line)
	}
	l.Records, l.last = records, last
	return line
}

// common tells whether the numbers of a line are within limits, by a test that
// is a little too strict at the edges (readOdd knows the true limits).
func common(f *[Fields]int64) bool {
	const near = 1 << 30
	spans := uint64(f[2]+1) | uint64(f[3]+1) | uint64(f[4]+1) | uint64(f[7]+1) | uint64(f[8]+1)
	ids := uint64(f[10]+near) | uint64(f[11]+near) | uint64(f[12]+near) |
		uint64(f[13]+near) | uint64(f[14]+near) | uint64(f[15]+near)
	return uint64(f[1]+1) <= MaxSubmit && (spans|ids)>>31 == 0
}

// readOdd reads the line that begins at p if it is anything but 18 plain
// numbers: blank, a comment, or a line with something to complain about.
func (l *Log) readOdd(data []byte, p int, line int32, records []Record, last int64) (int, []Record, int64) {
	first, end, next := splitLine(data, p)
	switch {
	case first == end:
	case data[first] == ';':
		l.comment(len(records), data[p:next])
	default:
		var f [Fields]int64
		wanted := l.Malformed < maxKept
		n, problem := readFields(data[first:end], &f, wanted)
		if problem == nil && n > Fields {
			problem = l.behind(len(records), afterFields(data[first:end]), line, n, wanted)
		}
		if problem != nil {
			l.Malformed++
			if len(l.Problems) < maxKept {
				problem.Line = int(line)
				l.Problems = append(l.Problems, *problem)
			}
			break
		}
		if f[1] < last {
			l.Unsorted.add(line)
		}
		last = f[1]
		records = append(records, Record{})
		records[len(records)-1].set(&f, line)
	}
	return next, records, last
}

// afterFields returns what stands behind the 18th field of a line.
func afterFields(line []byte) []byte {
	for range Fields {
		line = bytes.TrimLeft(line, " \t\v\f")
		line = line[max(0, bytes.IndexAny(line, " \t\v\f")):]
	}
	return line
}

// comment keeps a comment line that stands before record number before.
func (l *Log) comment(before int, text []byte) {
	if n := len(l.Comments); n > 0 && l.Comments[n-1].Before == before {
		l.Comments[n-1].Text = append(l.Comments[n-1].Text, text...)
		return
	}
	l.Comments = append(l.Comments, Comment{before, bytes.Clone(text)})
}

// splitLine looks at the line that begins at p: its first byte that is not
// blank, its end without the line end (first == end for a blank line), and
// where the next line begins.
func splitLine(data []byte, p int) (first, end, next int) {
	first = p
	for first < len(data) && blank(data[first]) {
		first++
	}
	end = first
	for end < len(data) && data[end] != '\n' && data[end] != '\r' {
		end++
	}
	next = end
	if next < len(data) {
		if data[next] == '\r' && next+1 < len(data) && data[next+1] == '\n' {
			next++
		}
		next++
	}
	return first, end, next
}

// blank tells whether c separates fields within a line.
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }
