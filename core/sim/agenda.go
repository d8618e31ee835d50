package sim

// Agenda holds events to come, the next one first: a binary heap, since a grid or a desk
// may have thousands of them ahead. Before must order all events that differ.
type Agenda[E interface{ Before(E) bool }] []E

// Push enters an event.
func (a *Agenda[E]) Push(e E) {
	*a = append(*a, e)
	s := *a
	i := len(s) - 1
	for ; i > 0 && e.Before(s[(i-1)/2]); i = (i - 1) / 2 {
		s[i] = s[(i-1)/2]
	}
	s[i] = e
}

// Pop takes out the next event, which is the first element. The agenda must not be
// empty.
func (a *Agenda[E]) Pop() E {
	s := *a
	next, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*a = s
	i := 0
	for child := 1; child < len(s); child = 2*i + 1 {
		if child+1 < len(s) && s[child+1].Before(s[child]) {
			child++
		}
		if !s[child].Before(last) {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = last
	}
	return next
}
