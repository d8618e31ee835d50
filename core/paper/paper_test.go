package paper

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// Menus list the studies without knowing their presets: each preset belongs to a
// study of the catalog, its key begins with the study's, and no study is empty.
func TestStudiesOfCatalog(t *testing.T) {
	count := map[string]int{}
	for _, p := range Presets {
		if catalog.FindStudy(p.Study) == nil || !strings.HasPrefix(p.Key, p.Study+"-") {
			t.Errorf("%s belongs to %q", p.Key, p.Study)
		}
		count[p.Study]++
	}
	for _, s := range catalog.Studies {
		if count[s.Key] == 0 {
			t.Errorf("%s has no presets", s.Key)
		}
	}
}
