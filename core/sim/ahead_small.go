//go:build small

package sim

// Ahead is false: this build runs plain experiments only.
const Ahead = false
