// Package paper draws what the studies of papers gave, beside what was published.
package paper
