package ui

import (
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/look"
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

// relative switches between times by the calendar and from the start.
func (c *Top) relative(on bool) { c.P.prefer(func(p *look.Prefs) { p.Relative = on }) }

func (c *Top) large() { c.P.S.Look(func(v *look.View) { v.Large = !v.Large }) }

func (c *Top) unit(u string) { c.P.prefer(func(p *look.Prefs) { p.Unit = u }) }

// needs says what a preset wants that is not here: "needs SDSC-SP2.swf";
// "" when it runs now.
func (c *Top) needs(row catalog.Preset) string {
	if l := c.wanted(row); l != nil {
		return "needs " + l.Name
	}
	return ""
}

// running says of a study that one of its presets runs.
func (c *Top) running(study string) string {
	return when(strings.HasPrefix(c.P.S.Studies.Running, study+"-"), "running")
}

// needsHash is the start of the hash of the log that a preset wants.
func (c *Top) needsHash(row catalog.Preset) string {
	if l := c.wanted(row); l != nil {
		return "SHA-256" + words.NB + words.Hash(l.SHA256)
	}
	return ""
}

// wanted is the log that a preset names and that is not kept here.
func (c *Top) wanted(row catalog.Preset) *experiment.Log {
	l, ok := presetLogs[row.Key]
	if !ok {
		if doc, err := experiment.Preset(row.Key); err == nil {
			l = doc.Workload.Source.Log
		}
		presetLogs[row.Key] = l
	}
	if l == nil {
		return nil
	}
	for _, k := range c.P.S.Kept {
		if k.SHA256 == l.SHA256 {
			return nil
		}
	}
	return l
}

// presetLogs are the logs that presets name, nil none.
var presetLogs = map[string]*experiment.Log{}

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
