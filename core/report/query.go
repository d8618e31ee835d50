package report

import "batchlab/core/model"

// Ask is a query for a reservation in a grid: when could Procs processors be had
// for Length seconds within [From, To), if somebody asked at the time At?
type Ask struct {
	At      model.Time `json:"at"`
	From    model.Time `json:"from"`
	To      model.Time `json:"to"`
	Length  model.Time `json:"length"` // at speed 1
	Procs   int32      `json:"processors"`
	Cluster int32      `json:"cluster"` // −1: any provider
}

// Answer says, provider by provider, what could be had.
type Answer struct {
	Ask
	Served    model.Time       `json:"served"` // At, or the next time at which the grid serves its queue
	Providers []ProviderAnswer `json:"providers"`
}

// ProviderAnswer is the answer of one provider. With best effort, the most
// processors for the length and the longest time for the processors, each with
// its earliest start; 0: none.
type ProviderAnswer struct {
	Name      string       `json:"name"`
	Cluster   int32        `json:"cluster"`
	Procs     int32        `json:"processors"` // that it has
	Length    model.Time   `json:"length"`     // at its speed
	Windows   []Window     `json:"windows"`    // feasible starts
	More      bool         `json:"more,omitempty"`
	Most      int32        `json:"most"`
	MostAt    model.Time   `json:"most_at"`
	Longest   model.Time   `json:"longest"`
	LongestAt model.Time   `json:"longest_at"`
	At        []model.Time `json:"times"` // Free[i] processors are free from At[i] on
	Free      []int32      `json:"free"`
}

// Window is feasible starts: every second of [From, To], both included.
type Window struct {
	From model.Time `json:"from"`
	To   model.Time `json:"to"`
}
