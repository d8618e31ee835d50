package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"batchlab/edge"
)

// A server on a loopback address answers loopback hosts only, to reading and to
// posting: a name of another site that points here (DNS rebinding) gets nothing
// and stores nothing.
func TestLoopbackHosts(t *testing.T) {
	store := new(edge.Memory)
	h := loopbackOnly(withLinks(newTestSite(t), store, 60, new(strings.Builder)))
	for host, want := range map[string]bool{
		"127.0.0.1:8080": true, "127.0.0.1": true, "localhost:8080": true, "LOCALHOST.": true, "lab.localhost:1": true, "[::1]:8080": true, "127.9.9.9": true,
		"evil.example:8080": false, "localhost.evil.example": false, "127.0.0.1.evil.example:8080": false, "192.168.1.5:8080": false, "": false, "[::]:80": false, "0.0.0.0:8080": false,
	} {
		for _, method := range []string{"GET", "POST"} {
			path, body := "/app.css", ""
			if method == "POST" {
				path, body = "/x", `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]}`
			}
			r := httptest.NewRequest(method, path, strings.NewReader(body))
			r.Host = host
			r.Header.Set("Origin", "http://"+host)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if ok := w.Code == 200 || w.Code == 201; ok != want || !want && w.Code != http.StatusMisdirectedRequest {
				t.Errorf("%s for %q: %d", method, host, w.Code)
			}
		}
	}
}
