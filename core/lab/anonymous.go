//go:build !small

package lab

import (
	"regexp"
	"strconv"

	"batchlab/core/intake"
	"batchlab/core/report"
)

var unixStart = regexp.MustCompile(`(?m)^(;\s*UnixStartTime:\s*)(\d+)`)

const (
	week = 7 * 86400
	// shiftedTo is the Monday on which weeks begin that nobody is to recognise: 2001-01-01.
	shiftedTo = 978307200
)

// Anonymous returns the log of the experiment as files without names. With shift its
// dates are moved by whole weeks to the first week of 2001: what remains is the day of
// the week and the hour.
func (p *Prepared) Anonymous(shift bool) (*report.Anonymous, error) {
	log, err := p.source(0)
	if err != nil {
		return nil, err
	}
	r := intake.Result{Log: log, Extra: log.Extra}
	out := &report.Anonymous{Log: log.Append(nil), Extra: r.AppendExtra(nil)}
	if shift {
		head := len(log.Header.Text)
		moved := unixStart.ReplaceAllFunc(out.Log[:head:head], func(line []byte) []byte {
			m := unixStart.FindSubmatch(line)
			at, err := strconv.ParseInt(string(m[2]), 10, 64)
			if err != nil || at == 0 {
				return line
			}
			return strconv.AppendInt(append([]byte{}, m[1]...), shiftedTo+((at-shiftedTo)%week+week)%week, 10)
		})
		out.Log = append(moved, out.Log[head:]...)
	}
	return out, nil
}
