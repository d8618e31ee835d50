package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"batchlab/edge"
)

// serve serves the built page until it is interrupted. The exit status is 1 when the
// address cannot be used, 2 for bad flags or a folder that holds no built page.
func serve(c *call) action {
	c.intro = "Serves the page on this computer until it is stopped with Ctrl+C."
	addr := c.text("addr", "HOST:PORT", "127.0.0.1:8080", "Where to listen; port 0 takes a free one.")
	dist := c.text("dist", "DIR", "", "Folder of the built page (default: the one inside this program; without one dist here, or beside the program).")
	data := c.text("data", "DIR", "", "Folder for stored short links, made when missing (default: batchlab/links in the user's own data); none keeps none.")
	lan := c.toggle("lan", "Allow an address that other computers reach.")
	posts := c.whole("posts-per-minute", "N", 60, 0, 1_000_000, "Short links that one other computer may store, 0: any number. (default 60)")
	return func(rest []string) (any, error) {
		if len(rest) > 0 {
			return nil, fmt.Errorf("serve: unexpected argument %q", rest[0])
		}
		err := checkAddress(*addr, *lan)
		var links edge.Store
		if err == nil {
			links, err = openLinks(*data, c.stderr)
		}
		var page fs.FS
		if err == nil {
			page, err = findPage(*dist)
		}
		var listener net.Listener
		if err == nil {
			if listener, err = net.Listen("tcp", *addr); err != nil {
				err = unwritten{err}
			}
		}
		if err != nil {
			return nil, fmt.Errorf("serve: %w", err)
		}
		handler := withLinks(newSite(page), links, int(*posts), c.stderr)
		if !*lan {
			handler = loopbackOnly(handler)
		}
		return nil, serveOn(c, listener, handler)
	}
}

// serveOn serves until a signal comes.
func serveOn(c *call, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		wait, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if server.Shutdown(wait) != nil {
			server.Close()
		}
	}()
	fmt.Fprintf(c.stderr, "Batchlab is at http://%s (stop with Ctrl+C)\n", listener.Addr())
	fmt.Fprintf(c.stdout, "{\"url\":\"http://%s\"}\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", unwritten{err})
	}
	return nil
}

// inside is the page that stands in the program itself: that of a release, nil in
// one that was built without.
var inside fs.FS

// findPage returns the built page: that of the folder dir, or when that is empty
// the one inside, else the first of ./dist and the program's own surroundings that
// holds one.
func findPage(dir string) (fs.FS, error) {
	candidates := []string{dir}
	if dir == "" {
		if inside != nil {
			return inside, nil
		}
		candidates = []string{"dist"}
		if exe, err := os.Executable(); err == nil {
			candidates = append(candidates, filepath.Dir(filepath.Dir(exe)), filepath.Join(filepath.Dir(exe), "dist"))
		}
	}
	for _, c := range candidates {
		if _, err := os.Stat(filepath.Join(c, "app.wasm")); err == nil {
			return os.DirFS(c), nil
		}
	}
	return nil, fmt.Errorf("no built page in %s: run ./build.sh build first, or name its folder with --dist", candidates[0])
}

// site serves the files of a page. A file's .br and .gz siblings are sent to
// clients that accept them.
type site struct {
	page fs.FS
	mu   sync.Mutex
	tags map[string]tag // by name
}

// tag is a file's entity tag, good as long as the file is unchanged.
type tag struct {
	modified time.Time
	size     int64
	value    string
}

func newSite(page fs.FS) *site {
	return &site{page: page, tags: map[string]tag{}}
}

// types are the media types of what the build makes; fixed here because the
// operating system's tables differ.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".wasm":        "application/wasm",
	".json":        "application/json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".ico":         "image/x-icon",
	".swf":         "text/plain; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	edge.Secure(h)
	if plainLAN(r) {
		h.Del("Cross-Origin-Opener-Policy") // which browsers only complain about there
	}
	h.Set("Cache-Control", "no-cache")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := path.Clean("/" + r.URL.Path)
	if name == "/" {
		name = "/index.html"
	}
	kind, known := types[path.Ext(name)]
	if !known || strings.Contains(name, "/.") || strings.HasPrefix(name, "/bin/") {
		http.NotFound(w, r)
		return
	}
	h.Set("Vary", "Accept-Encoding")
	for _, e := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if e.name == "" || accepts(r.Header.Get("Accept-Encoding"), e.name) {
			if s.send(w, r, strings.TrimPrefix(name, "/")+e.suffix, kind, e.name) {
				return
			}
		}
	}
	http.NotFound(w, r)
}

// send sends one file as it stands and says whether it exists.
func (s *site) send(w http.ResponseWriter, r *http.Request, file, kind, encoding string) bool {
	opened, err := s.page.Open(file)
	if err != nil {
		return false
	}
	defer opened.Close()
	f, ok := opened.(io.ReadSeeker) // files on disk and inside the program are
	info, err := opened.Stat()
	if err != nil || !ok || !info.Mode().IsRegular() {
		return false
	}
	etag, err := s.tag(file, f, info)
	if err != nil {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("ETag", etag)
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
		r = r.Clone(r.Context())
		r.Header.Del("Range") // a range would be one of the compressed bytes
	}
	http.ServeContent(w, r, file, time.Time{}, f)
	return true
}

// tag returns a file's entity tag, from its content, and leaves f at its start.
func (s *site) tag(file string, f io.ReadSeeker, info fs.FileInfo) (string, error) {
	s.mu.Lock()
	old := s.tags[file]
	s.mu.Unlock()
	if old.value != "" && old.size == info.Size() && old.modified.Equal(info.ModTime()) {
		return old.value, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	value := `"` + hex.EncodeToString(hash.Sum(nil)[:12]) + `"`
	s.mu.Lock()
	s.tags[file] = tag{info.ModTime(), info.Size(), value}
	s.mu.Unlock()
	return value, nil
}

// accepts says whether an Accept-Encoding header takes the coding: it is named
// (or *) with a weight other than 0.
func accepts(header, coding string) bool {
	star := false
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != coding && name != "*" {
			continue
		}
		ok := true
		if q, found := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q="); found {
			weight, err := strconv.ParseFloat(q, 64)
			ok = err == nil && weight > 0
		}
		if name == coding {
			return ok
		}
		star = ok
	}
	return star
}
