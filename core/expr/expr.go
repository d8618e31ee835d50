// Package expr is a small, safe language for formulas over named variables:
//
//	q * p / (1 + wait)
//	max(p, 3600) - 2*sqrt(q)
//
// It has numbers, variables, + − * / with the usual precedence, parentheses,
// and the functions abs, sqrt, log (natural), log10, min and max. There are no
// loops, assignments or calls beyond these, and length, depth and size are
// bounded, so a formula from a stranger's link costs a known time.
//
// Compile once, then Eval as often as wanted: it allocates nothing, rounds
// after each operation, and gives the same bits natively and in a browser. A
// result that is not a finite number is explained by Fault, which points at
// the column of the operation that is to blame.
package expr

import (
	"fmt"
	"math"
)

// Limits of a formula.
const (
	MaxLength = 500 // characters
	maxDepth  = 50  // of nesting
	maxStack  = 64  // values at a time
)

// Error is what is wrong with a formula, and where.
type Error struct {
	Column  int // from 1, in characters
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Message) }

// Variable is a name that a formula may use. Several names may stand for one
// value.
type Variable struct {
	Name  string
	Index int // into the values given to Eval
}

// JobFeatures are the names of what is known of a waiting job in a formula that
// orders a queue: q in processors, p and wait in seconds, rho = p ÷ q,
// exp = (wait + p) ÷ p, a = p · q; when it was submitted (submit) and when it is
// due (due), in seconds of the workload's own time; the number of its user; and how
// long it is thought to run (foretold), in seconds.
var JobFeatures = []Variable{
	{"q", 0}, {"p", 1}, {"wait", 2}, {"rho", 3}, {"exp", 4}, {"a", 5}, {"submit", 6}, {"user", 7}, {"due", 8}, {"foretold", Foretold}, {"p̃", 1}, {"ρ", 3},
}

// JobVariables is how many values a formula over JobFeatures needs.
const JobVariables = 10

// Foretold is the index of a job's predicted run time among the values.
const Foretold = 9

// NoDue is the deadline in a formula of a job that has none: later than all
// others, and a finite number that formulas can compute with.
const NoDue = 1e15

// op is the code of one operation.
type op uint8

const (
	opNumber op = iota
	opVariable
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
	opAbs
	opSqrt
	opLog
	opLog10
	opMin
	opMax
)

// functions are the functions with their number of arguments.
var functions = []struct {
	name string
	op   op
	args int
}{{"abs", opAbs, 1}, {"sqrt", opSqrt, 1}, {"log", opLog, 1}, {"log10", opLog10, 1}, {"min", opMin, 2}, {"max", opMax, 2}}

// step is one operation of a program for a machine with a stack.
type step struct {
	op     op
	index  int32 // of a variable
	column int32
	number float64
}

// Program is a compiled formula. It is not changed by Eval and may be shared.
type Program struct {
	text  string
	steps []step
	uses  uint64 // bit i: variable i is used
}

// String returns the formula's text.
func (p *Program) String() string { return p.text }

// Uses says whether the formula depends on variable i, 0 … 63.
func (p *Program) Uses(i int) bool { return p.uses>>i&1 != 0 }

// Eval returns the formula's value for the values of its variables, which must
// reach up to the greatest index. It may be NaN or infinite: see Fault.
func (p *Program) Eval(values []float64) float64 {
	var stack [maxStack]float64
	top := -1
	for i := range p.steps {
		top = p.steps[i].do(&stack, top, values)
	}
	return stack[0]
}

// do does one operation on a stack and returns its new top. Each result is
// stored, and so rounded: no multiplication is fused with an addition.
func (s *step) do(stack *[maxStack]float64, top int, values []float64) int {
	switch s.op {
	case opNumber:
		top++
		stack[top] = s.number
	case opVariable:
		top++
		stack[top] = values[s.index]
	case opNegate:
		stack[top] = -stack[top]
	case opAbs:
		stack[top] = math.Abs(stack[top])
	case opSqrt:
		stack[top] = math.Sqrt(stack[top])
	case opLog:
		stack[top] = math.Log(stack[top])
	case opLog10:
		stack[top] = math.Log10(stack[top])
	default:
		b := stack[top]
		top--
		a := stack[top]
		switch s.op {
		case opAdd:
			stack[top] = a + b
		case opSubtract:
			stack[top] = a - b
		case opMultiply:
			stack[top] = float64(a * b)
		case opDivide:
			stack[top] = a / b
		case opMin:
			stack[top] = math.Min(a, b)
		case opMax:
			stack[top] = math.Max(a, b)
		}
	}
	return top
}

// Fault returns which operation first gives something else than a finite
// number for these values, or nil when none does.
func (p *Program) Fault(values []float64) *Error {
	var stack [maxStack]float64
	top := -1
	for i := range p.steps {
		s := &p.steps[i]
		var right float64
		if top >= 0 {
			right = stack[top]
		}
		top = s.do(&stack, top, values)
		if v := stack[top]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			continue
		}
		message := "the number is too large"
		switch {
		case s.op == opVariable:
			message = "the variable has no finite value"
		case s.op == opDivide && right == 0:
			message = "division by zero"
		case s.op == opSqrt:
			message = "square root of a negative number"
		case s.op == opLog || s.op == opLog10:
			message = "logarithm of a number that is not above 0"
		}
		return &Error{int(s.column), message}
	}
	return nil
}
