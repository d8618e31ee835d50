package experiment

import "batchlab/core/catalog"

// New returns an experiment with every default, but without a source and
// schedulers, which it needs to be valid.
func New() *Experiment {
	e, c := &Experiment{}, codec{mode: reading}
	c.walk("", &node{kind: objectKind, keys: []string{"workload"}, items: []*node{{kind: objectKind}}}, e.visit)
	return e
}

// NewScheduler returns a scheduler of the catalog with every default.
func NewScheduler(key string) (Scheduler, error) {
	row := catalog.FindScheduler(key)
	if row == nil {
		return Scheduler{}, Error{Path: "key", Message: "unknown scheduler " + quote(key) + oneOf(key, catalog.EverySchedulerKey())}
	}
	return Scheduler{Key: key, Params: Defaults(row.Params), Repeat: 1}, nil
}

// NewGenerator returns a generator of the catalog with every default.
func NewGenerator(key string) (*Generator, error) {
	row := catalog.FindGenerator(key)
	if row == nil {
		return nil, Error{Path: "key", Message: "unknown generator " + quote(key) + oneOf(key, catalog.GeneratorKeys())}
	}
	return &Generator{Key: key, Params: Defaults(row.Params)}, nil
}

// NewMachines returns a generator of machines of the catalog with every
// default.
func NewMachines(key string) (*Generator, error) {
	row := catalog.FindMachines(key)
	if row == nil {
		return nil, Error{Path: "key", Message: "unknown generator of machines " + quote(key) + oneOf(key, catalog.MachinesKeys())}
	}
	return &Generator{Key: key, Params: Defaults(row.Params)}, nil
}

// Add appends a scheduler of the catalog with every default and returns it, to
// be changed with SetParam. The pointer holds until the next Add.
func (e *Experiment) Add(key string) (*Scheduler, error) {
	s, err := NewScheduler(key)
	if err != nil {
		return nil, err
	}
	e.Schedulers = append(e.Schedulers, s)
	return &e.Schedulers[len(e.Schedulers)-1], nil
}

// Preset returns the experiment of a preset of the catalog.
func Preset(key string) (*Experiment, error) {
	row := catalog.FindPreset(key)
	if row == nil {
		return nil, Error{Path: "preset", Message: "unknown preset " + quote(key) + oneOf(key, catalog.PresetKeys())}
	}
	return Decode([]byte(row.Document))
}
