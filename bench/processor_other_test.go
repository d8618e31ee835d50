//go:build !unix

package bench

import "time"

var begun = time.Now()

// processor returns the time that has passed: what the process has used is not
// to be had here.
func processor() time.Duration { return time.Since(begun) }
