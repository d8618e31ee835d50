package swf

import "strconv"

// widths of the columns, so that logs line up as those of the archive do.
var widths = [Fields]int{5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2}

// Append appends the log as SWF text to dst and returns it: the header as it
// stands, then a line for each record, with the comments between them where
// they stood. Reading the result gives the same records again.
func (l *Log) Append(dst []byte) []byte {
	return l.lines(dst, func(dst []byte, i int) []byte { return l.Records[i].Append(dst) })
}

// lines appends header, comments, and line(dst, i) for each record.
func (l *Log) lines(dst []byte, line func(dst []byte, i int) []byte) []byte {
	start := len(dst)
	dst = append(dst, l.Header.Text...)
	comments := l.Comments
	for i := range l.Records {
		for len(comments) > 0 && comments[0].Before <= i {
			dst = append(endLineFrom(dst, start), comments[0].Text...)
			comments = comments[1:]
		}
		dst = line(endLineFrom(dst, start), i)
	}
	for _, c := range comments {
		dst = append(endLineFrom(dst, start), c.Text...)
	}
	return dst
}

// endLineFrom is endLine for the text that begins at start.
func endLineFrom(dst []byte, start int) []byte {
	if len(dst) == start {
		return dst
	}
	return endLine(dst)
}

// Append appends the record as one line, line end included.
func (r *Record) Append(dst []byte) []byte {
	var digits [20]byte
	for k, v := range r.Numbers() {
		s := strconv.AppendInt(digits[:0], v, 10)
		if k > 0 {
			dst = append(dst, ' ')
		}
		for n := len(s); n < widths[k]; n++ {
			dst = append(dst, ' ')
		}
		dst = append(dst, s...)
	}
	return append(dst, '\n')
}
