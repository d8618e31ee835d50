// Package qr makes QR codes (ISO/IEC 18004, model 2, error correction level L) of
// texts up to 2,953 bytes as paths of SVG.
package qr

import (
	"errors"
	"image"
	"strconv"
	"strings"

	library "github.com/boombuler/barcode/qr"
)

// MaxBytes is the length of the longest text.
const MaxBytes = 2953

// ErrTooLong says that a text does not fit into any QR code.
var ErrTooLong = errors.New("qr: more than 2,953 bytes")

// Code is a QR code: Size × Size modules, without the quiet zone of four
// modules that belongs around it.
type Code struct {
	Size int
	of   image.Image
}

// Encode returns the smallest code of a text.
func Encode(text string) (*Code, error) {
	if len(text) > MaxBytes {
		return nil, ErrTooLong
	}
	code, err := library.Encode(text, library.L, library.Unicode)
	if err != nil {
		return nil, err
	}
	return &Code{code.Bounds().Dx(), code}, nil
}

// Dark reports whether the module in column x and row y is dark; outside the
// code none is.
func (c *Code) Dark(x, y int) bool {
	if x < 0 || y < 0 || x >= c.Size || y >= c.Size {
		return false
	}
	r, _, _, _ := c.of.At(x, y).RGBA()
	return r == 0
}

// Path returns the dark modules as an SVG path of unit squares, row by row.
func (c *Code) Path() string {
	var b strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for c.Dark(x, y) {
				x++
			}
			if x > from {
				b.WriteString("M" + strconv.Itoa(from) + " " + strconv.Itoa(y) + "h" + strconv.Itoa(x-from) + "v1h-" + strconv.Itoa(x-from) + "z")
			}
		}
	}
	return b.String()
}
