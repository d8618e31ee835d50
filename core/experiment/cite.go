package experiment

import (
	"fmt"
	"strings"
)

// Cite is how people name this Batchlab in a paper. CITATION.cff says the same for
// programs.
func Cite() string {
	return "The authors of Batchlab: " + ThisBuild().String() + ", a laboratory for batch-job scheduling"
}

// Citation is the file CITATION.txt beside results: what to cite for an experiment,
// and for where its jobs come from. digest is that of its schedules, "" if it is not
// known; header is the header of its log, with what its authors ask for, "" where
// there is none.
func Citation(doc *Experiment, digest, header string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Please cite the laboratory with the experiment's identity, which names these settings for ever:\n\n")
	fmt.Fprintf(&b, "  %s.\n  Experiment %s.\n", Cite(), doc.Identity())
	if digest != "" {
		fmt.Fprintf(&b, "  Digest of its schedules %s.\n", digest)
	}
	switch src := doc.Workload.Source; {
	case src.Log != nil:
		fmt.Fprintf(&b, "\nand the log, whose authors ask for it in their terms (log-terms.txt):\n\n  %s, SHA-256 %s.\n", src.Log.Name, src.Log.SHA256)
		for line := range strings.SplitSeq(header, "\n") {
			text := strings.TrimSpace(strings.TrimLeft(line, "; \t"))
			for _, key := range []string{"Acknowledge:", "Conversion:", "Information:", "Installation:"} {
				if strings.HasPrefix(text, key) {
					fmt.Fprintf(&b, "  %s\n", text)
				}
			}
		}
	case src.Generator != nil:
		fmt.Fprintf(&b, "\nThe jobs are generated (%s, seed %d).\n", src.Generator.Key, doc.Seed)
	case src.Inline != nil:
		fmt.Fprintf(&b, "\nThe jobs stand in the experiment itself.\n")
	default:
		fmt.Fprintf(&b, "\nThe jobs are the workload %s that comes with Batchlab.\n", src.Bundled)
	}
	return b.String()
}
