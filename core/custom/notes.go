package custom

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// Notes are what a program has said of jobs in a run, in order.
type Notes struct {
	list []report.Note
	more int
}

// Reset forgets the run before.
func (n *Notes) Reset() { n.list, n.more = nil, 0 }

// Say takes down what a program says of a job, cut to 200 characters: for the step
// that is told, and with keep for the whole run, up to 10,000.
func (n *Notes) Say(v *sim.View, j model.JobID, text string, keep bool) {
	text = cut(text)
	if f := v.Facts; f != nil {
		d := tell.Decide(tell.Note, j)
		d.Text = text
		f.Said = append(f.Said, d)
	}
	switch {
	case !keep:
	case len(n.list) == maxNotes:
		n.more++
	default:
		n.list = append(n.list, report.Note{At: v.Now, Job: j, Number: v.Jobs[j].Number, Text: text})
	}
}

// Notes returns what was kept, and how many notes more there were.
func (n *Notes) Notes() (notes []report.Note, more int) { return n.list, n.more }
