package experiment

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"batchlab/core/catalog"
)

// MaxLink is the length of the longest link that is read, in characters.
const MaxLink = 64 << 10

// EncodeLink returns the fragment of a link to a valid experiment, with its
// "#": "#x=" and base64url (without padding) of the deflated (raw) document.
// What is at the default of the document's version is left out; title and
// expect are in it.
func EncodeLink(e *Experiment) string { return "#x=" + linkText(EncodeCompact(e)) }

// linkText returns the text of a link's part that holds data.
func linkText(data []byte) string {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic(err) // only for a level that does not exist
	}
	w.Write(data) // a bytes.Buffer takes everything
	w.Close()
	return base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// DecodeLink reads the experiment in a link: a whole address, a fragment with
// or without "#", or "x=…"; what follows behind "&" is not looked at. The work
// is bounded whatever the link holds. Errors are Errors; those of a damaged
// link say where.
func DecodeLink(link string) (*Experiment, error) {
	data, err := unpackLink(link, "x", "experiment")
	if err != nil {
		return nil, err
	}
	return DecodeShared(data)
}

// unpackLink returns the data in a link's part key, which holds a what.
func unpackLink(link, key, what string) ([]byte, error) {
	if _, fragment, ok := strings.Cut(link, "#"); ok {
		link = fragment
	}
	link, ok := value(strings.TrimSpace(link), key)
	switch {
	case !ok || link == "":
		return nil, linkError("the link holds no %s: it has no #%s=…", what, key)
	case len(link) > MaxLink:
		return nil, linkError("the link has %d characters; at most %d are read", len(link), MaxLink)
	}
	if at := strings.IndexFunc(link, func(r rune) bool { return !strings.ContainsRune(base64url, r) }); at >= 0 {
		r := []rune(link[at:])[0]
		return nil, linkError("the link is damaged at character %d of %d: %q cannot stand there; it was probably changed when it was copied", at+1, len(link), r)
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(link)
	if err != nil {
		return nil, linkError("the link is damaged at its end: it was probably cut off when it was copied")
	}
	in := bytes.NewReader(packed)
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(in), MaxBytes+1))
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, linkError("the link ends too early, after %d characters: it was probably cut off when it was copied", len(link))
	case errors.As(err, &corrupt):
		at := min(int(corrupt)*4/3+1, len(link))
		return nil, linkError("the link is damaged near character %d of %d: it was probably changed when it was copied", at, len(link))
	case err != nil:
		return nil, linkError("the link is damaged: %v", err)
	case len(data) > MaxBytes:
		return nil, linkError("the link unpacks to more than %d bytes, which is more than a link may hold", MaxBytes)
	case in.Len() > 0:
		return nil, linkError("the link is damaged behind character %d of %d: something was added when it was copied", (len(packed)-in.Len())*4/3, len(link))
	}
	return data, nil
}

// DecodeShared reads a document as Decode does, for where it is not run from the
// command line: a scheduler that would start a program on the reader's computer
// is refused.
func DecodeShared(data []byte) (*Experiment, error) {
	e, err := Decode(data)
	if err == nil {
		err = e.RefusePrograms("links and the page take none; download the document and use batchlab run")
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// RefusePrograms returns Errors with a reason for the first scheduler that is a
// program of its own; nil when none is.
func (e *Experiment) RefusePrograms(why string) error {
	for i := range e.Schedulers {
		if key := e.Schedulers[i].Key; catalog.IsProgram(key) {
			return Errors{{Path: join(index("schedulers", i), "key"), Code: CodeProgram,
				Message: key + " starts a program on the computer where it runs: " + why}}
		}
	}
	return nil
}

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// LinkPart returns the part of a link with the given key, "" when it has none:
// beside x, the experiment, a link may have v, the view.
func LinkPart(link, key string) string {
	if _, fragment, ok := strings.Cut(link, "#"); ok {
		link = fragment
	}
	if len(link) > 2*MaxLink {
		return ""
	}
	v, _ := value(strings.TrimSpace(link), key)
	return v
}

// value returns what stands behind "key=" in a fragment of parts joined by "&".
func value(fragment, key string) (string, bool) {
	for part := range strings.SplitSeq(fragment, "&") {
		if v, ok := strings.CutPrefix(part, key+"="); ok {
			return v, true
		}
	}
	return "", false
}

func linkError(format string, args ...any) error {
	return Errors{{Message: fmt.Sprintf(format, args...)}}
}
