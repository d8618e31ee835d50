package pool

import (
	"slices"

	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// fetching are the states of the studies' program.
type fetching uint8

const (
	notFetched fetching = iota
	isFetched
	beingFetched
)

// unfetched says that the studies' program did not come.
type unfetched struct{ error }

// Error says what is missing and why.
func (u unfetched) Error() string {
	return "the second half of Batchlab could not be loaded: " + u.error.Error()
}

// Unwrap returns why.
func (u unfetched) Unwrap() error { return u.error }

// OnFetch sets who is told while the studies' program comes.
func (p *Pool) OnFetch(told func(engine.Fetching)) { p.told = told }

func (p *Pool) studiesHere() bool { return p.fetch == isFetched }

// fetchStudies asks for the studies' program, once. When it cannot be had,
// everything that waits for it fails; the next task asks again.
func (p *Pool) fetchStudies() {
	if p.fetch != notFetched {
		return
	}
	p.fetch = beingFetched
	tell := func(f engine.Fetching) {
		if p.told != nil {
			p.told(f)
		}
	}
	tell(engine.Fetching{Active: true})
	p.host.Fetch(func(got, total int) {
		if p.fetch == beingFetched {
			tell(engine.Fetching{Active: true, Got: got, Total: total})
		}
	}, func(err error) {
		if err == nil {
			p.fetch = isFetched
			tell(engine.Fetching{})
			p.dispatch()
			return
		}
		p.fetch = notFetched
		err = unfetched{err}
		tell(engine.Fetching{Err: err})
		waiting := slices.Clone(p.queue)
		p.queue = slices.DeleteFunc(p.queue, func(t *task) bool { return t.studies })
		for _, t := range waiting {
			if t.studies {
				t.finish(bridge.Reply{}, nil, err)
			}
		}
	})
}

// again hands a task that the page's own program turned down to the studies'.
// That is how files are recognised that only the latter reads.
func (p *Pool) again(t *task) {
	if t.over {
		return
	}
	if t.log != "" {
		p.needs[t.log] = true
	}
	t.studies, t.refused = true, true
	p.submit(t, true)
}
