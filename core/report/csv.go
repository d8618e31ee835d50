package report

import (
	"strconv"
	"strings"
	"unicode"
)

// CSVField quotes a field of a CSV file where RFC 4180 asks for it, or where a
// program that reads semicolons or tabs as separators would split it.
func CSVField(s string) string {
	if !strings.ContainsAny(s, ",;\t\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// CSVText is CSVField for text that others may have written, such as a
// label that came with a link: see Harmless.
func CSVText(s string) string { return CSVField(Harmless(s)) }

// Harmless returns a text that no spreadsheet computes: an apostrophe stands
// before each sign with which a formula could begin, = + - @ and their wide
// forms, at the beginning of the text and behind what some programs take for the
// end of a cell. Numbers and a single hyphen stay as they are. Unharmed undoes
// it.
func Harmless(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil || s == "-" {
		return s
	}
	return formulas(s, func(quotes string) string { return quotes + "'" })
}

// Unharmed returns the text that Harmless was given.
func Unharmed(s string) string {
	return formulas(s, func(quotes string) string { return strings.TrimPrefix(quotes, "'") })
}

// formulas replaces the apostrophes before each sign that could begin a formula,
// often none.
func formulas(s string, apostrophes func(string) string) string {
	if !strings.ContainsAny(s, "=+-@＝＋－＠") {
		return s
	}
	var b strings.Builder
	for at, begins := 0, true; at < len(s); {
		if begins {
			end := at
			for end < len(s) && s[end] == '\'' {
				end++
			}
			if strings.IndexAny(s[end:], "=+-@＝＋－＠") == 0 {
				b.WriteString(apostrophes(s[at:end]))
				at = end
			}
		}
		begins = strings.IndexByte(",;|\"\t\r\n", s[at]) >= 0 || begins && s[at] == ' ' && strings.TrimLeft(s[:at], " ") == ""
		b.WriteByte(s[at])
		at++
	}
	return b.String()
}

// JoinNames writes names one behind the other, with blanks between them; a name
// that would be read as something else stands in quotation marks. SplitNames
// reads them.
func JoinNames(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		if name == "" || name == "-" || name[0] == '"' || strings.ContainsFunc(name, unicode.IsSpace) {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		b.WriteString(name)
	}
	return b.String()
}

// SplitNames reads names with blanks between them; one that begins with a
// quotation mark goes to the next single one, and two of them stand for one.
func SplitNames(s string) []string {
	list := []string{}
	for {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" {
			return list
		}
		if s[0] != '"' {
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			list, s = append(list, s[:end]), s[end:]
			continue
		}
		var name strings.Builder
		for s = s[1:]; ; {
			end := strings.IndexByte(s, '"')
			if end < 0 {
				name.WriteString(s)
				s = ""
				break
			}
			name.WriteString(s[:end])
			if s = s[end+1:]; s == "" || s[0] != '"' {
				break
			}
			name.WriteByte('"')
			s = s[1:]
		}
		list = append(list, name.String())
	}
}

// SummaryCSV has a line for each run and a column for each measure, every digit
// kept, empty where a measure does not exist.
func SummaryCSV(runs []*Run) []byte {
	out := []byte("scheduler,key,label,repetition,workload,processors")
	for i, r := range runs {
		if i == 0 {
			for _, v := range r.Metrics {
				out = append(append(out, ','), v.Key...)
			}
			out = append(out, '\n')
		}
		out = append(out, strconv.Itoa(r.Scheduler)+","+CSVText(r.Key)+","+CSVText(r.Label)+","+strconv.Itoa(r.Repetition)+","+CSVText(r.Workload)+","+strconv.Itoa(r.Processors)...)
		for _, v := range r.Metrics {
			if out = append(out, ','); v.Valid && v.Value-v.Value == 0 { // finite
				out = strconv.AppendFloat(out, v.Value, 'f', -1, 64)
			}
		}
		out = append(out, '\n')
	}
	return out
}

// ProvidersCSV has a line for each run and provider, nil without providers.
func ProvidersCSV(runs []*Run) []byte {
	out := []byte("scheduler,label,repetition,provider,processors,jobs,reservations,rejected,mean_u,mean_f_s,mean_d_s,idle_before_reservations\n")
	empty := len(out)
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, r := range runs {
		for _, p := range r.Providers {
			late := ""
			if p.Reservations > 0 {
				late = number(p.MeanTardiness)
			}
			out = append(out, strings.Join([]string{strconv.Itoa(r.Scheduler), CSVText(r.Label), strconv.Itoa(r.Repetition), CSVText(p.Name), strconv.Itoa(int(p.Procs)), strconv.Itoa(p.Jobs),
				strconv.Itoa(p.Reservations), strconv.Itoa(p.Rejected), number(p.Utilization), number(p.MeanFlow), late, number(p.Idle)}, ",")+"\n"...)
		}
	}
	if len(out) == empty {
		return nil
	}
	return out
}
