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
	at     []int64 // of each file, what was read
	next   int
}

// Line is where the line of an item stands.
type Line struct {
	Item int
	at   int64
	size int
}

// OpenSet finds the shards in a folder and checks that they belong together and
// that none is missing; each that is not as it should be is named.
func OpenSet(dir string) (*Set, error) {
	found, err := find(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{}
	counts := slices.Sorted(maps.Keys(found))
	switch {
	case len(counts) == 0:
		return nil, fmt.Errorf("%s: no shards are there (shard-1-of-N.json …)", dir)
	case len(counts) > 1:
		var list []string
		for _, n := range counts {
			list = append(list, fmt.Sprint(n))
		}
		return nil, fmt.Errorf("%s: shards of work that was shared out in different ways are there (to %s): merge a folder for each", dir, strings.Join(list, " and to "))
	}
	s.Of = counts[0]
	begun := found[s.Of].begun
	var faults []error
	for i := 1; i <= s.Of; i++ {
		path := filepath.Join(dir, Name(i, s.Of))
		f, err := os.Open(path)
		if err != nil {
			why := "missing"
			if slices.Contains(begun, i) {
				why = "not complete: run shard " + fmt.Sprintf("%d/%d", i, s.Of) + " again, it goes on where it was"
			}
			faults = append(faults, fmt.Errorf("%s: %s", path, why))
			continue
		}
		in := bufio.NewReaderSize(f, 256<<10)
		s.files, s.in = append(s.files, f), append(s.in, in)
		line, _ := in.ReadBytes('\n')
		s.at = append(s.at, int64(len(line)))
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

// there is what a folder has of the shards of one count, in order.
type there struct{ complete, begun []int }

// find lists the shards in a folder, by how many the work was shared out to.
func find(dir string) (map[int]*there, error) {
	names, err := filepath.Glob(filepath.Join(escape(dir), "shard-*-of-*.json*"))
	found := map[int]*there{}
	for _, name := range names {
		i, n := 0, 0
		base := filepath.Base(name)
		if _, err := fmt.Sscanf(base, "shard-%d-of-%d.json", &i, &n); err != nil || i < 1 || n < i || n > MaxShards || base != Name(i, n) && base != part(i, n) {
			continue
		}
		if found[n] == nil {
			found[n] = &there{}
		}
		if base == Name(i, n) {
			found[n].complete = append(found[n].complete, i)
		} else {
			found[n].begun = append(found[n].begun, i)
		}
	}
	for _, t := range found {
		slices.Sort(t.complete)
		slices.Sort(t.begun)
	}
	return found, err
}

// Fits refuses a folder whose shards are of work that was shared out to another
// number, or of other work than h: what would be done there could not be merged.
// One shard speaks for those of its number, since each was held against another
// one when it was begun; whatever came by other ways, OpenSet finds.
func Fits(dir string, h Header) error {
	found, err := find(dir)
	if err != nil {
		return err
	}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		if n == h.Of {
			continue
		}
		t := found[n]
		return fmt.Errorf("%s: shards of work that was shared out to %d are there already (%d complete, %d begun), not to %d: share out to %d to go on with them, or choose another folder", dir, n, len(t.complete), len(t.begun), h.Of, n)
	}
	t := found[h.Of]
	if t == nil {
		return nil
	}
	h.Format = Format
	look := func(path string) (done bool, err error) {
		f, err := os.Open(path)
		if err != nil {
			return false, nil // it is gone: a shard that was begun has become complete
		}
		defer f.Close()
		line, _ := bufio.NewReader(f).ReadBytes('\n')
		other, err := readHeader(line)
		if err != nil {
			return false, nil // damaged: whoever does that shard says so
		}
		if why := h.differs(other); why != "" {
			return true, fmt.Errorf("%s is there already: %s; choose another folder, or remove it", path, why)
		}
		return true, nil
	}
	paths := []string{Name(h.Shard, h.Of), part(h.Shard, h.Of)} // its own first
	for _, i := range t.complete {
		paths = append(paths, Name(i, h.Of))
	}
	for _, i := range t.begun {
		paths = append(paths, part(i, h.Of))
	}
	for _, name := range paths {
		if done, err := look(filepath.Join(dir, name)); done {
			return err
		}
	}
	return nil
}

// escape keeps what a folder's name holds from being read as a pattern.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func damaged(path string, i, n int) error {
	return fmt.Errorf("%s: damaged: run shard %d/%d again, it keeps what is good of it", path, i, n)
}

// Next finds the line of the next item: items come in order. io.EOF after the last.
func (s *Set) Next() (Line, error) {
	if s.next == s.Items {
		for i, in := range s.in {
			if rest, _ := in.ReadString('\n'); strings.TrimSpace(rest) != fileEnd {
				return Line{}, s.Damaged(i)
			}
		}
		return Line{}, io.EOF
	}
	l := Line{Item: s.next}
	i := s.next % s.Of
	s.next++
	l.at = s.at[i]
	for {
		part, err := s.in[i].ReadSlice('\n')
		l.size += len(part)
		if err == nil {
			break
		} else if err != bufio.ErrBufferFull {
			return l, s.Damaged(l.Item)
		}
	}
	s.at[i] += int64(l.size)
	return l, nil
}

// Read reads what an item left behind, as often as it is asked; several may do so at
// once. Nothing of it is kept.
func (s *Set) Read(l Line) ([]byte, error) {
	line := make([]byte, l.size)
	if _, err := s.files[l.Item%s.Of].ReadAt(line, l.at); err != nil {
		return nil, s.Damaged(l.Item)
	}
	item, data, ok := Data(line)
	if !ok || item != l.Item {
		return nil, s.Damaged(l.Item)
	}
	return data, nil
}

// All reads all lines in order of their items.
func (s *Set) All(take func(item int, data []byte) error) error {
	for item := 0; ; item++ {
		line, err := s.Next()
		if err == io.EOF {
			return nil
		}
		var data []byte
		if err == nil {
			data, err = s.Read(line)
		}
		if err == nil {
			err = take(item, data)
		}
		if err != nil {
			return err
		}
	}
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
