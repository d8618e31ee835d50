// Package lessons holds the lessons that come with the page. They stand beside
// the page as files, too, for whoever writes one of their own.
package lessons

import "embed"

// Files holds index.json, the list, and each lesson by its key.
//
//go:embed *.json
var Files embed.FS
