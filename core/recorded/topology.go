package recorded

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/intake"
	"batchlab/core/slurm"
)

// readTopology reads topology.conf: switches with their nodes, or with switches below them.
func (r *run) readTopology(text string) error {
	if r.cluster.Params.Tree && text == "" {
		r.note("slurm.conf", 0, "TopologyPlugin=topology/tree, but there is no topology.conf")
	}
	at := map[string]int{}
	var below [][]string
	for _, l := range intake.ConfLines(text) {
		if l.Key != "switchname" {
			continue
		}
		s := slurm.Switch{}
		names, err := intake.Hosts(l.Get("Nodes"))
		if err != nil {
			return fmt.Errorf("line %d: %w", l.Line, err)
		}
		for _, n := range names {
			k := slices.Index(r.nodes, n)
			if k < 0 {
				return fmt.Errorf("line %d: Nodes=%s: slurm.conf has no node %s", l.Line, l.Get("Nodes"), n)
			}
			s.Nodes = append(s.Nodes, k)
		}
		under, err := intake.Hosts(l.Get("Switches"))
		if err != nil {
			return fmt.Errorf("line %d: %w", l.Line, err)
		}
		at[strings.TrimSpace(l.Text)] = len(below)
		below = append(below, under)
		r.cluster.Switches = append(r.cluster.Switches, s)
	}
	// A switch has the nodes of those below it, and is one level above the highest of them.
	var rise func(i, depth int) error
	rise = func(i, depth int) error {
		s := &r.cluster.Switches[i]
		if depth > len(below) {
			return fmt.Errorf("a switch stands below itself")
		}
		for _, name := range below[i] {
			k, ok := at[name]
			if !ok {
				return fmt.Errorf("there is no switch %s", name)
			}
			if err := rise(k, depth+1); err != nil {
				return err
			}
			s.Level = max(s.Level, r.cluster.Switches[k].Level+1)
			s.Nodes = append(s.Nodes, r.cluster.Switches[k].Nodes...)
		}
		slices.Sort(s.Nodes)
		s.Nodes = slices.Compact(s.Nodes)
		return nil
	}
	for i := range below {
		if err := rise(i, 0); err != nil {
			return err
		}
	}
	return nil
}
