package intake

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sacctColumns are the columns of sacct that say something here, in whatever order a
// file has them. Of Slurm's manual page of sacct.
var sacctColumns = map[string]column{
	"jobid":        {what: "job id", set: sacctID},
	"jobidraw":     {what: "job id", set: sacctRaw},
	"jobname":      {what: "name", set: setName(nameOf), free: true},
	"user":         {what: "user", set: setName(userOf)},
	"uid":          {what: "user", set: sacctUID},
	"group":        {what: "group", set: setName(groupOf)},
	"account":      {what: "account", set: setName(accountOf)},
	"qos":          {what: "QOS", set: setName(qosOf)},
	"partition":    {what: "partition", set: setName(partitionOf)},
	"cluster":      {what: "cluster", set: sacctCluster},
	"submit":       {what: "time", set: setTime(submitOf)},
	"eligible":     {what: "time", set: setTime(eligibleOf)},
	"start":        {what: "time", set: setTime(startOf)},
	"end":          {what: "time", set: setTime(endOf)},
	"elapsedraw":   {what: "number of seconds", set: setDuration(runOf)},
	"elapsed":      {what: "duration", set: sacctElapsed},
	"timelimitraw": {what: "number of minutes", set: sacctMinutes},
	"timelimit":    {what: "duration", set: sacctLimit},
	"state":        {what: "state", set: setState},
	"nnodes":       {what: "number of nodes", set: setThousands(nodesOf)},
	"allocnodes":   {what: "number of nodes", set: sacctAtLeast(nodesOf)},
	"ncpus":        {what: "number of processors", set: setThousands(procsOf)},
	"alloccpus":    {what: "number of processors", set: sacctAtLeast(procsOf)},
	"reqcpus":      {what: "number of processors", set: setThousands(askedOf)},
	"reqnodes":     {what: "number of nodes", set: nil},
	"reqmem":       {what: "amount of memory", set: sacctMemory},
	"reqtres":      {what: "list of resources", set: sacctTRES(askedOf)},
	"alloctres":    {what: "list of resources", set: sacctTRES(procsOf)},
	"reqgres":      {what: "list of resources of a node", set: sacctGres},
	"dependency":   {what: "dependency", set: sacctDependency},
	"submitline":   {what: "command", set: sacctSubmitLine, free: true},
	"comment":      {free: true}, "admincomment": {free: true}, "systemcomment": {free: true}, "workdir": {free: true}, "wckey": {free: true}, "extra": {free: true},
}

// sacctCosts says what it costs where a column is missing.
var sacctCosts = []struct {
	any   []string
	what  string
	costs string
}{
	{[]string{"eligible"}, "Eligible", "waiting for dependencies, --begin and limits on arrays counts as waiting in the queue"},
	{[]string{"timelimitraw", "timelimit"}, "TimelimitRaw", "jobs state no requested time, so backfilling knows the run times"},
	{[]string{"reqtres", "alloctres", "reqgres"}, "ReqTRES, AllocTRES", "GPUs are not known"},
	{[]string{"user", "uid"}, "User", "nothing can be said by user, and no interval comes from drawing users"},
	{[]string{"partition"}, "Partition", "all jobs are taken to be in one partition"},
	{sizes, "NCPUS", "sizes of jobs are not known"},
	{[]string{"dependency", "submitline"}, "Dependency, SubmitLine", "which job waited for which is not known; Eligible says only until when"},
}

// sizes are the columns that say how many processors a job has.
var sizes = []string{"reqcpus", "ncpus", "alloccpus", "reqtres", "alloctres"}

func sniffSacct(head []byte) bool {
	_, separator, _ := sacctHeader(head)
	return separator != 0
}

// maxBanner bounds the lines that may stand above a header: words of a login, warnings.
const maxBanner = 20

// sacctHeader finds the header: how many bytes and lines stand above it, and what
// separates its columns, 0 for none.
func sacctHeader(data []byte) (at int, separator byte, above int) {
	for ; above < maxBanner && at < len(data); above++ {
		first, rest := line(data[at:])
		if separator = sacctSeparator(first); separator != 0 {
			return at, separator, above
		}
		at = len(data) - len(rest)
	}
	return 0, 0, 0
}

