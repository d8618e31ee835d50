package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func newTestSite(t *testing.T) *site {
	t.Helper()
	return newSite(os.DirFS(testPage(t)))
}

// testPage is a built page of a few files, one of them with siblings.
func testPage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("wasm bytes"))
	z.Close()
	for name, text := range map[string]string{
		"index.html": "<!doctype html>", "app.wasm": "wasm bytes", "app.wasm.br": "brotli bytes",
		"app.wasm.gz": zipped.String(), "app.css": "a{}", "bin/batchlab": "program", ".secret.js": "x",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func ask(s http.Handler, method, path string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// Intent: the best coding that a client takes is sent, with the type of the
// plain file and its own entity tag; a client that takes none gets plain bytes.
func TestServeChoosesEncoding(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct{ accept, encoding, body string }{
		{"gzip, deflate, br, zstd", "br", "brotli bytes"},
		{"br;q=0, gzip", "gzip", ""},
		{"BR ; q=0.5", "br", "brotli bytes"},
		{"*", "br", "brotli bytes"},
		{"*;q=0", "", "wasm bytes"},
		{"identity", "", "wasm bytes"},
		{"", "", "wasm bytes"},
	} {
		r := ask(s, "GET", "/app.wasm", "Accept-Encoding", c.accept)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != 200 || r.Header.Get("Content-Encoding") != c.encoding || c.body != "" && string(body) != c.body {
			t.Errorf("Accept-Encoding %q: status %d, encoding %q, body %q", c.accept, r.StatusCode, r.Header.Get("Content-Encoding"), body)
		}
		if r.Header.Get("Content-Type") != "application/wasm" || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: type %q, vary %q", c.accept, r.Header.Get("Content-Type"), r.Header.Get("Vary"))
		}
		again := ask(s, "GET", "/app.wasm", "Accept-Encoding", c.accept, "If-None-Match", r.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("Accept-Encoding %q: unchanged file answers %d", c.accept, again.StatusCode)
		}
	}
}

// Intent: a file that a program holds only packed is sent as it is to who takes it so,
// and unpacked to all others; a file that is not there at all, or cannot be unpacked,
// is not found.
func TestServeUnpacks(t *testing.T) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write([]byte("wasm bytes"))
	zip.Close()
	s := newSite(unpacking{fstest.MapFS{"app.wasm.gz": {Data: packed.Bytes()}, "app.css": {Data: []byte("a{}")}, "bad.js.gz": {Data: []byte("no")}}})
	for _, c := range []struct{ path, accept, encoding, body string }{
		{"/app.wasm", "gzip", "gzip", packed.String()},
		{"/app.wasm", "identity", "", "wasm bytes"},
		{"/app.css", "gzip", "", "a{}"},
	} {
		r := ask(s, "GET", c.path, "Accept-Encoding", c.accept)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != 200 || r.Header.Get("Content-Encoding") != c.encoding || string(body) != c.body {
			t.Errorf("%s as %s: status %d, encoding %q, %q", c.path, c.accept, r.StatusCode, r.Header.Get("Content-Encoding"), body)
		}
	}
	if r := ask(s, "GET", "/app.wasm", "Range", "bytes=5-"); r.StatusCode != http.StatusPartialContent {
		t.Errorf("a part of it: status %d", r.StatusCode)
	}
	for _, path := range []string{"/other.wasm", "/bad.js"} {
		if r := ask(s, "GET", path, "Accept-Encoding", "identity"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
}

// Intent: a changed file gets another entity tag while the server runs.
func TestServeNoticesRebuild(t *testing.T) {
	dir := testPage(t)
	s := newSite(os.DirFS(dir))
	before := ask(s, "GET", "/app.css").Header.Get("ETag")
	if err := os.WriteFile(filepath.Join(dir, "app.css"), []byte("b{} "), 0o644); err != nil {
		t.Fatal(err)
	}
	if after := ask(s, "GET", "/app.css", "If-None-Match", before); after.StatusCode != 200 || after.Header.Get("ETag") == before {
		t.Errorf("after the change: status %d, tag %q as before", after.StatusCode, after.Header.Get("ETag"))
	}
}

// Intent: every answer carries the strict policy; nothing outside the page's
// own kinds of file is given away.
func TestServeRefuses(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/", 200}, {"HEAD", "/index.html", 200},
		{"GET", "/none.js", 404}, {"GET", "/bin/batchlab", 404}, {"GET", "/app.wasm.br", 404},
		{"GET", "/.secret.js", 404}, {"GET", "/../serve.go", 404}, {"GET", "/%2e%2e/%2e%2e/etc/passwd.txt", 404},
		{"POST", "/", 405}, {"DELETE", "/index.html", 405},
	} {
		r := ask(s, c.method, c.path)
		csp := r.Header.Get("Content-Security-Policy")
		if r.StatusCode != c.status {
			t.Errorf("%s %s: status %d instead of %d", c.method, c.path, r.StatusCode, c.status)
		}
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "'unsafe-eval'") || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: security headers missing: %q", c.method, c.path, csp)
		}
	}
}

// Intent: wrong use ends with exit code 2 and says what to do.
func TestServeBadUse(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--dist", empty, "--data", "none"}, "./build.sh build"},
		{[]string{"--dist", empty, "--data", file}, "not a folder"},
		{[]string{"--dist", empty, "--addr", "0.0.0.0:0"}, "--lan"},
		{[]string{"--dist", empty, "--addr", "192.0.2.1:80"}, "--lan"},
		{[]string{"--dist", empty, "--addr", ":8080"}, "--lan"},
		{[]string{"--dist", empty, "--addr", "nonsense"}, "--addr nonsense"},
		{[]string{"extra"}, `"extra"`},
		{[]string{"--nope"}, "nope"},
	} {
		var out, errs bytes.Buffer
		if code := dispatch(append([]string{"serve"}, c.args...), &out, &errs); code != 2 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("serve %v: exit %d, %q does not say %q", c.args, code, errs.String(), c.want)
		}
	}
}
