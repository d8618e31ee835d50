package workload

import (
	"errors"
	"math/rand/v2"

	"batchlab/core/model"
)

// ceritParams are those of the clusters of CERIT-SC in early 2013.
var ceritParams = []param{
	{key: "zewura", whole: true, min: 0, max: 1000, def: 20},
	{key: "zegox", whole: true, min: 0, max: 1000, def: 48},
}

// cerit makes the clusters of CERIT-SC as its log of 2013 shows them: zewura,
// nodes of 80 processors and 512 GiB, and zegox, nodes of 12 processors and
// 90 GiB. What properties they have is what jobs that asked for them got.
func cerit(v *values, _ func(stream string) *rand.Rand) (*model.Platform, error) {
	p := &model.Platform{}
	for _, c := range []struct {
		name       string
		procs      int32
		mem        int64
		properties []string
	}{
		{"zewura", 80, 512 << 30, []string{"x86_64", "linux", "nfs4", "brno"}},
		{"zegox", 12, 90 << 30, []string{"x86_64", "linux", "nfs4", "brno", "debian", "infiniband"}},
	} {
		if n := int32(v.get(c.name)); n > 0 {
			p.Clusters = append(p.Clusters, model.Cluster{Name: c.name, Packing: model.PackNodes,
				Groups: []model.NodeGroup{{Count: n, Procs: c.procs, Mem: c.mem, Speed: 1, Properties: c.properties}}})
		}
	}
	if len(p.Clusters) == 0 {
		return nil, errors.New("workload: cerit-sc: zewura and zegox are both 0: no machines are left")
	}
	return p, nil
}
