// Package bench measures the speed of the core: schedulers as multiples of the
// event floor, against their plain twins, and under growing load and backlog.
// README.md holds the figures and how to make them again; nothing here is a
// test that a slow machine could fail.
package bench
