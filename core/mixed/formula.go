package mixed

import (
	"batchlab/core/expr"
	"batchlab/core/policy"
)

// Formula returns the mean bounded slowdown of a window under the order by a
// formula. It fails where the formula has no value for a job, and says where.
func (e *Evaluator) Formula(window int, p *expr.Program) (float64, error) {
	e.easy.Order, e.easy.Formula = policy.Formula, p
	return e.run(window)
}
