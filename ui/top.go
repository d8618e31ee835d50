package ui

import (
	"batchlab/core/catalog"
	"batchlab/ui/words"
)

// Top is the bar at the top: brand, presets, Run, Share, Export.
type Top struct {
	P *Page
}

func (c *Top) presetName() string {
	if row := catalog.FindPreset(c.P.S.Preset); row != nil {
		return row.Name
	}
	return c.P.title()
}

// kind says what is open: a preset, a log or another experiment.
func (c *Top) kind() string {
	switch {
	case c.P.S.Preset != "":
		return "Preset"
	case c.P.S.Settings.Workload.Source.Log != nil:
		return "Log"
	}
	return "Experiment"
}

// edited tells a preset that was changed from the preset itself.
func (c *Top) edited() bool { return c.P.S.Preset != "" && c.P.S.Edited() }

func (c *Top) runTitle() string {
	if why := c.P.S.CanRun(); why != "" {
		return why
	}
	return "Run all schedulers (Ctrl+Enter)"
}

// finished are the schedulers that have a finished run.
func (c *Top) finished() []int {
	var list []int
	for _, g := range c.P.S.Groups() {
		if g.Done > 0 {
			list = append(list, g.Scheduler)
		}
	}
	return list
}

func (c *Top) jobsTitle() string {
	if r := c.P.S.View.Repetition; r > 0 || len(c.P.S.Runs) > c.P.S.Schedulers() {
		return "Jobs of repeat " + words.Int(r+1)
	}
	return "Jobs"
}
