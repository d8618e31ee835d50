package intake

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/report"
)

// readConfText reads texts that must describe a cluster.
func readConfText(t *testing.T, texts ...string) *report.Conf {
	t.Helper()
	var files [][]byte
	for _, s := range texts {
		files = append(files, []byte(s))
	}
	m, err := ReadMachine(nil, files...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// costs returns what is said of a key that is not used, with its line.
func costs(m *report.Conf, key string) string {
	for _, u := range m.Unused {
		if u.Key == key {
			return fmt.Sprint(u.Line, " ", u.Costs)
		}
	}
	return ""
}

const birch = `# birch, made up for this test
ClusterName=birch
SlurmctldHost=zebra1
Include /etc/slurm/zebra2.conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=5760
PriorityType=priority/multifactor
PriorityWeightFairshare=100000
PriorityWeightAge=10000   # a remark
PrologFlags=x11
HealthCheckProgram=/usr/sbin/zebra3

NodeName=DEFAULT Sockets=2 CoresPerSocket=32 RealMemory=256000 State=UNKNOWN
NodeName=zcn[001-110,112] Weight=10 Feature=milan,ib
nodename=zbm[01-08] realmemory=2048000 WEIGHT=50 Features="milan,big"
NodeName=zgn[01-16] RealMemory=512000 \
    Gres=gpu:a100:4,shard:8 Weight=80
NodeName=zdv[1-2] Sockets=1 ThreadsPerCore=2 CPUs=64
NodeName=zold[1-4] State=DOWN
NodeName=znew[1-9] State=FUTURE
PartitionName=DEFAULT MaxTime=3-00:00:00 State=UP
PartitionName=normal Nodes=zcn[001-110,112] Default=YES
PartitionName=debug Nodes=zdv[1-2],zcn001 MaxTime=60 PriorityTier=10 AllowAccounts=zebra4
PartitionName=gpu Nodes=zgn[01-16] MaxNodes=8 DefaultTime=1:00:00
PartitionName=all Nodes=ALL MaxTime=INFINITE State=DRAIN
`

// Intent: on a configuration with everything that the manual page allows in lines, the
// nodes, partitions and settings are those that one reads off it on paper; what nothing
// goes by is listed with its line; no name of a node, host or account comes out.
func TestConf(t *testing.T) {
	m := readConfText(t, birch)
	if m.Nodes != 111+8+16+2+4 || m.Processors != 64*(111+8+16+2+4) || m.GPUs != 64 {
		t.Errorf("%d nodes, %d processors, %d GPUs", m.Nodes, m.Processors, m.GPUs)
	}
	var groups []string
	for _, g := range m.Groups {
		groups = append(groups, fmt.Sprint(g.Count, " ", g.Processors, " ", g.Memory>>20, " ", g.GPUs, g.Features, " ", g.Weight, g.Partitions, " ", g.Away))
	}
	want := []string{
		"1 64 256000 0 [milan ib] 10 [0 1 3] 0", // zcn001 is in debug, too
		"110 64 256000 0 [milan ib] 10 [0 3] 0",
		"8 64 2048000 0 [milan big] 50 [3] 0",
		"16 64 512000 4 [a100] 80 [2 3] 0",
		"2 64 256000 0 [] 1 [1 3] 0",
		"4 64 256000 0 [] 1 [3] 4",
	}
	if !slices.Equal(groups, want) {
		t.Errorf("groups\n%s\nwant\n%s", strings.Join(groups, "\n"), strings.Join(want, "\n"))
	}
	var parts []string
	for _, p := range m.Partitions {
		parts = append(parts, fmt.Sprint(p.Name, " ", p.Nodes, " ", p.Default, p.Up, " ", p.MaxTime, " ", p.DefaultTime, " ", p.MaxNodes, " ", p.Tier, " ", p.JobFactor))
	}
	want = []string{"normal 111 true true 259200 0 0 1 1", "debug 3 false true 3600 0 0 10 1", "gpu 16 false true 259200 3600 8 1 1", "all 141 false false 0 0 0 1 1"}
	if !slices.Equal(parts, want) {
		t.Errorf("partitions\n%s\nwant\n%s", strings.Join(parts, "\n"), strings.Join(want, "\n"))
	}
	for key, want := range map[string]string{
		"Include": "4 that file is missing", "PriorityType": "9 jobs keep", "SchedulerParameters": "8 schedulers here", "Gres=shard": "18 what is no GPU", "State=FUTURE": "22 these nodes do not exist",
		"State=DOWN": "21 these nodes", "AllowAccounts": "25 who may use", "State=DRAIN": "27 the partition takes", "PriorityTier, PriorityJobFactor": "25 only schedulers that use ranks put a partition first", "HealthCheckProgram": "13 ",
	} {
		if got := costs(m, key); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if fmt.Sprint(m.Scheduling[len(m.Scheduling)-1]) != "{PriorityWeightAge 10000 11}" || len(m.Problems) > 0 {
		t.Errorf("%v %v", m.Scheduling, m.Problems)
	}
	text, err := json.Marshal(m)
	if err != nil || regexp.MustCompile(`z(ebra|cn|bm|gn|dv|old|new)`).Match(text) {
		t.Errorf("%v: %s", err, text)
	}
	const platform = `{"clusters":[{"groups":[{"count":1,"processors":64,"memory":268435456000,"properties":["milan","ib"]},{"count":110,"processors":64,"memory":268435456000,"properties":["milan","ib"]},` +
		`{"count":8,"processors":64,"memory":2147483648000,"properties":["milan","big"]},{"count":16,"processors":64,"memory":536870912000,"gpus":4,"properties":["a100"]},` +
		`{"count":2,"processors":64,"memory":268435456000},{"count":4,"processors":64,"memory":268435456000}],"name":"cluster","packing":"nodes"}],` +
		`"partitions":[{"default":true,"max_time":259200,"name":"normal","nodes":[{"group":0},{"group":1}],"number":1,"priority":1,"tier":1},` +
		`{"max_time":3600,"name":"debug","nodes":[{"group":0},{"group":4}],"number":2,"priority":1,"tier":10},` +
		`{"default_time":3600,"limits":{"job_nodes":8},"max_time":259200,"name":"gpu","nodes":[{"group":3}],"number":3,"priority":1,"tier":1},` +
		`{"name":"all","number":4,"priority":1,"tier":1}]}`
	if string(m.Platform) != platform {
		t.Errorf("%s\nwant\n%s", m.Platform, platform)
	}
}

// Intent: each row that cannot be read, or says something that needs a remark, by
// itself.
func TestConfRows(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"a name that comes twice", "NodeName=a CPUs=2\nNodeName=a CPUs=4\n", "line 2 NodeName a is named twice"},
		{"no number", "NodeName=a CPUs=many\n", "line 1 CPUs many is no whole number"},
		{"a bracket that stays open", "NodeName=a[1-3 CPUs=2\n", `line 1 NodeName a[1-3 "a[1-3" has a bracket that nothing closes`},
		{"a range backwards", "NodeName=a[3-1] CPUs=2\n", `line 1 NodeName a[3-1] "3-1" is no range of numbers`},
		{"more names than anybody has", "NodeName=a[0-9999999] CPUs=2\n", "line 1 NodeName a[0-9999999] more than 1048576 names of nodes"},
		{"a partition of unknown nodes", "NodeName=a CPUs=2\nPartitionName=p Nodes=a,b,c\n", "line 2 Nodes a,b,c names 2 nodes that no NodeName row describes"},
		{"a word alone", "NodeName=a CPUs=2 what\n", "line 1 NodeName what is no Key=Value"},
		{"a time that is none", "NodeName=a CPUs=2\nPartitionName=p Nodes=ALL MaxTime=soon\n", "line 2 MaxTime soon is no time"},
		{"remarks and lines that go on count as lines", "# one\nNodeName=a \\\n CPUs=2\n\nNodeName=b CPUs=x\n", "line 5 CPUs x is no whole number"},
		{"all well", "NodeName=a CPUs=2 Weight=3 Port=7 Reason=\"two words\"\nPartitionName=p Nodes=ALL\n", ""},
	} {
		got := ""
		for _, p := range readConfText(t, c.text).Problems {
			got += fmt.Sprint("line ", p.Line, " ", p.Name, " ", p.Text, " ", p.What)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	for text, want := range map[string]int64{"30": 1800, "30:10": 1810, "2:30:10": 9010, "1-0": 86400, "1-2:30": 95400, "3-00:00:00": 259200, "INFINITE": -1, "UNLIMITED": -1} {
		if got, ok := minutes(text); !ok || got != want {
			t.Errorf("%s is %d s, want %d", text, got, want)
		}
	}
	m := readConfText(t, "NodeName=a[1-2] Boards=1 SocketsPerBoard=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:2,gpu:h100:1\nNodeSet=pair Nodes=a[1-2]\nPartitionName=p Nodes=pair\n")
	if m.Processors != 32 || m.GPUs != 6 || m.Partitions[0].Nodes != 2 || !strings.Contains(costs(m, "ThreadsPerCore"), "hardware thread") {
		t.Errorf("%+v", m)
	}
	if m := readConfText(t, "NodeName=a[1-6000] CPUs=2\nNodeName=b[1-6000] CPUs=4\n"); string(m.Platform) != `{"processors":36000}` || costs(m, "NodeName") == "" {
		t.Errorf("%s %v", m.Platform, m.Unused)
	}
}

// Intent: names of nodes as Slurm writes them, several dimensions and leading zeros
// included, against a plain reader that expands the first bracket it finds.
func TestHosts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	bracket := regexp.MustCompile(`^(.*?)\[(.*?)\](.*)$`)
	var expand func(string) []string
	expand = func(s string) (list []string) {
		m := bracket.FindStringSubmatch(s)
		if m == nil {
			return []string{s}
		}
		for _, span := range strings.Split(m[2], ",") {
			from, to, ok := strings.Cut(span, "-")
			if !ok {
				to = from
			}
			a, _ := strconv.Atoi(from)
			b, _ := strconv.Atoi(to)
			for n := a; n <= b; n++ {
				list = append(list, expand(fmt.Sprintf("%s%0*d%s", m[1], len(from), n, m[3]))...)
			}
		}
		return list
	}
	for range 2000 {
		var words, want []string
		for range 1 + random.IntN(3) {
			word := string(rune('a' + random.IntN(3)))
			for range random.IntN(3) {
				var spans []string
				for range 1 + random.IntN(2) {
					a := random.IntN(12)
					spans = append(spans, []string{fmt.Sprint(a), fmt.Sprintf("%03d", a), fmt.Sprintf("%02d-%d", a, a+random.IntN(4)), fmt.Sprintf("%d-%d", a, a+3)}[random.IntN(4)])
				}
				word += "[" + strings.Join(spans, ",") + "]" + []string{"", "x"}[random.IntN(2)]
			}
			words, want = append(words, word), append(want, expand(word)...)
		}
		var got []string
		if _, err := hosts(strings.Join(words, ","), 1<<20, func(s string) { got = append(got, s) }); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s: %v\n%v\nwant\n%v", words, err, got, want)
		}
	}
}

// Intent: the reader of slurm.conf agrees with a plain one, which joins lines and splits
// them at blanks, on random configurations: processors, memory and GPUs of each
// partition.
func TestConfTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		var b strings.Builder
		type one struct{ cpus, memory, gpus int }
		nodes, next := map[string]one{}, 1
		var def one
		for range 1 + random.IntN(6) {
			count := 1 + random.IntN(5)
			list := fmt.Sprintf("n[%d-%d]", next, next+count-1)
			words := []string{}
			n := def
			if random.IntN(2) == 0 || def.cpus == 0 {
				n.cpus = 1 + random.IntN(64)
				words = append(words, fmt.Sprint("CPUs=", n.cpus))
			}
			if random.IntN(2) == 0 {
				n.memory = 1000 * (1 + random.IntN(9))
				words = append(words, fmt.Sprint("RealMemory=", n.memory))
			}
			if random.IntN(2) == 0 {
				n.gpus = random.IntN(5)
				words = append(words, fmt.Sprint("Gres=gpu:", n.gpus))
			}
			random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			joint := []string{" ", "  ", " \\\n  "}[random.IntN(3)]
			if random.IntN(4) == 0 {
				list, def = "DEFAULT", n
			} else {
				for k := range count {
					nodes[fmt.Sprint("n", next+k)] = n
				}
				next += count
			}
			fmt.Fprintf(&b, "NodeName=%s%s%s # CPUs=999\n", list, joint, strings.Join(words, joint))
		}
		low, high := 1, max(1, random.IntN(next))
		fmt.Fprintf(&b, "PartitionName=p Nodes=n[%d-%d]\nPartitionName=q Nodes=ALL\n", low, high)
		var all, part, memory, gpus int64
		for name, n := range nodes {
			all += int64(n.cpus)
			memory += int64(n.memory)
			gpus += int64(n.gpus)
			if k, _ := strconv.Atoi(name[1:]); k >= low && k <= high {
				part += int64(n.cpus)
			}
		}
		m := readConfText(t, b.String())
		total := int64(0)
		for _, g := range m.Groups {
			total += g.Count * g.Memory >> 20
		}
		if m.Processors != all || m.GPUs != gpus || total != memory || m.Partitions[0].Processors != part || m.Partitions[1].Processors != all || m.Nodes != int64(len(nodes)) {
			t.Fatalf("%s\n%+v\nwant %d processors, %d in p, %d GPUs, %d MB", b.String(), m, all, part, gpus, memory)
		}
	}
}

