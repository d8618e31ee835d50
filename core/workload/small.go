//go:build small

package workload

import (
	"batchlab/core/report"
	"batchlab/core/swf"
)

// Built with the tag small, this package has the generators that no study
// needs, and reads logs in Standard Workload Format only.

var studyGenerators []generator[*swf.Log]

// fromOther fails with ErrStudies: this build reads no other formats.
func fromOther(*swf.Window, Reading) (*swf.Log, error) { return nil, ErrStudies }

// ReadMachine fails with ErrStudies: this build reads no configurations.
func ReadMachine(*swf.Names, ...[]byte) (*report.Conf, error) { return nil, ErrStudies }
