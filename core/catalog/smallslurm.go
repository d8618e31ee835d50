package catalog

import (
	"fmt"
	"strings"
)

// smallSlurm is the document of a small machine as Slurm runs it: eight nodes, two
// partitions over all of them, 150 jobs of a day or two. The jobs are drawn here, and stand
// in the document as rows, so that all repeats have the same and differ by phases alone.
func smallSlurm() string {
	x := int64(3)
	draw := func(n int64) int64 { // the linear congruence of C's old rand()
		x = (x*1103515245 + 12345) & (1<<31 - 1)
		return (x >> 16) % n
	}
	procs := [...]int64{1, 1, 1, 2, 2, 4, 4, 8, 8, 16}
	limits := [...]int64{10, 20, 30, 60, 60, 120, 240} // minutes
	var b strings.Builder
	b.WriteString(`{"batchlab":1,"title":"A small Slurm","seed":1,
"workload":{"source":{"inline":{"columns":["submit","procs","requested","run","user","partition"],"rows":[`)
	at := int64(0)
	for i := range 150 {
		at += draw(1050)
		p, limit := procs[draw(10)], limits[draw(7)]
		run := max(30, limit*60*(15+draw(86))/100)
		user, partition := 1+draw(6), 1
		if limit <= 60 && draw(2) == 1 {
			partition = 2
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%d,%d,%d,%d,%d,%d]", at, p, limit*60, run, user, partition)
	}
	return b.String() + `]}}},
"platform":{"clusters":[{"name":"small","packing":"nodes","groups":[{"count":8,"processors":4}]}],
"partitions":[{"name":"batch","default":true},{"name":"short","tier":2,"max_time":3600}]},
"schedulers":[{"key":"slurm","repeat":20},{"key":"easy","repeat":20},{"key":"fcfs","repeat":20}]}`
}
