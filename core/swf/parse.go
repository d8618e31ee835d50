package swf

import "bytes"

// Parse reads a log from the uncompressed bytes of an SWF file. It keeps no
// reference to data. The error is not nil only when the file is no workload
// log at all; it says what the file looks like instead. Lines that cannot be
// read are left out and listed in Log.Problems.
//
// Line ends may be LF, CRLF or CR. A byte order mark is passed over.
func Parse(data []byte) (*Log, error) {
	if err := recognise(data); err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	l := new(Log)
	p, line := l.readHeader(data)
	l.Records = make([]Record, 0, estimate(data[p:]))
	l.readJobs(data, p, line)
	if len(l.Records) == 0 && l.Malformed > 0 {
		if err := l.notALog(data); err != nil {
			return nil, err
		}
	}
	return l, nil
}

const byteOrderMark = "\xef\xbb\xbf"

// estimate returns how many job lines to make room for, from the length of
// the first lines. No line is shorter than 18 digits and as many separators.
func estimate(rest []byte) int {
	sample := rest[:min(len(rest), 32<<10)]
	lines := bytes.Count(sample, []byte{'\n'})
	if lines == 0 {
		lines = 1 + bytes.Count(sample, []byte{'\r'})
	}
	n := int(float64(len(rest)) / float64(len(sample)+1) * float64(lines))
	return min(n+n/16+16, len(rest)/(2*Fields)+1)
}

// readHeader takes the lines before the first job line and returns where and
// at which line number that one begins.
func (l *Log) readHeader(data []byte) (p int, line int32) {
	line = 1
	for p < len(data) {
		first, end, next := splitLine(data, p)
		if first < end && data[first] != ';' {
			break
		}
		p, line = next, line+1
	}
	l.Header.Text = bytes.Clone(data[:p])
	l.Header.parse()
	return p, line
}

// readJobs reads all lines from p on. The common line, 18 plain numbers within
// limits, is read here without looking at a byte twice; every other one goes
// to readOdd, which alone decides what is right.
func (l *Log) readJobs(data []byte, p int, line int32) {
	var f [Fields]int64
	records := l.Records
	last := int64(-1 << 62) // submit time of the record before
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
	l.Records = records
	for len(l.Alea) > 0 && len(l.Alea) < len(records) {
		l.Alea = append(l.Alea, Alea{})
	}
	l.texts = nil
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
