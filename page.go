//go:build page

package batchlab

import "embed"

// Page is the folder dist of the built page, without the programs in dist/bin: with
// the build tag "page" the command line carries it, so that a release is one file.
// It stands here because what is embedded has to be below the package that does it.
// The page's programs are in it only packed.
//
//go:embed dist/*.css dist/*.html dist/*.js dist/*.json dist/*.png dist/*.svg dist/*.txt dist/*.webmanifest
//go:embed dist/*.br dist/*.gz dist/lessons
var Page embed.FS
