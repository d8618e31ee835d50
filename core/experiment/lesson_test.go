package experiment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"batchlab/static/lessons"
)

// A case that does not exist is a fault at its place, also where later steps go on with
// it: reading it ended the program.
func TestLessonOfUnknownCase(t *testing.T) {
	_, err := DecodeLesson([]byte(`{"batchlab-lesson":1,"title":"Mine","steps":[{"text":"Look.","case":"hol"},{"text":"Go on.","look":{"at":60}},{"text":"When?","ask":{"prompt":"When?","kind":"tim","of":"start","job":9}}]}`))
	if err == nil || !strings.Contains(err.Error(), "steps[0].case") || !strings.Contains(err.Error(), "hole") || !strings.Contains(err.Error(), "steps[2].ask.kind") {
		t.Errorf("%v", err)
	}
}

// Whatever one value of a lesson becomes, reading it gives a lesson or an error.
func TestLessonDamaged(t *testing.T) {
	files, err := lessons.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	read, refused := 0, 0
	for _, f := range files {
		data, err := lessons.Files.ReadFile(f.Name())
		if err != nil || f.Name() == "index.json" {
			continue
		}
		var doc any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		try := func() {
			text, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			read++
			l, err := DecodeLesson(text)
			if err != nil {
				refused++
				return
			}
			for i := range l.Steps {
				l.Of(i)
			}
		}
		var walk func(value any, set func(any))
		walk = func(value any, set func(any)) {
			switch v := value.(type) {
			case map[string]any:
				for key, child := range v {
					walk(child, func(x any) { v[key] = x })
				}
			case []any:
				for i, child := range v {
					walk(child, func(x any) { v[i] = x })
				}
			}
			for _, damaged := range []any{"hol", 99.0, []any{}} {
				set(damaged)
				try()
			}
			set(value)
		}
		for key, child := range doc.(map[string]any) {
			walk(child, func(x any) { doc.(map[string]any)[key] = x })
		}
		if again, err := json.Marshal(doc); err != nil || !bytes.Contains(again, []byte("batchlab-lesson")) {
			t.Fatal(err)
		}
		if testing.Short() {
			break
		}
	}
	if read < 100 || refused < read/2 {
		t.Errorf("%d documents, of which %d are refused", read, refused)
	}
}

// Intent: a lesson with a question that says nothing after its answer is written so that
// it can be read again.
func TestNothingSaidAfterwards(t *testing.T) {
	l, err := DecodeLesson([]byte(`{"batchlab-lesson":1,"title":"T","steps":[{"text":"Look.","case":"hole","look":{"at":300},"ask":{"prompt":"When?","kind":"time","of":"start","job":3,"options":[600,3600]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeLesson(l.Encode())
	if err != nil || again.Identity() != l.Identity() {
		t.Error(err)
	}
}
