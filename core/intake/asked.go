package intake

import (
	"strconv"
	"strings"

	"batchlab/core/slurm"
)

// Asked reads what each job of sacct -P asked for off the command that submitted it, by
// its raw number, and which job stands in which line; nil of a text that has no such
// columns.
func Asked(text string) (out map[int64]slurm.Ask, lines map[int32]int64) {
	rows := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	head := strings.Split(strings.TrimSpace(rows[0]), "|")
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(name)] = i
	}
	raw, ok := at["jobidraw"]
	command, told := at["submitline"]
	if !ok || !told {
		return nil, nil
	}
	out, lines = map[int64]slurm.Ask{}, map[int32]int64{}
	for i, line := range rows[1:] {
		cells := strings.Split(strings.TrimRight(line, "\r"), "|")
		if len(cells) != len(head) {
			continue // a name with a bar shifts what follows
		}
		n, err := strconv.ParseInt(cells[raw], 10, 64)
		if err != nil {
			continue
		}
		a := ask(cells[command])
		out[n], lines[int32(i)+2] = a, n
	}
	return out, lines
}

// ask reads the options of sbatch.
func ask(command string) (a slurm.Ask) {
	words := strings.Fields(command)
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") {
			if i == 0 || strings.HasPrefix(words[i-1], "-") && !strings.Contains(words[i-1], "=") {
				continue
			}
			break // the script
		}
		key, value, joined := strings.Cut(w, "=")
		if !strings.HasPrefix(w, "--") && len(w) > 2 { // -n4
			key, value, joined = w[:2], w[2:], true
		}
		if !joined && i+1 < len(words) {
			value = words[i+1]
		}
		whole := func() int64 {
			n, _ := strconv.ParseInt(value, 10, 32)
			return max(n, 0)
		}
		switch key {
		case "-N", "--nodes":
			value, _, _ = strings.Cut(value, "-")
			a.Nodes = int32(whole())
		case "-n", "--ntasks":
			a.Tasks = int32(whole())
		case "-c", "--cpus-per-task":
			a.PerTask = int32(whole())
		case "--mem":
			n, _ := kilobytes([]byte(value))
			a.MemNode = max(n, 0) >> 10
		case "--mem-per-cpu":
			n, _ := kilobytes([]byte(value))
			a.MemCPU = max(n, 0) >> 10
		case "--gres", "--gpus-per-node":
			if v, gpu := strings.CutPrefix(value, "gpu"); gpu || key == "--gpus-per-node" {
				if n, ok := gpuCount(strings.TrimPrefix(v, ":")); ok {
					a.GPUs = int32(n)
				} else if gpu && v == "" {
					a.GPUs = 1
				}
			}
		case "--nice":
			if a.Nice, _ = strconv.ParseInt(value, 10, 64); !joined {
				a.Nice = 100
			}
		case "--exclusive":
			a.Whole = !joined
		case "--time-min":
			a.MinLimit, _ = slurm.Seconds(value)
		case "--begin", "-b":
			a.Begin = true
		case "-p", "--partition":
			a.Partitions = strings.Split(value, ",")
		case "--wrap":
			return a
		}
	}
	return a
}
