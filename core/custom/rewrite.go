package custom

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// kind is what is known of an expression's value before it runs.
type kind uint8

const (
	unknown kind = iota
	text         // a string
	small        // a number of bounded size, a truth value or None
	real         // of these, a floating-point number
)

func (k kind) scalar() bool { return k != unknown }
func (k kind) number() bool { return k == small || k == real }

// rewriter puts calls of guards in the place of whatever could take longer or make
// more than one step should, unless what stands there shows that it cannot: two
// numbers of bounded size may be multiplied as they are, two variables may not,
// since they could be a long list and a large number.
type rewriter struct {
	bound    map[string]bool // names that the program gives a value, anywhere
	offered  func(string) bool
	faults   []*Fault
	deciding bool // within decide, for its returns
	temps    int
	width    int // of the widest list, call or the like in this function
	locals   map[string]bool
}

// Names of guards begin with a character that no program can write.
const (
	guardKey    = "·key"    // (key): may be looked up or kept in a dict or set
	guardPart   = "·part"   // (x): may be sliced
	guardMethod = "·method" // (x, name): a method of a string, list, dict or set
	guardFrame  = "·frame"  // (size): of a function with many variables
	guardGive   = "·give"   // (result): of decide, to remember its line
	guardIn     = "·in"
)

// guarded names the guard of an operator; in place is the one of x op= y.
func guarded(op syntax.Token, inPlace bool) string {
	if inPlace {
		return "·" + op.String() + "="
	}
	return "·" + op.String()
}

// operators that have guards, and those of them that have one in place.
var (
	operators = []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.PERCENT, syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX, syntax.LTLT}
	compares  = []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE}
)

func (r *rewriter) fault(at syntax.Position, format string, a ...any) {
	r.faults = append(r.faults, &Fault{int(at.Line), int(at.Col), fmt.Sprintf(format, a...)})
}

func start(n syntax.Node) syntax.Position {
	at, _ := n.Span()
	return at
}

// call makes a call of a guard.
func call(at syntax.Position, guard string, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: guard}, Lparen: at, Args: args, Rparen: at}
}

func word(at syntax.Position, s string) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: at, Raw: s, Value: s}
}

// names collects the names that a program binds.
func names(f *syntax.File) map[string]bool {
	bound := map[string]bool{}
	var target func(e syntax.Expr)
	target = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Ident:
			bound[e.Name] = true
		case *syntax.ParenExpr:
			target(e.X)
		case *syntax.TupleExpr:
			for _, x := range e.List {
				target(x)
			}
		case *syntax.ListExpr:
			for _, x := range e.List {
				target(x)
			}
		}
	}
	params := func(list []syntax.Expr) {
		for _, p := range list {
			switch p := p.(type) {
			case *syntax.Ident:
				target(p)
			case *syntax.BinaryExpr:
				target(p.X)
			}
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			target(n.LHS)
		case *syntax.DefStmt:
			bound[n.Name.Name] = true
			params(n.Params)
		case *syntax.LambdaExpr:
			params(n.Params)
		case *syntax.ForStmt:
			target(n.Vars)
		case *syntax.ForClause:
			target(n.Vars)
		}
		return true
	})
	return bound
}

// statements rewrites a block.
func (r *rewriter) statements(list []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range list {
		out = append(out, r.statement(s)...)
	}
	return out
}

func (r *rewriter) statement(s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return r.assign(s)
	case *syntax.DefStmt:
		r.function(s)
	case *syntax.ExprStmt:
		s.X, _ = r.expr(s.X)
	case *syntax.IfStmt:
		s.Cond, _ = r.expr(s.Cond)
		s.True, s.False = r.statements(s.True), r.statements(s.False)
	case *syntax.ForStmt:
		r.target(s.Vars)
		s.X, _ = r.expr(s.X)
		s.Body = r.statements(s.Body)
	case *syntax.WhileStmt:
		s.Cond, _ = r.expr(s.Cond)
		s.Body = r.statements(s.Body)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			if s.Result, _ = r.expr(s.Result); r.deciding {
				s.Result = call(s.Return, guardGive, s.Result)
			}
		}
	case *syntax.LoadStmt:
		r.fault(s.Load, "load is not offered: a program stands alone")
	}
	return []syntax.Stmt{s}
}

// wide is how many variables and values a function may hold before its calls
// cost more than the steps that they take.
const wide = 64

func (r *rewriter) function(s *syntax.DefStmt) {
	r.params(s.Params)
	outer := *r
	r.deciding, r.width, r.locals = s.Name.Name == "decide", 0, map[string]bool{}
	s.Body = r.statements(s.Body)
	if size := r.width + len(r.locals) + len(s.Params); size > wide {
		at := start(s.Body[0])
		size := &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: "0", Value: int64(size)}
		s.Body = append([]syntax.Stmt{&syntax.ExprStmt{X: call(at, guardFrame, size)}}, s.Body...)
	}
	r.deciding, r.width, r.locals = outer.deciding, outer.width, outer.locals
}

