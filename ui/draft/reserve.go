package draft

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// AddAnswer adds a reservation as an answer offers it: at a provider, which is
// named where there are several, asked for at the time of the question. It returns
// its row in the list, −1 when there is no room.
func (s *Draft) AddAnswer(a *report.Answer, provider string, procs int32, from, length int64) int {
	if len(s.Settings.Platform.Clusters) < 2 {
		provider = ""
	}
	row := s.AddReservation(provider, int64(procs), from, from+length)
	if row >= 0 {
		s.Change(func(e *experiment.Experiment) {
			at := int64(a.Ask.At)
			e.Platform.Reservations[row].Submit = &at
		})
	}
	return row
}

// What the page says of grids: providers, jobs that are advance reservations,
// and reservations beside the jobs.

// gridSection is what the group Platform says of providers and reservations.
func gridSection(s *Draft) Section {
	out := Section{Key: "grid", Title: "Reservations", Sum: gridSum(&s.Settings)}
	if out.Items = s.shown("workload.annotate.reservations"); s.Settings.Workload.Annotate.Reservations.Share == 0 {
		out.Items = out.Items[:1]
	}
	out.Items = append(out.Items, Item{Sheet: "bookings"})
	if len(s.Settings.Platform.Reservations) > 0 {
		out.Items = append(out.Items, Item{Acts: []Act{{Key: "grid.pays", Name: "See who pays", Help: "What if: the same experiment with and without a reservation"}}})
	}
	if s.Settings.Reserves() && slices.ContainsFunc(s.Settings.Schedulers, func(one experiment.Scheduler) bool { return books(one) && one.Key != "grid" }) {
		out.Items = append(out.Items, s.shown("platform.booking")...)
		if fault := s.faultAt("platform.booking"); fault != "" {
			out.Items = append(out.Items, Item{Fault: fault})
		}
	}
	if s.lacking(catalog.FeatureReservations) {
		out.Items = append(out.Items, Item{Fault: "Some schedulers do not know reservations."},
			Item{Acts: []Act{{Key: "guards.keep", Name: "Take schedulers that know them", Help: "Leaves out the schedulers that cannot run here; where none is left, takes others"}}})
	}
	if s.Preview != nil {
		for _, c := range s.Preview.Clean.Counts {
			if c.Reason == "reservation-refused" {
				out.Items = append(out.Items, Item{Fault: c.Text})
			}
		}
	}
	out.Items = append(out.Items, Item{Acts: gridActs})
	return out
}

var gridActs = []Act{
	{Key: "grid.split", Name: "Two providers", Help: "Two providers of half the processors each; the list of machines changes them"},
	{Key: "grid.ask", Name: "Ask what is free", Help: "When these processors could be reserved: all feasible starts, next to running jobs and earlier reservations"},
	{Key: "grid.compare", Name: "Grid schedulers", Help: "Replaces the schedulers by grids: MCT, AR resource priority and a static partition"},
}

