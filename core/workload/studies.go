//go:build !small

package workload

// studyGenerators are those of the studies, which the page's first program
// leaves out.
var studyGenerators = []generator{
	{"farm", farmParams, farm},
	{"two-level", twoLevelParams, twoLevel},
}
