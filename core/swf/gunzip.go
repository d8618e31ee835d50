package swf

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// IsGzip tells whether data begins as a gzip file does.
func IsGzip(data []byte) bool { return len(data) >= 2 && data[0] == 0x1f && data[1] == 0x8b }

// Gunzip unpacks a gzip file. It refuses to unpack more than limit bytes (0:
// no limit), and says so when the file is cut off or damaged.
func Gunzip(data []byte, limit int64) ([]byte, error) {
	damaged := func(err error) error {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return fmt.Errorf("swf: the gzip file ends early after %d bytes: it is damaged or was not downloaded completely", len(data))
		}
		return fmt.Errorf("swf: the gzip file is damaged: %w", err)
	}
	if len(data) > 0 && !IsGzip(data) {
		return nil, errors.New("swf: this is not a gzip file")
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, damaged(err)
	}
	// The last four bytes of a whole file state its size; deflate packs at most 1:1032.
	stated := int64(0)
	if len(data) >= 18 {
		stated = min(int64(binary.LittleEndian.Uint32(data[len(data)-4:])), 1032*int64(len(data)))
	}
	if limit > 0 {
		stated = min(stated, limit)
	}
	var r io.Reader = z
	if limit > 0 {
		r = io.LimitReader(z, limit+1)
	}
	out := bytes.NewBuffer(make([]byte, 0, stated+bytes.MinRead))
	if _, err := out.ReadFrom(r); err != nil {
		return nil, damaged(err)
	}
	if limit > 0 && int64(out.Len()) > limit {
		return nil, fmt.Errorf("swf: the gzip file unpacks to more than %d bytes", limit)
	}
	return out.Bytes(), nil
}
