//go:build js && wasm

// Command page is the program of the page.
package main

import (
	"syscall/js"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"
)

// placeholder is the page until ui provides its root component.
type placeholder struct{}

// Build implements vugu.Builder.
func (*placeholder) Build(*vugu.BuildIn) *vugu.BuildOut {
	root := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
	root.Attr = []vugu.VGAttribute{{Key: "id", Val: "app"}}
	root.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: "Batchlab"})
	return &vugu.BuildOut{Out: []*vugu.VGNode{root}}
}

func main() {
	renderer, err := domrender.New("#app")
	if err != nil {
		panic(err)
	}
	env, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		panic(err)
	}
	root := &placeholder{}
	for ok := true; ok; ok = renderer.EventWait() {
		if err := renderer.Render(env.RunBuild(root)); err != nil {
			panic(err)
		}
		js.Global().Get("document").Get("documentElement").Get("dataset").Set("ready", "1")
	}
}
