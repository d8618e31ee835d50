package report

import "fmt"

// String words the problem in one line:
// "line 1204, field 4 (run time): abc is not a number: line left out".
func (p Problem) String() string {
	if p.Field == 0 {
		return fmt.Sprintf("line %d: %s: %s", p.Line, p.What, p.Action)
	}
	return fmt.Sprintf("line %d, field %d (%s): %s: %s", p.Line, p.Field, p.Name, p.What, p.Action)
}
