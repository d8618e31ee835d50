package intake

import (
	"bytes"
	"strconv"
)

func sniffLSF(head []byte) bool {
	first, _ := line(head)
	return bytes.HasPrefix(first, []byte(`"JOB_FINISH"`)) || bytes.HasPrefix(first, []byte(`"EVENT_ADRSV_FINISH"`)) || bytes.HasPrefix(first, []byte(`"JOB_RESIZE"`))
}

// The places of fields in a record of lsb.acct, from 0, up to the list of hosts that
// were asked for; behind it places are counted from the end of that list. Of IBM's
// reference page of lsb.acct.
const (
	lsfEnd, lsfID, lsfProcs, lsfSubmit, lsfBegin, lsfTerm, lsfStart = 2, 3, 6, 7, 8, 9, 10
	lsfUser, lsfQueue, lsfResources, lsfDepends, lsfAsked           = 11, 12, 13, 14, 22
	// From the state of the job on.
	lsfState, lsfName, lsfProject, lsfMost, lsfIndex = 0, 2, 24, 26, 29
)

// readLSF reads lsb.acct: the records JOB_FINISH, whose fields are known by their
// place.
func readLSF(s *source, b *builder) error {
	var list [][]byte
	others := 0
	for at := 1; ; at++ {
		row, more := s.line()
		if !more {
			break
		}
		if isBlank(row) {
			continue
		}
		if list = lsfFields(row, list[:0]); len(list) == 0 || string(list[0]) != "JOB_FINISH" {
			others++
			continue
		}
		if why := b.lsfJob(list, at); why != "" {
			b.problem(at, "", string(row), why)
		}
	}
	if others > 0 {
		b.assume("Records of other kinds than JOB_FINISH are in the file", strconv.Itoa(others)+" of them left out", "", "")
	}
	b.missing("requested time", "lsb.acct does not tell the run limit: schedulers that backfill get the run times themselves for requests, unless the job had a deadline of its own")
	return nil
}

// lsfFields splits a record into list: numbers, and texts in quotes in which a quote
// stands twice.
func lsfFields(row []byte, list [][]byte) [][]byte {
	to := func(i int, end byte) int { // fields are short
		for i < len(row) && row[i] != end {
			i++
		}
		return i
	}
	for i := 0; i < len(row); {
		from := i
		switch row[i] {
		case ' ':
			i++
		case '"':
			i = to(i+1, '"')
			field := row[from+1 : i]
			for i++; i < len(row) && row[i] == '"'; i++ { // a quote in it
				from, i = i, to(i+1, '"')
				field = append(bytes.Clone(field), row[from:i]...)
			}
			list = append(list, field)
		default:
			i = to(i, ' ')
			list = append(list, row[from:i])
		}
	}
	return list
}

// lsfNumber reads a whole number from 0 on, none for anything else.
func lsfNumber(s []byte) int64 {
	if n, ok := unixTime(s); ok {
		return n
	}
	if n, ok := short(s); ok {
		return n
	}
	if n, err := strconv.ParseInt(string(s), 10, 64); err == nil && n >= 0 {
		return n
	}
	return none
}

// lsfJob takes one record and says why not.
func (b *builder) lsfJob(list [][]byte, at int) string {
	number := func(i int) int64 {
		if i >= len(list) {
			return none
		}
		return lsfNumber(list[i])
	}
	positive := func(i int) int64 {
		if n := number(i); n > 0 {
			return n
		}
		return none
	}
	asked := number(lsfAsked)
	if len(list) <= lsfAsked || asked < 0 || asked > int64(len(list)) {
		return "is cut off, or its fields are not where they should be"
	}
	execAt := lsfAsked + 1 + int(asked)
	hosts := number(execAt)
	if execAt >= len(list) || hosts < 0 || hosts > int64(len(list)) {
		return "is cut off, or its fields are not where they should be"
	}
	rest := execAt + 1 + int(hosts)
	if rest+lsfName >= len(list) {
		return "is cut off"
	}
	j := b.fresh(at)
	j.raw = positive(lsfID)
	j.id = list[lsfID]
	j.submit, j.start, j.end = positive(lsfSubmit), positive(lsfStart), positive(lsfEnd)
	b.zones.unix++
	if begin := positive(lsfBegin); begin > j.submit {
		j.eligible = begin
	}
	if j.submit == none {
		return "states no time of submission"
	}
	j.user, j.queue, j.partition = list[lsfUser], list[lsfQueue], list[lsfQueue]
	j.procs = positive(lsfProcs)
	if most := rest + lsfMost; most < len(list) {
		j.procs = max(j.procs, positive(most))
	}
	j.procs = max(j.procs, 1)
	j.asked = j.procs
	if n := distinctHosts(list[execAt+1 : rest]); n > 0 {
		j.nodes = n
	}
	if term := positive(lsfTerm); term > j.submit && j.start != none && term > j.start {
		j.limit = term - j.start
	}
	j.name = list[rest+lsfName]
	if i := rest + lsfProject; i < len(list) {
		j.account = list[i]
	}
	if index := positive(rest + lsfIndex); index > 0 {
		j.array = j.id
		j.id, j.raw = strconv.AppendInt(append(bytes.Clone(j.id), '_'), index, 10), none
	}
	switch string(list[rest+lsfState]) {
	case "64":
		j.state = ended
	default:
		if j.state = failed; j.start == none {
			j.state = cancelled
		}
	}
	b.add(j)
	return ""
}

// distinctHosts counts the hosts of a list, in which 4*n1 is n1.
func distinctHosts(list [][]byte) (n int64) {
	host := func(h []byte) []byte {
		if times, name, ok := bytes.Cut(h, []byte("*")); ok && digitsOnly(times) {
			return name
		}
		return h
	}
	if len(list) > 8 {
		distinct := make(map[string]bool, len(list))
		for _, h := range list {
			distinct[string(host(h))] = true
		}
		return int64(len(distinct))
	}
	for i := range list {
		before := false
		for _, h := range list[:i] {
			before = before || bytes.Equal(host(h), host(list[i]))
		}
		if !before {
			n++
		}
	}
	return n
}
