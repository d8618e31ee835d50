package whatif

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/draft"
	"batchlab/ui/words"
)

// Field is an input of a question, in a line that reads as a sentence.
type Field struct {
	Key           string
	Before, After string // words around it
	Name          string // of the field alone
	Options       []catalog.Option
	Wide          bool
	First         string // what stands in it at first
}

// question is something that may be asked.
type question struct {
	key, name string
	what      string // in a word or two, on its card
	fields    func(v *View) []Field
	// ask changes a document, and returns what the change is called and the places that
	// it touches. times scales what is asked for, 1 as it stands in the fields.
	ask func(v *View, e *experiment.Experiment, times float64) (name string, paths []string, err error)
	// ladder are further sizes of the change, as parts of it; nil: there is but one.
	ladder func(v *View) []float64
}

// fault is an error at a field.
type fault struct {
	field, text string
}

func (f fault) Error() string { return f.text }

// questions in the order of their cards.
var questions []question

func init() {
	questions = []question{
		{"nodes", "Add nodes", "machines or processors", nodeFields, askNodes, nodeLadder},
		{"rule", "Change a rule", "a scheduler or a parameter", ruleFields, askRule, nil},
		{"limit", "Change a limit", "of users or partitions", limitFields, askLimit, nil},
		{"outage", "Outage", "machines away for a while", outageFields, askOutage, nil},
		{"load", "More load", "jobs closer together", loadFields, askLoad, nil},
		{"book", "A reservation", "see who pays", bookFields, askBook, nil},
		{"both", "Combine two", "questions above", bothFields, nil, nil},
	}
}

func questionOf(key string) *question {
	for i := range questions {
		if questions[i].key == key {
			return &questions[i]
		}
	}
	return &questions[0]
}

// read reads a field by a row: that of the place where it goes, which knows unit and range.
// What may be left out there may not be here.
func read[T any](v *View, key string, row *catalog.Param) (value T, err error) {
	r := *row
	r.Empty, r.Optional = "", false
	got, err := draft.Parse(&r, strings.ReplaceAll(strings.TrimSpace(v.Get(key)), words.Minus, "-"))
	if err != nil {
		return value, fault{key, err.Error()}
	}
	value, _ = got.(T)
	return value, nil
}

// rowAt is the row of a place of a document, "[]" for an entry of a list that is new.
func rowAt(e *experiment.Experiment, path string) *catalog.Param {
	p, _ := e.At(path)
	return &p.Param
}

// whole is the row of a number that stands in no document.
func whole(least, most float64) *catalog.Param {
	return &catalog.Param{Type: catalog.Int, Min: least, Max: most}
}

// groups are the machines of the platform as a choice: "cluster.group".
func groups(e *experiment.Experiment) (list []catalog.Option) {
	for i, c := range e.Platform.Clusters {
		for k, g := range c.Groups {
			name := words.Int(g.Count) + " × " + words.Count(g.Processors, "processor", "processors")
			if g.GPUs > 0 {
				name += ", " + words.Count(g.GPUs, "GPU", "GPUs")
			}
			if g.Memory > 0 {
				name += ", " + words.Bytes(g.Memory)
			}
			if len(e.Platform.Clusters) > 1 {
				name = c.Name + ": " + name
			}
			list = append(list, catalog.Option{Key: fmt.Sprintf("%d.%d", i, k), Name: name})
		}
	}
	return list
}

// group is the one that a field names.
func (v *View) group(key string) (cluster, group int) {
	fmt.Sscanf(v.Get(key), "%d.%d", &cluster, &group)
	return cluster, group
}

func nodeFields(v *View) []Field {
	if list := groups(v.Page.Doc); len(list) > 0 {
		return []Field{
			{Key: "count", Name: "Machines more", Before: "Add", First: "4"},
			{Key: "like", Name: "Like which", Before: "machines like", Options: list, First: list[len(list)-1].Key},
		}
	}
	n := max(1, v.processors()/10)
	return []Field{{Key: "count", Name: "Processors more", Before: "Add", After: "processors to " + words.Int(v.processors()), First: strconv.FormatInt(n, 10)}}
}

// processors are those of a counted platform, 0 unknown.
func (v *View) processors() int64 {
	if n := v.Page.Doc.Platform.Processors; n > 0 {
		return n
	}
	if p := v.Page.Preview; p != nil {
		return int64(p.Processors)
	}
	return 0
}

