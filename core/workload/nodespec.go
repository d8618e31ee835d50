package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// Reasons of AskNodes, in the order of its counts.
const (
	askNowhere   = iota // no machine of the platform could hold it
	askUnknown          // a property that no machine has
	askExclusive        // whole machines
	askSeveral          // several requests in one
	askReasons
)

var askTexts = [askReasons]struct {
	reason, text string
	drops        bool
}{
	{"no-node", "Asks for machines that the platform does not have: left out", true},
	{"unknown-property", "Asks for a property that no machine of the platform has: the property ignored", false},
	{"exclusive", "Asks for machines of its own (#excl): shares them all the same", false},
	{"several-requests", "Asks for different machines at once (+): its processors may lie on any", false},
}

// AskNodes gives the jobs of a log in the extended format of the Alea simulator
// (swf.Log.Alea) what they ask of machines: nodes × processors per node, memory
// per node (field 10, bytes), and the machines that have what they name. A name
// is a property of a group of machines, a cluster (zewura, cl_zewura), a machine
// (zewura12: the cluster's twelfth), its host name (zewura12.domain), or
// nodecpusN (machines of N processors); ^ before it means all others.
//
// Jobs that no machine of the platform could hold are left out, like those that
// are larger than the machine (rule 2); what is not done as asked is counted. On
// a platform that only counts processors nothing is asked. w is not changed.
func AskNodes(w *model.Workload, l *swf.Log, p *model.Platform) (*model.Workload, []report.Count, error) {
	machines := func(c model.Cluster) bool { return c.Packing != model.PackProcessors }
	if l.Alea == nil || p == nil || !slices.ContainsFunc(p.Clusters, machines) {
		return w, nil, nil
	}
	out := *w
	out.Jobs, out.Truth = nil, nil
	out.Demands = slices.Clone(w.Demands)
	var tallies [askReasons]tally
	names := nodeNames(p)
	asked := map[string]*nodeAsk{}
	nodes := p.Nodes()
	for i := range w.Jobs {
		job := w.Jobs[i]
		if job.Record < 0 || int(job.Record) >= len(l.Records) {
			return nil, nil, fmt.Errorf("workload: job %d does not come from this log", job.Number)
		}
		r, a := &l.Records[job.Record], &l.Alea[job.Record]
		ask := asked[a.Spec]
		if ask == nil {
			ask = readSpec(a.Spec).resolve(names)
			asked[a.Spec] = ask
		}
		d := model.Demand{On: ask.on}
		if old := w.Demand(model.JobID(i)); old != nil {
			d = *old
			d.On = ask.on
		}
		if r.RequestedMemory > 0 {
			d.MemPerNode = r.RequestedMemory
		}
		if ask.chunks == 1 && ask.nodes > 0 && job.Procs%ask.nodes == 0 {
			d.Nodes, d.PerNode = ask.nodes, job.Procs/ask.nodes
		}
		if !holds(p, nodes, &job, &d, nil) {
			tallies[askNowhere].add(r.Line)
			continue
		}
		if ask.unknown {
			tallies[askUnknown].add(r.Line)
		}
		if ask.exclusive {
			tallies[askExclusive].add(r.Line)
		}
		if ask.chunks > 1 {
			tallies[askSeveral].add(r.Line)
		}
		out.Demands = append(out.Demands, d)
		job.Demand = int32(len(out.Demands))
		out.Jobs = append(out.Jobs, job)
		out.Truth = append(out.Truth, w.Truth[i])
	}
	counts := counts(tallies[:], func(i int) (key, text string, drops bool) {
		return askTexts[i].reason, askTexts[i].text, askTexts[i].drops
	})
	if len(out.Jobs) == 0 {
		return nil, counts, fmt.Errorf("workload: the platform has no machines for any of %d jobs: %w", len(w.Jobs), ErrNoJobs)
	}
	return &out, counts, nil
}

