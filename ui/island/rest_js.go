//go:build js

package island

func newSeries(h *host) island { return newSpark(h, "") }
func newDist(h *host) island   { return newSpark(h, "") }
func newUsers(h *host) island  { return newSpark(h, "") }
