package draft

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Reservations are listed, typed and drawn; what is drawn names its provider and
// takes the scheduler that knows reservations; providers can be made and
// compared, and everything is a valid document that undo takes back.
func TestReservations(t *testing.T) {
	s, _ := opened(t)
	ids := func() (list []string) {
		for _, section := range s.Folds() {
			if section.Key == "grid" {
				for _, it := range section.Items {
					list = append(list, it.Field+it.Sheet+it.Fault)
				}
			}
		}
		return list
	}
	if !slices.Contains(ids(), "book.share") || slices.Contains(ids(), "book.factor_min") {
		t.Fatalf("%q", ids())
	}
	s.SetField("book.share", "0.3")
	s.SetField("book.ready", "drawn")
	s.SetField("book.factor_max", "4")
	s.SetField("book.lead_max", "2h")
	if r := s.Settings.Workload.Annotate.Reservations; r.Share != 0.3 || r.Ready != "drawn" || r.FactorMax != 4 || r.LeadMax != 7200 || !slices.Contains(ids(), "book.lead_min") {
		t.Errorf("%+v, %q", r, ids())
	}
	ignorant := slices.ContainsFunc(s.Settings.Schedulers, func(one experiment.Scheduler) bool { return !books(one) })
	if named := slices.ContainsFunc(ids(), func(x string) bool { return strings.Contains(x, "do not know reservations") }); named != ignorant {
		t.Errorf("schedulers that do not know reservations: %t, and %q", ignorant, ids())
	}
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = nil
		_, _ = e.Add("as-logged") // which has none by its nature
	})
	s.SetField("book.factor_min", "9")
	if in, _ := s.Input("book.factor_max"); in.Error == "" {
		t.Error("a range that ends before it begins has no message at its field")
	}
	s.SetField("book.factor_min", "1")
	s.SplitProviders()
	if p := &s.Settings.Platform; len(p.Clusters) != 2 || p.Clusters[0].Packing != "processors" || s.Settings.Workload.Clean.Oversize != "clamp" {
		t.Fatalf("%+v", p)
	}
	half := int(s.Settings.Platform.Clusters[0].Groups[0].Processors)
	if name, first := s.Provider(half); name != "Provider 2" || first != half {
		t.Errorf("processor %d is of %q from %d on", half, name, first)
	}
	if row := s.AddReservation("Provider 2", 3, 5000, 8600); row != 0 || len(s.Settings.Schedulers) != 1 || s.Settings.Schedulers[0].Key != "grid" {
		t.Fatalf("row %d, %+v", row, s.Settings.Schedulers)
	}
	s.SetCell("bookings", 0, "length", "30m")
	s.SetCell("bookings", 0, "effort", "processors")
	s.AddRow("bookings")
	s.SetCell("bookings", 1, "cluster", "")
	want := []experiment.ReservationRequest{
		{Name: "R1", Processors: 3, From: 5000, To: 8600, Length: 1800, Cluster: "Provider 2", Effort: "processors"},
		{Name: "R2", Processors: 3, From: 8600, To: 12200, Length: 1800, Effort: "processors"},
	}
	if !slices.Equal(s.Settings.Platform.Reservations, want) {
		t.Errorf("%+v", s.Settings.Platform.Reservations)
	}
	s.SetCell("bookings", 1, "submit", "1h")
	if at := s.Settings.Platform.Reservations[1].Submit; at == nil || *at != 3600 {
		t.Errorf("asked at %v", at)
	}
	s.SetCell("bookings", 1, "submit", "")
	if s.Settings.Platform.Reservations[1].Submit != nil {
		t.Error("an empty cell is a time")
	}
	row := s.AddAnswer(&report.Answer{Ask: report.Ask{At: 700}}, "Provider 1", 5, 900, 60)
	if r := s.Settings.Platform.Reservations[row]; r.Submit == nil || *r.Submit != 700 || r.From != 900 || r.To != 960 || r.Cluster != "Provider 1" || r.Processors != 5 {
		t.Errorf("the answer is added as %+v", r)
	}
	s.RemoveRow("bookings", row)
	s.SetMachines("count")
	if len(s.Settings.Platform.Reservations) != 2 {
		t.Error("another machine loses the reservations")
	}
	s.Undo()
	s.CompareAllocations()
	if labels := s.Settings.Labels(); len(labels) != 3 || labels[1] != "Grid, AR resource priority" {
		t.Errorf("%q", labels)
	}
	if err := s.Settings.Validate(); err != nil {
		t.Error(err)
	}
	if table, ok := s.Sheet("bookings"); !ok || len(table.Cells) != 2 || len(table.Columns) != 8 {
		t.Errorf("%+v", table)
	}
	s.RemoveRow("bookings", 0)
	if s.AddReservation("", 0, 1, 2) != -1 || s.AddReservation("", 1, 2, 2) != -1 || len(s.Settings.Platform.Reservations) != 1 {
		t.Error("an empty box is a reservation")
	}
}

// Intent: where jobs are reserved beside another scheduler than a grid, the rules
// of booking can be set, and stand in the document only when one differs from its
// default.
func TestRulesOfBooking(t *testing.T) {
	s, _ := opened(t)
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = nil
		if _, err := e.Add("plan-rs"); err != nil {
			t.Fatal(err)
		}
	})
	has := func() bool {
		return slices.ContainsFunc(gridSection(s).Items, func(i Item) bool { return i.Field == "booking.unused" })
	}
	if has() {
		t.Error("rules without reservations")
	}
	s.Change(func(e *experiment.Experiment) { e.Workload.Annotate.Reservations.Share = 0.1 })
	if !has() {
		t.Error("no rules")
	}
	s.SetField("booking.unused", "hold")
	if got := s.Settings.Platform.Booking.Text("unused"); got != "hold" {
		t.Errorf("unused: %q", got)
	}
	s.SetField("booking.slot", "0")
	if in, _ := s.Input("booking.slot"); in.Error == "" {
		t.Error("a slot of no length is taken")
	}
}

// Intent: a reservation that is moved keeps its length: its end goes along with
// its start, also where that is behind the old end.
func TestMovedReservationKeepsItsLength(t *testing.T) {
	s, _ := opened(t)
	s.AddRow("bookings")
	r := s.Settings.Platform.Reservations[0]
	s.SetCell("bookings", 0, "from", "8d")
	if got := s.Settings.Platform.Reservations[0]; got.From != 8*86400 || got.To-got.From != r.To-r.From {
		t.Errorf("moved from %d–%d to %d–%d", r.From, r.To, got.From, got.To)
	}
}
