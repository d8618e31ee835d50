//go:build !js

package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	gosync "sync"
	"testing"
	"time"

	"batchlab/core/experiment"
)

const small = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]}`

func ask(h http.Handler, method, path, body string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// stores are all stores that run natively.
func stores(t *testing.T) map[string]Store {
	f, err := OpenFile(filepath.Join(t.TempDir(), "links"), DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Store{"memory": new(Memory), "file": f}
}

// Intent: what is stored comes back byte for byte under the id of its content,
// as often as it is stored; a browser is sent to the page.
func TestStoreAndOpen(t *testing.T) {
	for name, store := range stores(t) {
		h := New(store, Options{})
		spaced := strings.ReplaceAll(small, ":", ": ")
		for i, body := range []string{small, small, spaced} {
			r := ask(h, "POST", "/x", body)
			var got struct{ ID, URL string }
			if err := json.Unmarshal([]byte(text(t, r)), &got); err != nil {
				t.Fatal(err)
			}
			want := http.StatusCreated
			if i == 1 {
				want = http.StatusOK
			}
			if r.StatusCode != want || got.ID != fullID([]byte(body))[:11] || got.URL != "/x/"+got.ID || r.Header.Get("Location") != got.URL {
				t.Errorf("%s: post %d: %d %+v", name, i, r.StatusCode, got)
			}
			r = ask(h, "GET", "/x/"+got.ID, "")
			if r.StatusCode != 200 || text(t, r) != body || r.Header.Get("Content-Type") != "application/json" || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: get %d: %d", name, i, r.StatusCode)
			}
			if r := ask(h, "GET", "/x/"+got.ID, "", "If-None-Match", r.Header.Get("ETag")); r.StatusCode != 304 {
				t.Errorf("%s: unchanged: %d", name, r.StatusCode)
			}
			r = ask(h, "GET", "/x/"+got.ID, "", "Accept", "text/html,*/*;q=0.8")
			if r.StatusCode != 303 || r.Header.Get("Location") != "../?x="+got.ID {
				t.Errorf("%s: a browser gets %d, %q", name, r.StatusCode, r.Header.Get("Location"))
			}
			if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "'unsafe-eval'") {
				t.Errorf("%s: policy %q", name, csp)
			}
		}
	}
}

// Intent: whatever is wrong is refused with its status, and a document with
// the path of its fault.
func TestRefusals(t *testing.T) {
	h := New(new(Memory), Options{})
	deep := strings.Repeat("[", 60_000)
	wide := `{"batchlab":1,"filter":[` + strings.Repeat("1,", 20_000) + `1]}`
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/x", "", 400, "error"},
		{"POST", "/x", "{", 400, "error"},
		{"POST", "/x", "not json", 400, "error"},
		{"POST", "/x", strings.Replace(small, `"easy"`, `"eassy"`, 1), 400, "schedulers[0].key"},
		{"POST", "/x", strings.Replace(small, `{"key"`, `{"params":{"ordr":"saf"},"key"`, 1), 400, "schedulers[0].params.ordr"},
		{"POST", "/x", `{"batchlab":1,"batchlab":1}`, 400, "batchlab"},
		{"POST", "/x", deep, 400, "within each other"},
		{"POST", "/x", wide, 400, "values"},
		{"POST", "/x", `{"batchlab":1,"title":"` + strings.Repeat("x", 3000) + `"}`, 400, `"title"`},
		{"POST", "/x", small + strings.Repeat(" ", MaxBytes), 413, "65536"},
		{"PUT", "/x", small, 405, "POST"},
		{"GET", "/x", "", 405, "POST"},
		{"POST", "/x/abcdefghijk", small, 405, "GET"},
		{"DELETE", "/x/abcdefghijk", "", 405, "GET"},
		{"GET", "/x/abcdefghijk", "", 404, "no experiment"},
		{"GET", "/x/", "", 404, "no experiment"},
		{"GET", "/x/../../etc/passwd", "", 404, "error"},
		{"GET", "/x/abc%2fdefghijkl", "", 404, "no experiment"},
		{"GET", "/x/abcdefghij", "", 404, "no experiment"},
		{"GET", "/x/" + strings.Repeat("a", 44), "", 404, "no experiment"},
		{"GET", "/other", "", 404, "error"},
	} {
		r := ask(h, c.method, c.path, c.body)
		if body := text(t, r); r.StatusCode != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s %s %.60s: %d %.300s", c.method, c.path, c.body, r.StatusCode, body)
		}
		if r.Header.Get("Content-Security-Policy") == "" || r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: headers %v", c.method, c.path, r.Header)
		}
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		if r := ask(h, "POST", "/x", small, headers...); r.StatusCode != 403 {
			t.Errorf("%v: %d", headers, r.StatusCode)
		}
	}
	if r := ask(h, "POST", "/x", small, "Origin", "http://example.com", "Sec-Fetch-Site", "same-origin"); r.StatusCode != 201 {
		t.Errorf("the page itself: %d", r.StatusCode)
	}
	if r := ask(h, "POST", "/x", small, "Content-Encoding", "gzip"); r.StatusCode != 415 {
		t.Errorf("packed: %d", r.StatusCode)
	}
}

// broken is a store that is away.
type broken struct{}

func (broken) Get(context.Context, string) ([]byte, error) {
	return nil, errors.New("disk at /secret/place")
}
func (broken) Add(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("disk at /secret/place")
}

// Intent: a store that fails is told to the operator; a client learns only that
// it may try again.
func TestBrokenStore(t *testing.T) {
	told := 0
	h := New(broken{}, Options{Fault: func(error) { told++ }})
	for _, r := range []*http.Response{ask(h, "POST", "/x", small), ask(h, "GET", "/x/abcdefghijk", "")} {
		if body := text(t, r); r.StatusCode != 503 || strings.Contains(body, "secret") || r.Header.Get("Retry-After") == "" {
			t.Errorf("%d %s", r.StatusCode, body)
		}
	}
	if told != 2 {
		t.Errorf("told %d times", told)
	}
}

// Intent: when another document stands under an id, the id grows by one
// character; both stay readable.
func TestCollision(t *testing.T) {
	for name, store := range stores(t) {
		full := fullID([]byte(small))
		if name == "memory" { // a file is believed only when its content fits its name
			if _, err := store.Add(t.Context(), full[:11], []byte("another")); err != nil {
				t.Fatal(err)
			}
			id, fresh, err := Put(t.Context(), store, []byte(small))
			if id != full[:12] || !fresh || err != nil {
				t.Errorf("%s: %q, %v, %v", name, id, fresh, err)
			}
			if id, fresh, _ := Put(t.Context(), store, []byte(small)); id != full[:12] || fresh {
				t.Errorf("%s: again %q, %v", name, id, fresh)
			}
			continue
		}
		path, err := store.(*File).path(full[:11])
		if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte("damaged"), 0o600) != nil {
			t.Fatal("cannot damage a file")
		}
		if _, err := store.Get(t.Context(), full[:11]); !errors.Is(err, ErrNone) {
			t.Errorf("a damaged file is read: %v", err)
		}
		id, _, err := Put(t.Context(), store, []byte(small))
		if data, _ := store.Get(t.Context(), id); id != full[:12] || string(data) != small || err != nil {
			t.Errorf("%s: %q, %q, %v", name, id, data, err)
		}
	}
}

// Intent: many at once store the same and other documents; each answer is true,
// also for a store that is opened again.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	file, err := OpenFile(dir, DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	var wait gosync.WaitGroup
	ids := make([]string, 400)
	for i := range ids {
		wait.Go(func() {
			e, _ := experiment.Preset("demo")
			e.Seed = uint64(i % 100)
			id, _, err := Put(context.Background(), file, experiment.Encode(e))
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
		})
	}
	wait.Wait()
	again, err := OpenFile(dir, DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		data, err := again.Get(t.Context(), id)
		if err != nil || fullID(data)[:11] != id || id != ids[i%100] {
			t.Fatalf("%d: %s: %v", i, id, err)
		}
	}
	if rest, _ := filepath.Glob(filepath.Join(dir, "*", ".new-*")); len(rest) > 0 {
		t.Errorf("left behind: %v", rest)
	}
}

// Intent: a client that stores too much waits; others do not, and it may again
// after the time it was told.
func TestLimiter(t *testing.T) {
	now := time.Unix(0, 0)
	l := NewLimiter(3, 60, func() time.Time { return now })
	a, b := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8:0:1::1")
	for range 3 {
		if ok, _ := l.Allow(a); !ok {
			t.Fatal("refused too early")
		}
	}
	ok, retry := l.Allow(netip.MustParseAddr("2001:db8::2"))
	if ok || retry != 1 {
		t.Errorf("the fourth of one network: %v, %d s", ok, retry)
	}
	if ok, _ := l.Allow(b); !ok {
		t.Error("another client is refused")
	}
	now = now.Add(time.Second)
	if ok, _ := l.Allow(a); !ok {
		t.Error("refused after the wait")
	}
	for i := range 3 * maxClients {
		l.Allow(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))
	}
	if len(l.clients) > maxClients {
		t.Errorf("%d clients in memory", len(l.clients))
	}
	h := New(new(Memory), Options{Allow: func(*http.Request) (bool, int) { return false, 7 }})
	if r := ask(h, "POST", "/x", small); r.StatusCode != 429 || r.Header.Get("Retry-After") != "7" {
		t.Errorf("limited: %d, %q", r.StatusCode, r.Header.Get("Retry-After"))
	}
}

// Intent: 10,000 mutated bodies end in an id or a message.
func TestMutatedBodies(t *testing.T) {
	h := New(new(Memory), Options{})
	demo, _ := experiment.Preset("demo")
	good := string(experiment.Encode(demo))
	rng := rand.New(rand.NewPCG(3, 1))
	count := map[int]int{}
	for range 10_000 {
		b := []byte(good)
		for range 1 + rng.IntN(4) {
			at := rng.IntN(len(b))
			switch rng.IntN(4) {
			case 0:
				b = append(b[:at:at], b[at/2:]...)
			case 1:
				b = b[:at+1]
			default:
				b[at] = byte(rng.IntN(256))
			}
		}
		r := ask(h, "POST", "/x", string(b))
		count[r.StatusCode]++
		if r.StatusCode == 400 && !bytes.Contains([]byte(text(t, r)), []byte(`"error":"`)) {
			t.Errorf("no message for %.100q", b)
		}
	}
	if count[400] < 5000 || count[400]+count[200]+count[201]+count[413] != 10_000 {
		t.Errorf("answers by status: %v", count)
	}
}

// Intent: static hosts send the same security headers.
func TestStaticHeaders(t *testing.T) {
	data, err := os.ReadFile("../static/_headers")
	if err != nil {
		t.Fatal(err)
	}
	want := "/*\n"
	for _, p := range Headers {
		want += "  " + p[0] + ": " + p[1] + "\n"
	}
	if string(data) != want {
		t.Errorf("static/_headers differs from edge.Headers:\n%s", want)
	}
}
