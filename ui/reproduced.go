package ui

import (
	"batchlab/core/experiment"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// reproduced says that a result is the author's.
func reproduced(s *state.Store) string {
	return "✓ reproduced: " + words.Count(len(s.Runs), "run", "runs") + ", digest equal"
}

// difference says line by line where the result parts from the author's.
func (c *Main) difference() []string {
	s := c.s()
	d := s.Difference()
	if d == nil {
		return nil
	}
	var lines []string
	switch {
	case d.Run != "":
		text := d.Run + ": " + d.Jobs
		if d.Times != "" {
			text += ": " + d.Times
		}
		text += "."
		if d.More > 0 {
			text += " " + words.Count(d.More, "further run differs", "further runs differ") + "."
		}
		lines = append(lines, text)
	case d.By.Engine != "":
		lines = append(lines, "Every run agrees with what the link says of it, so it is the digest in the link that was changed.")
	}
	lines = append(lines, "Digest "+words.Hash(s.Digest)+" instead of "+words.Hash(s.Ran.Expect)+".")
	switch {
	case d.Damaged != "":
		lines = append(lines, "The first job that differs is not known: "+d.Damaged+".")
	case d.By.Engine == "":
		lines = append(lines, "It came without the author's starts, so the first job that differs is not known. The expected result was "+experiment.EnginesApart("", experiment.Engine)+".")
	case d.By.Engine != experiment.Engine:
		lines = append(lines, "The expected result was "+experiment.EnginesApart(d.By.Engine, experiment.Engine)+".")
	default:
		lines = append(lines, "Both simulated with engine "+experiment.Engine+".")
	}
	if d.By.Version != "" && d.By != experiment.ThisBuild() {
		lines = append(lines, "It was made by "+d.By.String()+"; this page is "+experiment.ThisBuild().String()+".")
	}
	if s.Modified != "" {
		lines = append(lines, "That is no wonder: "+s.Modified+".")
	}
	return lines
}

// otherText is what stands on the button that uses another log than the
// wanted one.
func (c *Main) otherText() string {
	if o := c.s().Other; o != nil {
		return "Use " + o.Name + " anyway"
	}
	return ""
}
