//go:build !small

package tell

const steps = true
