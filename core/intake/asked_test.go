package intake

import (
	"fmt"
	"testing"
)

// Intent: what sbatch was asked for comes out of its command, in each spelling; what stands
// behind the script, or in --wrap, is the job's own and asks for nothing.
func TestAsked(t *testing.T) {
	for command, want := range map[string]string{
		"sbatch --parsable -J j1 -D /tmp -t 1 -N 2 -n 8 -c 3 --wrap exec sleep 3": "{2 8 3 0 0 0 0 false 0 [] false 0}",
		"sbatch -b now+9 x": "{0 0 0 0 0 0 0 false 0 [] true 0}",
		"sbatch -n4 --mem-per-cpu=2G --nice=50 -p batch,short job.sh -n 9": "{0 4 0 0 2048 0 50 false 0 [batch short] false 0}",
		"sbatch --nodes=2-4 --ntasks 3 --mem=500M --gres=gpu:2 x":          "{2 3 0 500 0 2 0 false 0 [] false 0}",
		"sbatch --gpus-per-node=a100:4 --exclusive --time-min=0:90 x":      "{0 0 0 0 0 4 0 true 90 [] false 0}",
		"sbatch --gres=gpu --nice x":                                       "{0 0 0 0 0 1 100 false 0 [] false 0}",
		"":                                                                 "{0 0 0 0 0 0 0 false 0 [] false 0}",
	} {
		if got := fmt.Sprint(ask(command)); got != want {
			t.Errorf("%q: %s, not %s", command, got, want)
		}
	}
	text := "JobIDRaw|Submit|SubmitLine\n7|2026-11-23T02:32:01|sbatch -n 2 x\n7|2026-11-23T02:35:01|sbatch -n 2 x\nx|y\n8|Unknown|sbatch -N 1 x\n"
	asked, rows := Asked(text)
	if got := fmt.Sprint(asked, rows); got != "map[7:{0 2 0 0 0 0 0 false 0 [] false 0} 8:{1 0 0 0 0 0 0 false 0 [] false 0}] map[2:7 3:7 5:8]" {
		t.Error(got)
	}
	if none, _ := Asked("JobID|Submit\n1|2\n"); none != nil {
		t.Error("a table without commands says what was asked for")
	}
}

// Intent: whatever bytes come, reading commands ends and asks for nothing negative.
func FuzzAsked(f *testing.F) {
	f.Add("JobIDRaw|SubmitLine\n1|sbatch -n 2 --mem=1G x\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, _ := Asked(text)
		for n, a := range list {
			if a.Nodes < 0 || a.Tasks < 0 || a.PerTask < 0 || a.MemNode < 0 || a.MemCPU < 0 || a.GPUs < 0 || a.MinLimit < 0 {
				t.Fatalf("job %d: %+v", n, a)
			}
		}
	})
}
