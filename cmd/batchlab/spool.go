package main

import (
	"bytes"
	"io"
	"os"
)

// spoolMemory is how much of a spool stays in memory.
const spoolMemory = 256 << 20

// spool keeps a text of any length until all of it is there: in memory, or in a
// file without a name that is gone with the program. Errors stay in err.
type spool struct {
	memory bytes.Buffer
	file   *os.File
	size   int64
	err    error
}

func (s *spool) WriteString(text string) { s.Write([]byte(text)) }

func (s *spool) Write(data []byte) (int, error) {
	s.size += int64(len(data))
	if s.err != nil {
		return len(data), nil
	}
	s.memory.Write(data)
	if s.memory.Len() > spoolMemory {
		s.spill()
	}
	return len(data), nil
}

func (s *spool) spill() {
	if s.file == nil {
		if s.file, s.err = os.CreateTemp("", "batchlab-"); s.err != nil {
			return
		}
		os.Remove(s.file.Name()) // where that cannot be done yet, close does it
	}
	_, s.err = s.memory.WriteTo(s.file)
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
	_, err := w.Write(s.memory.Bytes())
	return err
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
