//go:build !js

// Command worker is the share server as a Cloudflare Worker. It is built for
// GOOS=js; natively the same handler runs in batchlab serve.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "edge/worker runs on Cloudflare only: build it with ./build.sh worker; here use batchlab serve")
	os.Exit(2)
}