// holds says whether the empty platform could hold a job on nodes where each of some
// licences may be activated.
func holds(p *model.Platform, nodes []model.Node, job *model.Job, d *model.Demand, licences []model.LicenceNeed) bool {
	lacks := func(n *model.Node) bool {
		return slices.ContainsFunc(licences, func(need model.LicenceNeed) bool { return !slices.Contains(n.Licences, p.Licences[need.Licence].Name) })
	}
	left := make([]int32, len(p.Clusters)) // processors, or whole parts
	for i := range nodes {
		n := &nodes[i]
		if d.On != nil && !slices.Contains(d.On, int32(i)) || len(d.Eligible) > 0 && !slices.Contains(d.Eligible, n.Cluster) || !offers(n, d) || lacks(n) {
			continue
		}
		switch spread := p.Clusters[n.Cluster].Packing == model.PackNodes; {
		case spread && d.Nodes > 0:
			if n.Procs >= d.PerNode {
				left[n.Cluster]++
			}
			if left[n.Cluster] >= d.Nodes {
				return true
			}
		case spread:
			if left[n.Cluster] += n.Procs; left[n.Cluster] >= job.Procs {
				return true
			}
		case n.Procs >= job.Procs:
			return true
		}
	}
	return false
}

// offers says whether a machine has what a job asks of each.
func offers(n *model.Node, d *model.Demand) bool {
	return (n.Mem == 0 || d.MemPerNode <= n.Mem) && (n.Disk == 0 || d.DiskPerNode <= n.Disk) && d.GPUsPerNode <= n.GPUs
}

// nodeNames returns what each node is called and what it has, by its index.
func nodeNames(p *model.Platform) [][]string {
	var list [][]string
	count := make([]int, len(p.Clusters))
	for _, n := range p.Nodes() {
		c := &p.Clusters[n.Cluster]
		count[n.Cluster]++
		names := []string{c.Name, "cl_" + c.Name}
		if c.Packing != model.PackProcessors {
			names = append(names, p.NodeName(int32(len(list))), fmt.Sprint("nodecpus", n.Procs))
			names = append(names, c.Groups[n.Group].Properties...)
		}
		list = append(list, names)
	}
	return list
}

// nodeSpec is a request for nodes as it is written: N:ppn=P:name:^name … joined
// by +, with #excl at its end.
type nodeSpec struct {
	chunks        int
	nodes         int32
	want, without []string
	exclusive     bool
}

func readSpec(text string) nodeSpec {
	text, flags, _ := strings.Cut(text, "#")
	s := nodeSpec{exclusive: strings.Contains(flags, "excl")}
	for i, chunk := range strings.Split(text, "+") {
		s.chunks++
		for k, part := range strings.Split(chunk, ":") {
			n, err := strconv.ParseInt(part, 10, 32)
			switch {
			case k == 0 && err == nil && n > 0:
				if i == 0 {
					s.nodes = int32(n)
				}
			case part == "" || strings.HasPrefix(part, "ppn="):
			case strings.HasPrefix(part, "^"):
				s.without = append(s.without, hostLabel(part[1:]))
			default:
				s.want = append(s.want, hostLabel(strings.TrimPrefix(part, "host=")))
			}
		}
	}
	if s.nodes == 0 {
		s.nodes = 1
	}
	return s
}

// hostLabel is the first label of a host name.
func hostLabel(s string) string {
	label, _, _ := strings.Cut(s, ".")
	return label
}

// nodeAsk is a nodeSpec on a platform.
type nodeAsk struct {
	nodeSpec
	on      []int32 // nil: every node
	unknown bool
}

func (s nodeSpec) resolve(names [][]string) *nodeAsk {
	a := &nodeAsk{nodeSpec: s}
	var want []string
	for _, name := range s.want {
		if slices.ContainsFunc(names, func(has []string) bool { return slices.Contains(has, name) }) {
			want = append(want, name)
		} else {
			a.unknown = true
		}
	}
	a.on = []int32{}
	for i, has := range names {
		misses := func(name string) bool { return !slices.Contains(has, name) }
		if !slices.ContainsFunc(want, misses) && !slices.ContainsFunc(s.without, func(name string) bool { return !misses(name) }) {
			a.on = append(a.on, int32(i))
		}
	}
	if len(a.on) == len(names) {
		a.on = nil
	}
	return a
}
