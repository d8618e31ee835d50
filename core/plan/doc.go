// Package plan schedules by plans: every waiting job has an expected start, a
// cluster and nodes before it runs, and optimisers improve the whole plan
// (D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in
// Production Job Scheduler, JSSPP 2016). Scheduler is the entry point.
package plan

import "slices"

func sortBy[T any](list []T, less func(a, b T) bool) {
	slices.SortFunc(list, func(a, b T) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return 0
	})
}
