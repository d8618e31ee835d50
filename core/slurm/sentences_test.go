package slurm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sentences are the rules of Slurm's that these decisions go by beside those that are
// played (TestSentences), or whose plans, nodes and reasons are computed as well, section
// by section, each with the test that has its case.
var sentences = []struct{ section, rule, test string }{
	{"2 main loop", "nothing while a job has been completing for less than CompleteWait", "TestCompleteWait"},
	{"2", "the order: tier, priority, submission", "TestQueueOrder"},
	{"2", "default_queue_depth jobs are tested, and one more", "TestQueueDepth"},
	{"2", "a partition that has failed gives Priority; its nodes are withheld from others", "TestMainNeverPassesOver"},
	{"2", "who is over a limit blocks nobody", "TestLimits"},
	{"2", "who lacks a licence blocks nobody; with bf_licenses the pass stops", "TestLicences"},
	{"2", "fewer nodes left than a job's least: the partition fails", "TestDownNodes"},
	{"2", "who could never run blocks nobody", "TestWhoNeverRunsBlocksNobody"},
	{"2", "nodes that are busy as a whole make a job block", "TestBusyAsAWhole"},
	{"2", "who only a reservation hinders blocks nobody", "TestMaintenance"},
	{"2", "an array's tasks are split off one by one", "TestArrays"},
	{"3 backfill", "plans on whole nodes; who delays none starts", "TestCycleStartsWhatDelaysNoPlan"},
	{"3", "bf_resolution, rounded down, from 24.11 up", "TestResolution"},
	{"3", "bf_window, bf_max_job_test, sched/builtin", "TestCycleEnds"},
	{"3", "a node that completes: a second later", "TestCompletingNodes"},
	{"3", "--time-min", "TestTimeMin"},
	{"3", "bf_running_job_reserve, and whole jobs of this cycle", "TestWholeJobsAreHeld"},
	{"3", "bf_job_part_count_reserve", "TestPlansAPartition"},
	{"3", "no plan that limits forbid", "TestPlansWithinLimits"},
	{"4 will-run", "windows that double; the relevant end from 25.11; past its end: KillWait", "TestWillRunWindows"},
	{"4", "select/linear one by one", "TestLinear"},
	{"5 nodes", "consecutive best fit, weights", "TestChoice"},
	{"5", "memory, GPUs, whole nodes", "TestMemoryAndGPUs"},
	{"5", "busy nodes first", "TestBusyNodesFirst"},
	{"5", "features", "TestFeatures"},
	{"6 priority", "factors, and when they change", "TestPriorityByHand"},
	{"6", "NO_NORMAL_*, INCR_ONLY", "TestPriorityFlags"},
	{"6", "without slurmdbd nothing changes", "TestWithoutDatabase"},
	{"6", "the fair tree, decay, the older fair share", "TestFairTreeByHand"},
	{"7 preemption", "who goes, and when the other starts", "TestPreemption"},
	{"5", "topology/tree", "TestTopologyTree"},
	{"6", "PriorityUsageResetPeriod", "TestUsageResets"},
	{"7", "SUSPEND,GANG: who stands still, on which cores, and goes on", "TestSuspended"},
	{"7", "only who is in the way", "TestOnlyWhoIsInTheWayIsSuspended"},
	{"7", "memory and GPUs are kept", "TestWhatTheSuspendedKeep"},
	{"3", "heterogeneous jobs", "TestHeterogeneous"},
	{"8 dependencies", "each kind: met, never met", "TestDependencies"},
	{"8", "after an array", "TestAfterArray"},
	{"8", "singleton, begin", "TestSingletonAndBegin"},
	{"8", "%n of arrays", "TestArrays"},
	{"8 limits", "of QOS and users", "TestLimits"},
	{"8", "GrpWall, GrpTRESMins", "TestUsageLimits"},
	{"8", "MaxTRESMins", "TestMostOfAJob"},
	{"8", "MaxSubmitJobs, GrpSubmitJobs", "TestMaxSubmit"},
	{"8", "of accounts; QOS before association", "TestLimitsOfAccounts"},
}

// Intent: each rule that is listed has its test: a list that outlives its tests would
// claim what nothing holds.
func TestSentencesHaveTests(t *testing.T) {
	names, err := filepath.Glob("*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, s := range sentences {
		if !strings.Contains(all.String(), "func "+s.test+"(") {
			t.Errorf("§ %s: %s: there is no %s", s.section, s.rule, s.test)
		}
	}
}
