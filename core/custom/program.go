package custom

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Program is a program that has been read and found to be one. It is not changed
// by running and may be shared.
type Program struct {
	code     *starlark.Program
	decides  bool           // it defines decide, else order or backfill alone
	orders   bool           // it defines order
	behind   bool           // it defines backfill_order
	begins   bool           // it defines begin
	resets   bool           // it defines reset
	backfill string         // "easy", "conservative" or "none"
	static   bool           // order looks only at what never changes
	looks    bool           // order asks what is free over time
	line     map[string]int // where functions are defined
}

// The functions that a program may define, with their parameters.
var entries = map[string][]string{
	"decide": {"s"}, "order": {"job", "s"}, "backfill_order": {"job", "s"}, "begin": {"s"}, "reset": {"s"},
}

// options are how the language is set: while and sets are there, and if and for
// outside functions; functions do not call themselves.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// file is what programs are called in positions.
const file = "program"

// Compile reads a program. What is wrong with it, the first fault first, is there
// when program is nil.
func Compile(code string) (program *Program, faults []*Fault) {
	code = strings.TrimPrefix(code, "\ufeff") // a mark of some editors
	if f := scan(code); f != nil {
		return nil, []*Fault{f}
	}
	defer func() {
		if x := recover(); x != nil { // none is known
			program, faults = nil, []*Fault{{Message: fmt.Sprint("this program cannot be compiled: ", x)}}
		}
	}()
	f, err := options.Parse(file, code, 0)
	if err != nil {
		return nil, compileFaults(err, code)
	}
	p := &Program{line: map[string]int{}, backfill: "none"}
	if faults := p.shape(f); len(faults) > 0 {
		return nil, faults
	}
	r := rewriter{bound: names(f), offered: offered}
	p.look(f, r.bound)
	f.Stmts = r.statements(f.Stmts)
	if len(r.faults) > 0 {
		slices.SortStableFunc(r.faults, func(a, b *Fault) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return nil, r.faults
	}
	if p.code, err = starlark.FileProgram(f, predeclared); err != nil {
		return nil, compileFaults(err, code)
	}
	return p, nil
}

// compileFaults takes the language's errors apart.
func compileFaults(err error, code string) []*Fault {
	one := func(at syntax.Position, message string) *Fault {
		if strings.Contains(message, "·") { // a name of ours was suggested
			message, _, _ = strings.Cut(message, " (did you mean")
		}
		return worded(&Fault{int(at.Line), int(at.Col), message}, code)
	}
	var list resolve.ErrorList
	var single syntax.Error
	switch {
	case errors.As(err, &list):
		var faults []*Fault
		for _, e := range list {
			faults = append(faults, one(e.Pos, e.Msg))
		}
		return faults
	case errors.As(err, &single):
		return []*Fault{one(single.Pos, single.Msg)}
	}
	return []*Fault{{Message: err.Error()}}
}

// grammar are words of the parser, and what they stand for.
var grammar = map[string]string{
	"newline": "the end of the line", "end of file": "the end of the program", "EOF": "the end of the program",
	"indent": "an indented line", "outdent": "the end of the indented lines", "identifier": "a name", "primary expression": "a value",
	"int literal": "a number", "float literal": "a number", "string literal": "a text", "bytes literal": "a text",
	"illegal token": "something that this language does not have", "in": "'in'",
}

// worded says what the parser says of what it got and wants in words of people who
// write programs, and points to where it begins, not to where it ends.
func worded(f *Fault, code string) *Fault {
	rest, got := strings.CutPrefix(f.Message, "got ")
	there, want, both := strings.Cut(rest, ", want ")
	if !got || !both {
		return f
	}
	there = strings.TrimSuffix(there, " after expression")
	begins := want == "primary expression" // the parser names where it begins there, else where it ends
	if plain := grammar[want]; plain != "" {
		want = plain
	}
	plain := grammar[there]
	switch sign := strings.Trim(there, "'"); {
	case there == "newline":
		if !begins && f.Line > 1 {
			f.Line--
		}
		f.Column = utf8.RuneCountInString(strings.TrimRight(strings.Split(code, "\n")[f.Line-1], "\r")) + 1
		f.Message = fmt.Sprintf("the line ends where %s is missing", want)
	case plain != "":
		f.Message = fmt.Sprintf("%s stands where %s is missing", plain, want)
	default:
		if !begins {
			f.Column -= len(sign)
		}
		f.Message = fmt.Sprintf("'%s' stands where %s is missing", sign, want)
		if sign == "**" {
			f.Message = "there is no '**': write a product, x * x, or sqrt(x)"
		}
	}
	return f
}

// shape finds out what a program defines.
func (p *Program) shape(f *syntax.File) (faults []*Fault) {
	at := func(pos syntax.Position, format string, a ...any) {
		faults = append(faults, &Fault{int(pos.Line), int(pos.Col), fmt.Sprintf(format, a...)})
	}
	for _, s := range f.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			params, known := entries[s.Name.Name]
			if !known {
				continue
			}
			p.line[s.Name.Name] = int(s.Def.Line)
			required := 0
			for _, q := range s.Params {
				if _, plain := q.(*syntax.Ident); plain {
					required++
				}
			}
			if required != len(params) || len(s.Params) != len(params) {
				at(s.Def, "%s must be defined with %s: def %s(%s)", s.Name.Name, howManyParams(len(params)), s.Name.Name, strings.Join(params, ", "))
			}
		case *syntax.AssignStmt:
			name, ok := s.LHS.(*syntax.Ident)
			if !ok || name.Name != "backfill" {
				continue
			}
			value, ok := s.RHS.(*syntax.Literal)
			word, _ := "", 0
			if ok {
				word, _ = value.Value.(string)
			}
			if word != "easy" && word != "conservative" && word != "none" {
				at(name.NamePos, `backfill must be "easy", "conservative" or "none"`)
				continue
			}
			p.backfill = word
			p.line["backfill"] = int(name.NamePos.Line)
		}
	}
	_, p.decides = p.line["decide"]
	_, p.orders = p.line["order"]
	_, p.behind = p.line["backfill_order"]
	_, p.begins = p.line["begin"]
	_, p.resets = p.line["reset"]
	_, chooses := p.line["backfill"]
	where := func(name string) syntax.Position { return syntax.MakePosition(nil, int32(p.line[name]), 1) }
	switch {
	case p.decides && p.orders:
		at(where("order"), "a program defines decide(s) or order(job, s), not both")
	case p.decides && chooses:
		at(where("backfill"), "backfill goes with order(job, s); decide(s) does that itself")
	case p.behind && (!p.orders || p.backfill != "easy"):
		at(where("backfill_order"), `backfill_order goes with order(job, s) and backfill = "easy"`)
	case !p.decides && !p.orders && p.backfill != "conservative":
		faults = append(faults, &Fault{1, 1, "the program must define decide(s) or order(job, s)"})
	}
	return faults
}