func askNodes(v *View, e *experiment.Experiment, times float64) (string, []string, error) {
	n, err := read[int64](v, "count", whole(-experiment.MaxProcessors, experiment.MaxProcessors))
	if err != nil {
		return "", nil, err
	}
	n = int64(math.Ceil(float64(n) * times))
	more := func(what string) string {
		if n < 0 {
			return words.Count(-n, what, what+"s") + " less"
		}
		return words.Count(n, what, what+"s") + " more"
	}
	switch {
	case e.Platform.Generator != nil:
		return "", nil, errors.New("the machines are drawn at random: none can be added by hand")
	case len(e.Platform.Clusters) == 0:
		now := v.processors()
		if now == 0 {
			return "", nil, errors.New("the log does not say how many processors there are: state them in Platform")
		}
		if now+n < 1 {
			return "", nil, fault{"count", "there are but " + words.Int(now) + " processors"}
		}
		e.Platform.Processors = now + n
		return more("processor"), []string{"platform.processors"}, nil
	}
	i, k := v.group("like")
	if i >= len(e.Platform.Clusters) || k >= len(e.Platform.Clusters[i].Groups) {
		return "", nil, fault{"like", "there are no such machines any more"}
	}
	c := &e.Platform.Clusters[i]
	if c.Groups[k].Count+n < 1 {
		return "", nil, fault{"count", "there are but " + words.Int(c.Groups[k].Count) + " of these machines"}
	}
	name := more("machine")
	if c.Groups[k].GPUs > 0 {
		name = more("GPU machine")
	}
	path := fmt.Sprintf("platform.clusters[%d].groups", i)
	if k == len(c.Groups)-1 && len(e.Platform.Partitions) == 0 || !named(e) {
		c.Groups[k].Count += n
		return name, []string{fmt.Sprintf("%s[%d].count", path, k)}, nil
	}
	if n < 0 {
		return "", nil, fault{"count", "partitions or outages name these machines: they can only be added to"}
	}
	if n == 0 {
		return name, []string{path}, nil
	}
	// The new machines stand behind all others of the cluster, so that nobody's number
	// changes, and belong to each partition that has all of their like.
	first, from, to := int64(0), int64(0), int64(0)
	for g := range c.Groups {
		if g == k {
			from, to = first, first+c.Groups[g].Count
		}
		first += c.Groups[g].Count
	}
	like, at := c.Groups[k], int64(len(c.Groups))
	like.Count = n
	c.Groups = append(c.Groups, like)
	for p := range e.Platform.Partitions {
		part := &e.Platform.Partitions[p]
		for _, s := range part.Nodes {
			if s.Cluster != c.Name && s.Cluster != "" {
				continue
			}
			if s.Group != nil && *s.Group == int64(k) && s.First == 0 && (s.Count == 0 || s.Count == to-from) {
				part.Nodes = append(part.Nodes, experiment.NodeSpan{Cluster: s.Cluster, Group: &at})
				break
			}
			if s.Group == nil && s.First <= from && s.Count > 0 && s.First+s.Count >= to { // with count 0 all that come are in it
				part.Nodes = append(part.Nodes, experiment.NodeSpan{Cluster: s.Cluster, First: first, Count: n})
				break
			}
		}
	}
	paths := []string{path}
	if len(e.Platform.Partitions) > 0 {
		paths = append(paths, "platform.partitions")
	}
	return name, paths, nil
}

// named reports whether something names machines by their numbers.
func named(e *experiment.Experiment) bool {
	for _, p := range e.Platform.Partitions {
		if len(p.Nodes) > 0 {
			return true
		}
	}
	for _, o := range e.Platform.Outages {
		if len(o.Nodes) > 0 {
			return true
		}
	}
	return len(e.Workload.Annotate.Jobs) > 0 || e.Workload.Annotate.File != nil
}

// nodeLadder has half, one less, and twice as many beside what is asked.
func nodeLadder(v *View) []float64 {
	n, err := read[int64](v, "count", whole(1, experiment.MaxProcessors))
	if err != nil {
		return nil
	}
	f := float64(n)
	switch {
	case n == 1:
		return []float64{2, 4}
	case n == 2:
		return []float64{.5, 2}
	}
	list := []float64{math.Floor(f/2) / f}
	if n/2 < n-1 {
		list = append(list, (f-1)/f)
	}
	return append(list, 2)
}

