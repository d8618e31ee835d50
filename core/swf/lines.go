package swf

import "bytes"

// Line is one line of a file, for showing.
type Line struct {
	Number int // from 1
	Text   string
}

// Lines returns line n of the file, from 1, with up to k lines before and
// after it, counted as Parse counts them. Text that is not UTF-8 is read as
// Latin-1. A line that does not exist gives none.
func Lines(data []byte, n, k int) []Line { return LinesOf(Whole(data), n, k) }

// LinesOf is Lines of a file that comes in pieces, which it takes no further than the
// last of the lines.
func LinesOf(w *Window, n, k int) []Line {
	w.Head(len(byteOrderMark))
	w.Data = bytes.TrimPrefix(w.Data, []byte(byteOrderMark))
	var lines []Line
	for number := 1; (len(w.Data) > 0 || w.More()) && number <= n+k; {
		data := w.Data[:w.lines()]
		p := 0
		for ; p < len(data) && number <= n+k; number++ {
			_, end, next := splitLine(data, p)
			if number >= n-k {
				lines = append(lines, Line{number, decode(data[p:end])})
			}
			p = next
		}
		w.Data = w.Data[p:]
	}
	if len(lines) == 0 || lines[len(lines)-1].Number < n || n < 1 {
		return nil
	}
	return lines
}
