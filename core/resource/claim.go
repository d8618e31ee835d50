package resource

import (
	"fmt"

	"batchlab/core/model"
)

// Refuse says why a job cannot start in a claim, "" if it can.
func (s *Site) Refuse(n *Need, c model.Claim, free *Pool) string {
	sum, last := int32(0), int32(-1)
	for _, part := range c.Parts {
		if part.Node <= last || int(part.Node) >= len(s.rank) || part.Procs < 1 {
			return fmt.Sprintf("there is no machine %d, or it stands twice or out of order in the claim", part.Node)
		}
		last = part.Node
		sum += part.Procs
		r := s.rank[part.Node]
		set := n.single
		if len(c.Parts) > 1 || n.Nodes != 1 && s.Platform.Clusters[c.Cluster].Packing == model.PackNodes {
			set = n.shared
		}
		if s.Nodes[r].Cluster != c.Cluster || set == nil || set[r/64]>>(r%64)&1 == 0 {
			return fmt.Sprintf("machine %d is not suitable for it", part.Node)
		}
		if free.procs[r] < part.Procs {
			return fmt.Sprintf("%d processors of machine %d are free, not %d", max(0, free.procs[r]), part.Node, part.Procs)
		}
		if !free.rest(int(r), n) {
			return fmt.Sprintf("too little memory, disk or GPUs of machine %d are free", part.Node)
		}
		if n.Nodes > 1 && part.Procs != n.PerNode && s.Platform.Clusters[c.Cluster].Packing == model.PackNodes {
			return fmt.Sprintf("it holds %d processors of machine %d, not %d", part.Procs, part.Node, n.PerNode)
		}
	}
	if sum != n.Procs && !(n.Fewer && sum > 0 && sum < n.Procs) {
		return fmt.Sprintf("the claim has %d processors, not %d", sum, n.Procs)
	}
	for _, l := range n.Licences {
		if licence := &s.Platform.Licences[l.Licence]; licence.Copies > 0 && free.licences[l.Licence] < l.Copies {
			return fmt.Sprintf("%d copies of licence %q are free, not %d", free.licences[l.Licence], licence.Name, l.Copies)
		}
	}
	if !free.Within(n, c.Cluster, sum) {
		return "a limit of the platform is reached"
	}
	return ""
}
