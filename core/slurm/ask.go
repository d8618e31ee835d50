package slurm

// Ask is what a job asked for in the words of sbatch, where the command that submitted it
// is known. It stays with whoever read the file.
type Ask struct {
	Nodes, Tasks, PerTask int32 // -N, -n, -c; 0: not said
	MemNode, MemCPU       int64 // --mem, --mem-per-cpu, in MiB; 0: not said; MemNode −1: none
	GPUs                  int32 // of each node
	Nice                  int64
	Whole                 bool     // --exclusive
	MinLimit              int64    // --time-min, in seconds; 0: not said
	Partitions            []string // -p
	Begin                 bool     // --begin
	Throttle              int32    // most tasks of its array at once; 0: any
}
