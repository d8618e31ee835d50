package swf

// Line is one line of a file, for showing.
type Line struct {
	Number int // from 1
	Text   string
}

// Lines returns line n of the file, from 1, with up to k lines before and
// after it, counted as Parse counts them. Text that is not UTF-8 is read as
// Latin-1. A line that does not exist gives none.
func Lines(data []byte, n, k int) []Line {
	if len(data) >= len(byteOrderMark) && string(data[:len(byteOrderMark)]) == byteOrderMark {
		data = data[len(byteOrderMark):]
	}
	var lines []Line
	for p, number := 0, 1; p < len(data) && number <= n+k; number++ {
		_, end, next := splitLine(data, p)
		if number >= n-k {
			lines = append(lines, Line{number, decode(data[p:end])})
		}
		p = next
	}
	if len(lines) == 0 || lines[len(lines)-1].Number < n || n < 1 {
		return nil
	}
	return lines
}
