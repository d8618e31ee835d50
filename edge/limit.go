package edge

import (
	"math"
	"net/netip"
	"sync"
	"time"
)

// Limiter lets each client store so many experiments at once, and so many a
// minute in the long run. It keeps clients in memory only, and only while it
// needs to. Use it from any goroutine.
type Limiter struct {
	burst, rate float64 // rate: a second
	now         func() time.Time
	mu          sync.Mutex
	clients     map[netip.Prefix]bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// maxClients bounds the memory of a Limiter; then those that are no longer
// limited are forgotten, and if that is not enough, all.
const maxClients = 10_000

// NewLimiter returns a limiter. now is a clock.
func NewLimiter(burst, perMinute int, now func() time.Time) *Limiter {
	return &Limiter{burst: float64(burst), rate: float64(perMinute) / 60, now: now, clients: map[netip.Prefix]bucket{}}
}

// Allow says whether a client at an address may do one thing more, and else
// after how many seconds. An IPv6 client is its /64, which one household has.
func (l *Limiter) Allow(addr netip.Addr) (ok bool, retry int) {
	bits := 32
	if addr = addr.Unmap(); addr.Is6() {
		bits = 64
	}
	client, err := addr.Prefix(bits)
	if err != nil {
		return true, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b, known := l.clients[client]
	if !known {
		if len(l.clients) >= maxClients {
			l.forget(now)
		}
		b.left = l.burst
	} else {
		b.left = min(l.burst, b.left+now.Sub(b.at).Seconds()*l.rate)
	}
	b.at = now
	if ok = b.left >= 1; ok {
		b.left--
	} else {
		retry = int(math.Ceil((1 - b.left) / l.rate))
	}
	l.clients[client] = b
	return ok, retry
}

func (l *Limiter) forget(now time.Time) {
	for c, b := range l.clients {
		if b.left+now.Sub(b.at).Seconds()*l.rate >= l.burst {
			delete(l.clients, c)
		}
	}
	if len(l.clients) >= maxClients {
		clear(l.clients)
	}
}
