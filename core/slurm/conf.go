package slurm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Setting is one setting of slurm.conf by its name, in any case.
type Setting struct{ Name, Value string }

// Set takes a setting of slurm.conf, SchedulerParameters and the like included. What
// says nothing of scheduling is passed over. Errors name the setting and its value.
func (p *Params) Set(name, value string) error {
	lower := strings.ToLower(value)
	bad := func(what string) error { return fmt.Errorf("%s=%s: %s", name, value, what) }
	whole := func(to *int64) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return bad("is no whole number")
		}
		*to = n
		return nil
	}
	span := func(to *int64) error {
		s, ok := Seconds(value)
		if !ok {
			return bad("is no time")
		}
		*to = s
		return nil
	}
	switch strings.ToLower(name) {
	case "schedulertype":
		p.Builtin = lower == "sched/builtin"
	case "selecttype":
		if p.Select = ConsTRES; lower == "select/linear" {
			p.Select = Linear
		}
	case "selecttypeparameters":
		p.Memory = strings.Contains(lower, "memory")
	case "prioritytype":
		p.Multifactor = lower == "priority/multifactor"
	case "schedulerparameters":
		for _, one := range strings.Split(value, ",") {
			if err := p.scheduler(strings.TrimSpace(one)); err != nil {
				return err
			}
		}
	case "priorityweightage":
		return whole(&p.WeightAge)
	case "priorityweightassoc":
		return whole(&p.WeightAssoc)
	case "priorityweightfairshare":
		return whole(&p.WeightFair)
	case "priorityweightjobsize":
		return whole(&p.WeightSize)
	case "priorityweightpartition":
		return whole(&p.WeightPartition)
	case "priorityweightqos":
		return whole(&p.WeightQOS)
	case "priorityweighttres":
		for _, one := range strings.Split(lower, ",") {
			key, v, _ := strings.Cut(one, "=")
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return bad("is no list such as CPU=1000,Mem=2000")
			}
			switch key {
			case "cpu":
				p.WeightCPU = n
			case "mem":
				p.WeightMem = n
			case "gres/gpu":
				p.WeightGPU = n
			}
		}
	case "prioritymaxage":
		return span(&p.MaxAge)
	case "prioritydecayhalflife":
		return span(&p.HalfLife)
	case "prioritycalcperiod":
		return span(&p.CalcPeriod)
	case "priorityfavorsmall":
		p.FavorSmall = lower == "yes"
	case "fairsharedampeningfactor":
		return whole(&p.Damping)
	case "priorityflags":
		for _, f := range strings.Split(lower, ",") {
			switch f {
			case "no_fair_tree":
				p.NoFairTree = true
			case "small_relative_to_time":
				p.SmallByTime = true
			case "accrue_always":
				p.AccrueAlways = true
			case "incr_only":
				p.IncrOnly = true
			case "no_normal_all":
				p.RawAssoc, p.RawPart, p.RawQOS = true, true, true
			case "no_normal_assoc":
				p.RawAssoc = true
			case "no_normal_part":
				p.RawPart = true
			case "no_normal_qos":
				p.RawQOS = true
			}
		}
	case "priorityusageresetperiod":
		r := slices.Index([]string{"none", "now", "daily", "weekly", "monthly", "quarterly", "yearly"}, lower)
		if r < 0 {
			return bad("is no period")
		}
		p.UsageReset = Reset(r)
	case "topologyplugin":
		p.Tree = lower == "topology/tree"
	case "preempttype":
		p.PreemptQOS, p.PreemptPartition = lower == "preempt/qos", lower == "preempt/partition_prio"
	case "preemptmode":
		if m, ok := ModeOf(lower); ok {
			p.PreemptMode = m
		} else {
			return bad("is no way to preempt")
		}
	case "preemptexempttime":
		return span(&p.PreemptExempt)
	case "preemptparameters":
		for _, f := range strings.Split(lower, ",") {
			if f == "youngest_first" || f == "youngest_order" {
				p.YoungestOrder = true
			} else if v, ok := strings.CutPrefix(f, "reorder_count="); ok {
				p.PreemptReorder, _ = strconv.Atoi(v)
			}
		}
	case "accountingstoragetype":
		p.NoDatabase = lower != "accounting_storage/slurmdbd"
	case "accountingstorageenforce":
		words := strings.Split(lower, ",")
		has := func(w string) bool { return slices.Contains(words, w) || slices.Contains(words, "all") }
		p.EnforceQOS = has("qos")
		p.EnforceLimits = has("limits") || has("safe")
	case "completewait":
		return whole(&p.CompleteWait)
	case "killwait":
		return whole(&p.KillWait)
	case "overtimelimit":
		if lower == "unlimited" {
			p.OverTime = Unlimited
			return nil
		}
		err := whole(&p.OverTime)
		p.OverTime *= 60
		return err
	case "defmempercpu":
		return whole(&p.DefMemCPU)
	case "defmempernode":
		return whole(&p.DefMemNode)
	case "dependencyparameters":
		p.KillInvalidDepend = p.KillInvalidDepend || strings.Contains(lower, "kill_invalid_depend")
	}
	return nil
}

