package intake

import (
	"bytes"
	"encoding/binary"
)

// source is what is left of a file that is read row by row, once.
type source struct{ rest []byte }

// line cuts the next line off, without its end. ok: there is one.
func (s *source) line() (row []byte, ok bool) {
	i := bytes.IndexByte(s.rest, '\n')
	if i < 0 {
		if len(s.rest) == 0 {
			return nil, false
		}
		row, s.rest = line(s.rest)
		return row, true
	}
	row, s.rest = s.rest[:i], s.rest[i+1:]
	if i > 0 && row[i-1] == '\r' {
		row = row[:i-1]
	}
	return row, true
}

// isBlank says whether nothing stands in a row.
func isBlank(row []byte) bool {
	return len(row) == 0 || (row[0] <= ' ' || row[0] >= 0x80) && len(bytes.TrimSpace(row)) == 0
}

// spaced is a text with single blanks between its words, or the text itself if nothing
// in it parts words but blanks.
func spaced(text []byte) []byte {
	s := text
	for ; len(s) >= 8; s = s[8:] {
		w := binary.LittleEndian.Uint64(s)
		if below := w - 0x2020202020202020; (w|below)&0x8080808080808080 != 0 { // less than a blank, or no ASCII
			return bytes.Join(bytes.Fields(text), []byte(" "))
		}
	}
	for _, c := range s {
		if c < ' ' || c >= 0x80 {
			return bytes.Join(bytes.Fields(text), []byte(" "))
		}
	}
	return text
}

// cut is bytes.Cut by one byte.
func cut(s []byte, at byte) (before, after []byte) {
	if i := bytes.IndexByte(s, at); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, nil
}
