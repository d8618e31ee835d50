package custom

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds on a program's text. The parser and the compiler call themselves for
// what is nested and for chains such as a.b.c, so these bound their depth.
const (
	MaxCode      = 16_000 // characters
	maxNesting   = 40     // brackets within brackets
	maxTokens    = 600    // words and signs of one statement
	maxIndent    = 120    // columns in front of a statement
	maxFunctions = 200    // def and lambda
	maxDigits    = 40     // of a number
)

// Fault is what is wrong with a program, and where.
type Fault struct {
	Line, Column int // from 1; 0: unknown
	Message      string
}

func (f *Fault) Error() string {
	switch {
	case f.Line == 0:
		return f.Message
	case f.Column == 0:
		return fmt.Sprintf("line %d: %s", f.Line, f.Message)
	}
	return fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Message)
}

// scanner goes through a program's text once, without understanding more of it
// than where strings, comments, brackets and statements begin and end.
type scanner struct {
	text         string
	at           int
	line, start  int // line from 1, where it starts
	depth        int // of brackets
	tokens       int // of this statement
	functions    int
	wordy, fresh bool // within a word; at the beginning of a line
}

// scan refuses a text that is too long or too deep to be parsed safely.
func scan(text string) *Fault {
	if n := utf8.RuneCountInString(text); n > MaxCode {
		return &Fault{Message: fmt.Sprintf("the program has %d characters, at most %d are allowed", n, MaxCode)}
	}
	if strings.TrimSpace(text) == "" {
		return &Fault{Message: "the program is empty: it must define decide(s) or order(job, s)"}
	}
	s := scanner{text: text, line: 1, fresh: true}
	for s.at < len(text) {
		if f := s.step(); f != nil {
			return f
		}
	}
	return nil
}

func (s *scanner) fault(format string, a ...any) *Fault {
	return &Fault{s.line, utf8.RuneCountInString(s.text[s.start:s.at]) + 1, fmt.Sprintf(format, a...)}
}

// token counts one more of the statement.
func (s *scanner) token() *Fault {
	if s.tokens++; s.tokens > maxTokens {
		return s.fault("a statement of more than %d words and signs: split it", maxTokens)
	}
	return nil
}

// step takes one character, or one string or comment.
func (s *scanner) step() *Fault {
	c := s.text[s.at]
	if s.fresh {
		s.fresh = false
		blank := len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], " \t"))
		if blank > maxIndent && s.depth == 0 {
			s.at += blank
			return s.fault("indented by more than %d columns", maxIndent)
		}
	}
	word := c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	if word && !s.wordy {
		if f := s.word(); f != nil {
			return f
		}
	}
	s.wordy = word
	switch c {
	case '\n':
		s.at++
		s.line, s.start, s.fresh = s.line+1, s.at, true
		if s.depth == 0 {
			s.tokens = 0
		}
		return nil
	case '\\':
		if s.at+1 < len(s.text) && s.text[s.at+1] == '\n' { // the statement goes on
			s.at += 2
			s.line, s.start = s.line+1, s.at
			return nil
		}
	case '#':
		end := strings.IndexByte(s.text[s.at:], '\n')
		if end < 0 {
			end = len(s.text) - s.at
		}
		s.at += end
		return nil
	case '"', '\'':
		return s.quoted(c)
	case '(', '[', '{':
		if s.depth++; s.depth > maxNesting {
			return s.fault("brackets nested more than %d deep", maxNesting)
		}
	case ')', ']', '}':
		s.depth = max(0, s.depth-1)
	}
	if !word && c > ' ' {
		if f := s.token(); f != nil {
			return f
		}
	}
	s.at++
	return nil
}

// word looks at the word that begins here.
func (s *scanner) word() *Fault {
	rest := s.text[s.at:]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && !(r >= '0' && r <= '9') && !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && r < 0x80
	})
	if end < 0 {
		end = len(rest)
	}
	switch word := rest[:end]; {
	case word[0] >= '0' && word[0] <= '9' && len(word) > maxDigits:
		return s.fault("a number of more than %d digits", maxDigits)
	case word == "lambda", word == "def":
		if s.functions++; s.functions > maxFunctions {
			return s.fault("more than %d functions", maxFunctions)
		}
	}
	return s.token()
}

// quoted goes over a string.
func (s *scanner) quoted(quote byte) *Fault {
	if f := s.token(); f != nil {
		return f
	}
	triple := strings.HasPrefix(s.text[s.at:], strings.Repeat(string(quote), 3))
	s.wordy = false
	if s.at++; triple {
		s.at += 2
	}
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '\\':
			if s.at++; s.at >= len(s.text) {
				return nil
			}
			if s.text[s.at] != '\n' {
				break
			}
			fallthrough
		case c == '\n':
			if !triple && c == '\n' {
				return nil // the parser says that the string has no end
			}
			s.line, s.start = s.line+1, s.at+1
		case c == quote && !triple:
			s.at++
			return nil
		case c == quote && strings.HasPrefix(s.text[s.at:], strings.Repeat(string(quote), 3)):
			s.at += 3
			return nil
		}
		s.at++
	}
	return nil
}