// ModeOf reads a way to preempt in Slurm's words.
func ModeOf(s string) (Mode, bool) {
	for _, one := range strings.Split(strings.ToLower(s), ",") {
		switch one {
		case "off":
			return ModeOff, true
		case "cancel":
			return ModeCancel, true
		case "requeue":
			return ModeRequeue, true
		case "suspend":
			return ModeSuspend, true
		case "cluster", "":
			return ModeCluster, true
		}
	}
	return ModeOff, strings.EqualFold(s, "gang")
}

// schedulerNumbers are the SchedulerParameters that are whole numbers, with their unit
// in seconds where they are times.
func (p *Params) schedulerNumbers() map[string]func(int64) {
	n := func(to *int) func(int64) { return func(v int64) { *to = int(v) } }
	s := func(to *int64, unit int64) func(int64) { return func(v int64) { *to = v * unit } }
	return map[string]func(int64){
		"sched_interval": s(&p.SchedInterval, 1), "batch_sched_delay": s(&p.BatchSchedDelay, 1),
		"default_queue_depth": n(&p.QueueDepth), "partition_job_depth": n(&p.PartitionDepth), "sched_max_job_start": n(&p.MaxStart),
		"bf_interval": s(&p.BFInterval, 1), "bf_resolution": s(&p.BFResolution, 1), "bf_window": s(&p.BFWindow, 60),
		"bf_max_job_test": n(&p.BFMaxTest), "max_job_bf": n(&p.BFMaxTest), "bf_node_space_size": n(&p.BFNodeSpace), "bf_max_job_start": n(&p.BFMaxStart),
		"bf_max_job_part": n(&p.BFMaxPart), "bf_max_job_user": n(&p.BFMaxUser), "bf_max_job_user_part": n(&p.BFMaxUserPart), "bf_max_job_assoc": n(&p.BFMaxAssoc),
		"bf_max_job_array_resv": n(&p.BFArrayReserve), "bf_job_part_count_reserve": n(&p.BFPartCount),
		"bf_min_age_reserve": s(&p.BFMinAge, 1), "bf_min_prio_reserve": s(&p.BFMinPrio, 1),
		"preempt_reorder_count": n(&p.PreemptReorder),
	}
}

// schedulerFlags are the SchedulerParameters that scheduler knows by name.
var schedulerFlags = []string{"bf_continue", "bf_busy_nodes", "bf_one_resv_per_job", "bf_running_job_reserve", "assoc_limit_stop", "bf_licenses", "defer", "kill_invalid_depend", "preempt_youngest_first", "bf_window_linear"}

// scheduler takes one of SchedulerParameters.
func (p *Params) scheduler(one string) error {
	name, value, has := strings.Cut(strings.ToLower(one), "=")
	switch name {
	case "":
		return nil
	case "bf_continue":
		p.BFContinue = true
	case "bf_busy_nodes":
		p.BFBusyNodes = true
	case "bf_one_resv_per_job":
		p.BFOneResvPerJob = true
	case "bf_running_job_reserve":
		p.BFRunningReserve = true
	case "assoc_limit_stop":
		p.AssocLimitStop = true
	case "bf_licenses":
		p.BFLicences = true
	case "defer":
		p.Defer = true
	case "kill_invalid_depend":
		p.KillInvalidDepend = true
	case "preempt_youngest_first":
		p.YoungestOrder = true
	case "bf_window_linear":
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil || v < 1 {
			return fmt.Errorf("SchedulerParameters: %s: is no number of seconds", one)
		}
		p.BFWindowLinear = v
	default:
		set := p.schedulerNumbers()[name]
		if set == nil || !has {
			return nil
		}
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil || v > math.MaxUint32 || v < 0 && name != "sched_interval" && name != "bf_interval" {
			return fmt.Errorf("SchedulerParameters: %s: is no whole number", one)
		}
		set(v)
		p.BFResolution, p.BFWindow = max(p.BFResolution, 1), max(p.BFWindow, 1)
	}
	return nil
}

// Seconds reads a time of slurm.conf: minutes, minutes:seconds, h:m:s, days-hours and
// so on; INFINITE and UNLIMITED are 0.
func Seconds(s string) (int64, bool) {
	switch strings.ToUpper(s) {
	case "INFINITE", "UNLIMITED", "-1", "":
		return 0, true
	}
	days, rest, dayed := strings.Cut(s, "-")
	if !dayed {
		days, rest = "0", s
	}
	units := [][]int64{{60}, {60, 1}, {3600, 60, 1}}
	if dayed {
		units = [][]int64{{3600}, {3600, 60}, {3600, 60, 1}}
	}
	words := strings.Split(rest, ":")
	if len(words) > 3 {
		return 0, false
	}
	d, err := strconv.ParseInt(days, 10, 32)
	if err != nil || d < 0 {
		return 0, false
	}
	total := d * 86400
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 32)
		if err != nil || n < 0 {
			return 0, false
		}
		total += n * units[len(words)-1][i]
	}
	return total, true
}
