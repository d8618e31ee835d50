//go:build js

// Package zone knows time zones as the browser does, daylight saving included.
package zone

import (
	"strings"
	"syscall/js"
)

var global = js.Global()

var zones = map[string]func(int64) int64{}

// Of returns the offset, in seconds, of a time zone from Greenwich by instant, kept by
// the hour; nil when the browser does not know the zone.
func Of(name string) func(int64) int64 {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil
	}
	if f, ok := zones[name]; ok {
		return f
	}
	format := formatter(name)
	if !format.Truthy() {
		zones[name] = nil
		return nil
	}
	known := map[int64]int64{}
	f := func(unix int64) int64 {
		// Clocks change at full hours, at most once in four weeks: ask where
		// four weeks begin and end, and by the hour only where these differ.
		ask := func(t int64) int64 {
			v, ok := known[t]
			if !ok {
				v = offsetAt(format, t)
				known[t] = v
			}
			return v
		}
		const weeks = 28 * 86400
		a := unix - ((unix%weeks)+weeks)%weeks
		if x, y := ask(a), ask(a+weeks); x == y {
			return x
		}
		return ask(unix - ((unix%3600)+3600)%3600)
	}
	zones[name] = f
	return f
}

// formatter returns an Intl.DateTimeFormat for a zone, or undefined when the
// browser refuses the name.
func formatter(name string) (v js.Value) {
	defer func() {
		if recover() != nil { // RangeError
			v = js.Undefined()
		}
	}()
	return global.Get("Intl").Get("DateTimeFormat").New("en-US", map[string]any{
		"timeZone": name, "hourCycle": "h23", "year": "numeric", "month": "numeric", "day": "numeric", "hour": "numeric", "minute": "numeric", "second": "numeric",
	})
}

// offsetAt reads "3/5/1996, 10:31:00".
func offsetAt(format js.Value, unix int64) int64 {
	var f [6]int64
	k := -1
	inside := false
	for _, r := range format.Call("format", float64(unix)*1000).String() {
		if r < '0' || r > '9' {
			inside = false
			continue
		}
		if !inside {
			inside = true
			if k++; k == len(f) {
				break
			}
		}
		f[k] = f[k]*10 + int64(r-'0')
	}
	local := global.Get("Date").Call("UTC", f[2], f[0]-1, f[1], f[3], f[4], f[5]).Float() / 1000
	return int64(local) - unix
}
