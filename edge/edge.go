// Package edge is the server of short links, as one http.Handler that runs
// natively and as a Cloudflare Worker:
//
//	POST /x      stores an experiment document, at most 64 KiB, and answers its id
//	GET  /x/ID   opens the page with it in a browser; programs get the document
//
// What is stored is named by its content and never changes: the id is the first
// 11 base64url characters of the SHA-256 of the stored bytes, one more on a
// collision. It stores experiment documents only: no logs, no addresses, no
// names of clients. It knows experiment documents but not the simulator.
//
// A short link sends a browser on to /?x=ID, and the page asks for the document itself:
// so the page can come from the service worker, and the view behind # stays in the
// browser. The store has two methods, Get and Add (memory, files, Workers KV); edge/worker
// is the same handler for Cloudflare, and the tests compare the answers of both.
package edge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"batchlab/core/experiment"
)

// MaxBytes is the size of the largest document that is stored.
const MaxBytes = experiment.MaxBytes

// Lengths of ids, in characters.
const (
	minID = 11
	maxID = 43 // all of a SHA-256
)

// Options are what surrounds the handler.
type Options struct {
	// Allow says whether a client may store something now; nil: always. retry
	// is after how many seconds it may again.
	Allow func(r *http.Request) (ok bool, retry int)
	// Fault is told of failures of the store; nil: nobody is.
	Fault func(error)
}

// New returns the handler of /x and /x/ID over a store.
func New(store Store, o Options) http.Handler { return &handler{store, o} }

// Serves reports whether a path belongs to the handler.
func Serves(path string) bool { return path == "/x" || strings.HasPrefix(path, "/x/") }

type handler struct {
	store Store
	o     Options
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	Secure(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	id, named := strings.CutPrefix(r.URL.Path, "/x/")
	switch {
	case r.URL.Path != "/x" && !named:
		h.refuse(w, r, http.StatusNotFound, "there is nothing here")
	case named && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		h.get(w, r, id)
	case !named && r.Method == http.MethodOptions: // the page asks whether there are short links
		w.Header().Set("Allow", "POST")
		w.WriteHeader(http.StatusNoContent)
	case !named && r.Method == http.MethodPost:
		h.post(w, r)
	default:
		allow := "GET, HEAD"
		if !named {
			allow = "POST"
		}
		w.Header().Set("Allow", allow)
		h.refuse(w, r, http.StatusMethodNotAllowed, "only "+allow)
	}
}

// post stores a document.
func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	if foreign(r) {
		h.refuse(w, r, http.StatusForbidden, "another site may not store experiments here")
		return
	}
	if h.o.Allow != nil {
		if ok, retry := h.o.Allow(r); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(max(1, retry)))
			h.refuse(w, r, http.StatusTooManyRequests, "too many experiments in a short time: wait a little")
			return
		}
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		h.refuse(w, r, http.StatusUnsupportedMediaType, "send the document as it is, not packed")
		return
	}
	if r.ContentLength > MaxBytes {
		h.refuse(w, r, http.StatusRequestEntityTooLarge, tooLarge)
		return
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, MaxBytes+1))
	switch {
	case err != nil:
		h.refuse(w, r, http.StatusBadRequest, "the document did not arrive whole")
		return
	case len(data) > MaxBytes:
		h.refuse(w, r, http.StatusRequestEntityTooLarge, tooLarge)
		return
	}
	if err := check(data); err != nil {
		answer(w, http.StatusBadRequest, fault(err))
		return
	}
	id, fresh, err := Put(r.Context(), h.store, data)
	if errors.Is(err, ErrFull) {
		h.refuse(w, r, http.StatusInsufficientStorage, "the store of short links is full: send the long link")
		return
	}
	if err != nil {
		h.broken(w, r, err)
		return
	}
	w.Header().Set("Location", "/x/"+id)
	status := http.StatusOK
	if fresh {
		status = http.StatusCreated
	}
	answer(w, status, struct {
		ID  string `json:"id"`
		URL string `json:"url"`
	}{id, "/x/" + id})
}

const tooLarge = "the document has more than 65536 bytes"

// Put stores data under its id and returns it. It returns once the data is
// safe; fresh is false when they were there before.
func Put(ctx context.Context, store Store, data []byte) (id string, fresh bool, err error) {
	full := fullID(data)
	for n := minID; n <= maxID; n++ {
		id := full[:n]
		old, err := store.Get(ctx, id)
		if errors.Is(err, ErrNone) {
			fresh = true
			old, err = store.Add(ctx, id, data)
		}
		if err != nil {
			return "", false, err
		}
		if bytes.Equal(old, data) {
			return id, fresh, nil
		}
		fresh = false // something else stands there: one character more
	}
	return "", false, errors.New("edge: two documents with one SHA-256")
}

// fullID is the base64url text of the SHA-256 of data.
func fullID(data []byte) string {
	sum := sha256.Sum256(data)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// ValidID reports whether id can be one.
func ValidID(id string) bool {
	if len(id) < minID || len(id) > maxID {
		return false
	}
	for _, c := range []byte(id) {
		if !(c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return true
}

// get sends a stored document, or a browser to the page that opens it. The
// page then asks for the document itself; what stands behind # in the short
// link (the view) stays in the browser.
func (h *handler) get(w http.ResponseWriter, r *http.Request, id string) {
	if !ValidID(id) {
		h.refuse(w, r, http.StatusNotFound, "no experiment has this id")
		return
	}
	data, err := h.store.Get(r.Context(), id)
	switch {
	case errors.Is(err, ErrNone):
		h.refuse(w, r, http.StatusNotFound, "no experiment has this id")
		return
	case err != nil:
		h.broken(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Vary", "Accept")
	if wantsPage(r) {
		header.Set("Location", "../?x="+id)
		header.Set("Cache-Control", "no-cache")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("ETag", `"`+id+`"`)
	if r.Header.Get("If-None-Match") == `"`+id+`"` {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(http.StatusOK)
	w.Write(data) // of an answer to HEAD nothing is sent
}

// wantsPage reports whether a person follows the link.
func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// foreign reports whether a page of another site sends the request.
func foreign(r *http.Request) bool {
	if s := r.Header.Get("Sec-Fetch-Site"); s != "" {
		return s != "same-origin" && s != "none"
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}

// problem is the body of every refusal.
type problem struct {
	Error  string  `json:"error"`
	Errors []place `json:"errors,omitempty"`
}

type place struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
}

// fault turns the errors of a document into a body.
func fault(err error) problem {
	p := problem{Error: err.Error()}
	var list experiment.Errors
	if errors.As(err, &list) {
		for _, e := range list {
			p.Errors = append(p.Errors, place{e.Path, e.Message, e.Line})
		}
	}
	return p
}

// broken answers when the store fails. What failed is for the operator only.
func (h *handler) broken(w http.ResponseWriter, r *http.Request, err error) {
	if h.o.Fault != nil {
		h.o.Fault(fmt.Errorf("edge: %w", err))
	}
	w.Header().Set("Retry-After", "10")
	h.refuse(w, r, http.StatusServiceUnavailable, "the store of short links cannot be reached: try again, or send the long link")
}

// refuse answers with an error. What a client still sends is read first, up to
// a bound, since some servers trip over it otherwise.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	if r.Body != nil {
		io.Copy(io.Discard, io.LimitReader(r.Body, 1<<20))
	}
	answer(w, status, problem{Error: text})
}

func answer(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil { // all bodies are plain text and lists of it
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)+1))
	w.WriteHeader(status)
	w.Write(append(data, '\n'))
}