// changed are the parameters of a scheduler that a line of fields can change.
func changeable(row *catalog.Scheduler) (list []catalog.Param) {
	for _, p := range row.Params {
		switch p.Type {
		case catalog.Int, catalog.Number, catalog.Seconds, catalog.Bool, catalog.Enum:
			list = append(list, p)
		}
	}
	return list
}

func ruleFields(v *View) []Field {
	row := catalog.FindScheduler(v.scheduler().Key)
	options := []catalog.Option{{Key: "", Name: "another scheduler"}}
	for _, p := range changeable(row) {
		options = append(options, catalog.Option{Key: p.Key, Name: p.Name})
	}
	what := Field{Key: "what", Name: "What changes", Before: "Change", Options: options, First: options[min(1, len(options)-1)].Key}
	value := Field{Key: "value." + v.getOf(what), Name: "To what", Before: "to"}
	p := catalog.FindParam(row.Params, v.getOf(what))
	switch {
	case p == nil:
		for i := range catalog.Schedulers {
			s := &catalog.Schedulers[i]
			if !s.Logged && s.Key != row.Key && s.Key != "grid" && s.Key != "exec" && s.Key != catalog.CustomKey {
				value.Options = append(value.Options, catalog.Option{Key: s.Key, Name: s.Name})
			}
		}
		value.First = value.Options[0].Key
		if row.Key != "conservative" {
			value.First = "conservative"
		}
	case p.Type == catalog.Bool:
		value.Options = []catalog.Option{{Key: "false", Name: "off"}, {Key: "true", Name: "on"}}
		value.First = "true"
		if now, ok := v.scheduler().Params.Get(p.Key); ok && now == true {
			value.First = "false"
		}
	case p.Type == catalog.Enum:
		value.Options = p.Options
		now := v.scheduler().Params.Text(p.Key)
		for _, o := range p.Options {
			if o.Key != now && value.First == "" && o.Key != "mixed" && o.Key != "formula" {
				value.First = o.Key
			}
		}
	default:
		value.After = p.Unit
		value.First = "30"
		if now, ok := v.scheduler().Params.Get(p.Key); ok && now != nil {
			value.First = fmt.Sprint(now)
		}
	}
	return []Field{what, value}
}

func askRule(v *View, e *experiment.Experiment, _ float64) (string, []string, error) {
	fields := ruleFields(v)
	what, value := v.getOf(fields[0]), v.getOf(fields[1])
	row := catalog.FindScheduler(e.Schedulers[0].Key)
	p := catalog.FindParam(row.Params, what)
	if p == nil {
		other := catalog.FindScheduler(value)
		if other == nil {
			return "", nil, fault{fields[1].Key, "choose a scheduler"}
		}
		e.Schedulers[0] = experiment.Scheduler{Key: other.Key, Params: experiment.Defaults(other.Params), Repeat: e.Schedulers[0].Repeat}
		return other.Short, []string{"schedulers[0]"}, nil
	}
	got, err := read[any](v, fields[1].Key, p)
	if err != nil {
		return "", nil, err
	}
	name := value
	switch n := got.(type) {
	case bool:
		name = map[bool]string{true: "on", false: "off"}[n]
	case string:
		if o := catalog.FindOption(p.Options, n); o != nil {
			name = o.Name
		}
	case int64:
		name = amount(float64(n), p.Unit)
	case float64:
		name = amount(n, p.Unit)
	}
	path := "schedulers[0].params." + p.Key
	at, _ := e.At(path)
	at.Set(got)
	if err := e.Validate(); err != nil {
		return "", nil, fault{fields[1].Key, experiment.Faults(err)[0].Message}
	}
	return lower(p.Name) + " " + name, []string{path}, nil
}

// amount is a number with its unit.
func amount(n float64, unit string) string {
	if unit == "" {
		return words.Plain(n)
	}
	return words.Plain(n) + words.NB + unit
}

func limitFields(v *View) []Field {
	options := []catalog.Option{{Key: "user", Name: "the processors of one user"}}
	for i, p := range v.Page.Doc.Platform.Partitions {
		options = append(options, catalog.Option{Key: strconv.Itoa(i), Name: "the time of a job in " + p.Name})
	}
	what := Field{Key: "what", Name: "Which limit", Before: "Limit", Options: options, First: options[len(options)-1].Key}
	value := Field{Key: "to." + v.getOf(what), Name: "To what", Before: "to"}
	if v.getOf(what) == "user" {
		value.After, value.First = "at a time", strconv.FormatInt(v.widest(), 10)
	} else {
		value.First = "2d"
	}
	return []Field{what, value}
}

