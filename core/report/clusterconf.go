package report

import (
	"encoding/json"
	"fmt"
)

// Conf is what the configuration of a cluster, and reports of its state, say of it.
// Names of nodes, users and accounts do not stand in it.
type Conf struct {
	Files      []string `json:"files"` // kinds of files that it was read from
	Nodes      int64    `json:"nodes"`
	Processors int64    `json:"processors"`
	GPUs       int64    `json:"gpus"`

	Groups     []ConfGroup     `json:"groups"`
	Partitions []ConfPartition `json:"partitions"`
	Scheduling []Setting       `json:"scheduling"` // how Slurm schedules, in its own words
	QOS        []ConfQOS       `json:"qos"`
	Accounts   []ConfAccount   `json:"accounts"` // by number, from 1
	Queue      *ConfQueue      `json:"queue,omitempty"`

	// Platform is the platform of a document by itself, as far as one can say it
	// today; absent where the files name no node.
	Platform json.RawMessage `json:"platform,omitempty"`
	// Unused is what no simulation goes by yet, the dearest first.
	Unused   []Unused  `json:"unused"`
	Problems []Problem `json:"problems"` // what could not be read
}

// ConfGroup is equal nodes of the same partitions.
type ConfGroup struct {
	Count      int64    `json:"count"`
	Processors int64    `json:"processors"` // of each
	Memory     int64    `json:"memory"`     // bytes of each, 0 unknown
	Disk       int64    `json:"disk"`       // bytes of each, 0 unknown
	GPUs       int64    `json:"gpus"`       // of each
	Features   []string `json:"features"`
	Weight     int64    `json:"weight"`     // Slurm takes nodes of the least first
	Partitions []int    `json:"partitions"` // indices into Conf.Partitions
	Away       int64    `json:"away"`       // of these, nodes that are said to be down or drained
}

// ConfPartition is a partition.
type ConfPartition struct {
	Name        string `json:"name"`
	Nodes       int64  `json:"nodes"`
	Processors  int64  `json:"processors"`
	Default     bool   `json:"default"`
	Up          bool   `json:"up"`
	MaxTime     int64  `json:"max_time"`     // seconds, 0 none
	DefaultTime int64  `json:"default_time"` // seconds, 0 none
	MaxNodes    int64  `json:"max_nodes"`    // of a job, 0 any
	Tier        int64  `json:"tier"`
	JobFactor   int64  `json:"priority"`
	Preempt     string `json:"preempt"` // Slurm's word, "" as the cluster
	QOS         string `json:"qos,omitempty"`
}

// Setting is one of Slurm's own settings.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Line  int    `json:"line"`
}

// ConfQOS is a quality of service.
type ConfQOS struct {
	Name     string    `json:"name"`
	Priority int64     `json:"priority"`
	Limits   []Setting `json:"limits"` // in Slurm's words
}

// ConfAccount is an account, of which its place in the tree and its share are kept.
type ConfAccount struct {
	Parent int   `json:"parent"` // number, 0 the root
	Shares int64 `json:"shares"`
	Users  int   `json:"users"`

	Limits []Setting `json:"limits,omitempty"` // in Slurm's words
}

// ConfQueue is what waits and runs at the moment of a report.
type ConfQueue struct {
	Running int            `json:"running"`
	Waiting int            `json:"waiting"`
	Reasons []OutcomeCount `json:"reasons"` // for which jobs wait, most frequent first
}

// Unused is something that is read and not simulated.
type Unused struct {
	Line  int    `json:"line"`
	Key   string `json:"key"`
	Costs string `json:"costs"` // what that may cost; "" nothing
	More  int    `json:"more"`  // further lines with the same key
}

// Sentences words it, what is not simulated with what that may cost.
func (c *Conf) Sentences() []string {
	lines := []string{fmt.Sprintf("the cluster: %d nodes in %d groups, %d processors, %d GPUs, %d partitions", c.Nodes, len(c.Groups), c.Processors, c.GPUs, len(c.Partitions))}
	harmless := 0
	for _, u := range c.Unused {
		if u.Costs == "" {
			harmless += 1 + u.More
			continue
		}
		where := u.Key
		if u.Line > 0 {
			where = fmt.Sprintf("line %d, %s", u.Line, u.Key)
		}
		if u.More > 0 {
			where += fmt.Sprintf(" (and %d more)", u.More)
		}
		lines = append(lines, where+": "+u.Costs)
	}
	if harmless > 0 {
		lines = append(lines, fmt.Sprintf("%d further settings say nothing of schedules", harmless))
	}
	for _, p := range c.Problems {
		lines = append(lines, p.String())
	}
	return lines
}
