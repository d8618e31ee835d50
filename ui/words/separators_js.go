//go:build js

package words

import (
	"strings"
	"syscall/js"
)

// Separators asks the browser how its reader writes numbers.
func Separators() (thousands, decimal string) {
	parts := js.Global().Get("Intl").Get("NumberFormat").New().Call("formatToParts", 1234567.5)
	for i := range parts.Length() {
		switch p := parts.Index(i); p.Get("type").String() {
		case "group":
			thousands = p.Get("value").String()
		case "decimal":
			decimal = p.Get("value").String()
		}
	}
	// Digits are written as 0 to 9 everywhere on the page; a style that has
	// other signs is not mixed with them.
	if strings.ContainsAny(decimal, ".,") && len(decimal) == 1 {
		if strings.TrimSpace(thousands) == "" {
			thousands = "\u00a0"
		}
		return thousands, decimal
	}
	return ",", "."
}
