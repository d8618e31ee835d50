package main

import (
	"io"
	"os"
)

// spoolMemory is how much of a spool stays in memory.
const spoolMemory = 256 << 20

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
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	if _, err = io.WriteString(f, header); err == nil {
		err = s.copyTo(f)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		os.Remove(path + ".new")
	}
	return err
}
