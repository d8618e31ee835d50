package state

import (
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// Switching the source resets what belonged to the workload before.
func TestSwitchSource(t *testing.T) {
	s, f := opened(t)
	s.SetField("from", "1d")
	s.UseBundled(catalog.Bundles[0].Key)
	w := s.Settings.Workload
	if w.Source.Bundled == "" || w.Source.Generator != nil || w.Window.From != nil || s.Preset != "" {
		t.Errorf("bundled: %+v", w)
	}
	if got := f.loads[len(f.loads)-1].doc.Workload.Source.Bundled; got != catalog.Bundles[0].Key {
		t.Errorf("read %q", got)
	}
	s.UseGenerator("daily")
	if g := s.Settings.Workload.Source.Generator; g == nil || len(g.Params) == 0 {
		t.Errorf("generator %+v", g)
	}
	if _, ok := s.Input("gen.jobs"); !ok {
		t.Error("the generator's parameters have no inputs")
	}
	var _ = experiment.Version
}
