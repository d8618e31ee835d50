package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"batchlab/edge"
)

// checkAddress refuses an address that other computers reach unless that was
// asked for.
func checkAddress(addr string, lan bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %v", addr, err)
	}
	ip, err := netip.ParseAddr(host)
	if lan || host == "localhost" || err == nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("--addr %s is reached by other computers: add --lan if you want that", addr)
}

// plainLAN reports whether a browser sees this server as an insecure address of
// the local network.
func plainLAN(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	ip, err := netip.ParseAddr(host)
	return r.TLS == nil && err == nil && !ip.IsLoopback()
}

// memoryLimit bounds short links that are kept in memory, in bytes.
const memoryLimit = 64 << 20

// loopbackOnly answers nothing but requests for a loopback address or name: the
// page of another site may have its own name point here (DNS rebinding), and
// would read and store as if it were this one.
func loopbackOnly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback(r.Host) {
			http.Error(w, "this server answers only for this computer's own addresses, such as 127.0.0.1 and localhost; start it with --lan for others", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// loopback reports whether a Host header names this computer alone.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// openLinks opens the store of short links in a folder, by default in the
// user's own data. It is nil when none is wanted.
func openLinks(dir string, stderr io.Writer) (edge.Store, error) {
	if dir == "none" {
		return nil, nil
	}
	given := dir != ""
	if !given {
		base, err := os.UserConfigDir()
		if err != nil {
			fmt.Fprintf(stderr, "Short links are kept only until the server stops (%v); --data DIR keeps them\n", err)
			return &edge.Memory{Limit: memoryLimit}, nil
		}
		dir = filepath.Join(base, "batchlab", "links")
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("--data %s is not a folder", dir)
	}
	store, err := edge.OpenFile(dir, edge.DefaultLimit)
	switch {
	case err == nil:
		return store, nil
	case given:
		return nil, fmt.Errorf("--data %s: short links cannot be stored there: %w", dir, err)
	}
	fmt.Fprintf(stderr, "Short links are kept only until the server stops (%v); --data DIR keeps them\n", err)
	return &edge.Memory{Limit: memoryLimit}, nil
}

// withLinks serves short links beside the page. Other computers may store
// postsPerMinute of them each; this one, any number.
func withLinks(page http.Handler, store edge.Store, postsPerMinute int, stderr io.Writer) http.Handler {
	if store == nil {
		return page
	}
	limiter := edge.NewLimiter(max(1, postsPerMinute), max(1, postsPerMinute), time.Now)
	links := edge.New(store, edge.Options{
		Allow: func(r *http.Request) (bool, int) {
			client, err := netip.ParseAddrPort(r.RemoteAddr)
			if err != nil || client.Addr().Unmap().IsLoopback() || postsPerMinute <= 0 {
				return true, 0
			}
			return limiter.Allow(client.Addr())
		},
		Fault: func(err error) {
			if !errors.Is(err, http.ErrAbortHandler) {
				fmt.Fprintln(stderr, "batchlab: serve:", err)
			}
		},
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if edge.Serves(r.URL.Path) {
			links.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
}