// gridSum is "30 % of the jobs, 2 requests".
func gridSum(e *experiment.Experiment) string {
	var parts []string
	if share := e.Workload.Annotate.Reservations.Share; share > 0 {
		parts = append(parts, words.Percent(share)+" of the jobs reserved")
	}
	if n := len(e.Platform.Reservations); n > 0 {
		parts = append(parts, words.Count(n, "reservation", "reservations"))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// SplitProviders makes two providers of half the machine each, and lets jobs
// that are larger be cut to one.
func (s *Draft) SplitProviders() {
	procs := s.Settings.Platform.Processors
	if procs == 0 && s.Preview != nil {
		procs = int64(s.Preview.Processors)
	}
	if procs < 2 {
		procs = 128
	}
	s.Change(func(e *experiment.Experiment) {
		e.Platform.Processors, e.Platform.Generator, e.Platform.Clusters, e.Platform.Licences = 0, nil, nil, nil
		for i, n := range []int64{(procs + 1) / 2, procs / 2} {
			e.Platform.Clusters = append(e.Platform.Clusters, experiment.Cluster{
				Name: "Provider " + strconv.Itoa(i+1), Packing: "processors", Groups: []experiment.NodeGroup{{Count: 1, Processors: n, Speed: 1}}})
		}
		e.Workload.Clean.Oversize = "clamp"
	})
}

// CompareAllocations replaces the schedulers by grids that differ in where
// reservations go.
func (s *Draft) CompareAllocations() {
	s.Change(func(e *experiment.Experiment) { useGrids(e, "mct", "priority", "partition") })
}

// useGrids replaces the schedulers by grids with these allocations.
func useGrids(e *experiment.Experiment, allocations ...string) {
	e.Schedulers = nil
	for _, to := range allocations {
		if one, err := e.Add("grid"); err == nil {
			_ = one.SetParam("reservations", to)
		}
	}
}

// AddReservation asks for processors in an interval, as drawn on the Gantt
// chart, at a provider, "" any, and returns its row in the list; −1 when there is
// no room. Its name is the next free one.
func (s *Draft) AddReservation(cluster string, procs, from, to int64) int {
	if len(s.Settings.Platform.Reservations) >= experiment.MaxReservations || procs < 1 || to <= from {
		return -1
	}
	s.Change(func(e *experiment.Experiment) {
		e.Platform.Reservations = append(e.Platform.Reservations, experiment.ReservationRequest{
			Name: bookingName(e), Processors: procs, From: from, To: to, Cluster: cluster, Effort: "exact"})
		if !slices.ContainsFunc(e.Schedulers, books) {
			useGrids(e, "mct")
		}
	})
	return len(s.Settings.Platform.Reservations) - 1
}

// books says whether a scheduler keeps reservations.
func books(one experiment.Scheduler) bool {
	row := catalog.FindScheduler(one.Key)
	return row != nil && !row.Logged && row.Gap(catalog.FeatureReservations, one.Params.Words) == nil
}

func bookingName(e *experiment.Experiment) string {
	return free("R", func(name string) bool {
		return slices.ContainsFunc(e.Platform.Reservations, func(r experiment.ReservationRequest) bool { return r.Name == name })
	})
}

// Provider returns the name of the cluster that holds a processor of the
// platform, and the number of its first; "" where there is only one.
func (s *Draft) Provider(processor int) (name string, first int) {
	for _, c := range s.Settings.Platform.Clusters {
		n := 0
		for _, g := range c.Groups {
			n += int(g.Count * g.Processors)
		}
		if processor < first+n || len(s.Settings.Platform.Clusters) == 1 {
			return c.Name, first
		}
		first += n
	}
	return "", 0
}

var bookingSheet = sheet{
	id: "bookings", name: "Requests", noun: "reservation", none: "None. Draw one on the Gantt chart, or add it here.", most: experiment.MaxReservations, list: "platform.reservations",
	help:  "Reservations beside the jobs; times count from the start of the log",
	shows: "name processors from to length* submit* effort* cluster*",
	column: func(s *Draft, c *Column) bool {
		switch c.Key {
		case "name":
			c.Required = true
		case "cluster":
			c.Type, c.Options = catalog.Enum, append([]catalog.Option{{Name: "any"}}, s.clusterNames()...)
			return len(c.Options) > 2
		}
		return true
	},
	own: map[string]cells{"from": {set: func(e *experiment.Experiment, row int, v any) { // the end goes along
		r := &e.Platform.Reservations[row]
		r.From, r.To = v.(int64), v.(int64)+r.To-r.From
	}}},
	add: func(_ *Draft, e *experiment.Experiment) {
		next := experiment.ReservationRequest{Processors: 1, From: 86400, To: 93600, Effort: "exact"}
		if from := e.Workload.Window.From; from != nil {
			next.From, next.To = *from+86400, *from+93600
		}
		if n := len(e.Platform.Reservations); n > 0 {
			next = e.Platform.Reservations[n-1]
			next.From, next.To = next.To, 2*next.To-next.From
			next.Submit = nil
		}
		next.Name = bookingName(e)
		e.Platform.Reservations = append(e.Platform.Reservations, next)
	},
}
