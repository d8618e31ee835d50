//go:build small

package workload

var studyGenerators []generator
