package experiment

// Unsearchable says why no queue orders can be searched for, nil when they can:
// they are compared under easy, which must be able to run.
func (e *Experiment) Unsearchable() *Error {
	one := *e
	easy, err := NewScheduler("easy")
	if err != nil {
		return &Error{Message: err.Error()}
	}
	one.Schedulers = []Scheduler{easy}
	fault := one.Unsuited(0)
	if fault != nil {
		fault.Path = "search"
		fault.Message = "orders are compared under EASY backfilling, which cannot run here: " + fault.Message
	}
	return fault
}

// Searched returns the experiment that a search for queue orders is about: easy
// on the same platform, over the whole workload, without its window, as the
// document stands where it varies.
func (e *Experiment) Searched() (*Experiment, error) {
	if fault := e.Unsearchable(); fault != nil {
		return nil, fault
	}
	one := e.Clone()
	one.Workload.Window, one.Schedulers, one.Vary = Window{}, nil, nil
	_, err := one.Add("easy")
	return one, err
}
