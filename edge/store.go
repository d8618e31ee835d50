package edge

import (
	"context"
	"errors"
	"sync"
)

// ErrNone says that a store has nothing under an id.
var ErrNone = errors.New("edge: nothing is stored under this id")

// ErrFull says that a store takes nothing more. What is stored stays.
var ErrFull = errors.New("edge: the store is full")

// Store keeps what is shared, for ever: nothing is changed or deleted.
type Store interface {
	// Get returns what stands under id, or ErrNone.
	Get(ctx context.Context, id string) ([]byte, error)
	// Add stores data under id unless something stands there, and returns what
	// stands there afterwards. When it returns without an error, a crash does
	// not undo it. A store that has no room fails with ErrFull.
	Add(ctx context.Context, id string, data []byte) ([]byte, error)
}

// Memory is a Store that forgets with the process. The zero value is empty.
type Memory struct {
	Limit int64 // bytes of all documents together; 0: no bound
	mu    sync.Mutex
	all   map[string][]byte
	size  int64
}

// Get implements Store.
func (m *Memory) Get(_ context.Context, id string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if data, ok := m.all[id]; ok {
		return data, nil
	}
	return nil, ErrNone
}

// Add implements Store.
func (m *Memory) Add(_ context.Context, id string, data []byte) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.all[id]; ok {
		return old, nil
	}
	if m.Limit > 0 && m.size+int64(len(data)) > m.Limit {
		return nil, ErrFull
	}
	m.size += int64(len(data))
	if m.all == nil {
		m.all = map[string][]byte{}
	}
	m.all[id] = append([]byte(nil), data...)
	return m.all[id], nil
}