func howManyParams(n int) string {
	return map[int]string{1: "one parameter", 2: "two parameters"}[n]
}

// Kind says in one word what the program is: "decide", "order" or "backfill" alone.
func (p *Program) Kind() string {
	switch {
	case p.decides:
		return "decide"
	case p.orders:
		return "order"
	}
	return "backfill"
}

// lasting are attributes of a job that never change while it waits.
var lasting = []string{"id", "submit", "procs", "requested", "user", "group", "queue", "nodes", "gpus", "memory", "disk", "weight", "due", "area"}

// look finds out whether order can be asked once for each job, and whether it asks
// for what is free over time.
func (p *Program) look(f *syntax.File, bound map[string]bool) {
	constants, pure := map[string]bool{}, []string{"None", "True", "False", "abs", "bool", "float", "int", "len", "max", "min", "sqrt", "floor", "ceil"}
	assigned := map[string]int{}
	for _, s := range f.Stmts {
		if a, ok := s.(*syntax.AssignStmt); ok && a.Op == syntax.EQ {
			if name, ok := a.LHS.(*syntax.Ident); ok {
				_, constants[name.Name] = a.RHS.(*syntax.Literal)
			}
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			if name, ok := n.LHS.(*syntax.Ident); ok {
				assigned[name.Name]++
			}
		case *syntax.DotExpr:
			p.looks = p.looks || spacious[n.Name.Name]
		}
		return true
	})
	p.static = p.orders && !p.begins
	for _, s := range f.Stmts {
		def, ok := s.(*syntax.DefStmt)
		if !ok || def.Name.Name != "order" && def.Name.Name != "backfill_order" || len(def.Params) != 2 {
			continue
		}
		job, _ := def.Params[0].(*syntax.Ident)
		local := map[string]bool{}
		for _, s := range def.Body {
			syntax.Walk(s, func(n syntax.Node) bool {
				if a, ok := n.(*syntax.AssignStmt); ok {
					if name, ok := a.LHS.(*syntax.Ident); ok {
						local[name.Name] = true
					}
				}
				return true
			})
		}
		fields := map[*syntax.Ident]bool{}
		for _, s := range def.Body {
			syntax.Walk(s, func(n syntax.Node) bool {
				switch n := n.(type) {
				case *syntax.DotExpr:
					fields[n.Name] = true
					of, ok := n.X.(*syntax.Ident)
					p.static = p.static && ok && job != nil && of.Name == job.Name && slices.Contains(lasting, n.Name.Name)
				case *syntax.Ident:
					name := n.Name
					switch {
					case fields[n], local[name], job != nil && name == job.Name:
					case constants[name] && assigned[name] == 1:
					case !bound[name] && slices.Contains(pure, name):
					default:
						p.static = false
					}
				case *syntax.DefStmt, *syntax.LambdaExpr, *syntax.WhileStmt, *syntax.Comprehension, *syntax.ForStmt:
					p.static = false
				}
				return true
			})
		}
	}
}
