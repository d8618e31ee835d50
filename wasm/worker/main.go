//go:build js && wasm

// Command worker is the simulation worker of the page.
package main

func main() { select {} }
