package policy

// DeepAbove lets conservative backfilling tell kinds of jobs apart in queues that are
// longer than n, and returns what undoes it.
func DeepAbove(n int) (undo func()) {
	was := deepAbove
	deepAbove = n
	return func() { deepAbove = was }
}
