package experiment

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"batchlab/core/order"
)

// appendCanonical appends a tree in the canonical form of RFC 8785 (JSON
// Canonicalization Scheme): no white space, keys in order of their UTF-16 code
// units, numbers as ECMAScript writes them.
func appendCanonical(dst []byte, n *node) []byte {
	switch n.kind {
	case nullKind:
		return append(dst, "null"...)
	case boolKind:
		return strconv.AppendBool(dst, n.truth)
	case numberKind:
		v, err := strconv.ParseFloat(n.text, 64)
		if err != nil {
			return append(dst, "null"...) // not finite: no valid document holds it
		}
		return appendNumber(dst, v)
	case textKind:
		return appendString(dst, n.text)
	case arrayKind:
		dst = append(dst, '[')
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCanonical(dst, item)
		}
		return append(dst, ']')
	}
	sorted := make([]int, len(n.keys))
	for i := range sorted {
		sorted[i] = i
	}
	order.Sort(sorted, func(a, b int) int { return compareUTF16(n.keys[a], n.keys[b]) })
	dst = append(dst, '{')
	for i, at := range sorted {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, n.keys[at])
		dst = append(dst, ':')
		dst = appendCanonical(dst, n.items[at])
	}
	return append(dst, '}')
}

// compareUTF16 compares by UTF-16 code units, which differs from the order of
// bytes above U+FFFF.
func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// appendString appends a JSON string with no more escapes than JSON demands.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= 0x20:
			dst = append(dst, c)
		default:
			if short := strings.IndexByte("\b\t\n\f\r", c); short >= 0 {
				dst = append(dst, '\\', "btnfr"[short])
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
	}
	return append(dst, '"')
}

// appendNumber appends v as ECMAScript's Number::toString writes it: the
// fewest digits that give v back, plain from 1e-6 up to 1e21, else with an
// exponent. Minus zero is 0. v must be finite; else null is appended.
func appendNumber(dst []byte, v float64) []byte {
	switch abs := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(dst, "null"...)
	case v == 0:
		return append(dst, '0')
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	// Go writes at least two digits of exponent, ECMAScript as many as needed.
	if e := start + strings.IndexByte(string(dst[start:]), 'e'); e+3 < len(dst) && dst[e+2] == '0' {
		dst = append(dst[:e+2], dst[e+3:]...)
	}
	return dst
}
