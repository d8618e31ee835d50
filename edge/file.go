//go:build !js

package edge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// File is a Store of one file for each experiment, in a folder.
type File struct{ dir string }

// OpenFile returns a store in dir, which is made when it is missing. Of what an
// earlier process had not finished nothing stays.
func OpenFile(dir string) (*File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	leftovers, _ := filepath.Glob(filepath.Join(dir, "*", ".new-*"))
	for _, f := range leftovers {
		if info, err := os.Stat(f); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(f)
		}
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return nil, err
	}
	probe.Close()
	return &File{dir}, os.Remove(probe.Name())
}

// path spreads the files over folders by the first two characters.
func (f *File) path(id string) (string, error) {
	if !ValidID(id) {
		return "", ErrNone
	}
	return filepath.Join(f.dir, id[:2], id+".json"), nil
}

// Get implements Store.
func (f *File) Get(_ context.Context, id string) ([]byte, error) {
	path, err := f.path(id)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNone
	case err != nil:
		return nil, err
	case !strings.HasPrefix(fullID(data), id):
		// A file system that takes a and A for the same, or a damaged disk.
		return nil, ErrNone
	}
	return data, nil
}

// Add implements Store. The file is written aside, brought to the disk, and
// then linked under its name in one step: whoever finds it finds it whole.
func (f *File) Add(_ context.Context, id string, data []byte) ([]byte, error) {
	path, err := f.path(id)
	if err != nil {
		return nil, err
	}
	if old, err := os.ReadFile(path); err == nil {
		return old, nil
	}
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o700); err == nil {
		if err := flush(f.dir); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	t, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(t.Name())
	_, err = t.Write(data)
	err = errors.Join(err, t.Sync(), t.Close())
	if err != nil {
		return nil, err
	}
	err = os.Link(t.Name(), path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return os.ReadFile(path)
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrPermission):
		// A disk without hard links, such as a USB stick's.
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		return nil, fmt.Errorf("edge: storing %s: %w", id, err)
	}
	return data, flush(dir)
}

// flush brings a folder's list of names to the disk.
func flush(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // not every file system offers it
	}
	return errors.Join(err, d.Close())
}
