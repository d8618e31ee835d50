//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processor returns what this process has used of its processors: other work on
// the machine does not count.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
