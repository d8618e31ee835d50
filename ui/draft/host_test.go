package draft

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/news"
)

// page is a host that does nothing.
type page struct{}

func (page) Reload()                              {}
func (page) Settle()                              {}
func (page) Installed()                           {}
func (page) Admit([]string, bool)                 {}
func (page) KeepFile(experiment.Log, any, string) {}
func (page) Drawn() *report.Site                  { return nil }
func (page) SearchFault(string) string            { return "" }
func (page) ShowTab(string)                       {}

// opened is a draft of the default preset, whose workload has been read.
func opened(t *testing.T) (*Draft, page) {
	t.Helper()
	doc, err := experiment.Preset(catalog.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	s := New(news.New(), page{})
	s.Begin(doc, catalog.DefaultPreset)
	s.Preview = &report.Preview{Name: "daily", Jobs: 2000, Processors: 100}
	return s, page{}
}

// farmed is one whose platform is a list of machines, with a row in every table of
// the left column.
func farmed(t *testing.T) (*Draft, page) {
	s, p := opened(t)
	s.SetMachines("list")
	s.SetCell("groups", 0, "memory", "64")
	for _, id := range []string{"clusters", "groups", "licences", "rules", "jobs", "eligible", "needs", "outages", "classes", "partitions", "qos", "accounts"} {
		if s.AddRow(id) < 0 {
			t.Fatalf("%s: no row", id)
		}
	}
	return s, p
}

// fieldIDs are the inputs of all fields of the document that stand in no list.
func fieldIDs() (list []string) {
	for _, p := range experiment.Schema() {
		if p.Name != "" && !strings.Contains(p.Path, "[") {
			list = append(list, inputAt(p.Path))
		}
	}
	return list
}
