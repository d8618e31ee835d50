package resource

import "batchlab/core/model"

// Kinds tell requests that ask for the same of a cluster from others. While
// planned jobs are gone through in order of their starts, to be moved earlier, a
// job that stays, or the start that it gets, says of all later ones of its kind
// that they find nothing before: what becomes free on the way lies behind the job
// that leaves it. The zero value is ready.
type Kinds struct {
	ids  map[kind]int32
	list []known
	pass int32
}

type kind struct {
	length         model.Time
	cluster, procs int32
}

// known is a time before which a kind finds nothing, as was found in a pass.
type known struct {
	kind
	since model.Time
	pass  int32
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
	is := kind{length, cluster, procs}
	if *hint < 0 || int(*hint) >= len(k.list) || k.list[*hint].kind != is {
		if k.ids == nil {
			k.ids = map[kind]int32{}
		}
		id, ok := k.ids[is]
		if !ok {
			id = int32(len(k.list))
			k.ids[is] = id
			k.list = append(k.list, known{kind: is})
		}
		*hint = id
	}
	e := &k.list[*hint]
	if e.pass != k.pass {
		e.since, e.pass = now, k.pass
	}
	return &e.since
}
