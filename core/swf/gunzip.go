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

// gunzipAtOnce is how many bytes are unpacked before it is known how many there are.
const gunzipAtOnce = 32 << 20

// Gunzip unpacks a gzip file. It refuses to unpack more than limit bytes (0:
// no limit), and says so when the file is cut off or damaged. A file that unpacks to
// more than 32 MB is counted to its end before there is memory for it, so that one
// that is refused has taken little, whatever it says of itself.
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
		stated = min(int64(binary.LittleEndian.Uint32(data[len(data)-4:])), 1032*int64(len(data)), gunzipAtOnce)
	}
	out := bytes.NewBuffer(make([]byte, 0, stated+bytes.MinRead))
	if _, err := out.ReadFrom(io.LimitReader(z, gunzipAtOnce+1)); err != nil {
		return nil, damaged(err)
	}
	size := int64(out.Len())
	tooMuch := func() bool { return limit > 0 && size > limit }
	if size > gunzipAtOnce && !tooMuch() {
		rest, err := io.Copy(io.Discard, upTo(z, limit+1-size, limit))
		if err != nil {
			return nil, damaged(err)
		}
		if size += rest; !tooMuch() {
			if err = z.Reset(bytes.NewReader(data)); err != nil {
				return nil, damaged(err)
			}
			all := make([]byte, size)
			if _, err = io.ReadFull(z, all); err != nil {
				return nil, damaged(err)
			}
			return all, nil
		}
	}
	if tooMuch() {
		return nil, fmt.Errorf("swf: the gzip file unpacks to more than %d bytes", limit)
	}
	return out.Bytes(), nil
}

// upTo is r with at most n bytes, or all of it where there is no limit.
func upTo(r io.Reader, n, limit int64) io.Reader {
	if limit <= 0 {
		return r
	}
	return io.LimitReader(r, n)
}
