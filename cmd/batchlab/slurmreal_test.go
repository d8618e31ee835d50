//go:build linux

package main

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurmPackages are Debian's; they are unpacked into a folder of the test, and
// nothing is installed.
var slurmPackages = []string{"slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins", "munge", "libmunge2", "libhwloc15", "liblua5.1-0"}

// cluster is a real Slurm of two nodes on this computer, of the caller or, where
// that is root, of nobody, all of it on the loopback.
type cluster struct {
	t       *testing.T
	root    string // of the unpacked packages
	dir     string
	env     []string
	user    *syscall.Credential // nil: the caller
	daemons map[string]*os.Process
}

// TestRealSlurm intends: handed to a real Slurm, an array of 16 shards over two
// nodes, one of which dies in the middle with kill −9, and one of whose files is
// damaged, gives after requeueing and submitting again what one run gives.
func TestRealSlurm(t *testing.T) {
	if os.Getenv("BATCHLAB_SLURM") == "" {
		t.Skip("left out: it takes a minute; BATCHLAB_SLURM=1 asks for it, as ./build.sh test does")
	}
	c := startCluster(t, setup{nodes: 2, node: "CPUs=2 RealMemory=1000", settings: `SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=1
SlurmdTimeout=8
SlurmctldTimeout=10
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`})
	work := filepath.Join(c.dir, "work")
	c.mkdir(work)
	program := filepath.Join(c.dir, "batchlab")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	doc := filepath.Join(work, "sweep.json")
	if err := os.WriteFile(doc, []byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":9000,"load":1}}}},
		"schedulers":[{"key":"conservative"},{"key":"easy","repeat":2}],
		"vary":[{"path":"workload.scale.load","values":[0.9,1,1.05,1.1]},{"path":"seed","values":[1,2,3,4,5,6,7,8]}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := c.must(program, "run", doc)
	out := filepath.Join(work, "o ut")
	submit := func() map[string]any {
		return one(t, output{0, c.must(program, "slurm", doc, "--shards", "16", "--out", out, "--", "--time=10"), ""})
	}
	first := submit()
	if first["submitted"] != 16. || first["items"] != 96. {
		t.Fatalf("submitted: %v", first)
	}
	complete := func() []string {
		names, _ := filepath.Glob(filepath.Join(out, "shard-*-of-16.json"))
		return names
	}
	c.wait("four shards", 60, func() bool { return len(complete()) >= 4 })
	lost := c.killNode("d1")
	t.Logf("node d1 is dead with %d processes of jobs, %d shards are complete", lost, len(complete()))
	if lost == 0 || len(complete()) == 16 {
		t.Error("the node died too late")
	}
	damaged := complete()[0]
	text := []byte(read(t, damaged))
	text[len(text)/2] ^= 1
	if err := os.WriteFile(damaged, text, 0o644); err != nil {
		t.Fatal(err)
	}
	c.wait("the death of the node", 60, func() bool {
		return strings.HasPrefix(c.run("sinfo", "--noheader", "--nodes=d1", "--format=%t"), "down")
	})
	if log := read(t, filepath.Join(c.dir, "ctld.log")); !strings.Contains(log, "requeue") && !strings.Contains(log, "Requeue") {
		t.Error("no shard was requeued")
	}
	// Slurm holds requeued jobs back for a while; an administrator may not.
	c.wait("the shards of the dead node on the other", 120, func() bool {
		c.run("scontrol", "update", "JobId="+first["array"].(string), "StartTime=now")
		return len(complete()) == 16
	})
	c.wait("the job that merges", 60, func() bool { return c.run("squeue", "--noheader") == "" })
	if _, err := os.Stat(filepath.Join(out, "report.json")); err == nil {
		t.Error("damaged shards were merged")
	}
	log, _ := filepath.Glob(filepath.Join(out, "slurm-merge-*.out"))
	if len(log) != 1 || !strings.Contains(read(t, log[0]), damaged+": damaged: run shard ") {
		t.Errorf("the damage is not named in %v", log)
	}
	again := submit()
	if again["submitted"] != 1. {
		t.Errorf("submitted again: %v", again)
	}
	report := filepath.Join(out, "report.json")
	c.wait("the report", 90, func() bool { _, err := os.Stat(report); return err == nil })
	if got := read(t, report); got != whole {
		t.Errorf("merged by Slurm: digest %v, one run: digest %v", one(t, output{0, got, ""})["digest"], one(t, output{0, whole, ""})["digest"])
	}
	if third := submit(); third["submitted"] != 0. || third["array"] != nil {
		t.Errorf("submitted when all is complete: %v", third)
	}
}

// setup is what a cluster is to be like: nodes d1, d2, … of one kind, and the rest of
// slurm.conf.
type setup struct {
	nodes          int
	node, settings string
	gres           string // gres.conf
}

// startCluster unpacks Slurm and starts it, or says why the test is left out.
func startCluster(t *testing.T, s setup) *cluster {
	for _, tool := range []string{"apt-get", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("left out: Slurm's packages are Debian's, and %s is not there", tool)
		}
	}
	c := &cluster{t: t, dir: t.TempDir(), daemons: map[string]*os.Process{}}
	c.root = filepath.Join(c.dir, "root")
	if os.Getuid() == 0 {
		c.user = &syscall.Credential{Uid: 65534, Gid: 65534} // nobody
	}
	os.Chmod(filepath.Dir(c.dir), 0o755) // so that nobody gets to it
	c.mkdir(c.dir, filepath.Join(c.dir, "debs"), c.root)
	dir := filepath.Join(c.dir, "debs")
	apt := func(words ...string) ([]byte, error) {
		fetch := exec.Command("apt-get", words...)
		fetch.Dir = dir
		return fetch.CombinedOutput()
	}
	if _, err := apt(append([]string{"download", "-q"}, slurmPackages...)...); err != nil {
		// Without lists of packages, or with old ones: lists of the test's own.
		lists := []string{"-q", "-o", "Dir::State::Lists=" + dir + "/lists", "-o", "Dir::Cache=" + dir + "/cache"}
		os.MkdirAll(dir+"/lists/partial", 0o755)
		os.MkdirAll(dir+"/cache/archives/partial", 0o755)
		out, err := apt(append(lists, "update")...)
		if err == nil {
			out, err = apt(append(append(lists, "download"), slurmPackages...)...)
		}
		if err != nil {
			t.Skipf("left out: Slurm's packages cannot be had: apt-get: %v; %s", err, strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "; "))
		}
	}
	debs, _ := filepath.Glob(filepath.Join(dir, "*.deb"))
	for _, deb := range debs {
		if out, err := exec.Command("dpkg", "-x", deb, c.root).CombinedOutput(); err != nil {
			t.Skipf("left out: %s cannot be unpacked: %v\n%s", deb, err, out)
		}
	}
	libs, _ := filepath.Glob(filepath.Join(c.root, "usr/lib/*/slurm-wlm"))
	if len(libs) != 1 {
		t.Skipf("left out: the packages are not as Debian's were: no folder of plugins")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	name := "nobody"
	if c.user == nil {
		name = strconv.Itoa(os.Getuid())
	}
	at := func(n string) string { return filepath.Join(c.dir, n) }
	c.env = append(os.Environ(), "TZ=UTC", "LD_LIBRARY_PATH="+libs[0]+":"+filepath.Dir(libs[0]), "SLURM_CONF="+at("slurm.conf"), "PATH="+filepath.Join(c.root, "usr/bin")+":"+os.Getenv("PATH"))
	key := make([]byte, 256)
	rand.Read(key)
	c.write("munge.key", string(key), 0o400)
	c.mkdir(at("state"), at("munge"))
	if s.gres != "" {
		c.write("gres.conf", s.gres, 0o644)
	}
	ports := freePorts(t, 1+s.nodes)
	var nodes strings.Builder
	for i := range s.nodes {
		c.mkdir(at(fmt.Sprintf("spool-d%d", i+1)))
		fmt.Fprintf(&nodes, "NodeName=d%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d %s\n", i+1, host, ports[1+i], s.node)
	}
	c.write("slurm.conf", fmt.Sprintf(`ClusterName=batchlab
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%[4]s/munge/socket
PluginDir=%[5]s
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool-%%n
SlurmctldLogFile=%[4]s/ctld.log
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd-%%n.pid
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
ReturnToService=2
%[6]s%[7]s`, host, ports[0], name, c.dir, libs[0], nodes.String(), s.settings), 0o644)
	t.Cleanup(c.end)
	sbin := filepath.Join(c.root, "usr/sbin")
	c.start("munged", filepath.Join(sbin, "munged"), "--foreground", "--force", "--key-file="+at("munge.key"), "--socket="+at("munge/socket"),
		"--pid-file="+at("munge/pid"), "--log-file="+at("munge/log"), "--seed-file="+at("munge/seed"), "--num-threads=2")
	c.wait("munged", 20, func() bool { _, err := os.Stat(at("munge/socket")); return err == nil })
	c.start("slurmctld", filepath.Join(sbin, "slurmctld-wlm"), "-D", "-f", at("slurm.conf"))
	for i := range s.nodes {
		node := fmt.Sprintf("d%d", i+1)
		c.start(node, filepath.Join(sbin, "slurmd-wlm"), "-D", "-N", node, "-f", at("slurm.conf"), "-d", filepath.Join(sbin, "slurmstepd-wlm"))
	}
	c.wait("all nodes", 60, func() bool {
		return strings.Count(c.run("scontrol", "show", "node", "--oneliner"), " State=IDLE ") == s.nodes
	})
	return c
}

// freePorts are ports of the loopback that nobody listens at.
func freePorts(t *testing.T, n int) (ports []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Skipf("left out: no port of the loopback can be had: %v", err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// mkdir makes folders of the cluster's user.
func (c *cluster) mkdir(dirs ...string) {
	c.t.Helper()
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			c.t.Fatal(err)
		}
		c.own(dir)
	}
}

func (c *cluster) own(path string) {
	if c.user != nil {
		if err := os.Chown(path, int(c.user.Uid), int(c.user.Gid)); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *cluster) write(name, text string, mode os.FileMode) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		c.t.Fatal(err)
	}
	c.own(path)
}

