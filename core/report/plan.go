package report

// Optimised says what the optimiser of a planning scheduler did in a run.
type Optimised struct {
	Calls      int   `json:"calls"`
	Iterations int64 `json:"iterations"` // plans evaluated
	Accepted   int64 `json:"accepted"`   // plans better than all before in their call
	// Unrepeatable marks a run that a wall clock has stopped, or could have: it
	// cannot be reproduced.
	Unrepeatable bool `json:"not_reproducible,omitempty"`
}
