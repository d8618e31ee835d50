package intake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"batchlab/core/report"
)

// MachineKind is one kind of file that describes a cluster instead of its jobs.
type MachineKind struct {
	Key   string // lower case, stable
	Name  string // for people
	Sniff func(text string) bool
	Read  func(text string, to *machine)
}

// MachineKinds are all of them. Of several that know a file, the first row counts.
var MachineKinds = []MachineKind{
	{"sacctmgr-dump", "Slurm's accounts (sacctmgr dump)", sniffDump, readDump},
	{"sacctmgr-qos", "Slurm's qualities of service (sacctmgr -p show qos)", sniffQOS, readQOS},
	{"sacctmgr-assoc", "Slurm's associations (sacctmgr -p show assoc)", sniffAssoc, readAssoc},
	{"sinfo", "the state of Slurm's nodes (sinfo)", sniffSinfo, readSinfo},
	{"squeue", "Slurm's queue (squeue)", sniffSqueue, readSqueue},
	{"slurm.conf", "Slurm's configuration (slurm.conf)", sniffConf, readConf},
	{"openb-nodes", "the nodes of Alibaba's openb (CSV)", sniffOpenbNodes, readOpenbNodes},
}

// RecogniseMachine returns the kind of a file that describes a cluster, nil where no
// row knows it.
func RecogniseMachine(data []byte) *MachineKind {
	if data = text(data); len(data) > MaxMachine || bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 {
		return nil
	}
	whole := string(data)
	for i := range MachineKinds {
		if MachineKinds[i].Sniff(whole) {
			return &MachineKinds[i]
		}
	}
	return nil
}

// MaxMachine bounds a file that describes a cluster, in bytes.
const MaxMachine = 64 << 20

// node is one node, of which the name stays here.
type node struct {
	spec
	in   []int // indices of partitions, ascending
	away bool
}

// spec is what equal nodes have in common.
type spec struct {
	procs, memory, disk, gpus, weight int64 // bytes
	features                          string
}

// nodeSet is what a row NodeSet calls by one name: nodes of a list, and those with a
// feature.
type nodeSet struct{ nodes, feature string }

// machine collects what files say of a cluster.
type machine struct {
	out      report.Conf
	nodes    []node
	byName   map[string]int
	sets     map[string]nodeSet // by name
	accounts map[string]int     // number, from 1
	users    map[string]bool    // account and user that have been counted
	belong   map[int][]memberOf // users by account
	names    *Names             // of the jobs' log, which partitions, QOS and accounts are numbered by; nil: not known
	left     int                // names of nodes that may still be expanded
	reported bool               // its nodes come from sinfo, not from a configuration

	nodeDefaults, partDefaults []pair    // of rows called DEFAULT
	rows                       []confRow // PartitionName rows, read when all nodes are known
}

// ReadMachine reads one or several files that describe the same cluster, in any order:
// slurm.conf with what it includes, sinfo, squeue, sacctmgr. Errors say that a file is
// of no kind that is known; lines that cannot be read are listed. Partitions, QOS and
// accounts are numbered by names of a log's jobs; nil: there is no log.
func ReadMachine(names *Names, files ...[]byte) (*report.Conf, error) {
	m := &machine{names: names, belong: map[int][]memberOf{}, byName: map[string]int{}, sets: map[string]nodeSet{}, accounts: map[string]int{}, users: map[string]bool{}, left: maxHosts}
	type part struct {
		kind *MachineKind
		text string
	}
	var list []part
	for _, data := range files {
		kind := RecogniseMachine(data)
		if kind == nil {
			return nil, errors.New("intake: this file describes no cluster that is known: slurm.conf and what sinfo, squeue and sacctmgr -p print do")
		}
		list = append(list, part{kind, string(text(data))})
	}
	if len(list) == 0 {
		return nil, errors.New("intake: there is no file to read")
	}
	// A configuration says more of nodes than a report of their state, and the file that
	// includes others stands before them.
	slices.SortStableFunc(list, func(a, b part) int {
		return cmp.Or(cmp.Compare(rankOf(a.kind.Key), rankOf(b.kind.Key)), cmp.Compare(included(a.text), included(b.text)))
	})
	for i, p := range list {
		m.out.Files = append(m.out.Files, p.kind.Key)
		p.kind.Read(p.text, m)
		if p.kind.Key == "slurm.conf" && (i+1 == len(list) || list[i+1].kind != p.kind) {
			for _, row := range m.rows {
				m.confPartition(row)
			}
		}
	}
	m.finish()
	return &m.out, nil
}

// included is 0 for a configuration that names its cluster, 1 for a part of one.
func included(text string) int {
	if clusterLine.MatchString(text) {
		return 0
	}
	return 1
}

func rankOf(key string) int {
	switch key {
	case "slurm.conf":
		return 0
	case "sinfo":
		return 1
	}
	return 2
}

// problem notes a line that could not be read.
func (m *machine) problem(line int, name, text, what string) {
	if len(m.out.Problems) < maxProblems {
		m.out.Problems = append(m.out.Problems, report.Problem{Line: line, Name: name, Text: brief(text), What: what, Action: "left out"})
	}
}

