package report

import (
	"strconv"

	"batchlab/core/model"
)

// Site describes the machines and licences of a repetition, for pages that
// draw them.
type Site struct {
	Machines []Machine     `json:"machines"` // in the order of processor numbers
	Licences []SiteLicence `json:"licences"`
	Calendar []Entry       `json:"calendar,omitempty"` // reservations, outages and failures

	Partitions []SitePartition `json:"partitions,omitempty"`
}

// SitePartition is a partition: from its first processor to its last, with those of
// others between them where its machines do not lie together.
type SitePartition struct {
	Name  string `json:"name"`
	First int32  `json:"first"`
	Procs int32  `json:"procs"`
}

// Entry is an entry of the calendar: what is reserved or out of order during
// [From, To). Where it is drawn stands in Columns.Away, run by run.
type Entry struct {
	Kind    string     `json:"kind"` // "reservation", "outage", "failure"
	Name    string     `json:"name,omitempty"`
	Cluster string     `json:"cluster"`
	From    model.Time `json:"from"`
	To      model.Time `json:"to"`
	Procs   int32      `json:"procs,omitempty"` // of interchangeable processors; 0: whole machines
	Nodes   int32      `json:"nodes,omitempty"` // how many machines
}

// Machine is one machine of a site.
type Machine struct {
	Cluster  string   `json:"cluster"`
	First    int32    `json:"first"` // number of its first processor: where Columns.Spans draws it
	Procs    int32    `json:"procs"`
	Power    float64  `json:"power"`
	Licences []string `json:"licences"` // that may be activated there

	Mem        int64    `json:"memory,omitempty"` // bytes; 0: not limited
	Disk       int64    `json:"disk,omitempty"`   // bytes; 0: not limited
	GPUs       int32    `json:"gpus,omitempty"`
	Packing    string   `json:"packing,omitempty"` // of its cluster, "" processors are interchangeable
	Properties []string `json:"properties,omitempty"`
}

// MachineNames returns what the machines are called: the name of their cluster
// and their number there, from 1 (model.Platform.NodeName).
func (s *Site) MachineNames() []string {
	names, number := make([]string, len(s.Machines)), 0
	for i := range s.Machines {
		if number++; i > 0 && s.Machines[i].Cluster != s.Machines[i-1].Cluster {
			number = 1
		}
		names[i] = s.Machines[i].Cluster + strconv.Itoa(number)
	}
	return names
}

// SiteLicence is a licence of a site.
type SiteLicence struct {
	Name     string `json:"name"`
	Copies   int32  `json:"copies"`   // 0: node-locked, not counted
	Suitable int    `json:"suitable"` // machines on which it may be activated
}

// Licence says how a licence was used in a run. From At[i] on, Used[i] copies
// are in use and Blocked[i] jobs wait that need more copies than are free.
type Licence struct {
	Name    string       `json:"name"`
	Copies  int32        `json:"copies"` // 0: node-locked, not counted
	Usage   float64      `json:"usage"`  // copies in use ÷ copies, over the makespan, 0–1
	At      []model.Time `json:"at,omitempty"`
	Used    []int32      `json:"used,omitempty"`
	Blocked []int32      `json:"blocked,omitempty"`
}

// Priority is the priority of a waiting job, taken apart into its terms as
// they are weighed (Techiouba et al. 2008, section 4).
type Priority struct {
	Job      model.JobID `json:"job"`    // index
	Number   int64       `json:"number"` // of the job
	Head     bool        `json:"head"`   // it holds the reservation after the pass
	Aging    float64     `json:"aging"`
	Deadline float64     `json:"deadline"`
	Licences float64     `json:"licences"`
	Wait     float64     `json:"wait"`
	Queue    float64     `json:"queue,omitempty"`
	Total    float64     `json:"total"`
	Case     string      `json:"case"` // of the deadline: "none", "far", "near", "over"
}

// Priorities are those of all waiting jobs at one scheduling event, highest
// first.
type Priorities struct {
	At          model.Time `json:"at"`          // of the event
	Reservation model.Time `json:"reservation"` // promised start of the head; model.Never without one
	Jobs        []Priority `json:"jobs"`
}
