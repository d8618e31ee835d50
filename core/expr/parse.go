package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parser reads a formula by recursive descent and writes its program in
// postfix order.
type parser struct {
	text      []rune
	at        int // next character
	variables []Variable
	program   *Program
	depth     int // of nesting
	stack     int // values that the program holds here
}

// Compile reads a formula. What cannot be read, and what divides by zero
// whatever the variables are, is an *Error with its column.
func Compile(text string, variables []Variable) (*Program, error) {
	if n := utf8.RuneCountInString(text); n > MaxLength {
		return nil, &Error{MaxLength + 1, fmt.Sprintf("the formula has %d characters, more than %d", n, MaxLength)}
	}
	p := &parser{text: []rune(text), variables: variables, program: &Program{text: text}}
	if p.peek() == 0 {
		return nil, &Error{1, "the formula is empty"}
	}
	if err := p.sum(); err != nil {
		return nil, err
	}
	if p.peek() != 0 {
		return nil, p.unexpected("an operator or the end")
	}
	return p.program, nil
}

// peek returns the next character that is no space; 0 at the end.
func (p *parser) peek() rune {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// unexpected says what stands where something else is wanted.
func (p *parser) unexpected(wanted string) *Error {
	c := p.peek()
	found := strconv.QuoteRune(c)
	if c == 0 {
		found = "the end"
	}
	return &Error{p.at + 1, fmt.Sprintf("%s, where %s is expected", found, wanted)}
}

// emit appends an operation that takes args values from the stack and leaves
// one. What depends on no variable is computed at once.
func (p *parser) emit(s step, args int) error {
	steps := &p.program.steps
	*steps = append(*steps, s)
	p.stack += 1 - args
	if p.stack > maxStack {
		return &Error{int(s.column), "the formula is nested too deeply"}
	}
	if args == 0 {
		return nil
	}
	if by := (*steps)[len(*steps)-2]; s.op == opDivide && by.op == opNumber && by.number == 0 {
		return &Error{int(s.column), "division by zero"}
	}
	tail := (*steps)[len(*steps)-1-args:]
	for _, t := range tail[:args] {
		if t.op != opNumber {
			return nil
		}
	}
	constant := Program{steps: tail}
	if fault := constant.Fault(nil); fault != nil {
		return fault
	}
	v := constant.Eval(nil)
	*steps = append((*steps)[:len(*steps)-1-args], step{op: opNumber, number: v, column: tail[0].column})
	return nil
}

// sum = product { ("+" | "-") product }
func (p *parser) sum() error {
	return p.chain(p.product, map[rune]op{'+': opAdd, '-': opSubtract, '−': opSubtract})
}

// product = factor { ("*" | "/") factor }
func (p *parser) product() error {
	return p.chain(p.factor, map[rune]op{'*': opMultiply, '/': opDivide, '·': opMultiply, '×': opMultiply, '÷': opDivide})
}

// chain reads operands with operators of one precedence, from the left.
func (p *parser) chain(operand func() error, operators map[rune]op) error {
	if err := operand(); err != nil {
		return err
	}
	for {
		o, ok := operators[p.peek()]
		if !ok {
			return nil
		}
		column := int32(p.at + 1)
		p.at++
		if err := operand(); err != nil {
			return err
		}
		if err := p.emit(step{op: o, column: column}, 2); err != nil {
			return err
		}
	}
}

// factor = ("-" | "+") factor | number | variable | function | "(" sum ")"
func (p *parser) factor() error {
	if p.depth++; p.depth > maxDepth {
		return &Error{p.at + 1, "the formula is nested too deeply"}
	}
	defer func() { p.depth-- }()
	c := p.peek()
	column := int32(p.at + 1)
	switch {
	case c == '-' || c == '−':
		p.at++
		if err := p.factor(); err != nil {
			return err
		}
		return p.emit(step{op: opNegate, column: column}, 1)
	case c == '+':
		p.at++
		return p.factor()
	case c == '(':
		p.at++
		if err := p.sum(); err != nil {
			return err
		}
		return p.expect(')')
	case c >= '0' && c <= '9' || c == '.':
		return p.number()
	case unicode.IsLetter(c) || c == '_':
		return p.name()
	}
	return p.unexpected("a number, a variable, a function or (")
}

func (p *parser) expect(c rune) error {
	if p.peek() != c {
		return p.unexpected(string(c))
	}
	p.at++
	return nil
}

// number reads digits, a point and an exponent.
func (p *parser) number() error {
	from := p.at
	digit := func() bool { return p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' }
	for digit() || p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
	}
	if p.at < len(p.text) && (p.text[p.at] == 'e' || p.text[p.at] == 'E') {
		back := p.at
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		if !digit() {
			p.at = back
		}
		for digit() {
			p.at++
		}
	}
	word := string(p.text[from:p.at])
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(v, 0) {
		return &Error{from + 1, strconv.Quote(word) + " is not a number"}
	}
	return p.emit(step{op: opNumber, number: v, column: int32(from + 1)}, 0)
}

// name reads a variable or a function with its arguments.
func (p *parser) name() error {
	from := p.at
	for p.at < len(p.text) && (unicode.IsLetter(p.text[p.at]) || unicode.IsDigit(p.text[p.at]) || unicode.IsMark(p.text[p.at]) || p.text[p.at] == '_') {
		p.at++
	}
	word, column := string(p.text[from:p.at]), int32(from+1)
	for _, v := range p.variables {
		if v.Name == word && p.peek() != '(' {
			p.program.uses |= 1 << v.Index
			return p.emit(step{op: opVariable, index: int32(v.Index), column: column}, 0)
		}
	}
	for _, f := range functions {
		if f.name != word {
			continue
		}
		for i := range f.args {
			before := ','
			if i == 0 {
				before = '('
			}
			if err := p.expect(before); err != nil {
				return err
			}
			if err := p.sum(); err != nil {
				return err
			}
		}
		if err := p.expect(')'); err != nil {
			return err
		}
		return p.emit(step{op: f.op, column: column}, f.args)
	}
	return &Error{int(column), fmt.Sprintf("unknown name %q; there are %s", word, p.names())}
}

// names lists what a formula may name.
func (p *parser) names() string {
	var list []string
	seen := map[int]bool{}
	for _, v := range p.variables {
		if !seen[v.Index] {
			list = append(list, v.Name)
		}
		seen[v.Index] = true
	}
	for _, f := range functions {
		list = append(list, f.name+"()")
	}
	return strings.Join(list, ", ")
}