// widest is as many processors as the widest jobs may ask for: no limit can be lower.
func (v *View) widest() int64 {
	n := max(1, v.processors())
	if p := v.Page.Preview; p != nil {
		for _, bar := range p.Shape.Sizes {
			if bar.Jobs > 0 && !bar.Open() {
				n = min(max(1, v.processors()), bar.To)
			}
		}
	}
	return n
}

func askLimit(v *View, e *experiment.Experiment, _ float64) (string, []string, error) {
	fields := limitFields(v)
	what := v.getOf(fields[0])
	if what == "user" {
		n, err := read[int64](v, fields[1].Key, rowAt(e, "platform.limits.user_processors"))
		e.Platform.Limits.UserProcessors = n
		return atMost(n, words.Count(n, "processor", "processors")) + " a user", []string{"platform.limits"}, err
	}
	i, err := strconv.Atoi(what)
	if err != nil || i >= len(e.Platform.Partitions) {
		return "", nil, fault{"what", "there is no such partition any more"}
	}
	path, p := fmt.Sprintf("platform.partitions[%d].max_time", i), &e.Platform.Partitions[i]
	p.MaxTime, err = read[int64](v, fields[1].Key, rowAt(e, path))
	return atMost(p.MaxTime, words.Natural(float64(p.MaxTime))) + " in " + p.Name, []string{path}, err
}

// atMost says a limit, of which 0 is none.
func atMost(n int64, said string) string {
	if n == 0 {
		return "no limit"
	}
	return "at most " + said
}

// firstSubmission is when the first job comes, 0 unknown.
func (v *View) firstSubmission() int64 {
	if p := v.Page.Preview; p != nil {
		return int64(p.First)
	}
	return 0
}

// when reads day, hour and length of a question: day 1 begins with the first job.
func (v *View) when() (from, to int64, name string, err error) {
	day, err := read[int64](v, "day", whole(1, 100_000))
	if err != nil {
		return 0, 0, "", err
	}
	hour, err := read[int64](v, "hour", whole(0, 23))
	if err != nil {
		return 0, 0, "", err
	}
	length, err := read[int64](v, "for", rowAt(v.Page.Doc, "platform.reservations[].length"))
	if err != nil {
		return 0, 0, "", err
	}
	from = v.firstSubmission() + (day-1)*86400 + hour*3600
	return from, from + length, fmt.Sprintf("on day %d from hour %d for %s", day, hour, words.Natural(float64(length))), nil
}

// middle is the day in the middle of the workload.
func (v *View) middle() string {
	if p := v.Page.Preview; p != nil && p.Last > p.First {
		return strconv.FormatInt(1+int64(p.Last-p.First)/2/86400, 10)
	}
	return "2"
}

func whenFields(v *View, length string) []Field {
	return []Field{
		{Key: "day", Name: "Day, from 1", Before: "on day", First: v.middle()},
		{Key: "hour", Name: "Hour of the day, from the first job", Before: "from hour", First: "8"},
		{Key: "for", Name: "For how long", Before: "for", First: length},
	}
}

func outageFields(v *View) []Field {
	var who Field
	if list := groups(v.Page.Doc); len(list) > 0 {
		who = Field{Key: "who", Name: "Which machines", Before: "Away:", Options: list, First: list[0].Key}
	} else {
		who = Field{Key: "count", Name: "Processors", Before: "Away:", After: "processors", First: strconv.FormatInt(max(1, v.processors()/4), 10)}
	}
	known := []catalog.Option{{Key: "true", Name: "known in advance"}, {Key: "false", Name: "a surprise"}}
	return append(append([]Field{who}, whenFields(v, "1d")...), Field{Key: "known", Name: "Known in advance", Options: known, First: "true"})
}

