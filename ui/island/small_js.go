//go:build js

package island

import (
	"strconv"
	"syscall/js"

	"batchlab/ui/chart"
	"batchlab/ui/state"
)

func newBars(h *host) island {
	var c *card
	var press func(string)
	c = newCard(h, "by-scheduler", "By scheduler", func(d *chart.Data, w, hh float64) chart.Drawing {
		key := h.store.View.Bars
		if key == "" {
			key = chart.BarKeys[0].Key
		}
		press(key)
		return d.Bars(key, w, hh)
	})
	var keys, names []string
	for _, k := range chart.BarKeys {
		keys, names = append(keys, k.Key), append(names, k.Word)
	}
	press = h.scope.segments(c.extra, "Measure", keys, names, func(key string) {
		h.store.Look(func(v *state.View) { v.Bars = key })
		Refresh()
	})
	return c
}

func newCDF(h *host) island {
	c := newCard(h, "waits", "How long jobs wait", func(d *chart.Data, w, hh float64) chart.Drawing { return d.CDF(w, hh) })
	c.sub.Set("textContent", "share of jobs that waited at most this long")
	return c
}

func newClasses(h *host) island {
	var c *card
	c = newCard(h, "classes", "Who gains, who pays", func(d *chart.Data, w, hh float64) chart.Drawing {
		title, sub := d.ClassesTitle()
		c.title.Set("textContent", title)
		c.sub.Set("textContent", sub)
		return d.Classes(w, hh)
	})
	return c
}

func newOverTime(h *host) island {
	var c *card
	c = newCard(h, "over-time", "Over time", func(d *chart.Data, w, hh float64) chart.Drawing {
		c.sub.Set("textContent", d.OverTimeSub())
		return d.OverTime(w, hh)
	})
	return c
}

func newLicences(h *host) island {
	var c *card
	c = newCard(h, "licences", "Licences", func(d *chart.Data, w, hh float64) chart.Drawing {
		c.sub.Set("textContent", d.LicencesSub())
		want := d.LicencesHeight()
		style(c.body, "height", px(want))
		from, to := h.store.View.From, h.store.View.To
		if moving.on {
			from, to = moving.from, moving.to
		}
		return d.Licences(from, to, w, want)
	})
	c.link.move = c.draw
	h.scope.wheelOver(c.body, func() chart.Timeline { return c.last.Time })
	return c
}

// spark is a line without head or menu.
type spark struct {
	*host
	metric string
	hair   js.Value
	time   chart.Timeline
}

func newSpark(h *host) island {
	s := &spark{host: h, metric: h.arg, hair: create("div", "bl-hair")}
	style(s.hair, "top", "0")
	style(s.hair, "bottom", "0")
	h.scope.link(&linked{el: h.root, follow: s.follow})
	return s
}

// follow shows where the time is that the reader points at in another chart.
func (s *spark) follow(at float64) {
	x, ok := s.time.Place(at)
	style(s.hair, "display", map[bool]string{true: "block", false: "none"}[ok])
	style(s.hair, "left", px(x))
}

func (s *spark) draw() {
	d := s.data().Spark(s.metric, s.key.w, max(24, min(60, s.key.h)))
	s.time = d.Time
	if d.SVG == "" {
		s.root.Call("replaceChildren")
		return
	}
	n := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	s.root.Set("innerHTML", `<svg class="bl-spark" width="`+n(d.W)+`" height="`+n(d.H)+`" viewBox="0 0 `+n(d.W)+` `+n(d.H)+`" role="img" aria-label="`+chart.Escape(d.Aria)+`">`+d.SVG+`</svg>`)
	s.root.Call("append", s.hair)
}

func (s *spark) release() {}
