//go:build !small

package lab

// small says whether this build leaves the studies out, see small.go.
const small = false
