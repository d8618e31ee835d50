package ui

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/vugu/vugu"

	"batchlab/ui/draft"
	"batchlab/ui/state"
)

// Field is one labelled input of the left column, bound to the settings by its
// id (see state.Store.Input).
type Field struct {
	S  *state.Store
	ID string

	in draft.Input
}

// Compute implements vugu's hook before each render.
func (c *Field) Compute() { c.in, _ = c.S.Input(c.ID) }

func (c *Field) class() string {
	return "field" + when(c.in.Error != "", " wrong") + when(c.in.Varies, " waves")
}

func (c *Field) errorID() string { return c.ID + "-error" }

// describedBy names the message that belongs to the input, nil when there is
// none, so that the attribute is left out.
func (c *Field) describedBy() any {
	if c.in.Error == "" {
		return nil
	}
	return c.errorID()
}

func (c *Field) changed(e vugu.DOMEvent) { c.S.SetField(c.ID, e.PropString("target", "value")) }

func (c *Field) checked(e vugu.DOMEvent) {
	c.S.SetField(c.ID, when(e.PropBool("target", "checked"), "true"))
}

// plain writes a number for the browser.
func plain(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// unit stands behind the number, unless the label says it already, or the text
// does: 7d.
func (c *Field) unit() string {
	if strings.EqualFold(c.in.Unit, c.in.Name) || c.in.Unit == "s" && strings.ContainsFunc(c.in.Text, unicode.IsLetter) {
		return ""
	}
	return c.in.Unit
}

// words reports whether the input takes words and lists, not one number.
func (c *Field) words() bool {
	return strings.HasSuffix(c.ID, ".label") || strings.HasSuffix(c.ID, ".formula") || strings.HasSuffix(c.ID, ".scales") || strings.HasSuffix(c.ID, "users")
}
