package intake

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/report"
)

// What sacctmgr prints: show qos and show assoc with -p or -P, and dump.

// psv splits the first line of a text with bars between its columns, in lower case
// without blanks; nil where there are no bars.
func psv(text string) []string {
	first, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if !strings.Contains(first, "|") || len(first) > 16<<10 {
		return nil
	}
	var names []string
	for _, n := range strings.Split(strings.TrimRight(first, "\r"), "|") {
		names = append(names, plain(strings.TrimSpace(n)))
	}
	return names
}

// psvRows calls f for every row, with what finds a cell by its column.
func psvRows(text string, f func(line int, cell func(...string) string)) {
	above := text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))]
	_, split := columnsAt("|")
	rowsBelow(text, 1+strings.Count(above, "\n"), psv(text), split, f)
}

// rowsBelow calls f for every row below the header of a table, which stands in line at,
// with what finds the cell of the first of some columns that the table has.
func rowsBelow(text string, at int, names []string, split func(row string) []string, f func(line int, cell func(...string) string)) {
	number := 0
	for line := range strings.Lines(text) {
		if number++; number <= at || strings.TrimSpace(line) == "" {
			continue
		}
		cells := split(strings.TrimRight(line, "\r\n"))
		f(number, func(columns ...string) string {
			for _, c := range columns {
				if i := slices.Index(names, c); i >= 0 && i < len(cells) {
					return cells[i]
				}
			}
			return ""
		})
	}
}

func sniffQOS(text string) bool {
	names := psv(text)
	return slices.Contains(names, "name") && slices.Contains(names, "priority") && (slices.Contains(names, "preempt") || slices.Contains(names, "gracetime") || slices.Contains(names, "usagefactor"))
}

func sniffAssoc(text string) bool {
	names := psv(text)
	return slices.Contains(names, "account") && slices.Contains(names, "user") && (slices.Contains(names, "share") || slices.Contains(names, "fairshare") || slices.Contains(names, "rawshares") || slices.Contains(names, "defqos")) &&
		!slices.Contains(names, "submit")
}

func sniffDump(text string) bool {
	for line := range strings.Lines(text[:min(len(text), 64<<10)]) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return strings.HasPrefix(line, "Cluster - ") || strings.HasPrefix(line, "Parent - ")
		}
	}
	return false
}

// qosKeys are columns that are no limits.
var qosKeys = []string{"name", "priority", "usagefactor", "usagethres", "gracetime", "preemptexempttime", "preemptmode", "flags", "description", "id", ""}

// readQOS reads show qos: names, priorities, and limits in Slurm's words.
func readQOS(text string, m *machine) {
	names := psv(text)
	preempts := false
	psvRows(text, func(line int, cell func(...string) string) {
		q := report.ConfQOS{Name: brief(cell("name"))}
		if q.Name == "" {
			m.problem(line, "Name", "", "has no name")
			return
		}
		if text := cell("priority"); text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				m.problem(line, "Priority", text, "is no whole number")
			}
			q.Priority = n
		}
		for _, n := range names {
			if v := cell(n); v != "" && !slices.Contains(qosKeys, n) {
				q.Limits = append(q.Limits, report.Setting{Name: n, Value: brief(v), Line: line})
				preempts = preempts || n == "preempt"
			}
		}
		m.quality(q)
	})
	if preempts {
		m.unused(0, "Preempt", "only the scheduler slurm preempts jobs")
	}
}

// quality adds a QOS, once.
func (m *machine) quality(q report.ConfQOS) {
	if len(m.out.QOS) < maxProblems && !slices.ContainsFunc(m.out.QOS, func(o report.ConfQOS) bool { return o.Name == q.Name }) {
		m.out.QOS = append(m.out.QOS, q)
	}
}

// account returns the number of an account, which is made where it is new. The root
// is no account.
func (m *machine) account(name string) int {
	if name == "" || name == "root" {
		return 0
	}
	if k, ok := m.accounts[name]; ok {
		return k
	}
	m.out.Accounts = append(m.out.Accounts, report.ConfAccount{})
	m.accounts[name] = len(m.out.Accounts)
	return len(m.out.Accounts)
}

// share reads shares; "parent" has none of its own.
func (m *machine) share(line int, text string) int64 {
	if text == "" || strings.EqualFold(text, "parent") {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		m.problem(line, "Share", text, "is no whole number")
	}
	return max(n, 0)
}

// member counts a user of an account, once.
func (m *machine) member(account int, user string, shares int64) {
	key := strconv.Itoa(account) + "\x00" + user
	if account > 0 && user != "" && !m.users[key] {
		m.users[key] = true
		m.out.Accounts[account-1].Users++
		m.belong[account] = append(m.belong[account], memberOf{user, shares})
	}
}

const accountCosts = "shares of accounts order jobs only under schedulers that use ranks; limits of single users do not bind"

// readAssoc reads show assoc: the tree of accounts with their shares, users counted.
func readAssoc(text string, m *machine) {
	psvRows(text, func(line int, cell func(...string) string) {
		name := cell("account")
		if name == "" {
			m.problem(line, "Account", "", "has no account")
			return
		}
		k := m.account(name)
		if user := cell("user"); user != "" {
			shares := int64(1)
			if text := cell("share", "fairshare", "rawshares"); text != "" {
				shares = m.share(line, text)
			}
			m.member(k, user, shares)
			return
		}
		if k > 0 {
			a := m.share(line, cell("share", "fairshare", "rawshares"))
			parent := m.account(cell("parentname", "par"))
			m.out.Accounts[k-1].Shares, m.out.Accounts[k-1].Parent, m.out.Accounts[k-1].Limits = a, parent, limitsIn(line, cell)
		}
	})
	m.unused(0, "Account", accountCosts)
}

// readDump reads sacctmgr dump: Cluster, Parent, Account and User lines, each
// Kind - 'name':Option=Value:…
func readDump(text string, m *machine) {
	parent := 0
	for _, l := range DumpLines(text) {
		number, name, options := l.Line, l.Name, l.Options
		if name == "" {
			m.problem(number, "", l.text, "is no line of sacctmgr dump")
			continue
		}
		switch l.Kind {
		case "Cluster":
			parent = 0
		case "Parent":
			parent = m.account(name)
		case "Account":
			k := m.account(name)
			if k > 0 {
				m.out.Accounts[k-1].Parent, m.out.Accounts[k-1].Shares = parent, m.share(number, options["fairshare"])
				m.out.Accounts[k-1].Limits = limitsIn(number, func(names ...string) string { return options[names[0]] })
			}
		case "User":
			shares := int64(1)
			if text, ok := options["fairshare"]; ok {
				shares = m.share(number, text)
			}
			m.member(parent, name, shares)
		default:
			m.problem(number, "", l.Kind, "is no kind of line that sacctmgr dump writes")
		}
	}
	m.unused(0, "Account", accountCosts)
}

// dumpName takes 'name':Option='a:b':Option=3 apart; options are in lower case.
func dumpName(s string) (name string, options map[string]string) {
	options = map[string]string{}
	for first := true; s != ""; first = false {
		part, quoted := s, false
		for i := 0; i < len(s); i++ {
			if s[i] == '\'' {
				quoted = !quoted
			} else if s[i] == ':' && !quoted {
				part = s[:i]
				break
			}
		}
		s = strings.TrimPrefix(s[len(part):], ":")
		if first {
			name = strings.Trim(part, "'")
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		options[strings.ToLower(key)] = strings.Trim(value, "'")
	}
	return name, options
}
