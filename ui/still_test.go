package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What comes and goes stands in an element of its own, or behind everything that can
// have the focus: Vugu brings children up to date by their place, so that what is
// taken in or out before a field makes the field another one, under the hands of
// whoever types in it.
func TestNothingComesInBeforeAField(t *testing.T) {
	files, err := filepath.Glob("*.vugu")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	// An element, its parent and whether it can have the focus, or something in it.
	type element struct {
		text       string
		parent     int
		goes, uses bool
	}
	tag := regexp.MustCompile(`</?[a-zA-Z][\w:-]*(?:\s+[^\s=>/]+(?:=(?:"[^"]*"|'[^']*'))?)*\s*/?>`)
	uses := regexp.MustCompile(`^<(input|select|textarea|button|a|ui:|vg-comp)|data-(sections|island)|tabindex`)
	always := regexp.MustCompile(`range (catalog\.|places|v\.Parts)`) // lists that never change
	open := []string{"input", "br", "img"}                            // which have no end
	seen := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(string(data), "<script")
		list, at := []element{{parent: -1}}, 0
		for _, one := range tag.FindAllString(text, -1) {
			if strings.HasPrefix(one, "</") {
				if at = list[at].parent; list[at].parent < -1 {
					t.Fatalf("%s: an end too many", file)
				}
				continue
			}
			e := element{text: one, parent: at, goes: strings.Contains(one, " vg-if=") || strings.Contains(one, " vg-for=") && !always.MatchString(one), uses: uses.MatchString(one)}
			list = append(list, e)
			for up := at; e.uses && up >= 0; up = list[up].parent {
				list[up].uses = true
			}
			if name := strings.FieldsFunc(one, func(r rune) bool { return strings.ContainsRune("< >/", r) })[0]; !slices.Contains(open, name) && !strings.HasSuffix(one, "/>") {
				at = len(list) - 1
			}
		}
		for i, e := range list {
			if !e.goes {
				continue
			}
			seen++
			for k := i + 1; k < len(list); k++ {
				if next := list[k]; next.parent == e.parent && next.uses && !next.goes {
					t.Errorf("%s: %.70s… comes and goes before %.70s…", file, e.text, next.text)
					break
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d elements that come and go", seen)
	}
}
