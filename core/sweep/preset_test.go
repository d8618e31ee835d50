package sweep

import (
	"encoding/json"
	"reflect"
	"testing"

	"batchlab/core/paper"
)

// Intent: a preset gives the same rows and digest when what its pieces leave
// behind travels as JSON, as it does between the page's workers, whatever the
// order of the pieces; stopped in the middle, it gives rows and no digest.
func TestPresetPieces(t *testing.T) {
	for _, key := range []string{"techiouba2008-figure1a", "legrand2018-figure4"} {
		p := paper.Find(key)
		plain, err := Preset(p, Options{Quick: true})
		if err != nil || len(plain.Rows) == 0 || plain.Digest == "" {
			t.Fatalf("%s: %v", key, err)
		}
		stop := false
		each := func(n int, work func(worker, item int) error, result func(item int) any) error {
			for k := range n {
				i := n - 1 - k
				if stop {
					if i = k; k > n/2 {
						return paper.ErrCancelled
					}
				}
				if err := work(0, i); err != nil {
					return err
				}
				text, err := json.Marshal(result(i))
				if err != nil {
					return err
				}
				to := reflect.ValueOf(result(i)).Elem()
				to.SetZero()
				if err := json.Unmarshal(text, result(i)); err != nil {
					return err
				}
			}
			return nil
		}
		passed, err := Preset(p, Options{Quick: true, Each: each})
		if err != nil || passed.Digest != plain.Digest || !reflect.DeepEqual(passed.Rows, plain.Rows) {
			t.Errorf("%s: by pieces: %v, digest %s instead of %s", key, err, passed.Digest, plain.Digest)
		}
		stop = true
		part, err := Preset(p, Options{Quick: true, Each: each})
		if err != nil || !part.Partial || part.Digest != "" || len(part.Rows) >= len(plain.Rows) {
			t.Errorf("%s: stopped: %v, %+v", key, err, part)
		}
	}
}
