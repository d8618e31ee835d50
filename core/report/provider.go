package report

// Provider says what one provider of a grid did.
type Provider struct {
	Name          string  `json:"name"`
	Procs         int32   `json:"processors"`
	Jobs          int     `json:"jobs"`         // that ended there, reservations included
	Reservations  int     `json:"reservations"` // of these
	Utilization   float64 `json:"utilization"`  // over the makespan of the whole grid, 0–1
	MeanFlow      float64 `json:"mean_flow_s"`
	MeanTardiness float64 `json:"mean_tardiness_s"` // of reservations
	Late          int     `json:"late,omitempty"`   // reservations that ended after their interval
	Rejected      int     `json:"rejected"`         // rejected reservations that it was large enough for and might have taken; each counts at all such providers
	Idle          float64 `json:"idle"`             // share of its processor time that was idle directly before reservations
}