func askOutage(v *View, e *experiment.Experiment, _ float64) (string, []string, error) {
	from, to, when, err := v.when()
	if err != nil {
		return "", nil, err
	}
	o := experiment.Outage{From: from, To: to, Announced: v.Get("known") == "true"}
	name := ""
	if len(e.Platform.Clusters) > 0 {
		i, k := v.group("who")
		if i >= len(e.Platform.Clusters) || k >= len(e.Platform.Clusters[i].Groups) {
			return "", nil, fault{"who", "there are no such machines any more"}
		}
		c := &e.Platform.Clusters[i]
		first := int64(0)
		for _, g := range c.Groups[:k] {
			first += g.Count
		}
		o.Cluster = c.Name
		n := c.Groups[k].Count
		if c.Packing == "processors" || c.Packing == "" {
			o.Procs = n * c.Groups[k].Processors
		} else {
			for at := range n {
				o.Nodes = append(o.Nodes, first+at)
			}
		}
		name = words.Count(n, "machine", "machines")
	} else {
		n, err := read[int64](v, "count", whole(1, float64(max(1, v.processors()))))
		if err != nil {
			return "", nil, err
		}
		o.Procs = n
		name = words.Count(n, "processor", "processors")
	}
	e.Platform.Outages = append(e.Platform.Outages, o)
	return name + " away " + when, []string{"platform.outages"}, nil
}

func loadFields(*View) []Field {
	return []Field{{Key: "load", Name: "Load, as a factor", Before: "Let the jobs come", After: "times as fast", First: "1.1"}}
}

func askLoad(v *View, e *experiment.Experiment, _ float64) (string, []string, error) {
	n, err := read[float64](v, "load", rowAt(e, "workload.scale.load"))
	if err != nil {
		return "", nil, err
	}
	e.Workload.Scale.Load = float64(e.Workload.Scale.Load * n)
	return "load × " + words.Plain(n), []string{"workload.scale.load"}, nil
}

func bookFields(v *View) []Field {
	var options []catalog.Option
	for i, r := range v.Page.Doc.Platform.Reservations {
		name := r.Name
		if name == "" {
			name = "R" + strconv.Itoa(i+1)
		}
		options = append(options, catalog.Option{Key: strconv.Itoa(i), Name: name})
	}
	options = append(options, catalog.Option{Key: "new", Name: "a new one"})
	which := Field{Key: "which", Name: "Which reservation", Before: "Who pays for", Options: options, First: options[0].Key}
	if v.getOf(which) != "new" {
		return []Field{which}
	}
	return append([]Field{which, {Key: "count", Name: "Processors", Before: "of", After: "processors", First: strconv.FormatInt(max(1, v.processors()/4), 10)}}, whenFields(v, "6h")...)
}

// askBook books a new reservation, or takes out all but one that is there: for that one
// the document as it is comes after, not before.
func askBook(v *View, e *experiment.Experiment, _ float64) (string, []string, error) {
	if which := v.getOf(bookFields(v)[0]); which != "new" {
		i, err := strconv.Atoi(which)
		if err != nil || i >= len(e.Platform.Reservations) {
			return "", nil, fault{"which", "there is no such reservation any more"}
		}
		return bookFields(v)[0].Options[i].Name, []string{"platform.reservations"}, nil
	}
	from, to, when, err := v.when()
	if err != nil {
		return "", nil, err
	}
	n, err := read[int64](v, "count", rowAt(e, "platform.reservations[].processors"))
	if err != nil {
		return "", nil, err
	}
	e.Platform.Reservations = append(e.Platform.Reservations, experiment.ReservationRequest{Processors: n, From: from, To: to, Effort: "exact"})
	return "a reservation of " + words.Count(n, "processor", "processors") + " " + when, []string{"platform.reservations"}, nil
}

// booked is the place of the reservation that is asked about, −1 for a new one.
func (v *View) booked() int {
	if v.Question != "book" {
		return -1
	}
	if i, err := strconv.Atoi(v.getOf(bookFields(v)[0])); err == nil && i < len(v.Page.Doc.Platform.Reservations) {
		return i
	}
	return -1
}

func bothFields(*View) []Field {
	var options []catalog.Option
	for _, q := range questions[:len(questions)-1] {
		options = append(options, catalog.Option{Key: q.key, Name: lower(q.name)})
	}
	return []Field{
		{Key: "one", Name: "First question", Before: "Combine", Options: options, First: "nodes"},
		{Key: "two", Name: "Second question", Before: "and", After: "as they stand there", Options: options, First: "load"},
	}
}

func lower(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' { // EASY
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