// sacctSeparator returns what separates the columns of a header of sacct, 0 for none.
func sacctSeparator(first []byte) byte {
	if len(first) > 16<<10 {
		return 0
	}
	for _, separator := range []byte("|,;\t^~:#@!/\x01\x1e\x1f") {
		names := namesOf(first, separator)
		id, when := false, false
		for _, n := range names {
			switch strings.ToLower(n) {
			case "jobid", "jobidraw":
				id = true
			case "submit", "eligible", "elapsedraw", "alloccpus", "timelimitraw", "nnodes":
				when = true
			}
		}
		if id && when {
			return separator
		}
	}
	return 0
}

// readSacct reads the output of sacct -P: a header, then a row a job or try.
func readSacct(s *source, b *builder) error {
	at, separator, above := sacctHeader(s.Head(headBytes))
	if separator == 0 {
		return errors.New("line 1 is no header of sacct -P: JobID and Submit are expected")
	}
	s.Data = s.Data[at:]
	names, lines, _ := headOf(s, separator)
	t, err := b.sacctTable(names, separator)
	if err != nil {
		return err
	}
	t.again = func(row []byte) *table { // files put together with cat: the next one's header
		if separator := sacctSeparator(row); separator != 0 {
			if next, err := b.sacctTable(namesOf(row, separator), separator); err == nil {
				return next
			}
		}
		return nil
	}
	return t.read(b, s, lines+above)
}

// sacctTable is a table with the columns of a header, and notes what they do not say.
func (b *builder) sacctTable(names []string, separator byte) (*table, error) {
	t := &table{separator: separator, quotes: separator == ','}
	have := map[string]int{}
	for i, name := range names {
		low := strings.ToLower(name)
		c := sacctColumns[low]
		c.name = name
		if _, twice := have[low]; twice {
			c.set = nil
		}
		have[low] = i
		t.columns = append(t.columns, c)
	}
	if _, ok := have["submit"]; !ok {
		return nil, errors.New("line 1: there is no column Submit, without which nothing can be simulated: ask sacct for it with -o")
	}
	if !slices.ContainsFunc(sizes, func(name string) bool { _, ok := have[name]; return ok }) { // a table with Slurm's names for the rest
		for key, i := range columnsOf(names, nil) {
			if c := &t.columns[i]; key == "procs" && c.set == nil {
				c.what, c.set = "number of processors", setThousands(procsOf)
				have["ncpus"] = i
			}
		}
	}
	for _, m := range sacctCosts {
		found := false
		for _, name := range m.any {
			_, ok := have[name]
			found = found || ok
		}
		if !found {
			b.missing(m.what, m.costs)
		}
	}
	_, hasDependency := have["dependency"]
	if i, ok := have["submitline"]; ok && hasDependency {
		t.columns[i].set = sacctArrayLimit
	}
	t.done = sacctDone
	t.sure = func(list [][]byte) bool { return t.plausible(list, have) }
	return t, nil
}

// plausible says whether the cells that must have a certain form have it.
func (t *table) plausible(list [][]byte, have map[string]int) bool {
	probe := newBuilder(&Format{}, Options{})
	for _, name := range []string{"submit", "eligible", "start", "end"} {
		if i, ok := have[name]; ok {
			if _, fine := probe.stamp(list[i]); !fine {
				return false
			}
		}
	}
	for _, name := range []string{"elapsedraw", "elapsed", "timelimitraw", "timelimit", "nnodes", "ncpus", "alloccpus", "reqcpus"} {
		if i, ok := have[name]; ok {
			j := blank(0)
			if c := t.columns[i]; c.set != nil && !c.set(probe, &j, list[i]) {
				return false
			}
		}
	}
	if i, ok := have["state"]; ok {
		word, _, _ := strings.Cut(string(list[i]), " ")
		if _, known := states[strings.ToUpper(word)]; !known {
			return false
		}
	}
	return true
}

