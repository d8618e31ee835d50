//go:build !js

package edge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A store that is full says so, keeps what it has, and takes again what it has.
func TestStoreIsBounded(t *testing.T) {
	file, err := OpenFile(t.TempDir(), 3*block)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, store := range map[string]Store{"file": file, "memory": &Memory{Limit: 40}} {
		var ids []string
		var full error
		for i := 0; i < 10 && full == nil; i++ {
			id, _, err := Put(ctx, store, []byte(fmt.Sprintf("document %03d", i)))
			if full = err; err == nil {
				ids = append(ids, id)
			}
		}
		if !errors.Is(full, ErrFull) || len(ids) != 3 {
			t.Errorf("%s: %d stored, %v", name, len(ids), full)
		}
		for i, id := range ids {
			want := fmt.Sprintf("document %03d", i)
			if data, err := store.Get(ctx, id); err != nil || string(data) != want {
				t.Errorf("%s: %q, %v", name, data, err)
			}
			if again, fresh, err := Put(ctx, store, []byte(want)); again != id || fresh || err != nil {
				t.Errorf("%s: %s, %v, %v", name, again, fresh, err)
			}
		}
	}
	again, err := OpenFile(file.dir, 3*block) // what is there counts
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Put(ctx, again, []byte("one more")); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
}

// What a killed process was writing is swept when the store is opened, and once
// more when it has aged; what is being written just now stays.
func TestLeftoversAreSwept(t *testing.T) {
	dir := t.TempDir()
	left := func(name string, age time.Duration) string {
		path := filepath.Join(dir, "ab", name)
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	old, young, stored := left(".new-1", 2*time.Minute), left(".new-2", time.Second), left("abcdefghijk.json", time.Hour)
	f, err := OpenFile(dir, DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	if there(old) || !there(young) || !there(stored) {
		t.Errorf("opened: old %v, young %v, stored %v", there(old), there(young), there(stored))
	}
	f.swept = f.swept.Add(-2 * time.Minute) // as if it had been opened earlier
	left(".new-2", 2*time.Minute)
	if _, _, err := Put(context.Background(), f, []byte("a document")); err != nil {
		t.Fatal(err)
	}
	if there(young) || !there(stored) {
		t.Errorf("later: %v, %v", there(young), there(stored))
	}
}
