package experiment

import (
	"reflect"
	"strings"
	"testing"
)

// shared has partitions, QOS and accounts that differ from their defaults.
const shared = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"platform":{
"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":8},{"count":2,"processors":16}]},{"name":"b","groups":[{"processors":16}]}],
"partitions":[{"name":"batch","number":7,"nodes":[{"cluster":"a","group":0,"first":1,"count":3},{"cluster":"b"}],"max_time":86400,"default_time":600,"tier":2,"priority":50,"qos":"low","preempt":"requeue","limits":{"processors":64,"user_jobs":3}},
 {"name":"all"}],
"qos":[{"name":"high","number":4,"priority":100,"preempts":["low"],"preempt":"off","limits":{"jobs":9,"job_processors":32,"job_time":7200}},{"name":"low"}],
"accounts":[{"number":3,"shares":60,"users":[{"user":5,"shares":4}],"limits":{"user_processors":33}},{"number":8,"parent":3}]}}`

// Intent: partitions, QOS and accounts reach their fields, come back from file and
// link, belong to the identity, and stay out of documents without them, so that older
// identities stay.
func TestShared(t *testing.T) {
	e := mustDecode(t, shared)
	group := int64(0)
	want := Partition{Name: "batch", Number: 7, Nodes: []NodeSpan{{Cluster: "a", Group: &group, First: 1, Count: 3}, {Cluster: "b"}}, MaxTime: 86400, DefaultTime: 600,
		Tier: 2, Priority: 50, QOS: "low", Preempt: "requeue", Limits: Quotas{Processors: 64, UserJobs: 3}}
	if !reflect.DeepEqual(e.Platform.Partitions[0], want) {
		t.Errorf("%+v", e.Platform.Partitions[0])
	}
	if got, want := e.Platform.Accounts[1], (Account{Number: 8, Parent: 3, Shares: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if !e.Platform.Quoted() || !e.Platform.Guarded() || !e.Studies() {
		t.Error("its limits are not seen")
	}
	comesBack(t, e)
	eachCounts(t, shared, `"number":7|"number":8`, `"group":0|"group":null`, `"count":3|"count":2`, "86400|86401", `600|601`, `"tier":2|"tier":3`, `"priority":50|"priority":51`,
		`"qos":"low"|"qos":"high"`, "requeue|cancel", `"processors":64|"processors":65`, `"user_jobs":3|"user_jobs":4`, `["low"]|[]`, `"jobs":9|"jobs":8`,
		`"job_time":7200|"job_time":7201`, `"shares":60|"shares":61`, `"shares":4|"shares":5`, `"user_processors":33|"user_processors":34`, `"parent":3|"parent":0`)
	c := e.Clone()
	*c.Platform.Partitions[0].Nodes[0].Group, c.Platform.QOS[0].Preempts[0], c.Platform.Accounts[0].Users[0].Shares = 1, "x", 9
	if !reflect.DeepEqual(e, mustDecode(t, shared)) {
		t.Error("a clone shares memory")
	}
	if text := string(Encode(mustDecode(t, minimal))); strings.Contains(text, "partitions") || strings.Contains(text, "qos") || strings.Contains(text, "accounts") {
		t.Error("a document without them has them")
	}
	// Machines that are dropped by themselves take the partitions of the old ones away.
	bare, err := e.WithPlatform([]byte(`{"processors":64}`))
	if err != nil || len(bare.Platform.Partitions) > 0 || len(bare.Platform.QOS) != 2 {
		t.Errorf("%v %+v", err, bare)
	}
}

// Intent: each fault names its place.
func TestSharedFaults(t *testing.T) {
	for change, want := range map[string]string{
		`"name":"all"|"name":"batch"`:                     `platform.partitions[1].name: a partition "batch" stands already`,
		`"number":7|"number":2`:                           `platform.partitions[1].number: another partition has the number 2`,
		`"qos":"low"|"qos":"lwo"`:                         `platform.partitions[0].qos: unknown QOS "lwo"; did you mean "low"?`,
		`"group":0|"group":2`:                             `platform.partitions[0].nodes[0].group: cluster "a" has no group 2, only 0 to 1`,
		`"first":1,"count":3|"first":4,"count":3`:         `platform.partitions[0].nodes[0].first: there is no machine 4; the last is 3`,
		`"first":1,"count":3|"first":1,"count":4`:         `platform.partitions[0].nodes[0].count: must be at most 3`,
		`{"cluster":"b"}|{"cluster":"b","count":1}`:       `platform.partitions[0].nodes[1]: cluster "b" only counts processors`,
		`{"cluster":"b"}|{"cluster":"c"}`:                 `platform.partitions[0].nodes[1].cluster: unknown cluster "c"`,
		`{"cluster":"b"}|{}`:                              `platform.partitions[0].nodes[1].cluster: missing: there are several clusters`,
		`"default_time":600|"default_time":86401`:         `platform.partitions[0].max_time: must be 0 (no bound) or at least 86401`,
		`"preempt":"requeue"|"preempt":"kill"`:            `platform.partitions[0].preempt: unknown way to stop a job "kill"`,
		`"preempts":["low"]|"preempts":["slow"]`:          `platform.qos[0].preempts[0]: unknown QOS "slow"`,
		`{"name":"low"}|{"name":"low","number":4}`:        `platform.qos[1].number: another QOS has the number 4`,
		`"user_jobs":3|"user_job":3`:                      `platform.partitions[0].limits.user_job: unknown key; did you mean "user_jobs"?`,
		`"number":8,"parent":3|"number":8,"parent":5`:     `platform.accounts[1].parent: there is no account 5`,
		`"number":8,"parent":3|"number":8,"parent":8`:     `platform.accounts[1].parent: account 8 stands below itself`,
		`"number":8,"parent":3|"number":3`:                `platform.accounts[1].number: an account 3 stands already`,
		`{"number":8,"parent":3}|{"parent":3}`:            `platform.accounts[1].number: missing`,
		`"number":3,"shares":60|"number":3,"parent":8`:    `stands below itself`,
		`[{"user":5,"shares":4}]|[{"user":5},{"user":5}]`: `platform.accounts[0].users[1].user: user 5 stands already`,
	} {
		old, replaced, _ := strings.Cut(change, "|")
		if !strings.Contains(shared, old) {
			t.Fatal(old)
		}
		_, err := Decode([]byte(strings.Replace(shared, old, replaced, 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v instead of %q", change, err, want)
		}
	}
	_, err := Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":{"processors":8,"partitions":[{"name":"a","nodes":[{"first":1}]}]},"schedulers":[{"key":"fcfs"}]}`))
	if err == nil || !strings.Contains(err.Error(), "platform.partitions[0].nodes[0]: the platform only counts processors") {
		t.Error(err)
	}
}
