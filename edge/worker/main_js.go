//go:build js && wasm

// Command worker is the share server as a Cloudflare Worker. Each request gets a
// program of its own, so nothing is kept in memory: documents stand in the KV
// namespace LINKS, and the limit of posts is the binding POSTS.
package main

import (
	"context"
	"errors"
	"net/http"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/kv"

	"batchlab/edge"
)

func main() {
	workers.Serve(edge.New(store{}, edge.Options{
		Allow: allow,
		Fault: func(err error) { js.Global().Get("console").Call("error", err.Error()) },
	}))
}

// store is a Workers KV namespace.
type store struct{}

var _ edge.Store = store{}

// Get implements edge.Store.
func (store) Get(_ context.Context, id string) ([]byte, error) {
	links, err := kv.NewNamespace("LINKS")
	if err != nil {
		return nil, err
	}
	// What is there never changes, so that Cloudflare may keep it near.
	text, err := links.GetString(id, &kv.GetOptions{CacheTTL: 3600})
	switch {
	case err != nil:
		return nil, err
	case text == "" || text == "<null>": // no document begins so
		return nil, edge.ErrNone
	}
	return []byte(text), nil
}

// Add implements edge.Store. KV cannot add only what is missing; between
// looking and writing another may store the same bytes, which does no harm.
func (s store) Add(ctx context.Context, id string, data []byte) ([]byte, error) {
	if old, err := s.Get(ctx, id); !errors.Is(err, edge.ErrNone) {
		return old, err
	}
	links, err := kv.NewNamespace("LINKS")
	if err != nil {
		return nil, err
	}
	return data, links.PutString(id, string(data), nil)
}

// allow asks Cloudflare's rate limit, by the client's address. Without the
// binding there is no limit.
func allow(r *http.Request) (ok bool, retry int) {
	posts := cloudflare.GetBinding("POSTS")
	if !posts.Truthy() {
		return true, 0
	}
	client := r.Header.Get("CF-Connecting-IP")
	if client == "" {
		client = "unknown"
	}
	got, err := await(posts.Call("limit", map[string]any{"key": client}))
	if err != nil {
		return true, 0 // better without a limit than without links
	}
	return got.Get("success").Bool(), 60
}

// await waits for a promise.
func await(promise js.Value) (value js.Value, err error) {
	done := make(chan struct{})
	yes := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value = args[0]
		close(done)
		return nil
	})
	no := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = js.Error{Value: args[0]}
		close(done)
		return nil
	})
	defer yes.Release()
	defer no.Release()
	promise.Call("then", yes, no)
	<-done
	return value, err
}
