package main

import (
	"errors"
	"io"
	"os"
)

// spoolMemory is how much of a spool stays in memory.
const spoolMemory = 1 << 20

// spool keeps a text of any length until all of it is there: in memory, or in a
// file without a name that is gone with the program. Errors stay in err.
type spool struct {
	parts  [][]byte
	memory int // bytes of parts
	file   *os.File
	size   int64
	err    error
}

// add takes the next part of the text, which nobody may change any more.
func (s *spool) add(part []byte) {
	if s.size += int64(len(part)); len(part) == 0 || s.err != nil {
		return
	}
	s.parts = append(s.parts, part)
	if s.memory += len(part); s.memory > spoolMemory {
		s.spill()
	}
}

func (s *spool) spill() {
	if s.file == nil {
		if s.file, s.err = os.CreateTemp("", "batchlab-"); s.err != nil {
			return
		}
		os.Remove(s.file.Name()) // where that cannot be done yet, close does it
	}
	s.err = s.write(s.file)
	s.parts, s.memory = nil, 0
}

func (s *spool) write(w io.Writer) error {
	for _, part := range s.parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// copyTo writes the whole text.
func (s *spool) copyTo(w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return err
		}
	}
	return s.write(w)
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}

// writeSpool writes a file whole or not at all: a header and what a spool holds.
func writeSpool(path, header string, s *spool) error {
	f, err := createWhole(path)
	if err != nil {
		return err
	}
	defer f.drop()
	if _, err = io.WriteString(f, header); err == nil {
		err = s.copyTo(f)
	}
	return f.finish(err)
}

// whole is a file that nothing has the name of until all of it is there.
type whole struct {
	*os.File
	path string
}

func createWhole(path string) (*whole, error) {
	f, err := os.Create(path + ".new")
	return &whole{f, path}, err
}

// finish puts the file in its place unless something went wrong before.
func (w *whole) finish(err error) error {
	if err = errors.Join(err, w.Close()); err == nil {
		err = os.Rename(w.path+".new", w.path)
	}
	return err
}

// drop takes away what is not finished.
func (w *whole) drop() {
	w.Close()
	os.Remove(w.path + ".new")
}
