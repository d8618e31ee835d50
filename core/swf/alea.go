package swf

import (
	"bytes"
	"fmt"
	"strconv"
)

// Alea is what the extended format of the Alea simulator adds to a job line: 21
// fields, of which the last three are the nodes that the job held, the name of
// its queue, and what it asked of nodes (package workload reads that). In this
// format fields 7 and 10 are bytes.
type Alea struct {
	Nodes []NodeUse // in the order of the line
	Queue string
	Spec  string // as it stands: "2:ppn=8:x86_64#excl"
}

// NodeUse is a node, by its number in the log, and the processors that a job
// held of it.
type NodeUse struct{ Node, Procs int32 }

// maxNodes bounds the node list of a line.
const maxNodes = 1 << 20

// readAlea reads what stands behind the 18 fields of a line; ok is false when it
// is not of the extended format.
func (l *Log) readAlea(rest []byte) (a Alea, ok bool) {
	fields := bytes.Fields(rest)
	if len(fields) != 3 || len(fields[0]) < 2 || fields[0][0] != '{' || fields[0][len(fields[0])-1] != '}' || len(fields[0]) > maxNodes {
		return a, false
	}
	list := fields[0][1 : len(fields[0])-1]
	for len(list) > 0 {
		one, more, _ := bytes.Cut(list, []byte{','})
		list = more
		n, err := strconv.ParseInt(string(one), 10, 32)
		if err != nil || n < 0 {
			return a, false
		}
		at := len(a.Nodes) - 1
		for at >= 0 && a.Nodes[at].Node != int32(n) {
			at--
		}
		if at < 0 {
			a.Nodes = append(a.Nodes, NodeUse{int32(n), 1})
		} else {
			a.Nodes[at].Procs++
		}
	}
	a.Queue, a.Spec = l.intern(fields[1]), l.intern(fields[2])
	return a, true
}

// intern keeps one copy of each text.
func (l *Log) intern(text []byte) string {
	if s, ok := l.texts[string(text)]; ok {
		return s
	}
	if l.texts == nil {
		l.texts = map[string]string{}
	}
	s := string(text)
	l.texts[s] = s
	return s
}

// keepAlea takes what the line of the record that comes next says beyond its 18
// fields.
func (l *Log) keepAlea(record int, a Alea) {
	for len(l.Alea) < record {
		l.Alea = append(l.Alea, Alea{})
	}
	l.Alea = append(l.Alea, a)
}

// AppendExtended is Append with what Alea says: names of queues and properties
// included, so not for logs that must not tell them.
func (l *Log) AppendExtended(dst []byte) []byte {
	return l.lines(dst, func(dst []byte, i int) []byte {
		dst = l.Records[i].Append(dst)
		if i >= len(l.Alea) || l.Alea[i].Spec == "" {
			return dst
		}
		dst = append(dst[:len(dst)-1], " {"...)
		for k, use := range l.Alea[i].Nodes {
			for n := range use.Procs {
				if k > 0 || n > 0 {
					dst = append(dst, ',')
				}
				dst = strconv.AppendInt(dst, int64(use.Node), 10)
			}
		}
		return fmt.Appendf(dst, "} %s %s\n", l.Alea[i].Queue, l.Alea[i].Spec)
	})
}
