package intake

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// awaited finds the records by the name of a job, and of an array, that others wait
// for; nil where no job waits.
func (b *builder) awaited() map[string][]int32 {
	if len(b.depends) == 0 {
		return nil
	}
	of := map[string][]int32{}
	for i := range b.later {
		if p := &b.later[i]; p.depends > 0 {
			own := string(b.idOf(int32(i)))
			for _, name := range strings.FieldsFunc(b.depends[p.depends-1], func(r rune) bool { return strings.ContainsRune(",?:+(", r) }) {
				of[name] = nil
				of[strings.TrimSuffix(name, "_*")] = nil
				if _, task, isTask := strings.Cut(own, "_"); isTask {
					of[strings.TrimSuffix(name, "_*")+"_"+task] = nil
				}
			}
		}
	}
	var raw []byte
	add := func(name []byte, i int) {
		if list, wanted := of[string(name)]; wanted {
			of[string(name)] = append(list, int32(i))
		}
	}
	for i := range b.later {
		number, id, array := b.log.Records[i].JobNumber, b.idOf(int32(i)), []byte(nil)
		if k := b.extra[i].Array; k > 0 {
			array = b.arrays.name(k)
		}
		if len(id) > 0 {
			add(id, i)
		}
		if len(array) > 0 && !bytes.Equal(array, id) {
			add(array, i)
		}
		if raw = strconv.AppendInt(raw[:0], number, 10); number > 0 && !bytes.Equal(raw, id) && !bytes.Equal(raw, array) {
			add(raw, i)
		}
	}
	return of
}

// dependencies turns what one job says of others, in Slurm's words (afterok:12:13,
// afterany:4?afternotok:5, after:7+5, aftercorr:9, singleton), into the numbers of the
// log. A name that no job of the file has is left out and counted.
func (b *builder) dependencies(of map[string][]int32) {
	if of == nil {
		return
	}
	last := map[[2]int32]int32{} // the last job of a user and a name, by record + 1
	for i := range b.later {
		r := &b.log.Records[i]
		who := [2]int32{r.UserID, r.ExecutableNumber}
		if k := b.later[i].depends; k > 0 {
			b.extra[i].After = b.after(int32(i), b.depends[k-1], of, last[who]-1)
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
				if _, task, isTask := strings.Cut(string(b.idOf(i)), "_"); isTask && len(of[name+"_"+task]) > 0 {
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
		again := b.sameID(j, self)
		for _, l := range list[k+1:] {
			again = again || b.sameID(l, j)
		}
		if !again {
			out = append(out, j)
		}
	}
	return out
}

// sameID says whether two records have one name.
func (b *builder) sameID(i, j int32) bool {
	return bytes.Equal(b.idOf(i), b.idOf(j))
}
