package main

import (
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"

	"batchlab/core/experiment"
)

// versioned is what version prints: all that a paper has to name, but for the
// experiment's identity and digest.
type versioned struct {
	experiment.Build
	Go       string `json:"go"`       // that compiled it
	Platform string `json:"platform"` // it was compiled for: "linux/amd64"
	Page     string `json:"page"`     // "inside", or "" where serve needs a folder
	Cite     string `json:"cite"`     // how to cite it
}

// version prints what this program is.
func version(c *call) action {
	c.intro = "Which Batchlab this is: version, engine and commit, and how to cite it."
	licences := c.toggle("licences", "Print the licences of all that is inside instead.")
	return func(rest []string) (any, error) {
		if len(rest) > 0 {
			return nil, fmt.Errorf("version: unexpected argument %q", rest[0])
		}
		if *licences {
			text, err := licenceText()
			if err == nil {
				c.stdout.Write(text)
			}
			return nil, err
		}
		v := versioned{Build: experiment.ThisBuild(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Cite: experiment.Cite()}
		if inside != nil {
			v.Page = "inside"
		}
		return v, nil
	}
}

// builtFrom is the commit that go build notes down by itself, for programs that were
// not made by build.sh: shortened, with "+" behind it where files had been changed.
func builtFrom(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	commit := set["vcs.revision"]
	commit = commit[:min(12, len(commit))]
	if set["vcs.modified"] == "true" && commit != "" {
		commit += "+"
	}
	return commit
}

// licenceText is the page's list of licences, which holds the programs' as well.
func licenceText() ([]byte, error) {
	page, err := findPage("")
	if err != nil {
		return nil, fmt.Errorf("version: the licences stand beside the page: %w", err)
	}
	return fs.ReadFile(page, "licences.txt")
}
