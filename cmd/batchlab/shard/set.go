package shard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Set is all shards of some work, complete and of the same kind.
type Set struct {
	Header // of the first; Shard is 1
	files  []*os.File
	in     []*bufio.Reader
	next   int
}

// OpenSet finds the shards in a folder and checks that they belong together and
// that none is missing; each that is not as it should be is named.
func OpenSet(dir string) (*Set, error) {
	names, err := filepath.Glob(filepath.Join(escape(dir), "shard-*-of-*.json*"))
	if err != nil {
		return nil, err
	}
	s := &Set{}
	counts := map[int]bool{}
	begun := map[string]bool{}
	for _, name := range names {
		i, n := 0, 0
		base := filepath.Base(name)
		if _, err := fmt.Sscanf(base, "shard-%d-of-%d.json", &i, &n); err != nil || i < 1 || n < i || n > MaxShards {
			continue
		}
		switch base {
		case Name(i, n):
			counts[n] = true
			s.Of = n
		case part(i, n):
			counts[n] = true
			begun[base] = true
			s.Of = max(s.Of, n)
		}
	}
	switch {
	case len(counts) == 0:
		return nil, fmt.Errorf("%s: no shards are there (shard-1-of-N.json …)", dir)
	case len(counts) > 1:
		var list []string
		for _, n := range slices.Sorted(maps.Keys(counts)) {
			list = append(list, fmt.Sprint(n))
		}
		return nil, fmt.Errorf("%s: shards of work that was shared out in different ways are there (to %s): merge a folder for each", dir, strings.Join(list, " and to "))
	}
	var faults []error
	for i := 1; i <= s.Of; i++ {
		path := filepath.Join(dir, Name(i, s.Of))
		f, err := os.Open(path)
		if err != nil {
			why := "missing"
			if begun[part(i, s.Of)] {
				why = "not complete: run shard " + fmt.Sprintf("%d/%d", i, s.Of) + " again, it goes on where it was"
			}
			faults = append(faults, fmt.Errorf("%s: %s", path, why))
			continue
		}
		in := bufio.NewReaderSize(f, 256<<10)
		s.files, s.in = append(s.files, f), append(s.in, in)
		line, _ := in.ReadBytes('\n')
		h, err := readHeader(line)
		switch {
		case err != nil:
			faults = append(faults, damaged(path, i, s.Of))
		case h.Shard != i:
			faults = append(faults, fmt.Errorf("%s: this is shard %d: the file was renamed", path, h.Shard))
		case h.Format != Format:
			faults = append(faults, fmt.Errorf("%s: of another version of Batchlab (form %d of shards, here %d)", path, h.Format, Format))
		case s.Header.Command == "":
			s.Header = *h
			s.Header.Shard = 1
		default:
			if why := s.differs(h); why != "" {
				faults = append(faults, fmt.Errorf("%s does not belong to %s: %s", path, s.files[0].Name(), why))
			}
		}
	}
	if len(faults) > 0 {
		s.Close()
		const most = 20
		if more := len(faults) - most; more > 0 {
			faults = append(faults[:most], fmt.Errorf("and %d more", more))
		}
		return nil, errors.Join(faults...)
	}
	return s, nil
}

// escape keeps what a folder's name holds from being read as a pattern.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func damaged(path string, i, n int) error {
	return fmt.Errorf("%s: damaged: run shard %d/%d again, it keeps what is good of it", path, i, n)
}

// Next returns the line of the next item, to be taken apart by Data: items come
// in order. io.EOF after the last.
func (s *Set) Next() (line []byte, err error) {
	if s.next == s.Items {
		for i, in := range s.in {
			if rest, _ := in.ReadString('\n'); strings.TrimSpace(rest) != fileEnd {
				return nil, s.Damaged(i)
			}
		}
		return nil, io.EOF
	}
	i := s.next % s.Of
	s.next++
	line, err = s.in[i].ReadBytes('\n')
	if err != nil {
		return nil, s.Damaged(i)
	}
	return line, nil
}

// Damaged is the error of the shard that holds an item.
func (s *Set) Damaged(item int) error {
	i := item % s.Of
	return damaged(s.files[i].Name(), i+1, s.Of)
}

// Close closes all files.
func (s *Set) Close() {
	for _, f := range s.files {
		f.Close()
	}
}
