package intake

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
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
func readLSF(data []byte, b *builder) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return errors.New("the file is empty")
	}
	others := 0
	for at := 1; len(data) > 0; at++ {
		var row []byte
		row, data = line(data)
		if len(bytes.TrimSpace(row)) == 0 {
			continue
		}
		list := lsfFields(row)
		if len(list) == 0 || list[0] != "JOB_FINISH" {
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

// lsfFields splits a record: numbers, and texts in quotes in which a quote stands
// twice.
func lsfFields(row []byte) []string {
	var list []string
	for i := 0; i < len(row); {
		switch {
		case row[i] == ' ':
			i++
		case row[i] == '"':
			var cell []byte
			for i++; i < len(row); i++ {
				if row[i] == '"' {
					if i+1 < len(row) && row[i+1] == '"' {
						i++
					} else {
						break
					}
				}
				cell = append(cell, row[i])
			}
			list = append(list, string(cell))
			i++
		default:
			k := i
			for i < len(row) && row[i] != ' ' {
				i++
			}
			list = append(list, string(row[k:i]))
		}
	}
	return list
}

// lsfJob takes one record and says why not.
func (b *builder) lsfJob(list []string, at int) string {
	number := func(i int) int64 {
		if i >= len(list) {
			return none
		}
		n, err := strconv.ParseInt(list[i], 10, 64)
		if err != nil || n < 0 {
			return none
		}
		return n
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
	j := blank(at)
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
	j.user, j.queue, j.partition = []byte(list[lsfUser]), []byte(list[lsfQueue]), []byte(list[lsfQueue])
	j.procs = positive(lsfProcs)
	if most := rest + lsfMost; most < len(list) {
		j.procs = max(j.procs, positive(most))
	}
	j.procs = max(j.procs, 1)
	j.asked = j.procs
	distinct := map[string]bool{}
	for _, h := range list[execAt+1 : rest] {
		if times, name, ok := strings.Cut(h, "*"); ok && digitsOnly([]byte(times)) {
			h = name
		}
		distinct[h] = true
	}
	if len(distinct) > 0 {
		j.nodes = int64(len(distinct))
	}
	if term := positive(lsfTerm); term > j.submit && j.start != none && term > j.start {
		j.limit = term - j.start
	}
	j.name = []byte(list[rest+lsfName])
	if i := rest + lsfProject; i < len(list) {
		j.account = []byte(list[i])
	}
	if index := positive(rest + lsfIndex); index > 0 {
		j.array, j.id, j.raw = j.id, j.id+"_"+strconv.FormatInt(index, 10), none
	}
	switch list[rest+lsfState] {
	case "64":
		j.state = ended
	default:
		if j.state = failed; j.start == none {
			j.state = cancelled
		}
	}
	b.add(&j)
	return ""
}
