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
	"sync"
	"time"
)

// File is a Store of one file for each experiment, in a folder.
type File struct {
	dir     string
	limit   int64 // bytes of all files together
	mu      sync.Mutex
	size    int64     // of the files, as a disk counts them
	swept   time.Time // when leftovers were looked for
	settled bool      // they were looked for since the store was opened, when what was young then had aged
}

// DefaultLimit bounds a File store: a gigabyte, some 200,000 experiments.
const DefaultLimit = 1 << 30

// unfinished is how long a file that is being written may take; older ones are
// leftovers of a process that was killed.
const unfinished = time.Minute

// block is what a file takes of a disk at least.
const block = 4096

// OpenFile returns a store in dir, which is made when it is missing, of at most
// so many bytes. Of what an earlier process had not finished nothing stays for
// longer than a minute.
func OpenFile(dir string, limit int64) (*File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return nil, err
	}
	probe.Close()
	f := &File{dir: dir, limit: limit}
	f.sweep(time.Now())
	return f, os.Remove(probe.Name())
}

// sweep removes leftovers and counts what is stored.
func (f *File) sweep(now time.Time) {
	f.swept, f.size = now, 0
	files, _ := filepath.Glob(filepath.Join(f.dir, "*", "*"))
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if strings.HasPrefix(filepath.Base(name), ".new-") && now.Sub(info.ModTime()) > unfinished {
			if os.Remove(name) == nil {
				continue
			}
		}
		f.size += takes(info.Size())
	}
}

func takes(size int64) int64 { return (size + block - 1) / block * block }

// room takes room for data, and sweeps once when a minute has gone since the
// store was opened or found full.
func (f *File) room(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.swept) > unfinished && (f.size+takes(size) > f.limit || !f.settled) {
		f.settled = true
		f.sweep(now)
	}
	if f.size+takes(size) > f.limit {
		return ErrFull
	}
	f.size += takes(size)
	return nil
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
	if err := f.room(int64(len(data))); err != nil {
		return nil, err
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
