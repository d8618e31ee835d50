package draw

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Intent: what comes from outside is text wherever it stands; markup stands as it is,
// numbers as SVG takes them, and what is left of a form behind its last part.
func TestHTML(t *testing.T) {
	got := HTML(`<p title="{}">{}{}<b>{} {} {} {}</b></p>`, `"><script>`, "a & 'b' <i>", HTML(`<i>{}</i>`, "<"), 7, int64(-8), 2.5, true)
	if want := `<p title="&quot;&gt;&lt;script&gt;">a &amp; &#39;b&#39; &lt;i&gt;<i>&lt;</i><b>7 -8 2.5 true</b></p>`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
	var w Writer
	w.Add(`<br>`)
	w.Put(`{}{}`, When(true, " on"), When(false, " off"))
	if w.Markup() != "<br> on" || w.Len() != len("<br> on") || Join([]Markup{"<br>", " on"}) != w.Markup() {
		t.Errorf("%q", w.Markup())
	}
}

// Intent: no name can become markup. A form is a constant, which the compiler sees to;
// what it cannot see is that nobody makes markup of a string, or puts a string into a page.
func TestMarkupIsWritten(t *testing.T) {
	made := regexp.MustCompile("\\bMarkup\\([^)`\"(]")
	put := regexp.MustCompile(`innerHTML|insertAdjacentHTML|outerHTML`)
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		kit := filepath.Dir(path) == "../draw"
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "internal") {
			return err
		}
		data, err := os.ReadFile(path)
		files++
		for i, line := range strings.Split(string(data), "\n") {
			code, _, _ := strings.Cut(line, "//")
			if conversion := made.FindString(code); conversion != "" && !strings.Contains(code, ".Markup(p.S)") && path != "../draw/markup.go" && !strings.Contains(code, "func ") {
				t.Errorf("%s:%d makes markup of a string", path, i+1)
			}
			if put.MatchString(code) && !kit && !strings.Contains(code, `.Get("innerHTML")`) {
				t.Errorf("%s:%d puts markup into the page by itself: draw.Inner, Write, Put and Morph do", path, i+1)
			}
		}
		return err
	})
	if err != nil || files < 150 {
		t.Fatalf("%d files, %v", files, err)
	}
}