func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.BinaryExpr:
			p.Y, _ = r.expr(p.Y)
		case *syntax.UnaryExpr:
			r.fault(p.OpPos, "*args and **kwargs are not offered")
		}
	}
}

// target rewrites what is assigned to.
func (r *rewriter) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		if r.locals != nil {
			r.locals[e.Name] = true
		}
	case *syntax.ParenExpr:
		r.target(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.IndexExpr:
		r.index(e)
	case *syntax.DotExpr:
		r.fault(e.Name.NamePos, "%s cannot be set: a program decides, and changes nothing else", e.Name.Name)
	}
}

// assign rewrites an assignment. x[i] op= y becomes several statements where op
// needs its guard, so that x and i are computed once.
func (r *rewriter) assign(s *syntax.AssignStmt) []syntax.Stmt {
	value, k := r.expr(s.RHS)
	s.RHS = value
	r.target(s.LHS)
	if s.Op == syntax.EQ || len(r.faults) > 0 {
		return []syntax.Stmt{s}
	}
	op := s.Op - syntax.PLUS_EQ + syntax.PLUS
	if !slices.Contains(operators, op) || k.number() && (op == syntax.PLUS || op == syntax.MINUS) || k == real && op == syntax.STAR {
		return []syntax.Stmt{s}
	}
	at, guard := s.OpPos, guarded(op, true)
	lhs := s.LHS
	for {
		p, ok := lhs.(*syntax.ParenExpr)
		if !ok {
			break
		}
		lhs = p.X
	}
	switch x := lhs.(type) {
	case *syntax.Ident:
		s.Op, s.RHS = syntax.EQ, call(at, guard, &syntax.Ident{NamePos: x.NamePos, Name: x.Name}, value)
	case *syntax.IndexExpr:
		var out []syntax.Stmt
		temp := func(e syntax.Expr) string {
			name := fmt.Sprint("·", r.temps)
			r.temps++
			out = append(out, &syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: &syntax.Ident{NamePos: at, Name: name}, RHS: e})
			return name
		}
		of, key := temp(x.X), temp(x.Y)
		place := func() syntax.Expr {
			return &syntax.IndexExpr{X: &syntax.Ident{NamePos: at, Name: of}, Lbrack: x.Lbrack, Y: &syntax.Ident{NamePos: at, Name: key}, Rbrack: x.Rbrack}
		}
		s.LHS, s.Op, s.RHS = place(), syntax.EQ, call(at, guard, place(), value)
		return append(out, s)
	}
	return []syntax.Stmt{s}
}

func (r *rewriter) all(list []syntax.Expr) {
	r.width = max(r.width, len(list))
	for i := range list {
		list[i], _ = r.expr(list[i])
	}
}

// key rewrites what is looked up, or kept in a dict or set.
func (r *rewriter) key(e syntax.Expr) syntax.Expr {
	x, k := r.expr(e)
	if k.scalar() {
		return x
	}
	return call(start(e), guardKey, x)
}

func (r *rewriter) index(e *syntax.IndexExpr) {
	e.X, _ = r.expr(e.X)
	e.Y = r.key(e.Y)
}

// expr rewrites an expression and says what it knows of its value.
func (r *rewriter) expr(e syntax.Expr) (syntax.Expr, kind) {
	switch e := e.(type) {
	case *syntax.Literal:
		switch e.Token {
		case syntax.STRING:
			return e, text
		case syntax.FLOAT:
			return e, real
		case syntax.BYTES:
			r.fault(e.TokenPos, "bytes are not offered")
		}
		return e, small
	case *syntax.Ident:
		return r.ident(e)
	case *syntax.ParenExpr:
		x, k := r.expr(e.X)
		e.X = x
		return e, k
	case *syntax.UnaryExpr:
		if e.X == nil {
			return e, unknown
		}
		x, k := r.expr(e.X)
		if e.X = x; e.Op == syntax.NOT {
			return e, small
		}
		return e, k
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.CondExpr:
		e.Cond, _ = r.expr(e.Cond)
		x, a := r.expr(e.True)
		y, b := r.expr(e.False)
		e.True, e.False = x, y
		return e, either(a, b)
	case *syntax.DotExpr:
		return r.dot(e)
	case *syntax.CallExpr:
		return r.call(e)
	case *syntax.IndexExpr:
		r.index(e)
	case *syntax.SliceExpr:
		x, _ := r.expr(e.X)
		e.X = call(e.Lbrack, guardPart, x)
		for _, part := range []*syntax.Expr{&e.Lo, &e.Hi, &e.Step} {
			if *part != nil {
				*part, _ = r.expr(*part)
			}
		}
	case *syntax.ListExpr:
		r.all(e.List)
	case *syntax.TupleExpr:
		r.all(e.List)
	case *syntax.DictExpr:
		r.width = max(r.width, len(e.List))
		for _, entry := range e.List {
			r.entry(entry.(*syntax.DictEntry))
		}
	case *syntax.Comprehension:
		r.comprehension(e)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		outer := *r
		r.deciding, r.width, r.locals = false, 0, map[string]bool{}
		e.Body, _ = r.expr(e.Body)
		if r.width+len(r.locals) > wide {
			r.fault(e.Lambda, "a lambda of more than %d values: write a def", wide)
		}
		r.deciding, r.width, r.locals = outer.deciding, outer.width, outer.locals
	}
	return e, unknown
}

