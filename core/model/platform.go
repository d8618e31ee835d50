package model

import "strconv"

// Platform is the machine: clusters, floating licences, and what is known in
// advance to take resources away.
type Platform struct {
	Clusters []Cluster
	Licences []Licence
	Calendar []CalendarEntry
	Limits   Limits
	// Partitions, QOS and Accounts are what jobs name (Demand); nil where there are none.
	Partitions []Partition
	QOS        []QOS
	Accounts   []Account
	// PowerScales divides run and requested times by the speed of the machine.
	// Otherwise speed only says which machine is taken first.
	PowerScales bool
}

// Cluster is a set of node groups scheduled as one machine.
type Cluster struct {
	Name    string
	Packing Packing
	Groups  []NodeGroup
}

// Packing says what a scheduler counts on a cluster.
type Packing uint8

// How jobs are bound to a cluster's processors.
const (
	PackProcessors Packing = iota // interchangeable processors, by counts
	PackNodes                     // named nodes: nodes × processors per node, or spread over nodes
	PackMachine                   // each job within one named node
)

// NodeGroup is Count equal nodes.
type NodeGroup struct {
	Count, Procs int32 // nodes, processors per node
	Mem, Disk    int64 // bytes per node; 0: not limited
	GPUs         int32 // per node
	Speed        float64
	Licences     []string // licences that may be activated on these nodes
	Properties   []string // what jobs may ask nodes to have: an architecture, a file system
}

// NodeName returns what node i of Nodes is called: the name of its cluster and
// its number there, from 1.
func (p *Platform) NodeName(i int32) string {
	for c := range p.Clusters {
		count := int32(1)
		if p.Clusters[c].Packing != PackProcessors {
			count = 0
			for _, g := range p.Clusters[c].Groups {
				count += g.Count
			}
		}
		if i < count {
			return p.Clusters[c].Name + strconv.Itoa(int(i)+1)
		}
		i -= count
	}
	return ""
}

// Licence is a floating licence with a number of copies, of which a job takes
// some for its whole run, or, with Copies 0, a node-locked one: it is on the
// nodes whose group names it and nobody counts it.
type Licence struct {
	Name   string
	Copies int32
	Quota  Quota // of a limit that is counted as a licence: it is activated on every node
}

// CalendarKind tells reservations, outages and failures apart.
type CalendarKind uint8

// Kinds of calendar entry.
const (
	KindReservation CalendarKind = iota // known ahead
	KindOutage                          // known ahead
	// KindFailure is an outage that nobody knows of before it begins; from then
	// on its end is known. It takes its nodes from whatever runs there.
	KindFailure
)

// CalendarEntry takes whole Nodes, or without any Procs of a cluster of
// interchangeable processors, away during [From, To).
type CalendarEntry struct {
	Kind     CalendarKind
	Name     string
	From, To Time
	Cluster  int32
	Procs    int32
	Nodes    []int32 // indices into Platform.Nodes
}

// Procs returns the number of processors of the cluster.
func (c *Cluster) Procs() int {
	n := 0
	for _, g := range c.Groups {
		n += int(g.Count) * int(g.Procs)
	}
	return n
}

// Procs returns the number of processors of all clusters.
func (p *Platform) Procs() int {
	n := 0
	for i := range p.Clusters {
		n += p.Clusters[i].Procs()
	}
	return n
}

// OneCluster returns a platform of one cluster of interchangeable processors,
// which is what a log describes.
func OneCluster(procs int) *Platform {
	return &Platform{Clusters: []Cluster{{
		Name:   "main",
		Groups: []NodeGroup{{Count: int32(procs), Procs: 1, Speed: 1}},
	}}}
}