// sacctDone completes a job, and leaves out what is none.
func sacctDone(b *builder, j *job) bool {
	bare := digitsOnly(j.id) // neither a step, nor a task, nor part of a group
	if !bare && bytes.IndexByte(j.id, '.') >= 0 {
		b.saw.steps.add(j.line)
		return false
	}
	if j.start == none || j.state == waiting {
		j.start, j.run = none, none
	}
	if j.start == none && j.state == cancelled { // what it shows is what was asked for
		if j.asked <= 0 {
			j.asked = j.procs
		}
		j.procs = none
	}
	if j.gpus <= 0 && j.gres > 0 {
		j.gpus = min(j.gres*max(1, j.nodes), math.MaxInt32)
	}
	j.spreadMemory()
	if bare {
		return true
	}
	if array, task, ok := bytes.Cut(j.id, []byte("_")); ok {
		j.array = array
		if bytes.HasPrefix(task, []byte("[")) {
			b.waitingTasks(j, string(array), string(task))
			return false
		}
	}
	if head, _, ok := bytes.Cut(j.id, []byte("+")); ok {
		j.het = head
	}
	return true
}

// maxSplit bounds how many waiting tasks of arrays rows may stand for.
const maxSplit = 1 << 17

// waitingTasks adds the tasks of an array that has not been split up yet:
// 96_[0-3,7%2].
func (b *builder) waitingTasks(j *job, array, tasks string) {
	tasks = strings.TrimSuffix(strings.TrimPrefix(tasks, "["), "]")
	tasks, most, _ := strings.Cut(tasks, "%")
	if n, err := strconv.ParseInt(most, 10, 32); err == nil {
		j.arrayLimit = n
	}
	for _, span := range strings.Split(tasks, ",") {
		low, high, step, ok := taskSpan(span)
		if !ok || (high-low)/step > 1<<20 {
			b.problem(j.line, "JobID", string(j.id), "names no tasks of an array that can be read")
			return
		}
		for task := low; task <= high; task += step {
			if b.saw.split++; b.saw.split > maxSplit {
				b.problem(j.line, "JobID", string(j.id), "names more tasks than the 131,072 waiting ones that are taken of a file")
				return
			}
			one := *j
			one.id, one.raw = strconv.AppendInt([]byte(array+"_"), int64(task), 10), none
			b.add(&one)
		}
	}
}

// taskSpan reads 7, 1-4 or 1-9:2.
func taskSpan(text string) (low, high, step int, ok bool) {
	span, every, stepped := strings.Cut(text, ":")
	from, to, ranged := strings.Cut(span, "-")
	low, err := strconv.Atoi(from)
	high, step = low, 1
	if err == nil && ranged {
		high, err = strconv.Atoi(to)
	}
	if err == nil && stepped {
		step, err = strconv.Atoi(every)
	}
	return low, high, step, err == nil && step >= 1 && high >= low
}

func sacctID(b *builder, j *job, cell []byte) bool {
	raw := j.raw
	setID(b, j, cell)
	if raw > 0 {
		j.raw = raw
	}
	return len(cell) > 0
}

// sacctRaw takes the number; of a step it has a dot, which JobID shows as well.
func sacctRaw(_ *builder, j *job, cell []byte) bool {
	n, rest, ok := number(cell)
	if ok && (len(rest) == 0 || rest[0] == '.' || rest[0] == '+') {
		j.raw = n
		if len(j.id) == 0 || len(rest) > 0 && rest[0] == '.' {
			j.id = cell
		}
		return true
	}
	return false
}

func sacctUID(_ *builder, j *job, cell []byte) bool {
	if len(j.user) == 0 {
		j.user = trim(cell)
	}
	return true
}

func sacctElapsed(_ *builder, j *job, cell []byte) bool {
	if j.run != none || isAbsent(cell) {
		return true
	}
	n, ok := duration(cell)
	j.run = n
	return ok
}

// sacctCluster counts the clusters that a file speaks of.
func sacctCluster(b *builder, _ *job, cell []byte) bool {
	b.clusters.number(trim(cell))
	return true
}