func (c *cluster) command(words ...string) *exec.Cmd {
	path := words[0]
	if !strings.Contains(path, "/") {
		path = filepath.Join(c.root, "usr/bin", path)
	}
	cmd := exec.Command(path, words[1:]...)
	cmd.Env, cmd.Dir = c.env, c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user}
	return cmd
}

// run runs a command of Slurm and returns what it prints, in whatever way.
func (c *cluster) run(words ...string) string {
	out, _ := c.command(words...).CombinedOutput()
	return strings.TrimSpace(string(out))
}

// must runs a command that must end well, and returns its standard output.
func (c *cluster) must(words ...string) string {
	c.t.Helper()
	cmd := c.command(words...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("%v: %v\n%s", words, err, errs.String())
	}
	return string(out)
}

// start starts a daemon, which ends with this test whatever happens.
func (c *cluster) start(name string, words ...string) {
	c.t.Helper()
	cmd := c.command(words...)
	log, err := os.Create(filepath.Join(c.dir, name+".log"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	if err := cmd.Start(); err != nil {
		c.t.Fatalf("%s: %v", name, err)
	}
	c.daemons[name] = cmd.Process
	go cmd.Wait()
}

// wait waits until something is so. It asserts no time: the bound only ends a
// test that hangs, and tells what Slurm said until then.
func (c *cluster) wait(what string, seconds int, so func() bool) {
	c.t.Helper()
	for range 20 * seconds {
		if so() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.t.Errorf("waited in vain for %s\n%s\n%s", what, c.run("sinfo", "-N", "-l"), c.run("squeue", "--array", "--long"))
	logs, _ := filepath.Glob(filepath.Join(c.dir, "*.log"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		c.t.Logf("%s:\n%s", filepath.Base(log), text[max(0, len(text)-3000):])
	}
	c.t.FailNow()
}

// killNode kills a node with everything on it in the middle of its work, as a
// power cut would, and returns how many processes that were.
func (c *cluster) killNode(node string) (n int) {
	c.t.Helper()
	c.wait("work on node "+node, 60, func() bool { return len(c.on(node)) > 0 })
	c.daemons[node].Kill()
	for _, pid := range c.on(node) {
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}

// on are the processes of the jobs on a node, each behind the one of Slurm that
// watches it.
func (c *cluster) on(node string) (pids []int) {
	for _, pid := range c.processes() {
		environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if strings.Contains("\x00"+string(environ), "\x00SLURMD_NODENAME="+node+"\x00") {
			stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, rest, _ := strings.Cut(string(stat), "\nPPid:\t")
			parent, _ := strconv.Atoi(strings.SplitN(rest, "\n", 2)[0])
			if exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", parent)); strings.Contains(exe, "slurmstepd") {
				pids = append(pids, parent)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// processes are all that belong to this cluster: their program lies in its
// folder, or their configuration does.
func (c *cluster) processes() (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if strings.HasPrefix(exe, c.dir+"/") || strings.Contains(string(environ), "SLURM_CONF="+c.dir+"/") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// end ends every process of the cluster, which all stand below a folder that
// only this test has.
func (c *cluster) end() {
	for _, p := range c.daemons {
		p.Kill()
	}
	for range 100 {
		pids := c.processes()
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.t.Error("processes of the cluster are left")
}
