// Command gen turns every .vugu file below a folder into a *_gen.go file
// beside it:
//
//	go run ./ui/internal/gen [-check] [DIR]
//
// It exists because vugugen merges static markup into innerHTML that is set
// again at each render, which loses what was typed into plain inputs and the
// identity of nodes; here that optimisation is off. The component type of
// job-table.vugu is JobTable and is declared by hand in a .go file. With
// -check nothing is written: the command lists generated files that are
// missing, stale or left over, and exits with 1.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vugu/vugu/gen"
)

func main() {
	check := flag.Bool("check", false, "report differences instead of writing files")
	flag.Parse()
	dir := "ui"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	stale, err := run(dir, *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
	for _, s := range stale {
		fmt.Fprintln(os.Stderr, "gen:", s)
	}
	if len(stale) > 0 {
		fmt.Fprintln(os.Stderr, "gen: run ./build.sh gen and commit the result")
		os.Exit(1)
	}
}

// run generates all components below dir, or with check lists what differs.
func run(dir string, check bool) (stale []string, err error) {
	tmp, err := os.MkdirTemp("", "vugu-gen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	wanted := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".vugu" {
			return err
		}
		out := strings.TrimSuffix(path, ".vugu") + "_gen.go"
		wanted[out] = true
		code, err := generate(path, tmp)
		if err != nil {
			return err
		}
		old, err := os.ReadFile(out)
		switch {
		case err == nil && bytes.Equal(old, code):
		case !check:
			return os.WriteFile(out, code, 0o644)
		case err != nil:
			stale = append(stale, out+" is missing")
		default:
			stale = append(stale, out+" is not what "+path+" generates")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_gen.go") && !wanted[path] {
			stale = append(stale, path+" has no .vugu file: remove it")
		}
		return err
	})
	return stale, err
}

// generate returns the Go code of one component.
func generate(path, tmp string) ([]byte, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	p := gen.ParserGo{
		PackageName:      filepath.Base(abs),
		StructType:       typeName(path),
		OutDir:           tmp,
		OutFile:          "out.go",
		NoOptimizeStatic: true,
	}
	if err := p.Parse(bytes.NewReader(src), filepath.Base(path)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	code, err := os.ReadFile(filepath.Join(tmp, "out.go"))
	if err != nil {
		return nil, err
	}
	if code, err = format.Source(code); err != nil { // the parser leaves tabs before comments
		return nil, err
	}
	return format.Source(compact(code))
}

// typeName is the component type of a file: job-table.vugu holds JobTable.
func typeName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".vugu")
	var name strings.Builder
	for part := range strings.SplitSeq(base, "-") {
		if part != "" {
			name.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return name.String()
}