// sacctUnlimited takes the words that stand in the place of a limit.
func sacctUnlimited(b *builder, j *job, cell []byte) bool {
	why := &b.saw.unlimited
	switch strings.ToUpper(string(cell)) {
	case "UNLIMITED", "INFINITE":
	case "PARTITION_LIMIT":
		why = &b.saw.partitionLimit
	default:
		return isAbsent(cell)
	}
	if !j.noLimit {
		j.noLimit = true
		why.add(j.line)
	}
	return true
}

func sacctMinutes(b *builder, j *job, cell []byte) bool {
	n, ok := short(cell)
	if !ok {
		var rest []byte
		n, rest, ok = number(cell)
		ok = ok && len(rest) == 0
	}
	if !ok {
		return sacctUnlimited(b, j, cell)
	}
	j.limit = 60 * n
	return true
}

func sacctLimit(b *builder, j *job, cell []byte) bool {
	if j.limit != none {
		return true
	}
	n, ok := duration(cell)
	if !ok {
		return sacctUnlimited(b, j, cell)
	}
	j.limit = n
	return true
}

// setThousands reads a number that may be written as 4K, 1.5M.
func setThousands(field func(*job) *int64) setter {
	return func(_ *builder, j *job, cell []byte) bool {
		n, ok := thousands(cell)
		if ok {
			*field(j) = n
		}
		return ok
	}
}

// thousands reads 4, 4K, 1.5M; what says that there is none is none.
func thousands(cell []byte) (int64, bool) {
	if n, ok := count(cell); ok {
		return n, true
	}
	cell = bytes.TrimSpace(cell)
	scale := int64(0)
	switch cell[len(cell)-1] {
	case 'K', 'k':
		scale = 1000
	case 'M', 'm':
		scale = 1000_000
	default:
		return none, false
	}
	n, rest, ok := number(cell[:len(cell)-1])
	if !ok || n > 1<<31 {
		return none, false
	}
	value := n * scale
	if len(rest) > 1 && rest[0] == '.' && digitsOnly(rest[1:]) {
		for _, d := range rest[1:] {
			scale /= 10
			value += int64(d-'0') * scale
		}
	} else if len(rest) > 0 {
		return none, false
	}
	return value, true
}

// sacctAtLeast fills a number that another column may have given already.
func sacctAtLeast(field func(*job) *int64) setter {
	return func(b *builder, j *job, cell []byte) bool {
		if *field(j) > 0 {
			return true
		}
		return setThousands(field)(b, j, cell)
	}
}

// sacctMemory reads 4000Mn, 4Gc, 0n, 4G: for a node, for a processor; without a
// letter for a node (since 21.08).
func sacctMemory(_ *builder, j *job, cell []byte) bool {
	cell = bytes.TrimSpace(cell)
	if isAbsent(cell) || cell[0] == '?' {
		return true
	}
	perNode := true
	switch cell[len(cell)-1] {
	case 'c':
		perNode, cell = false, cell[:len(cell)-1]
	case 'n':
		cell = cell[:len(cell)-1]
	}
	n, ok := kilobytes(cell)
	if !ok {
		return false
	}
	j.memory, j.memoryOfNode = n, perNode
	return true
}

// sacctTRES reads billing=2,cpu=2,gres/gpu=2,mem=1000M,node=1: processors where no
// column of their own says how many, and the GPUs of the whole job, untyped, else the
// sum of typed ones.
func sacctTRES(procs func(*job) *int64) setter {
	return func(_ *builder, j *job, cell []byte) bool {
		total, typed := int64(none), int64(0)
		for len(cell) > 0 {
			var one []byte
			if one, cell = cut(cell, ','); len(one) == 0 || one[0] != 'c' && one[0] != 'g' {
				continue
			}
			name, value := cut(one, '=')
			gpu := one[0] == 'g' && bytes.HasPrefix(name, []byte("gres/gpu"))
			if !gpu && string(name) != "cpu" {
				continue
			}
			n, ok := thousands(value)
			switch {
			case !ok:
				return false
			case !gpu:
				if *procs(j) == none {
					*procs(j) = n
				}
			case len(name) == len("gres/gpu"):
				total = n
			case name[len("gres/gpu")] == ':':
				typed += n
			}
		}
		if total == none {
			total = typed
		}
		j.gpus = max(j.gpus, total)
		return true
	}
}

