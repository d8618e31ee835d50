package resource

import "batchlab/core/model"

// Kinds tell requests that ask for the same of a cluster from others. While
// planned jobs are gone through in order of their starts, to be moved earlier, a
// job that stays, or the start that it gets, says of all later ones of its kind
// that they find nothing before: what becomes free on the way lies behind the job
// that leaves it. The zero value is ready.
type Kinds struct {
	ids  map[kind]int32
	list []Known
	pass int32
}

type kind struct {
	length         model.Time
	cluster, procs int32
}

// Known is what was found in a pass about a kind.
type Known struct {
	Since model.Time // before it there is nothing
	Gap   model.Time // nor for jobs that start by then, as of Turn; for the caller to know
	Turn  int32      // 0 at the beginning
	pass  int32
	kind
}

// Reset forgets all kinds.
func (k *Kinds) Reset() {
	clear(k.ids)
	k.list, k.pass = k.list[:0], 0
}

// Begin forgets what was found, before jobs are gone through.
func (k *Kinds) Begin() { k.pass++ }

// Since returns the time before which a request finds nothing, now at the
// beginning, for the caller to change until the next call. hint remembers the
// kind; it is −1 or what an earlier call has left there.
func (k *Kinds) Since(hint *int32, cluster, procs int32, length, now model.Time) *model.Time {
	return &k.Of(hint, cluster, procs, length, now).Since
}

// Of returns what is known of a request's kind, like Since.
func (k *Kinds) Of(hint *int32, cluster, procs int32, length, now model.Time) *Known {
	is := kind{length, cluster, procs}
	if *hint < 0 || int(*hint) >= len(k.list) || k.list[*hint].kind != is {
		if k.ids == nil {
			k.ids = map[kind]int32{}
		}
		id, ok := k.ids[is]
		if !ok {
			id = int32(len(k.list))
			k.ids[is] = id
			k.list = append(k.list, Known{kind: is})
		}
		*hint = id
	}
	e := &k.list[*hint]
	if e.pass != k.pass {
		e.Since, e.Gap, e.Turn, e.pass = now, now, 0, k.pass
	}
	return e
}