// Intent: what sinfo prints, by itself and beside a configuration.
func TestSinfo(t *testing.T) {
	const short = "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\nnormal*      up 2-00:00:00      3   idle n[1-3]\nnormal*      up 2-00:00:00      1  down* n4\ndebug        up    1:00:00      1   idle n1\n"
	m := readConfText(t, short)
	if m.Nodes != 4 || m.Processors != 4 || m.Partitions[0].MaxTime != 172800 || m.Partitions[1].MaxTime != 3600 || !m.Partitions[0].Default || m.Partitions[1].Nodes != 1 || !strings.Contains(costs(m, "CPUS"), "each counts as one") || !strings.Contains(costs(m, "STATE"), "down or drained") {
		t.Errorf("%+v", m)
	}
	const long = "Mon Nov 23 08:00:00 2026\nNODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON              \nn1             1   normal*        idle 8       2:4:1  64000        0      1   (null) none                \nn1             1     debug        idle 8       2:4:1  64000        0      1   (null) none\nn2             1   normal*     drained 4       1:4:1  32000     1000      5      big disk is being changed\n"
	m = readConfText(t, long)
	if m.Nodes != 2 || m.Processors != 12 || m.Groups[1].Memory != 32000<<20 || m.Groups[1].Away != 1 || m.Groups[1].Weight != 5 || fmt.Sprint(m.Groups[1].Features) != "[big]" {
		t.Errorf("%+v", m)
	}
	m = readConfText(t, "NODELIST|CPUS|MEMORY|GRES|AVAIL_FEATURES\nn[1-2]|8|64000|gpu:a100:2(S:0)|x,y\n")
	if m.Nodes != 2 || m.GPUs != 4 || fmt.Sprint(m.Groups[0].Features) != "[x y a100]" {
		t.Errorf("%+v", m)
	}
	// Beside a configuration the sizes are its own, in whichever order the files come.
	conf := "NodeName=n[1-5] CPUs=16\nPartitionName=normal Nodes=ALL MaxTime=60\n"
	for _, files := range [][]string{{conf, short}, {short, conf}} {
		m = readConfText(t, files...)
		away := int64(0)
		for _, g := range m.Groups {
			away += g.Away
		}
		if m.Nodes != 5 || m.Processors != 80 || m.Partitions[0].MaxTime != 3600 || away != 1 {
			t.Errorf("%+v", m)
		}
	}
}

