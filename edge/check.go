package edge

import (
	"fmt"

	"github.com/tidwall/gjson"

	"batchlab/core/experiment"
)

// Limits of a document beside those of package experiment. They are looked at
// first, since they cost least.
const (
	maxDepth  = 32   // objects and arrays within each other
	maxValues = 8000 // members and elements of all of them
	maxText   = 2000 // bytes of a key or a text
)

// check says what is wrong with a document, nil when it may be stored. The
// errors are experiment.Errors.
func check(data []byte) error {
	if at := tooDeep(data); at > 0 {
		return wrong("", "more than %d objects and arrays stand within each other (at byte %d)", maxDepth, at)
	}
	if gjson.ValidBytes(data) {
		left := maxValues
		if err := sizes(gjson.ParseBytes(data), "", &left); err != nil {
			return err
		}
	}
	_, err := experiment.DecodeShared(data)
	return err
}

// tooDeep returns the place of the bracket that opens one level too many, 0
// when there is none.
func tooDeep(data []byte) int {
	depth, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return i + 1
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return 0
}

// sizes checks how many values there are, and how long. v is valid and not too
// deep.
func sizes(v gjson.Result, path string, left *int) (err error) {
	if v.Type == gjson.String && len(v.Raw) > maxText {
		return wrong(path, "the text has %d bytes; at most %d are stored", len(v.Raw), maxText)
	}
	if !v.IsObject() && !v.IsArray() {
		return nil
	}
	i := 0
	v.ForEach(func(key, value gjson.Result) bool {
		at := fmt.Sprintf("%s[%d]", path, i)
		if v.IsObject() {
			if len(key.Raw) > maxText {
				err = wrong(path, "a key has %d bytes; at most %d are stored", len(key.Raw), maxText)
				return false
			}
			at = key.String()
			if path != "" {
				at = path + "." + at
			}
		}
		i++
		if *left--; *left < 0 {
			err = wrong(at, "the document has more than %d values", maxValues)
			return false
		}
		err = sizes(value, at, left)
		return err == nil
	})
	return err
}

func wrong(path, format string, args ...any) error {
	return experiment.Errors{{Path: path, Message: fmt.Sprintf(format, args...)}}
}
