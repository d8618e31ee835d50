package intake

import (
	"fmt"
	"strconv"
	"strings"
)

// dependencies turns what one job says of others, in Slurm's words (afterok:12:13,
// afterany:4?afternotok:5, after:7+5, aftercorr:9, singleton), into the numbers of the
// log. A name that no job of the file has is left out and counted.
func (b *builder) dependencies() {
	asked := false
	for i := range b.later {
		asked = asked || b.later[i].dependency != ""
	}
	if !asked {
		return
	}
	of := map[string][]int32{} // records by the name of a job, and of an array
	for i := range b.later {
		p := &b.later[i]
		if p.id != "" {
			of[p.id] = append(of[p.id], int32(i))
		}
		if p.array != "" && p.array != p.id {
			of[p.array] = append(of[p.array], int32(i))
		}
		if raw := strconv.FormatInt(p.raw, 10); p.raw > 0 && raw != p.id && raw != p.array {
			of[raw] = append(of[raw], int32(i))
		}
	}
	last := map[[2]int32]int32{} // the last job of a user and a name, by record + 1
	for i := range b.later {
		p := &b.later[i]
		who := [2]int32{b.log.Records[i].UserID, p.name}
		if p.dependency != "" {
			b.extra[i].After = b.after(int32(i), p.dependency, of, last[who]-1)
		}
		last[who] = int32(i) + 1
	}
}

// after writes the dependencies of one job.
func (b *builder) after(i int32, text string, of map[string][]int32, previous int32) string {
	separator := ","
	if strings.Contains(text, "?") {
		separator = "?"
	}
	var parts []string
	add := func(j int32, how string) {
		if j >= 0 && j != i {
			parts = append(parts, strconv.FormatInt(b.log.Records[j].JobNumber, 10)+how)
		}
	}
	known := false
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '?' }) {
		one, _, _ = strings.Cut(one, "(") // "(unfulfilled)", "(failed)"
		kind, jobs, _ := strings.Cut(one, ":")
		if kind == "singleton" {
			known = true
			b.report.Dependencies["singleton"]++
			add(previous, "")
			continue
		}
		how, ok := map[string]string{"after": ":start", "afterany": "", "afterok": ":ok", "afternotok": ":notok", "aftercorr": ":ok", "afterburstbuffer": ""}[kind]
		if !ok {
			b.saw.unknownDependency.add(b.lineOf(i))
			continue
		}
		known = true
		b.report.Dependencies[kind]++
		for _, name := range strings.Split(jobs, ":") {
			name, minutes, delayed := strings.Cut(name, "+")
			h := how
			if m, err := strconv.Atoi(minutes); delayed && err == nil && kind == "after" {
				h += fmt.Sprintf("+%d", 60*m)
			}
			name = strings.TrimSuffix(name, "_*")
			if kind == "aftercorr" {
				if _, task, isTask := strings.Cut(b.later[i].id, "_"); isTask && len(of[name+"_"+task]) > 0 {
					name += "_" + task
				}
			}
			found := of[name]
			if len(found) == 0 {
				b.saw.missingDependency.add(b.lineOf(i))
			}
			for _, j := range b.lastTries(found, i) {
				add(j, h)
			}
		}
	}
	if known {
		b.report.Depending++
	}
	return strings.Join(parts, separator)
}

func (b *builder) lineOf(i int32) int { return int(b.log.Records[i].Line) }

// lastTries leaves of several tries of one job the last, and leaves out the tries of
// the job itself.
func (b *builder) lastTries(list []int32, self int32) []int32 {
	var out []int32
	for k, j := range list {
		again := b.later[j].id == b.later[self].id
		for _, l := range list[k+1:] {
			again = again || b.later[l].id == b.later[j].id
		}
		if !again {
			out = append(out, j)
		}
	}
	return out
}
