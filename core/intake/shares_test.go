package intake

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Intent: limits, shares and the tree of accounts come into the platform under the
// numbers by which the log's jobs name them, and no name of a user or an account does.
func TestShares(t *testing.T) {
	names := &Names{Users: []string{"zoe", "yan"}, Accounts: []string{"zchem", "zphys"}, Partitions: []string{"fast", "slow"}, QOS: []string{"high", "normal"}}
	conf := "NodeName=a[1-2] CPUs=8\nNodeName=b CPUs=16\nPartitionName=slow Nodes=ALL Default=YES MaxTime=60 QOS=normal\nPartitionName=fast Nodes=b PriorityTier=5 MaxNodes=1 PreemptMode=REQUEUE\nPartitionName=new Nodes=a1\nPartitionName=none Nodes=\n"
	qos := "Name|Priority|GraceTime|Preempt|UsageFactor|GrpTRES|MaxTRESPU|MaxJobsPU|MaxWall|GrpSubmit|\nnormal|0|0||1|||2|||\nhigh|100|0|normal,gone|1|cpu=12,mem=4G,billing=9|cpu=8,node=2,gres/gpu=4||1-00:00:00|9|\n"
	assoc := "Cluster|Account|User|Share|ParentName|GrpTRES|MaxJobs|\nc|root||1||||\nc|zphys||60|root|cpu=20|3|\nc|zsub||40|zphys|||\nc|zphys|zoe|5||||\nc|zphys|yan|1||||\nc|zphys|zgone|7||||\n"
	for _, enforce := range []string{"AccountingStorageEnforce=associations,limits,qos\n", ""} {
		m, err := ReadMachine(names, []byte(conf+enforce), []byte(qos), []byte(assoc))
		if err != nil {
			t.Fatal(err)
		}
		var platform struct {
			Partitions, QOS, Accounts json.RawMessage
		}
		if err := json.Unmarshal(m.Platform, &platform); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"partitions": `[{"default":true,"max_time":3600,"name":"slow","number":2,"priority":1,"qos":"normal","tier":1},` +
				`{"limits":{"job_nodes":1},"name":"fast","nodes":[{"group":2}],"number":1,"preempt":"requeue","priority":1,"tier":5},` +
				`{"name":"new","nodes":[{"group":0}],"number":3,"priority":1,"tier":1}]`,
			"qos":      `[{"limits":{"user_jobs":2},"name":"normal","number":2},{"limits":{"job_time":86400,"memory":4294967296,"processors":12,"user_gpus":4,"user_nodes":2,"user_processors":8},"name":"high","number":1,"preempts":["normal"],"priority":100}]`,
			"accounts": `[{"limits":{"processors":20,"user_jobs":3},"number":2,"shares":60,"users":[{"shares":5,"user":1}]},{"number":3,"parent":2,"shares":40}]`,
		}
		if enforce == "" { // as Slurm, which then minds no limit
			for key := range want {
				for _, limits := range []string{`"limits":{"user_jobs":2},`, `"limits":{"job_time":86400,"memory":4294967296,"processors":12,"user_gpus":4,"user_nodes":2,"user_processors":8},`, `"limits":{"processors":20,"user_jobs":3},`} {
					want[key] = strings.ReplaceAll(want[key], limits, "")
				}
			}
		}
		for key, got := range map[string]json.RawMessage{"partitions": platform.Partitions, "qos": platform.QOS, "accounts": platform.Accounts} {
			if string(got) != want[key] {
				t.Errorf("%s\n%s\nwant\n%s", key, got, want[key])
			}
		}
		text, _ := json.Marshal(m)
		for _, name := range []string{"zoe", "yan", "zgone", "zchem", "zphys", "zsub"} {
			if strings.Contains(string(text), name) {
				t.Errorf("%s stands in %s", name, text)
			}
		}
		for key, want := range map[string]string{"AccountingStorageEnforce": "does not enforce", "GrpTRES and the like": "", "PartitionName=none": "no node of it"} {
			if enforce != "" && key == "AccountingStorageEnforce" || enforce == "" && key == "GrpTRES and the like" {
				continue
			}
			if got := costs(m, key); !strings.Contains(got, want) || got == "" {
				t.Errorf("%s: %q", key, got)
			}
		}
	}
	// Without the jobs nobody knows the accounts' numbers.
	m, err := ReadMachine(nil, []byte(conf), []byte(assoc))
	if err != nil || strings.Contains(string(m.Platform), "accounts") || costs(m, "Account") == "" {
		t.Errorf("%v %s", err, m.Platform)
	}
}

// Intent: limits on minutes are read of QOS and of accounts, and each is said with its line
// and with what may come of it that nothing uses it; where Slurm enforces no limits,
// nothing does.
func TestMinutesAreSaid(t *testing.T) {
	const conf = "NodeName=a CPUs=8\nPartitionName=p Nodes=a\n"
	qos := []byte("Name|Priority|GraceTime|GrpTRESMins|GrpTRESRunMins|MaxTRESMinsPJ|GrpWall|\nnormal|0|0|||||\nshort|0|0|cpu=6000|cpu=1000,mem=4000|cpu=90|2-00:00:00|\n")
	assoc := []byte("Account|User|Share|GrpTRESMins|GrpJobs|\nroot||1|||\nchem||1|cpu=70000|4|\n")
	dump := []byte("Cluster - 'c':Fairshare=1\nParent - 'root'\nAccount - 'chem':Fairshare=1:GrpTRESMins=cpu=70000:GrpJobs=4\n")
	want := map[string]string{"3 grptresmins=cpu=6000": "used up", "3 grptresrunmins=cpu=1000,mem=4000": "minutes left", "3 maxtresminspj=cpu=90": "never ran", "3 grpwall=2-00:00:00": "used up", "3 grptresmins=cpu=70000": "used up"}
	for _, accounts := range [][]byte{assoc, dump} {
		for _, enforce := range []string{"AccountingStorageEnforce=limits\n", ""} {
			m, err := ReadMachine(&Names{}, []byte(conf+enforce), qos, accounts)
			if err != nil {
				t.Fatal(err)
			}
			said := map[string]string{}
			for _, u := range m.Unused {
				said[fmt.Sprint(u.Line, " ", u.Key)] = u.Costs
			}
			for key, costs := range want {
				if got := said[key]; (enforce != "") != strings.Contains(got, costs) || enforce == "" && got != "" {
					t.Errorf("%q: %s: %q", enforce, key, got)
				}
			}
			if enforce != "" && (!strings.Contains(string(m.Platform), `"limits":{"jobs":4}`) || costs(m, "GrpTRES and the like") != "") {
				t.Errorf("%s %v", m.Platform, m.Unused)
			}
		}
	}
}
