package slurm

import (
	"slices"
	"strings"
)

// harmless are the SchedulerParameters that change no decision about a batch job: they
// concern the controller's load and locks, interactive jobs, steps, scripts, or what
// is displayed. By slurm.conf(5) of 22.05 to 25.11.
var harmless = strings.Fields(`bb_array_stage_cnt bf_max_time bf_yield_interval bf_yield_sleep bf_yield_rpc_cnt build_queue_timeout
	correspond_after_task_cnt defer_batch disable_job_shrink disable_hetjob_steps enable_hetjob_steps enable_job_state_cache enable_user_top
	ignore_numa ignore_prefer_validation inventory_interval max_array_tasks max_depend_depth max_rpc_cnt max_sched_time max_script_size
	max_submit_line_size no_backup_scheduling no_env_cache nohold_on_prolog_fail requeue_setup_env_fail salloc_wait_nodes sbatch_wait_nodes
	sched_min_interval step_retry_count step_retry_time`)

// Unfollowed says what of a setting these decisions do not go by, though Slurm's do:
// the setting's own name, or names within it such as SchedulerParameters's; nothing of
// a setting that is gone by or has nothing to do with scheduling.
func Unfollowed(name, value string) (names []string) {
	lower := strings.ToLower(value)
	each := func(known string) {
		for _, one := range strings.FieldsFunc(lower, func(c rune) bool { return c == ',' || c == ' ' }) {
			key, _, _ := strings.Cut(one, "=")
			if !slices.Contains(strings.Fields(known), key) {
				names = append(names, key)
			}
		}
	}
	unless := func(values string) {
		if lower != "" && !slices.Contains(strings.Fields(values), lower) {
			names = append(names, value)
		}
	}
	switch strings.ToLower(name) {
	case "schedulerparameters":
		var p Params
		numbers := p.schedulerNumbers()
		for _, one := range strings.Split(lower, ",") {
			key, _, _ := strings.Cut(strings.TrimSpace(one), "=")
			if key != "" && numbers[key] == nil && !slices.Contains(schedulerFlags, key) && !slices.Contains(harmless, key) {
				names = append(names, key)
			}
		}
	case "schedulertype":
		unless("sched/backfill sched/builtin")
	case "selecttype":
		unless("select/linear select/cons_tres select/cons_res")
	case "selecttypeparameters":
		each("cr_core cr_core_memory cr_cpu cr_cpu_memory cr_memory cr_core_default_dist_block none")
	case "prioritytype":
		unless("priority/basic priority/multifactor")
	case "priorityflags":
		each("accrue_always no_fair_tree small_relative_to_time fair_tree calculate_running no_normal_assoc no_normal_part no_normal_qos incr_only")
	case "priorityweighttres":
		each("cpu mem gres/gpu")
	case "preempttype":
		unless("preempt/none preempt/qos preempt/partition_prio")
	case "preemptmode":
		each("off cancel requeue suspend gang cluster")
	case "preemptparameters":
		each("youngest_first youngest_order reorder_count min_exempt_priority send_user_signal")
	case "accountingstorageenforce":
		each("associations limits qos safe wckeys all nojobs nosteps none 0 1 2")
	case "dependencyparameters":
		each("kill_invalid_depend disable_remote_singleton")
	case "topologyplugin":
		unless("topology/none topology/default topology/flat topology/tree")
	case "licenses":
		if strings.Contains(lower, "@") {
			names = append(names, value)
		}
	case "burstbuffertype", "jobsubmitplugins", "nodefeaturesplugins", "prioritysitefactorplugin":
		unless("none burst_buffer/none site_factor/none")
	case "suspendtime", "resumeprogram", "suspendprogram", "defmempergpu", "maxmempercpu", "maxmempernode", "federationparameters", "resvoverrun":
		unless("0 -1 none infinite unlimited")
	}
	return names
}
