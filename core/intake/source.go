package intake

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"batchlab/core/swf"
)

// source is what is left of a file that is read row by row, once, in UTF-8. Of what it
// gives nothing may be kept: the next row may take its place.
type source struct{ *swf.Window }

// sourceOf is a file without its mark of UTF-8; UTF-16, as some terminals write what a
// program prints, is turned into UTF-8.
func sourceOf(w *swf.Window) *source {
	w.Head(4)
	w.Data = bytes.TrimPrefix(w.Data, []byte("\ufeff"))
	if d := w.Data; len(d) < 2 || d[0]^d[1] != 0xff^0xfe || d[0] < 0xfe {
		return &source{w}
	}
	low := 0
	if w.Data[0] == 0xfe {
		low = 1 // the greater byte first
	}
	w.Data = w.Data[2:]
	return &source{swf.NewWindow(&wide{w, low}, w.Size/2)}
}

// text is all of a file as sourceOf gives it.
func text(data []byte) []byte { return sourceOf(swf.Whole(data)).All() }

// wide turns UTF-16 into UTF-8.
type wide struct {
	*swf.Window
	low int // place of the smaller byte of two
}

// Read implements io.Reader for four bytes or more at a time.
func (w *wide) Read(p []byte) (n int, err error) {
	unit := func(i int) rune { return rune(w.Data[i+w.low]) | rune(w.Data[i+1-w.low])<<8 }
	for len(p)-n >= utf8.UTFMax && len(w.Head(2)) == 2 {
		c, size := unit(0), 2
		if utf16.IsSurrogate(c) {
			if len(w.Head(4)) == 4 && utf16.DecodeRune(c, unit(2)) != utf8.RuneError {
				c, size = utf16.DecodeRune(c, unit(2)), 4
			} else {
				c = utf8.RuneError
			}
		}
		n += utf8.EncodeRune(p[n:], c)
		w.Data = w.Data[size:]
	}
	if n == 0 && len(p) >= utf8.UTFMax {
		if err = w.Err(); err == nil {
			err = io.EOF
		}
	}
	return n, err
}

// line cuts the next line off, without its end. ok: there is one.
func (s *source) line() (row []byte, ok bool) {
	i := bytes.IndexByte(s.Data, '\n')
	for i < 0 && s.More() {
		i = bytes.IndexByte(s.Data, '\n')
	}
	if i < 0 {
		if len(s.Data) == 0 {
			return nil, false
		}
		row, s.Data = line(s.Data)
		return row, true
	}
	row, s.Data = s.Data[:i], s.Data[i+1:]
	if i > 0 && row[i-1] == '\r' {
		row = row[:i-1]
	}
	return row, true
}

// isEmpty says whether nothing but blanks is left.
func (s *source) isEmpty() bool {
	for len(bytes.TrimSpace(s.Data)) == 0 {
		if !s.More() {
			return true
		}
	}
	return false
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
