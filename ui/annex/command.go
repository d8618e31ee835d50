package annex

import (
	"cmp"
	"strings"
)

// Command asks Slurm for all that is read of jobs between two dates, as sacct takes
// them: 2026-01-31, now-30days; "" is the beginning of 2026, and now. The times are in
// seconds since 1970, which need no zone.
func Command(from, to string) string {
	return `SLURM_TIME_FORMAT=%s sacct -a -X -D -P --noconvert -S ` + date(from, "2026-01-01") + ` -E ` + date(to, "now") + ` -o JobIDRaw,JobID,User,Account,QOS,Partition,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,SubmitLine > jobs.psv`
}

// date is what somebody typed as a date, without what a shell would take for more.
func date(text, none string) string {
	return cmp.Or(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-+:./", r) {
			return r
		}
		return -1
	}, text), none)
}
