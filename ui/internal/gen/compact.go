package main

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// What vugu's generator writes out at every node, and the functions of ui that
// do the same in fewer bytes of program. Together they take two thirds off the
// page's generated code.
var (
	textNode    = regexp.MustCompile(`(?m)^(\t*)vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: ("(?:[^"\\]|\\.)*")\}\n\t*vgparent\.AppendChild\(vgn\)\n`)
	elementNode = regexp.MustCompile(`(?m)^(\t*)vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(3\), Namespace: "", Data: ("\w+"), Attr: \[\]vugu\.VGAttribute(?:\(nil\)|\{(.*)\})\}\n\t*vgparent\.AppendChild\(vgn\)\n`)
	attribute   = regexp.MustCompile(`^(?:vugu\.VGAttribute)?\{Namespace: "", Key: ("(?:[^"\\]|\\.)*"), Val: ("(?:[^"\\]|\\.)*")\}(?:, |$)`)
	setAttr     = regexp.MustCompile(`(?m)^(\t*)vgn\.AddAttrInterface\(`)
	setHTML     = regexp.MustCompile(`(?m)^(\t*)vgn\.SetInnerHTML\(`)
	handler     = regexp.MustCompile(`(?m)^(\t*)vgn\.DOMEventHandlerSpecList = append\(vgn\.DOMEventHandlerSpecList, vugu\.DOMEventHandlerSpec\{\n\t*EventType: ("\w+"),\n\t*Func: +`)
	newComp     = regexp.MustCompile(`(?m)^(\t*)vgcompKey := vugu\.MakeCompKey\((0x[0-9A-F]+)\^vgin\.CurrentPositionHash\(\), (\w+)\)\n\t*// ask BuildEnv .*\n\t*vgcomp, _ := vgin\.BuildEnv\.CachedComponent\(vgcompKey\)\.\(\*(\w+)\)\n\t*if vgcomp == nil \{\n\t*// create new one if needed\n\t*vgcomp = new\(\w+\)\n\t*vgin\.BuildEnv\.WireComponent\(vgcomp\)\n\t*\}\n\t*vgin\.BuildEnv\.UseComponent\(vgcompKey, vgcomp\).*\n`)
	useComp     = regexp.MustCompile(`(?m)^(\t*)vgout\.Components = append\(vgout\.Components, vgcomp\)\n\t*vgn = &vugu\.VGNode\{Component: vgcomp\}\n\t*vgparent\.AppendChild\(vgn\)\n`)
	leaf        = regexp.MustCompile(`^\t*vgn = (?:space|text|use)\(`)
	made        = regexp.MustCompile(`^\t*vgn = element\(`)
	handlerEnd  = regexp.MustCompile(`(?m),\n\t*// TODO: implement capture, etc\. mostly need to decide syntax\n\t*\}\)\n`)
)

// compact replaces them. Space between elements becomes a single line feed,
// which a browser shows alike.
func compact(code []byte) []byte {
	code = textNode.ReplaceAllFunc(code, func(m []byte) []byte {
		part := textNode.FindSubmatch(m)
		text, err := strconv.Unquote(string(part[2]))
		if err == nil && strings.TrimSpace(text) == "" && strings.Contains(text, "\n") {
			return []byte(string(part[1]) + "vgn = space(vgparent)\n")
		}
		return []byte(string(part[1]) + "vgn = text(vgparent, " + string(part[2]) + ")\n")
	})
	code = elementNode.ReplaceAllFunc(code, func(m []byte) []byte {
		part := elementNode.FindSubmatch(m)
		name, err := strconv.Unquote(string(part[2]))
		list := part[3]
		for len(list) > 0 && err == nil {
			a := attribute.FindSubmatch(list)
			if a == nil {
				return m // something unknown: leave it
			}
			list = list[len(a[0]):]
			var key, value string
			if key, err = strconv.Unquote(string(a[1])); err == nil {
				value, err = strconv.Unquote(string(a[2]))
			}
			name += "\x00" + key + "\x00" + value
		}
		if err != nil {
			return m
		}
		return []byte(string(part[1]) + "vgn = element(vgparent, " + strconv.Quote(name) + ")\n")
	})
	code = setAttr.ReplaceAll(code, []byte("${1}attr(vgn, "))
	code = setHTML.ReplaceAll(code, []byte("${1}inner(vgn, "))
	if n := len(handler.FindAll(code, -1)); n == len(handlerEnd.FindAll(code, -1)) && n == bytes.Count(code, []byte("DOMEventHandlerSpec{")) {
		code = handler.ReplaceAll(code, []byte("${1}on(vgn, $2, "))
		code = handlerEnd.ReplaceAll(code, []byte(")\n"))
	}
	code = newComp.ReplaceAll(code, []byte("${1}vgcomp := component[$4](vgin, $2, $3)\n"))
	code = useComp.ReplaceAll(code, []byte("${1}vgn = use(vgout, vgparent, vgcomp)\n"))
	return drop(code)
}

// drop leaves out assignments of nodes that nothing uses: texts never have
// anything within, and of an element the next line would tell.
func drop(code []byte) []byte {
	lines := bytes.SplitAfter(code, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		next := bytes.TrimSpace(lines[i+1])
		used := bytes.Equal(next, []byte("{")) || bytes.Contains(next, []byte("(vgn, ")) || bytes.Contains(next, []byte("vgn."))
		if leaf.Match(line) || made.Match(line) && !used {
			lines[i] = bytes.Replace(line, []byte("vgn = "), nil, 1)
		}
	}
	return bytes.Join(lines, nil)
}
