package expr

import (
	"errors"
	"math"
	"strings"
	"testing"
)

var variables = []Variable{{"q", 0}, {"p", 1}, {"wait", 2}, {"ρ", 3}, {"rho", 3}}

// Formulas have the value that the same line of Go has.
func TestEval(t *testing.T) {
	q, p, wait, rho := 8.0, 3600.0, 17.0, 450.0
	values := []float64{q, p, wait, rho}
	for _, c := range []struct {
		text string
		want float64
	}{
		{"q * p / (1 + wait)", q * p / (1 + wait)},
		{"q - p - wait", q - p - wait}, {"q/p/wait", q / p / wait}, {"1 + 2*3", 7}, {"(1+2)*3", 9}, {"-q*-p", q * p}, {"--q", q}, {"2--3", 5},
		{"min(q, p) + max(q,wait) * 2", q + wait*2}, {"sqrt(abs(-16))", 4}, {"log(p)", math.Log(p)}, {"log10(1000)*q", math.Log10(1000) * q},
		{" 1.5e3 ", 1500}, {".5", .5}, {"2e-1", .2}, {"ρ + rho", 2 * rho}, {"q · p ÷ 2 − 1 × wait", q*p/2 - wait}, {"+q", q},
	} {
		prog, err := Compile(c.text, variables)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := prog.Eval(values); got != c.want || prog.Fault(values) != nil {
			t.Errorf("%s = %v, want %v", c.text, got, c.want)
		}
		if n := testing.AllocsPerRun(10, func() { prog.Eval(values) }); n > 0 {
			t.Errorf("%s: %v allocations", c.text, n)
		}
	}
}

// What cannot be read is refused at its column.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
		says   string
	}{
		{"", 1, "empty"}, {"   ", 1, "empty"}, {"q *", 4, "the end"}, {"q p", 3, "operator"}, {"(q", 3, "expected"}, {"q)", 2, "operator"},
		{"2 * foo + 1", 5, `unknown name "foo"; there are q, p, wait, ρ, abs()`}, {"max(q)", 6, "expected"}, {"max q", 5, "expected"}, {"sqrt(1,2)", 7, "expected"},
		{"q / 0", 3, "division by zero"}, {"q*1/(2-2)", 4, "division by zero"}, {"1/(2-2)", 2, "division by zero"}, {"sqrt(-1)", 1, "negative"}, {"log(0)", 1, "logarithm"},
		{"1.2.3", 1, "not a number"}, {"1e999", 1, "not a number"}, {"1e308*10*q", 6, "too large"}, {"p̃ + $", 1, "unknown"}, {"q + $", 5, "'$'"},
		{strings.Repeat("(", 60) + "q" + strings.Repeat(")", 60), 51, "nested"}, {strings.Repeat("q+", 300) + "q", 501, "characters"},
		{"q(2)", 1, "unknown name"}, {"ρρ", 1, "unknown"}, {"ρ + x", 5, "unknown"}, {"1 2", 3, "operator"},
	} {
		_, err := Compile(c.text, variables)
		var e *Error
		if !errors.As(err, &e) || e.Column != c.column || !strings.Contains(e.Message, c.says) {
			t.Errorf("%q: %v, want column %d: %s", c.text, err, c.column, c.says)
		}
	}
}

// A value that is not finite is explained by the first operation that is to
// blame.
func TestFault(t *testing.T) {
	for _, c := range []struct {
		text   string
		values []float64
		want   string
	}{
		{"p / wait", []float64{1, 2, 0, 0}, "column 3: division by zero"},
		{"1 / (q - 1) - 1/(q-1)", []float64{1, 2, 0, 0}, "column 3: division by zero"},
		{"wait / wait", []float64{1, 2, 0, 0}, "column 6: division by zero"},
		{"log(wait)", []float64{1, 2, 0, 0}, "column 1: logarithm of a number that is not above 0"},
		{"1 + sqrt(q - p)", []float64{1, 2, 0, 0}, "column 5: square root of a negative number"},
		{"p * p", []float64{0, 1e200, 0, 0}, "column 3: the number is too large"},
	} {
		prog, err := Compile(c.text, variables)
		if err != nil {
			t.Fatal(err)
		}
		if f := prog.Fault(c.values); f == nil || f.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, f, c.want)
		}
	}
}

// Which variables a formula depends on is known, also through other names.
func TestUses(t *testing.T) {
	prog, err := Compile("rho * 2 + q", variables)
	if err != nil || !prog.Uses(0) || prog.Uses(1) || prog.Uses(2) || !prog.Uses(3) {
		t.Errorf("%v, %+v", err, prog)
	}
}

// No text makes the compiler or a program panic, and what compiles evaluates
// or explains itself.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{"q*p/(1+wait)", "max(1,2", "((((", "1e9e9", "-−+q", "q/0", "ρ̃", "min(min(q,p),max(wait,1))"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		prog, err := Compile(text, variables)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Column < 1 || e.Column > MaxLength+1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		values := []float64{1, 60, 0, 60}
		v := prog.Eval(values)
		if finite := !math.IsNaN(v) && !math.IsInf(v, 0); !finite && prog.Fault(values) == nil {
			t.Fatalf("%q = %v without a fault", text, v)
		}
	})
}
