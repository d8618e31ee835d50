//go:build !small

package workload

import (
	"batchlab/core/intake"
	"batchlab/core/swf"
)

// fromOther reads a file of a kind that package intake recognises; nil and no error
// where it knows none.
func fromOther(data []byte) (*swf.Log, error) {
	if intake.Recognise(data) == nil {
		return nil, nil
	}
	r, err := intake.Read(intake.Options{}, data)
	if err != nil {
		return nil, err
	}
	return r.Log, nil
}
