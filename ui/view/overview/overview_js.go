//go:build js

package overview

import (
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/look"
)

func init() {
	Room.Islands = map[string]draw.Maker{
		"bars":      newBars,
		"cdf":       newCDF,
		"classes":   newClasses,
		"overtime":  newOverTime,
		"spark":     newSpark,
		"providers": newProviders,
	}
}

// newProviders is the table of a grid's providers.
func newProviders(h *draw.Host) draw.Island {
	return draw.NewGridCard(h, "providers", "Providers", func(d *draw.Data) draw.Grid { return ProviderGrid(d) })
}

func newBars(h *draw.Host) draw.Island {
	var c *draw.FigureCard
	var press func(string)
	c = draw.NewFigure(h, "by-scheduler", "By scheduler", func(d *draw.Data, w, hh float64) draw.Figure {
		key := h.Arg // else as it was chosen
		if key != "" {
			return Bars(d, key, "whole", w, hh)
		}
		if key = h.Store.View.Bars; key == "" {
			key = BarKeys[0].Key
		}
		press(key)
		return Bars(d, key, h.Store.View.Scale, w, hh)
	})
	if h.Arg != "" {
		_, name := draw.UnitOf(h.Arg)
		c.Sub.Set("textContent", name)
		return c
	}
	var keys, names []string
	for _, k := range BarKeys {
		keys, names = append(keys, k.Key), append(names, k.Word)
	}
	press = h.Scope.Segments(c.Extra, "Measure", keys, names, func(key string) {
		h.Store.Look(func(v *look.View) { v.Bars = key })
		draw.Refresh()
	})
	return c
}

func newCDF(h *draw.Host) draw.Island {
	var c *draw.FigureCard
	high := 0.0
	c = draw.NewFigure(h, "waits", "How long jobs wait", func(d *draw.Data, w, hh float64) draw.Figure {
		if want := CDFHeight(w, len(d.Runs)); want != high {
			high = want
			draw.Style(h.Root, "height", draw.Px(high))
			hh = c.Body.Get("clientHeight").Float()
		}
		return CDF(d, w, hh)
	})
	c.Sub.Set("textContent", "share of jobs that waited at most this long")
	return c
}

func newClasses(h *draw.Host) draw.Island {
	var c *draw.FigureCard
	c = draw.NewFigure(h, "classes", "Who gains, who pays", func(d *draw.Data, w, hh float64) draw.Figure {
		title, sub := ClassesTitle(d)
		c.Title.Set("textContent", title)
		c.Sub.Set("textContent", sub)
		return Classes(d, w, hh)
	})
	return c
}

func newOverTime(h *draw.Host) draw.Island {
	var c *draw.FigureCard
	c = draw.NewFigure(h, "over-time", "Over time", func(d *draw.Data, w, hh float64) draw.Figure {
		c.Sub.Set("textContent", OverTimeSub(d))
		return OverTime(d, w, hh)
	})
	return c
}

// spark is a line without head or menu.
type spark struct {
	*draw.Host
	metric string
	hair   js.Value
	time   draw.Timeline
}

func newSpark(h *draw.Host) draw.Island {
	s := &spark{Host: h, metric: h.Arg, hair: draw.Node(`<div class="bl-hair" style="top:0;bottom:0"></div>`)}
	h.Scope.Link(&draw.Linked{El: h.Root, Follow: s.follow})
	return s
}

// follow shows where the time is that the reader points at in another chart.
func (s *spark) follow(at float64) {
	x, ok := s.time.Place(at)
	draw.Style(s.hair, "display", map[bool]string{true: "block", false: "none"}[ok])
	draw.Style(s.hair, "left", draw.Px(x))
}

func (s *spark) Draw() {
	d := Spark(s.Data(), s.metric, s.Key.W, max(24, min(60, s.Key.H)))
	s.time = d.Timeline()
	if len(d.Layers) == 0 {
		s.Root.Call("replaceChildren")
		return
	}
	draw.Put(s.Root, d.Picture("bl-spark"))
	s.Root.Call("append", s.hair)
}

func (s *spark) Release() {}
