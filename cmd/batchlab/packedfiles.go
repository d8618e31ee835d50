package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"
)

// unpacking are the files of a page some of which are there only packed, as NAME.gz:
// the page's programs are half of a release when they stand in it as they are, and
// browsers take them packed. For all others they are unpacked into memory when opened.
type unpacking struct{ fs.FS }

// Open implements fs.FS.
func (u unpacking) Open(name string) (fs.File, error) {
	file, err := u.FS.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	packed, missing := u.FS.Open(name + ".gz")
	if missing != nil {
		return nil, err
	}
	defer packed.Close()
	unzip, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(unzip)
	if err != nil {
		return nil, err
	}
	return &inMemory{bytes.NewReader(data), path.Base(name)}, nil
}

// inMemory is an open file in memory, and what is known of it.
type inMemory struct {
	*bytes.Reader
	name string
}

func (f *inMemory) Stat() (fs.FileInfo, error) { return f, nil }
func (f *inMemory) Close() error               { return nil }
func (f *inMemory) Name() string               { return f.name }
func (f *inMemory) Mode() fs.FileMode          { return 0o444 }
func (f *inMemory) ModTime() time.Time         { return time.Time{} }
func (f *inMemory) IsDir() bool                { return false }
func (f *inMemory) Sys() any                   { return nil }
