//go:build !small

package lab

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/slurm"
	"batchlab/core/swf"
)

// newSlurm makes a controller of what its parameters say in the words of slurm.conf.
func newSlurm(p experiment.Params) (sim.Scheduler, error) {
	version, err := strconv.Atoi(strings.Replace(p.Text("version"), ".", "", 1))
	if err != nil {
		return nil, fmt.Errorf("version: %s: no version of Slurm", p.Text("version"))
	}
	s := &policy.Slurm{Params: slurm.Defaults(version), Phase: -1}
	if phase, ok := p.Int("phase"); ok {
		s.Phase = model.Time(phase)
	}
	rows := catalog.FindScheduler("slurm").Params
	for i := range rows {
		key := rows[i].Key
		text := p.Words(key)
		if text == "" || key == "version" || key == "phase" || text == "default" || text == "false" {
			continue
		}
		switch {
		case key == "sched_min_interval":
			micros, _ := p.Int(key)
			s.Gap = model.Time((micros + 999_999) / 1_000_000)
			if micros < 1000 {
				s.Gap = 0 // within a second, in which there is one pass at most
			}
			continue
		case key == "PriorityFavorSmall":
			err = s.Params.Set(key, "yes")
		case rows[i].Type == catalog.Seconds: // slurm.conf's times are minutes or have colons
			seconds, _ := p.Int(key)
			err = s.Params.Set(key, fmt.Sprintf("0:%d", seconds))
		case strings.ToUpper(key) == key:
			err = s.Params.Set("PriorityFlags", key)
		case strings.ToLower(key) == key && rows[i].Type == catalog.Bool:
			err = s.Params.Set("SchedulerParameters", key)
		case strings.ToLower(key) == key:
			err = s.Params.Set("SchedulerParameters", key+"="+text)
		default:
			err = s.Params.Set(key, text)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// given lets the loops of a controller run when the environment says so.
func (p *Prepared) given(s sim.Scheduler, repetition int) error {
	c, ok := s.(*policy.Slurm)
	if !ok || len(p.env.Instants) == 0 {
		return nil
	}
	log, err := p.source(repetition)
	if err != nil {
		return err
	}
	c.Given = givenInstants(p.env.Instants, log)
	for n, a := range p.env.Asked {
		if of, ok := c.Given.Asked[n]; ok {
			of.Ask = &a
			c.Given.Asked[n] = of
		}
	}
	return nil
}

// givenInstants puts together what instants tell of each job, and what a log says that
// jobs have asked for.
func givenInstants(list []Instant, log *swf.Log) *policy.SlurmGiven {
	g := &policy.SlurmGiven{Epoch: log.Header.UnixStartTime, Submits: map[int64]int64{}, Took: map[int64]int64{}, Epilogs: map[int64][]int64{}, Asked: map[int64]policy.SlurmAsked{}}
	kinds := map[string]policy.TickKind{"main": policy.TickMain, "main full": policy.TickFull, "backfill": policy.TickBackfill}
	begun, pass, priced := map[int64]int64{}, int64(0), false
	for _, i := range list {
		at := int64(i.At)*1000 + int64(i.Milli)
		if kind, ok := kinds[i.What]; ok {
			if pass = at; len(g.Ticks) == 0 && !priced {
				g.Priced = at - slurmBefore
			}
			g.Ticks = append(g.Ticks, policy.Tick{At: i.At, Milli: i.Milli, What: kind})
			continue
		}
		switch {
		case i.What == "priorities" && !priced:
			g.Priced, priced = at, true
		case i.What == "end" && i.Job < 0:
			g.Ends = append(g.Ends, at)
		case i.Job <= 0:
		case i.What == "submit":
			g.Submits[i.Job] = at
		case i.What == "start":
			begun[i.Job] = pass
		case i.What == "epilog":
			g.Epilogs[i.Job] = append(g.Epilogs[i.Job], at)
		case i.What == "end":
			if from, ok := begun[i.Job]; ok {
				g.Took[i.Job] = at - from
			}
		}
	}
	// It is shifted by as many whole seconds as lie between the submissions that it knows
	// and those of the log, most of them.
	apart := map[model.Time]int{}
	for k := range log.Records {
		if at, ok := g.Submits[log.Records[k].JobNumber]; ok {
			by := model.Time(log.Records[k].SubmitTime) - model.Time(at/1000)
			if apart[by]++; apart[by] > apart[g.Shift] {
				g.Shift = by
			}
		}
	}
	arrays := map[int32]int64{} // by array: its number, which its last task keeps
	for k := range log.Extra {
		if a, n := log.Extra[k].Array, log.Records[k].JobNumber; a > 0 && (arrays[a] == 0 || n < arrays[a]) {
			arrays[a] = n
		}
	}
	for k := range log.Records {
		r := &log.Records[k]
		asked := policy.SlurmAsked{ID: r.JobNumber, Task: -1, Limit: model.Time(max(r.RequestedTime, 0))}
		if log.Extra != nil && log.Extra[k].Array > 0 {
			if asked.ID = arrays[log.Extra[k].Array]; r.JobNumber == asked.ID {
				asked.Task = math.MaxInt32
			} else {
				asked.Task = int(r.JobNumber)
			}
			if at, ok := g.Submits[asked.ID]; ok {
				g.Submits[r.JobNumber] = at
			}
		}
		g.Asked[r.JobNumber] = asked
	}
	return g
}

// slurmBefore is how many milliseconds before its first pass a controller has computed
// priorities, where no log says when: batch_sched_delay, and a little.
const slurmBefore = 3020

// ReadInstants reads a CSV with the columns t (seconds, to the millisecond), what (of
// InstantKinds, all else is passed over) and which: full of passes over the whole queue,
// else the number of the job. The time is the log's, or, where submissions are among
// them, any. Errors name the line.
func ReadInstants(text string) (list []Instant, err error) {
	at := map[string]int{}
	for n, line := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		row := strings.Split(strings.TrimSuffix(line, "\r"), ",")
		if n == 0 {
			for i, name := range row {
				at[strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))] = i
			}
			for _, name := range [...]string{"t", "what"} {
				if _, ok := at[name]; !ok {
					return nil, fmt.Errorf("line 1: there is no column %s", name)
				}
			}
			continue
		}
		field := func(name string) string {
			if i, ok := at[name]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		what := field("what")
		if what == "main" && field("which") == "full" {
			what = "main full"
		}
		if !slices.Contains(InstantKinds[:], what) {
			continue
		}
		t, err := strconv.ParseFloat(field("t"), 64)
		if err != nil || math.Abs(t) > 1e12 || t != t {
			return nil, fmt.Errorf("line %d: %q is no number of seconds", n+1, field("t"))
		}
		job, err := strconv.ParseInt(field("which"), 10, 64)
		if err != nil && strings.Contains(field("which"), "_") {
			job = -1 // a task: only accounting knows its number
		}
		ms := int64(math.Round(t * 1000))
		second := (ms - (ms%1000+1000)%1000) / 1000
		list = append(list, Instant{model.Time(second), int32(ms - second*1000), what, job})
	}
	if !slices.ContainsFunc(list, func(i Instant) bool { return slices.Contains(InstantKinds[:3], i.What) }) {
		return nil, errors.New("no pass and no cycle stands in it")
	}
	order.Stable(list, func(a, b Instant) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Milli, b.Milli)) })
	return list, nil
}

