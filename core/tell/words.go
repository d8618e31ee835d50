package tell

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/model"
)

// Words say times and spans for people. The zero value says a time as clock time
// from midnight and a span in its two largest units.
type Words struct {
	Time func(model.Time) string
	Span func(seconds model.Time) string
}

func (w *Words) time(t model.Time) string {
	if w != nil && w.Time != nil {
		return w.Time(t)
	}
	return Clock(t)
}

func (w *Words) span(t model.Time) string {
	if w != nil && w.Span != nil {
		return w.Span(t)
	}
	return Span(t)
}

// Clock says a time as clock time: 14:40, 14:40:05, or with its day, counted from
// 0, if that is another: day 2, 14:40.
func Clock(t model.Time) string {
	day := t / 86400
	if t%86400 < 0 {
		day--
	}
	s := t - day*86400
	text := fmt.Sprintf("%02d:%02d", s/3600, s/60%60)
	if s%60 != 0 {
		text += fmt.Sprintf(":%02d", s%60)
	}
	if day != 0 {
		text = fmt.Sprintf("day %d, %s", day, text)
	}
	return text
}

// Span says a span of time exactly: 20 min, 1 h 30 min, 2 d 3 h, 45 s.
func Span(t model.Time) string {
	var parts []string
	for _, u := range [...]struct {
		size model.Time
		name string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}} {
		if n := t / u.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			t -= n * u.size
		}
	}
	if len(parts) == 0 {
		return "0 s"
	}
	return strings.Join(parts, " ")
}

// Tone says how a verdict is marked, beside its words.
type Tone string

// Tones.
const (
	Plain Tone = ""     // it waits
	Good  Tone = "good" // it starts, or gains
	Bad   Tone = "bad"  // it may not, or loses
	Box   Tone = "box"  // it has a promise
)

func are(n int32) string {
	switch n {
	case 0:
		return "none is"
	case 1:
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

func number(n int32) string { return strconv.Itoa(int(n)) }

// free is the same where 0 is to be read as a number.
func free(n int32) string {
	if n == 0 {
		return "0 are"
	}
	return are(n)
}

func processors(n int32) string {
	if n == 1 {
		return "1 processor"
	}
	return number(n) + " processors"
}

// freeProcessors is how many are free where other things are spoken of, too.
func freeProcessors(n int32) string {
	if n == 1 {
		return "1 processor is"
	}
	return number(n) + " processors are"
}

// hours says processor-seconds.
func hours(seconds float64) string {
	text := strconv.FormatFloat(seconds/3600, 'g', 4, 64)
	if text == "1" {
		return "1 processor-hour"
	}
	return text + " processor-hours"
}

// amount says so many GPUs, or so many bytes of memory or disk space.
func amount(what string, n int64) string {
	switch {
	case what == "GPUs" && n == 1:
		return "1 GPU"
	case what == "GPUs":
		return figure(what, n) + " GPUs"
	}
	return figure(what, n) + " of " + what
}

// figure is the number of an amount, bytes in decimal units.
func figure(what string, n int64) string {
	if what == "GPUs" {
		return strconv.FormatInt(n, 10)
	}
	for _, u := range [...]struct {
		size float64
		name string
	}{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if size := float64(n); size >= u.size {
			return strconv.FormatFloat(size/u.size, 'g', 4, 64) + " " + u.name
		}
	}
	return strconv.FormatInt(n, 10) + " B"
}

// and lists words.
func and(list []string) string {
	if n := len(list) - 1; n > 0 {
		return strings.Join(list[:n], ", ") + " and " + list[n]
	}
	return strings.Join(list, "")
}

func copies(n int32, name string) string {
	if n == 1 {
		return "1 copy of " + name
	}
	return number(n) + " copies of " + name
}

func jobs(list []int64, more int) string {
	if len(list) == 1 && more == 0 {
		return fmt.Sprintf("job %d", list[0])
	}
	var b strings.Builder
	b.WriteString("jobs ")
	for i, n := range list {
		switch {
		case i == 0:
		case i == len(list)-1 && more == 0:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	if more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// tooLittle says what there is not enough of where a job could run.
func tooLittle(what string) string {
	if what == "GPUs" {
		return "too few GPUs free"
	}
	return "too little " + what + " free"
}
