package ui

import (
	"strings"

	"github.com/vugu/vugu"

	"batchlab/ui/draw"
)

// The generated code builds its nodes by these functions, see ui/internal/gen:
// one call is a fraction of what vugu's generator writes out. They are not
// inlined, which would bring all of it back.

// element appends an element to its parent. what is its name, and behind it
// names and values of attributes, all separated by zero bytes.
//
//go:noinline
func element(parent *vugu.VGNode, what string) *vugu.VGNode {
	name, list, more := strings.Cut(what, "\x00")
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: name}
	if more {
		n.Attr = make([]vugu.VGAttribute, 0, (strings.Count(list, "\x00")+1)/2)
		for more {
			var key, value string
			key, list, _ = strings.Cut(list, "\x00")
			value, list, more = strings.Cut(list, "\x00")
			n.Attr = append(n.Attr, vugu.VGAttribute{Key: key, Val: value})
		}
	}
	parent.AppendChild(n)
	return n
}

// text appends a text to its parent.
//
//go:noinline
func text(parent *vugu.VGNode, s string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.TextNode, Data: s}
	parent.AppendChild(n)
	return n
}

// space appends space between elements.
//
//go:noinline
func space(parent *vugu.VGNode) *vugu.VGNode { return text(parent, "\n") }

// attr adds an attribute; false and nil add none.
//
//go:noinline
func attr[T any](n *vugu.VGNode, key string, value T) { n.AddAttrInterface(key, value) }

// inner sets what an element holds: text, or markup.
//
//go:noinline
func inner[T any](n *vugu.VGNode, value T) {
	if m, ok := any(value).(draw.Markup); ok {
		n.SetInnerHTML(vugu.HTML(m))
		return
	}
	n.SetInnerHTML(value)
}

// on lets an element answer an event.
//
//go:noinline
func on(n *vugu.VGNode, event string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: event, Func: f})
}

// component returns the component of a place in the page: the one that was
// there at the last render, or a new one. id and key tell places apart.
//
//go:noinline
func component[T any, P interface {
	*T
	vugu.Builder
}](in *vugu.BuildIn, id uint64, key any) P {
	k := vugu.MakeCompKey(id^in.CurrentPositionHash(), key)
	c, _ := in.BuildEnv.CachedComponent(k).(P)
	if c == nil {
		c = new(T)
		in.BuildEnv.WireComponent(c)
	}
	in.BuildEnv.UseComponent(k, c)
	return c
}

// use appends a component to its parent.
//
//go:noinline
func use(out *vugu.BuildOut, parent *vugu.VGNode, c vugu.Builder) *vugu.VGNode {
	out.Components = append(out.Components, c)
	n := &vugu.VGNode{Component: c}
	parent.AppendChild(n)
	return n
}