// slurmWords are other words of slurm.conf for what a parameter has.
var slurmWords = map[string]string{"select/cons_res": "select/cons_tres", "suspend,gang": "suspend", "gang,suspend": "suspend"}

// SetSlurm gives a line with the scheduler slurm what slurm.conf says of its parameters,
// and returns the SchedulerParameters that it does not go by. Settings of other things are
// passed over.
func SetSlurm(s *experiment.Scheduler, settings []report.Setting) (left []string) {
	rows := catalog.FindScheduler("slurm").Params
	find := func(name string) *catalog.Param {
		i := slices.IndexFunc(rows, func(p catalog.Param) bool { return strings.EqualFold(p.Key, name) })
		if i < 0 {
			return nil
		}
		return &rows[i]
	}
	set := func(name, value string) bool {
		row := find(name)
		if row == nil {
			return false
		}
		var v any
		switch n, err := strconv.ParseInt(value, 10, 64); {
		case row.Type == catalog.Bool:
			v = !strings.EqualFold(value, "no")
		case row.Type == catalog.Enum:
			v = strings.ToLower(value)
			if mode, ok := slurmWords[v.(string)]; ok {
				v = mode
			}
		case row.Type == catalog.Seconds:
			seconds, ok := slurm.Seconds(value)
			if !ok {
				return false
			}
			v = seconds
		case err != nil:
			return false
		default:
			v = n
		}
		return s.SetParam(row.Key, v) == nil
	}
	for _, one := range settings {
		switch strings.ToLower(one.Name) {
		case "schedulerparameters":
			for _, word := range strings.Split(one.Value, ",") {
				name, value, _ := strings.Cut(strings.TrimSpace(word), "=")
				if name != "" && !set(name, value) {
					left = append(left, name)
				}
			}
		case "preemptparameters":
			for _, word := range strings.Split(one.Value, ",") {
				name, value, _ := strings.Cut(strings.TrimSpace(word), "=")
				switch strings.ToLower(name) {
				case "":
				case "youngest_first", "youngest_order":
					set("preempt_youngest_first", "yes")
				case "reorder_count":
					set("preempt_reorder_count", value)
				default:
					left = append(left, name)
				}
			}
		case "priorityflags":
			for _, flag := range strings.Split(one.Value, ",") {
				if flag = strings.TrimSpace(flag); flag != "" && !set(flag, "yes") {
					left = append(left, flag)
				}
			}
		case "version", "phase":
		default:
			if find(one.Name) != nil && !set(one.Name, one.Value) {
				left = append(left, one.Name)
			}
		}
	}
	return left
}
