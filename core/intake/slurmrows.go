package intake

import "strings"

// ConfLine is one logical line of slurm.conf: keys in any case.
type ConfLine struct {
	Line int    // the first of its lines in the file
	Key  string // the first key, in lower case: nodename, partitionname, a setting's name
	Text string // the first key's value
	row  confRow
}

// Get returns the value of the first of some keys that is there, "" for none.
func (l *ConfLine) Get(keys ...string) string { return l.row.get(keys...) }

// ConfLines are the logical lines of slurm.conf, in their order, without those called
// DEFAULT, whose keys those below them have where they say nothing of their own.
func ConfLines(text string) (lines []ConfLine) {
	defaults := map[string][]pair{}
	confRows(text, func(row confRow) {
		if len(row.pairs) == 0 {
			return
		}
		key := strings.ToLower(row.pairs[0].key)
		if key == "nodename" || key == "partitionname" {
			if strings.EqualFold(row.pairs[0].value, "DEFAULT") {
				defaults[key] = merge(defaults[key], row.pairs[1:])
				return
			}
			row = row.with(defaults[key])
		}
		lines = append(lines, ConfLine{Line: row.line, Key: key, Text: row.pairs[0].value, row: row})
	})
	return lines
}

// Hosts are the names of a list as Slurm writes it: n1,n[2-4,7]. Errors say what is
// wrong with the list.
func Hosts(list string) (names []string, err error) {
	_, err = hosts(list, maxHosts, func(name string) { names = append(names, name) })
	return names, err
}

// PipeRows are the rows of a table with bars between its columns, as sacct -P and
// sacctmgr -P print it, each as what finds a cell by its column's name in lower case.
func PipeRows(text string) (rows []func(column string) string) {
	psvRows(text, func(_ int, cell func(...string) string) {
		rows = append(rows, func(column string) string { return cell(column) })
	})
	return rows
}

// DumpLine is one line of what sacctmgr dump writes: Kind - 'name':Option=Value:…
type DumpLine struct {
	Line       int               // in the file
	Kind, Name string            // "": it is no such line
	Options    map[string]string // by option in lower case
	text       string
}

// DumpLines are those lines.
func DumpLines(text string) (lines []DumpLine) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		one := DumpLine{Line: number, text: line}
		if kind, rest, ok := strings.Cut(line, " - "); ok {
			one.Kind = kind
			one.Name, one.Options = dumpName(rest)
		}
		lines = append(lines, one)
	}
	return lines
}
