package catalog

// Study is a paper whose tables and figures can be run.
type Study struct{ Key, Name, By string }

// Studies are the papers, in the order in which menus list them. Keys begin the
// keys of their presets.
var Studies = []Study{
	{"legrand2018", "Mixed policies in EASY backfilling", "Legrand, Trystram and Zrigui, 2018"},
	{"foresight", "Run times learnt while scheduling", "Batchlab's own, an answer to Legrand et al."},
	{"klusacek2016", "Planning with metaheuristics", "Klusáček and Chlumský, 2016"},
	{"kurowski2011", "Advance reservations in grids", "Kurowski et al., 2011"},
	{"skrinarova2013", "Hill climbing over swaps of jobs", "Skrinarova, Krnac and Martincova, 2013"},
	{"techiouba2008", "Licences and deadlines on a farm", "Techiouba et al., 2008"},
}

// FindStudy returns the row with the key, or nil.
func FindStudy(key string) *Study {
	return find(Studies, key, func(r *Study) string { return r.Key })
}