// Intent: queue, QOS and accounts are counted in Slurm's words, without the names of
// users, accounts and jobs.
func TestSlurmLists(t *testing.T) {
	m := readConfText(t,
		"             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n                12    normal zebra job    zebra  R       1:00      1 zebra1\n                13    normal    zebra    zebra PD       0:00      1 (Priority)\n            14_[0-3]    normal    zebra    zebra PD       0:00      1 (Priority)\n                15    normal    zebra    zebra PD       0:00      1 (ReqNodeNotAvail, UnavailableNodes:zebra1)\n",
		"Name|Priority|GraceTime|Preempt|UsageFactor|GrpTRES|MaxJobsPU|\nnormal|0|00:00:00||1.000000|||\nhigh|100|00:00:00|normal|1.000000|cpu=40|3|\n",
		"Cluster|Account|User|Partition|Share|Priority|Def QOS|\nc|root|||1|||\nc|root|root||1|||\nc|zebra2|||70||normal|\nc|zebra2|zebra3||1||normal|\nc|zebra2|zebra4||1||normal|\n")
	if got := fmt.Sprintf("%d %d %v", m.Queue.Running, m.Queue.Waiting, m.Queue.Reasons); got != "0 3 [{Priority 2 false} {ReqNodeNotAvail 1 false}]" || len(m.Problems) != 1 {
		t.Errorf("%s %v", got, m.Problems) // the blank in a name shifts a row, which is said
	}
	text, _ := json.Marshal(m)
	if strings.Contains(string(text), "zebra") {
		t.Error(string(text))
	}
	if fmt.Sprintf("%+v", m.QOS) != "[{Name:normal Priority:0 Limits:[]} {Name:high Priority:100 Limits:[{Name:preempt Value:normal Line:3} {Name:grptres Value:cpu=40 Line:3} {Name:maxjobspu Value:3 Line:3}]}]" {
		t.Errorf("%+v", m.QOS)
	}
	if fmt.Sprintf("%+v", m.Accounts) != "[{Parent:0 Shares:70 Users:2 Limits:[]}]" {
		t.Errorf("%+v", m.Accounts)
	}
	// A name with a blank shifts the columns of squeue's own format; bars do not.
	m = readConfText(t, "JOBID|PARTITION|NAME|USER|ST|TIME|NODES|NODELIST(REASON)\n12|normal|two words|u|R|1:00|1|n1\n13|normal|x|u|PD|0:00|1|(Priority)\n14|normal|x|u|PD|0:00|1|(Resources)\n15|normal|x|u|PD|0:00|1|(Priority)\n16|normal|x|u|PD|0:00|1|(ReqNodeNotAvail, UnavailableNodes:n1)\n")
	if got := fmt.Sprintf("%d %d %v", m.Queue.Running, m.Queue.Waiting, m.Queue.Reasons); got != "1 4 [{Priority 2 false} {ReqNodeNotAvail 1 false} {Resources 1 false}]" {
		t.Error(got)
	}
	m = readConfText(t, "# To edit this file\nCluster - 'c':Fairshare=1:QOS='normal'\nParent - 'root'\nUser - 'root':DefaultAccount='root':Fairshare=1\nAccount - 'a':Description='a: b':Organization='o':Fairshare=30\nAccount - 'b':Fairshare=10\nParent - 'a'\nAccount - 'c':Fairshare=5\nUser - 'u1':DefaultAccount='a':Fairshare=1\nnothing of this kind\n")
	if got := fmt.Sprintf("%+v", m.Accounts); got != "[{Parent:0 Shares:30 Users:1 Limits:[]} {Parent:0 Shares:10 Users:0 Limits:[]} {Parent:1 Shares:5 Users:0 Limits:[]}]" || len(m.Problems) != 1 || m.Problems[0].Line != 10 {
		t.Errorf("%s %+v", got, m.Problems)
	}
}

