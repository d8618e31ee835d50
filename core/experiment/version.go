package experiment

import "strconv"

// upgraders turn documents of version i + 1 into version i + 2, so that old
// files and links are read for ever. An upgrader writes out each default of
// its version that the next version changed, since documents may leave
// defaults out: no old document may come to mean anything else. That covers
// the catalog's defaults, too.
var upgraders = []func(*node){}

// upgrade brings a document up to Version, or says why it cannot.
func upgrade(root *node) error {
	v := root.get("batchlab")
	if v == nil {
		return Errors{{Path: "batchlab", Line: 1,
			Message: `missing: this is not an experiment of Batchlab, which states its version as "batchlab": ` + strconv.Itoa(Version)}}
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	switch {
	case v.kind != numberKind || err != nil || n < 1:
		return Errors{{Path: "batchlab", Line: 1, Message: "must be the document's version, a whole number from 1 to " + strconv.Itoa(Version)}}
	case n > Version:
		return Errors{{Path: "batchlab", Line: 1, Message: "this experiment was written by a newer Batchlab (version " +
			strconv.FormatInt(n, 10) + " of the document; this one reads up to " + strconv.Itoa(Version) + "): open it with a newer one"}}
	}
	for ; n < Version; n++ {
		upgraders[n-1](root)
	}
	v.text = strconv.Itoa(Version)
	return nil
}
