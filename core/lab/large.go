//go:build !small

package lab

import "errors"

// small says whether this build leaves the studies out, see small.go.
const small = false

// ErrStudies means that a build leaves out what the experiment needs; this one
// leaves out nothing.
var ErrStudies = errors.New("this experiment needs the studies' simulator")
