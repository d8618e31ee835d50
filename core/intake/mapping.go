package intake

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"batchlab/core/report"
	"batchlab/core/swf"
)

// How the columns of a table are known: by their usual names, or by what is said.

// mapped finds the columns of a header: roles by place.
func mapped(names []string, chosen map[string]string) map[string]int {
	found := columnsOf(names, chosen)
	if i, ok := found["queue"]; ok && chosen["queue"] == "" && plain(names[i]) == "queue" && isTrace(names) {
		delete(found, "queue") // Helios and Acme: how long the job was queued
		if _, ok := found["wait"]; !ok {
			found["wait"] = i
		}
	}
	return found
}

// checkChosen says what is wrong with a map of columns.
func checkChosen(names []string, chosen map[string]string) error {
	for key, name := range chosen {
		if !slices.ContainsFunc(roles, func(r role) bool { return r.key == key }) {
			return fmt.Errorf("there is nothing called %q that a column could hold; there are %s", key, strings.Join(Roles(), ", "))
		}
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no column %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// Roles are the keys of what a column may hold.
func Roles() (keys []string) {
	for _, r := range roles {
		keys = append(keys, r.key)
	}
	return keys
}

// lacks says what is not known of a table that no job can do without, "" nothing.
func lacks(found map[string]int, names []string) string {
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { _, ok := found[k]; return ok })
	}
	var missing []string
	if !has("submit") {
		missing = append(missing, "the time of submission")
	}
	if !has("run") && !(has("end") && has("start", "wait")) {
		missing = append(missing, "the run time (or start and end)")
	}
	if !has("procs", "asked", "nodes") {
		missing = append(missing, "the number of processors or nodes")
	}
	if missing == nil {
		return ""
	}
	return "no column looks like " + strings.Join(missing, ", nor like ") + " among " + clip(strings.Join(names, ", "), 300)
}

// shown are the roles by which people are asked for columns, in the order in which they
// are, in words.
var shown = []struct{ key, what string }{
	{"submit", "Submitted"}, {"start", "Started"}, {"end", "Ended"}, {"run", "Ran (a duration)"},
	{"requested", "Requested time (a duration)"}, {"procs", "Processors"}, {"nodes", "Nodes"}, {"user", "User"},
	{"wait", "Waited (a duration)"}, {"eligible", "Eligible since"}, {"asked", "Processors asked for"}, {"gpus", "GPUs"},
	{"account", "Account, project"}, {"group", "Group"}, {"partition", "Partition"}, {"queue", "Queue"}, {"qos", "QOS"},
	{"job", "Number or name of the job"}, {"name", "Name of the program"}, {"state", "How it ended"},
}

// rowsShown is how many rows of a table are shown.
const rowsShown = 3

// Table describes a file that is a table with a header, nil for another one: two rows at
// least with the same number of cells, three or more. chosen says what columns hold.
func Table(data []byte, chosen map[string]string) *report.Table {
	data = text(data)
	s := &source{swf.Whole(bytes.TrimLeft(data[:min(len(data), headBytes)], " \t\r\n"))}
	first, _ := line(s.Data)
	separator := csvSeparator(first)
	if len(s.Data) == 0 || s.Data[0] == '{' || s.Data[0] == '[' || bytes.IndexByte(first, 0) >= 0 {
		return nil
	}
	names, _, _ := headOf(s, separator)
	if len(names) < 3 || len(names) > 500 {
		return nil
	}
	t := &report.Table{}
	for _, name := range names {
		t.Columns = append(t.Columns, report.TableColumn{Name: clip(name, 200)})
	}
	for rows := 0; rows < rowsShown; {
		row, ok := s.line()
		if !ok || len(s.Data) == 0 && len(data) > headBytes {
			break
		}
		if isBlank(row) {
			continue
		}
		list, open := cells(row, separator, true, nil)
		if len(list) != len(names) && !open {
			return nil
		}
		rows++
		for i := range t.Columns {
			value := ""
			if i < len(list) {
				value = brief(string(trim(list[i])))
			}
			t.Columns[i].Values = append(t.Columns[i].Values, value)
		}
	}
	if len(t.Columns[0].Values) == 0 {
		return nil
	}
	found := mapped(names, chosen)
	for _, w := range shown {
		at, ok := found[w.key]
		if !ok {
			at = -1
		}
		t.Wanted = append(t.Wanted, report.Wanted{Key: w.key, What: w.what, Column: at})
	}
	t.Why = lacks(found, names)
	return t
}