func either(a, b kind) kind {
	switch {
	case a == b:
		return a
	case a.number() && b.number():
		return small
	}
	return unknown
}

func (r *rewriter) ident(e *syntax.Ident) (syntax.Expr, kind) {
	if r.bound[e.Name] {
		return e, unknown
	}
	switch e.Name {
	case "None", "True", "False":
		return e, small
	}
	if _, universal := starlark.Universe[e.Name]; universal && !r.offered(e.Name) {
		r.fault(e.NamePos, "%s is not offered", e.Name)
	}
	return e, unknown
}

func (r *rewriter) entry(e *syntax.DictEntry) {
	e.Key = r.key(e.Key)
	e.Value, _ = r.expr(e.Value)
}

func (r *rewriter) comprehension(e *syntax.Comprehension) {
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			r.target(c.Vars)
			c.X, _ = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond, _ = r.expr(c.Cond)
		}
	}
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		r.entry(entry)
	} else if e.Curly {
		e.Body = r.key(e.Body)
	} else {
		e.Body, _ = r.expr(e.Body)
	}
}

// dot rewrites x.name.
func (r *rewriter) dot(e *syntax.DotExpr) (syntax.Expr, kind) {
	e.X, _ = r.expr(e.X)
	name := e.Name.Name
	switch {
	case costly[name] || byKey[name]: // called from elsewhere, so that its argument is not seen here
		return call(e.Name.NamePos, guardMethod, e.X, word(e.Name.NamePos, name)), unknown
	case numeric[name]:
		return e, small
	}
	return e, unknown
}

// call rewrites a call.
func (r *rewriter) call(e *syntax.CallExpr) (syntax.Expr, kind) {
	dot, method := e.Fn.(*syntax.DotExpr)
	keyed := method && byKey[dot.Name.Name]
	if keyed { // its argument is guarded instead
		dot.X, _ = r.expr(dot.X)
	} else {
		e.Fn, _ = r.expr(e.Fn)
	}
	r.width = max(r.width, len(e.Args))
	bounded := true
	for i, arg := range e.Args {
		switch a := arg.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				r.fault(a.OpPos, "*args and **kwargs are not offered")
				continue
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ { // by keyword
				a.Y, _ = r.expr(a.Y)
				bounded = false
				continue
			}
		}
		if keyed && i == 0 {
			e.Args[i] = r.key(arg)
			continue
		}
		x, k := r.expr(arg)
		e.Args[i], bounded = x, bounded && k.number()
	}
	if name, ok := e.Fn.(*syntax.Ident); ok && !r.bound[name.Name] {
		switch name.Name {
		case "len", "bool":
			return e, small
		case "float", "sqrt":
			return e, real
		case "str", "type", "repr":
			return e, text
		case "min", "max", "abs":
			if bounded {
				return e, small
			}
		}
	}
	if method && numeric[dot.Name.Name] {
		return e, small
	}
	return e, unknown
}

// binary rewrites x op y.
func (r *rewriter) binary(e *syntax.BinaryExpr) (syntax.Expr, kind) {
	x, a := r.expr(e.X)
	y, b := r.expr(e.Y)
	e.X, e.Y = x, y
	guard := func(k kind) (syntax.Expr, kind) { return call(e.OpPos, guarded(e.Op, false), x, y), k }
	switch e.Op {
	case syntax.AND, syntax.OR:
		return e, either(a, b)
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if a.scalar() || b.scalar() {
			return e, small
		}
		return guard(small)
	case syntax.IN, syntax.NOT_IN:
		in := call(e.OpPos, guardIn, x, y)
		if e.Op == syntax.IN {
			return in, small
		}
		return &syntax.UnaryExpr{OpPos: e.OpPos, Op: syntax.NOT, X: in}, small
	case syntax.PLUS, syntax.MINUS:
		switch {
		case a == real || b == real:
			return e, real
		case a.number() && b.number():
			return e, small
		case a.number() || b.number():
			return e, unknown
		}
		return guard(unknown)
	case syntax.STAR:
		switch {
		case a == real || b == real:
			return e, real
		case a.number() && b.number():
			return e, small
		}
		return guard(unknown)
	case syntax.SLASH:
		return e, real
	case syntax.SLASHSLASH:
		return e, either(a, b)
	case syntax.PERCENT:
		if a.number() {
			return e, either(a, b)
		}
		return guard(unknown)
	case syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX:
		if a.number() && b.number() {
			return e, small
		}
		return guard(unknown)
	case syntax.LTLT:
		return guard(unknown)
	}
	return e, unknown
}