// sacctGres reads gpu:2 or gpu:a100:2, which sacct printed up to 20.11: of each node.
func sacctGres(_ *builder, j *job, cell []byte) bool {
	for one := range bytes.SplitSeq(cell, []byte(",")) {
		if name, rest, named := bytes.Cut(one, []byte(":")); string(name) == "gpu" {
			n, ok := int64(1), true
			if named {
				n, ok = gpuCount(string(rest))
			}
			if !ok {
				return false
			}
			j.gres = max(j.gres, n)
		}
	}
	return true
}

func sacctDependency(_ *builder, j *job, cell []byte) bool {
	if !isAbsent(cell) && string(cell) != "(null)" {
		j.dependency = string(cell)
	}
	return true
}

// sacctSubmitLine finds in the command what has no column of its own here.
func sacctSubmitLine(b *builder, j *job, cell []byte) bool {
	found := options(cell, "--dependency", "-d", "--array", "-a", "--gpus", "-G", "--gpus-per-node", "", "--gres", "")
	j.dependency = string(found[0])
	if len(found[2]) > 0 && j.gpus <= 0 {
		if n, ok := gpuCount(string(found[2])); ok {
			j.gpus = n
		}
	}
	if len(found[3]) > 0 {
		if n, ok := gpuCount(string(found[3])); ok {
			j.gres = n
		}
	}
	if len(found[4]) > 0 && j.gres <= 0 {
		sacctGres(b, j, found[4]) // other devices, and what cannot be read, are no fault of the row
	}
	return j.limitArray(found[1])
}

// sacctArrayLimit takes 7 of --array=0-99%7.
func sacctArrayLimit(_ *builder, j *job, cell []byte) bool {
	return j.limitArray(options(cell, "--array", "-a")[0])
}

func (j *job) limitArray(array []byte) bool {
	if _, most, ok := bytes.Cut(array, []byte("%")); ok {
		if n, err := strconv.ParseInt(string(most), 10, 32); err == nil {
			j.arrayLimit = n
		}
	}
	return true
}

// gpuCount reads 4, or a100:4.
func gpuCount(s string) (int64, bool) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[i+1:]
	}
	n, err := strconv.ParseInt(s, 10, 32)
	return n, err == nil && n > 0
}

// options returns the values of options of a command line, each up to the next blank:
// long and short names of up to five, short ones may be empty.
func options(command []byte, names ...string) (values [5][]byte) {
	if bytes.IndexByte(command, '-') < 0 {
		return values
	}
	command = spaced(command)
	var found [5]bool
	next := func() (word []byte) {
		for len(command) > 0 && len(word) == 0 {
			if i := bytes.IndexByte(command, ' '); i >= 0 {
				word, command = command[:i], command[i+1:]
			} else {
				word, command = command, nil
			}
		}
		return word
	}
	for word := next(); len(word) > 0; word = next() {
		if word[0] != '-' {
			continue
		}
		short := 1
		if len(word) > 1 && word[1] == '-' {
			short = 0
		}
		for k := 0; k < len(names)/2; k++ {
			name := names[2*k+short]
			if found[k] || name == "" || len(word) < len(name) || string(word[:len(name)]) != name {
				continue
			}
			switch value := word[len(name):]; {
			case len(value) == 0:
				if rest := command; len(bytes.TrimLeft(rest, " ")) > 0 {
					values[k], found[k] = next(), true
					command = rest
				}
			case short == 1:
				values[k], found[k] = bytes.TrimPrefix(value, []byte("=")), true
			case value[0] == '=':
				values[k], found[k] = value[1:], true
			}
		}
		if string(word) == "--wrap" || bytes.HasPrefix(word, []byte("--wrap=")) {
			return values
		}
	}
	return values
}
