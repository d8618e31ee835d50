//go:build page

package main

import (
	"io/fs"

	"batchlab"
)

func init() {
	page, err := fs.Sub(batchlab.Page, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path
	}
	inside = unpacking{page}
}