// unused notes a setting that nothing goes by.
func (m *machine) unused(line int, key, costs string) {
	for i := range m.out.Unused {
		if u := &m.out.Unused[i]; strings.EqualFold(u.Key, key) && u.Costs == costs {
			u.More++
			return
		}
	}
	if len(m.out.Unused) < maxProblems {
		m.out.Unused = append(m.out.Unused, report.Unused{Line: line, Key: key, Costs: costs})
	}
}

// partition returns the index of a partition, which is made where it is new.
func (m *machine) partition(name string) int {
	for i := range m.out.Partitions {
		if m.out.Partitions[i].Name == name {
			return i
		}
	}
	m.out.Partitions = append(m.out.Partitions, report.ConfPartition{Name: name, Up: true, Tier: 1, JobFactor: 1})
	return len(m.out.Partitions) - 1
}

// into puts a node into a partition.
func (m *machine) into(i, partition int) {
	in := &m.nodes[i].in
	if at, there := slices.BinarySearch(*in, partition); !there {
		*in = slices.Insert(*in, at, partition)
	}
}

// finish groups equal nodes, sums up, and writes the platform of a document.
func (m *machine) finish() {
	type key struct {
		spec
		in string
	}
	of := map[key]int{}
	for i := range m.nodes {
		n := &m.nodes[i]
		k := key{n.spec, fmt.Sprint(n.in)}
		g, ok := of[k]
		if !ok {
			g = len(m.out.Groups)
			of[k] = g
			m.out.Groups = append(m.out.Groups, report.ConfGroup{Processors: n.procs, Memory: n.memory, Disk: n.disk, GPUs: n.gpus, Weight: n.weight, Partitions: n.in})
			if n.features != "" {
				m.out.Groups[g].Features = strings.Split(n.features, ",")
			}
		}
		m.out.Groups[g].Count++
		if n.away {
			m.out.Groups[g].Away++
		}
		m.out.Nodes++
		m.out.Processors += n.procs
		m.out.GPUs += n.gpus
		for _, p := range n.in {
			m.out.Partitions[p].Nodes++
			m.out.Partitions[p].Processors += n.procs
		}
	}
	m.platform()
	slices.SortStableFunc(m.out.Unused, func(a, b report.Unused) int {
		return cmp.Compare(min(len(b.Costs), 1), min(len(a.Costs), 1))
	})
}

// mostProcessors and mostMachines are what a document can hold (core/experiment).
const (
	mostProcessors = 100_000_000
	mostMachines   = 10_000
	mostTogether   = 1<<31 - 1
)

// platform writes the machines as a document's platform: one cluster, whose
// processors are counted as the log counts them, or its nodes where partitions share
// them out. Names of nodes stay out.
func (m *machine) platform() {
	type group struct {
		Count      int64    `json:"count"`
		Processors int64    `json:"processors"`
		Memory     int64    `json:"memory,omitempty"`
		Disk       int64    `json:"disk,omitempty"`
		GPUs       int64    `json:"gpus,omitempty"`
		Properties []string `json:"properties,omitempty"`
	}
	var groups []group
	splits := m.splits() && len(m.out.Groups) <= mostShares
	var of [][]int // partitions of each
	for _, g := range m.out.Groups {
		one := group{g.Count, g.Processors, g.Memory, g.Disk, min(g.GPUs, 1000), nil}
		for _, f := range g.Features {
			if len(f) <= 60 && len(one.Properties) < 200 && !slices.Contains(one.Properties, f) {
				one.Properties = append(one.Properties, f)
			}
		}
		if splits {
			groups, of = append(groups, one), append(of, g.Partitions)
			continue
		}
		same := slices.IndexFunc(groups, func(o group) bool {
			return o.Processors == one.Processors && o.Memory == one.Memory && o.Disk == one.Disk && o.GPUs == one.GPUs && slices.Equal(o.Properties, one.Properties)
		})
		if same >= 0 {
			groups[same].Count += one.Count
		} else {
			groups = append(groups, one)
		}
	}
	switch {
	case m.out.Nodes == 0:
		return
	case m.out.Nodes > mostMachines:
		m.unused(0, "NodeName", fmt.Sprintf("%d nodes are more than the %d that a document holds: the machine is taken as its number of processors", m.out.Nodes, mostMachines))
		if m.out.Processors <= mostProcessors {
			m.out.Platform, _ = json.Marshal(map[string]int64{"processors": m.out.Processors})
		}
		return
	case m.out.Processors > mostTogether:
		m.unused(0, "NodeName", "more processors than a document holds")
		return
	}
	packing := "processors"
	if splits { // jobs have to know which nodes are their partition's
		packing = "nodes"
	}
	platform := map[string]any{"clusters": []any{map[string]any{"name": "cluster", "packing": packing, "groups": groups}}}
	m.shares(platform, of)
	m.out.Platform, _ = json.Marshal(platform)
}
