package sim

import "testing"

type outside struct{ Scheduler }

func (outside) Unkept() {}

type holding struct {
	Scheduler
	list []Scheduler
}

func (h holding) Schedulers() []Scheduler { return h.list }

// Intent: a scheduler whose state a copy of memory does not hold is found however deep
// it stands among those that let others decide.
func TestKeeps(t *testing.T) {
	plain := &script{}
	for _, c := range []struct {
		s    Scheduler
		want bool
	}{
		{plain, true}, {outside{plain}, false}, {holding{plain, []Scheduler{plain, plain}}, true},
		{holding{plain, []Scheduler{plain, holding{plain, []Scheduler{outside{plain}}}}}, false},
	} {
		if got := Keeps(c.s); got != c.want {
			t.Errorf("%T: %v", c.s, got)
		}
	}
}
