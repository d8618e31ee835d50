package catalog

// FindScheduler returns the row with the key, programs included, or nil.
func FindScheduler(key string) *Scheduler {
	of := func(r *Scheduler) string { return r.Key }
	if row := find(Schedulers, key, of); row != nil {
		return row
	}
	return find(Programs, key, of)
}

// FindOrder returns the row with the key, pure or by score, or nil.
func FindOrder(key string) *Order {
	of := func(r *Order) string { return r.Key }
	if row := find(Orders, key, of); row != nil {
		return row
	}
	return find(ScoreOrders, key, of)
}

// FindMetric returns the row with the key, or nil.
func FindMetric(key string) *Metric {
	return find(Metrics, key, func(r *Metric) string { return r.Key })
}

// FindGenerator returns the row with the key, or nil.
func FindGenerator(key string) *Generator {
	return find(Generators, key, func(r *Generator) string { return r.Key })
}

// FindMachines returns the row with the key, or nil.
func FindMachines(key string) *Generator {
	return find(Machines, key, func(r *Generator) string { return r.Key })
}

// FindBundle returns the row with the key, or nil.
func FindBundle(key string) *Bundled {
	return find(Bundles, key, func(r *Bundled) string { return r.Key })
}

// FindPreset returns the row with the key, or nil.
func FindPreset(key string) *Preset {
	return find(Presets, key, func(r *Preset) string { return r.Key })
}

// FindParam returns the parameter with the key, or nil.
func FindParam(params []Param, key string) *Param {
	return find(params, key, func(r *Param) string { return r.Key })
}

// FindOption returns the option with the key, or nil.
func FindOption(options []Option, key string) *Option {
	return find(options, key, func(r *Option) string { return r.Key })
}

func find[T any](rows []T, key string, of func(*T) string) *T {
	for i := range rows {
		if of(&rows[i]) == key {
			return &rows[i]
		}
	}
	return nil
}

// SchedulerKeys returns the keys of all schedulers but programs, in table order.
func SchedulerKeys() []string {
	return keys(Schedulers, func(r *Scheduler) string { return r.Key })
}

// EverySchedulerKey returns all scheduler keys, programs last.
func EverySchedulerKey() []string {
	return keys(EveryScheduler(), func(r *Scheduler) string { return r.Key })
}

// MetricKeys returns all metric keys in table order.
func MetricKeys() []string { return keys(Metrics, func(r *Metric) string { return r.Key }) }

// GeneratorKeys returns all generator keys in table order.
func GeneratorKeys() []string {
	return keys(Generators, func(r *Generator) string { return r.Key })
}

// MachinesKeys returns all keys of generators of machines in table order.
func MachinesKeys() []string { return keys(Machines, func(r *Generator) string { return r.Key }) }

// BundleKeys returns the keys of all bundled workloads in table order.
func BundleKeys() []string { return keys(Bundles, func(r *Bundled) string { return r.Key }) }

// PresetKeys returns all preset keys in table order.
func PresetKeys() []string { return keys(Presets, func(r *Preset) string { return r.Key }) }

// FindCase returns the row with the key, or nil.
func FindCase(key string) *Case { return find(Cases, key, func(r *Case) string { return r.Key }) }

// CaseKeys returns all keys of cases in table order.
func CaseKeys() []string { return keys(Cases, func(r *Case) string { return r.Key }) }

// ParamKeys returns the keys of a row's parameters in order.
func ParamKeys(params []Param) []string {
	return keys(params, func(r *Param) string { return r.Key })
}

// OptionKeys returns the keys of a parameter's options in order.
func OptionKeys(options []Option) []string {
	return keys(options, func(r *Option) string { return r.Key })
}

func keys[T any](rows []T, of func(*T) string) []string {
	list := make([]string, len(rows))
	for i := range rows {
		list[i] = of(&rows[i])
	}
	return list
}
