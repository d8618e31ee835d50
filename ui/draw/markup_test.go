package draw

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
// what it cannot see is that nobody makes markup of a string, or puts markup or elements
// into a page beside Put, which leaves alone what somebody uses.
func TestMarkupIsWritten(t *testing.T) {
	made := regexp.MustCompile("\\bMarkup\\([^)`\"(]")
	put := regexp.MustCompile(`innerHTML|insertAdjacentHTML|outerHTML|createElement|createContextualFragment|DOMParser`)
	lines(t, func(path string, n int, code string) {
		if conversion := made.FindString(code); conversion != "" && !strings.Contains(code, ".Markup(p.S)") && path != "../draw/markup.go" && !strings.Contains(code, "func ") {
			t.Errorf("%s:%d makes markup of a string", path, n)
		}
		if put.MatchString(code) && filepath.Dir(path) != "../draw" {
			t.Errorf("%s:%d puts markup or elements into the page by itself: draw.Put, Build and Node do", path, n)
		}
	})
}

// Intent: charts are figures. By the pen only scenes are drawn: timelines of jobs, with
// what is put on them.
func TestDrawingWays(t *testing.T) {
	scenes := []string{"../scene/", "../instant/", "../view/gantt/gantt.go", "../view/gantt/closedrows.go", "../view/plan/plan.go", "../view/start/story.go"}
	pen := regexp.MustCompile(`\bdraw\.(Pen|NewCanvas|Canvas)\b`)
	canvas := []string{"../view/gantt/", "../view/search/search_js.go"} // so many jobs, so many policies
	lines(t, func(path string, n int, code string) {
		allowed := scenes
		if strings.Contains(code, "Canvas") {
			allowed = canvas
		}
		if pen.MatchString(code) && !slices.ContainsFunc(allowed, func(s string) bool { return strings.HasPrefix(path, s) }) {
			t.Errorf("%s:%d draws by itself: a chart is a draw.Figure", path, n)
		}
	})
}

// lines hands over each line of the page's code, without its comment.
func lines(t *testing.T, f func(path string, n int, code string)) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "internal") {
			return err
		}
		data, err := os.ReadFile(path)
		files++
		for i, line := range strings.Split(string(data), "\n") {
			code, _, _ := strings.Cut(line, "//")
			f(path, i+1, code)
		}
		return err
	})
	if err != nil || files < 150 {
		t.Fatalf("%d files, %v", files, err)
	}
}
