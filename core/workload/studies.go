//go:build !small

package workload

import "batchlab/core/swf"

// studyGenerators are those of the studies, which the page's first program
// leaves out.
var studyGenerators = []generator[*swf.Log]{
	{"farm", farmParams, farm},
	{"two-level", twoLevelParams, twoLevel},
}
