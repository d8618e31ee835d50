//go:build page

package main

import (
	"io/fs"

	"batchlab"
)

func init() {
	var err error
	if inside, err = fs.Sub(batchlab.Page, "dist"); err != nil {
		panic(err) // "dist" is a valid path
	}
}
