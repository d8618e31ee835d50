//go:build js

package island

func newTable(h *host) island  { return newSpark(h, "") }
func newSeries(h *host) island { return newSpark(h, "") }
func newDist(h *host) island   { return newSpark(h, "") }
func newUsers(h *host) island  { return newSpark(h, "") }