// Intent: each kind is told from the others, and from files with jobs.
func TestMachineKinds(t *testing.T) {
	for key, text := range map[string]string{
		"slurm.conf": birch, "sinfo": "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n", "squeue": "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n",
		"sacctmgr-qos": "Name|Priority|GraceTime|Preempt|\n", "sacctmgr-assoc": "Cluster|Account|User|Partition|Share|\n", "sacctmgr-dump": "# x\nCluster - 'c':Fairshare=1\n",
		"": sacctHead,
	} {
		kind := RecogniseMachine([]byte(text))
		if got := map[bool]string{true: ""}[kind == nil]; kind != nil && kind.Key != key || kind == nil && got != key {
			t.Errorf("%s is taken for %v", key, kind)
		}
		if key != "" && Recognise([]byte(text)) != nil {
			t.Errorf("%s is taken for jobs", key)
		}
	}
	if _, err := ReadMachine(nil, []byte("; Version: 2.2\n")); err == nil {
		t.Error("a log describes a cluster")
	}
}

// Intent: no bytes make a reader panic or take long, or give a platform that is no
// JSON.
func FuzzMachine(f *testing.F) {
	f.Add([]byte(birch))
	f.Add([]byte("NODELIST|CPUS|MEMORY|GRES|AVAIL_FEATURES\nn[1-2]|8|64000|gpu:a100:2(S:0)|x,y\n"))
	f.Add([]byte("JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n13 p x u PD 0:00 1 (Priority)\n"))
	f.Add([]byte("Name|Priority|GraceTime|Preempt|\nnormal|0|0||\n"))
	f.Add([]byte("Cluster - 'c':Fairshare=1\nParent - 'a'\nUser - 'u'\n"))
	f.Add([]byte("NodeSet=a Nodes=a,b[1-2]\nNodeName=b[1-2]\nPartitionName=p Nodes=a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadMachine(nil, data)
		if err != nil {
			return
		}
		if m.Platform != nil && !json.Valid(m.Platform) || m.Nodes < 0 || m.Processors < 0 {
			t.Fatalf("%s %+v", m.Platform, m)
		}
	})
}
