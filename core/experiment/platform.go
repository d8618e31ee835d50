package experiment

import "slices"

// platformKeys are the keys of a platform; machineKeys those that belong
// together: a platform that has one of them says everything of machines, and of the
// partitions that name these.
var (
	machineKeys  = []string{"processors", "clusters", "licences", "generator", "power_scales"}
	platformKeys = append([]string{"outages", "failures", "limits", "reservations", "partitions", "qos", "accounts"}, machineKeys...)
)

// IsPlatform says whether a text is the platform of a document by itself: an
// object with keys of a platform and none of a document.
func IsPlatform(data []byte) bool {
	root, err := parse(data, &faults{})
	if err != nil || root.kind != objectKind || len(root.keys) == 0 {
		return false
	}
	return slices.ContainsFunc(root.keys, func(key string) bool { return slices.Contains(platformKeys, key) }) &&
		!slices.ContainsFunc(root.keys, func(key string) bool {
			return key == "batchlab" || key == "workload" || key == "schedulers"
		})
}

// WithPlatform returns the experiment with what a platform by itself says in
// the place of its own: machines, outages, failures, limits and reservations,
// each as far as it is there. Faults name their place as those of a whole
// document do.
func (e *Experiment) WithPlatform(data []byte) (*Experiment, error) {
	c := codec{mode: reading}
	root, err := parse(data, &c.faults)
	if err != nil {
		return nil, err
	}
	if root.kind != objectKind {
		return nil, Errors{{Path: "platform", Message: "must be an object, not " + root.kind.String(), Line: 1}}
	}
	whole := e.tree(true)
	whole.remove("expect")
	platform := whole.get("platform")
	if slices.ContainsFunc(root.keys, func(key string) bool { return slices.Contains(machineKeys, key) }) {
		for _, key := range machineKeys {
			platform.remove(key)
		}
		platform.remove("partitions")
	}
	for i, key := range root.keys {
		platform.set(key, root.items[i])
	}
	plain(whole, len(data))
	out := &Experiment{}
	c.walk("", whole, out.visit)
	if err := c.err(data); err != nil {
		return nil, err
	}
	return out, nil
}

// EncodePlatform writes the platform of a valid experiment by itself, as
// WithPlatform reads it.
func EncodePlatform(e *Experiment) []byte {
	platform := e.tree(false).get("platform")
	if platform == nil {
		platform = &node{kind: objectKind}
	}
	return append(appendPretty(nil, platform, 0), '\n')
}

// FitsLink says whether a link may hold an experiment: larger ones go as files.
func FitsLink(e *Experiment) bool {
	return len(appendPlain(nil, e.tree(false), "")) <= MaxBytes && len(EncodeLink(e)) <= MaxLink
}

// plain gives the objects of a tree that was written the places that one that
// was read has: none.
func plain(n *node, end int) {
	if missing := len(n.keys) - len(n.keyAt); missing > 0 {
		n.keyAt = append(n.keyAt, make([]int, missing)...)
	}
	n.at = min(n.at, end)
	for _, item := range n.items {
		plain(item, end)
	}
}
