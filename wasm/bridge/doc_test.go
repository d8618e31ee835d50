package bridge

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tables of messages in docs/architecture.md name all kinds of requests and
// replies that are read, and no other; and the requests that get no answer of their
// own are those of the sentence below them.
func TestMessagesOfThePage(t *testing.T) {
	data, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "### Messages")
	page, _, _ = strings.Cut(page, "\n### ")
	kinds := func(head string) (list []string) {
		_, table, ok := strings.Cut(page, "\n| "+head+" |")
		table, _, _ = strings.Cut(table, "\n\n")
		if !ok {
			t.Fatalf("there is no table of each %s", head)
		}
		for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(table, -1) {
			list = append(list, m[1])
		}
		return list
	}
	for head, want := range map[string][]string{"request": requests, "reply": replies} {
		got, want := kinds(head), slices.Clone(want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("each %s: the page has %v, the code %v", head, got, want)
		}
		for _, kind := range want {
			_, asked := DecodeRequest(fmt.Appendf(nil, `{"kind":%q,"id":0}`, kind))
			_, answered := DecodeReply(fmt.Appendf(nil, `{"kind":%q,"id":0}`, kind))
			if refused := asked; head == "reply" {
				if refused = answered; refused == nil || strings.Contains(refused.Error(), "no reply is called") {
					t.Errorf("%s is no reply: %v", kind, refused)
				}
			} else if refused == nil || strings.Contains(refused.Error(), "no request is called") {
				t.Errorf("%s is no request: %v", kind, refused)
			}
		}
	}
	names := "`" + strings.Join(unanswered[:len(unanswered)-1], "`, `") + "` and `" + unanswered[len(unanswered)-1] + "`"
	if !strings.Contains(page, "Every request but "+names+" is answered by exactly one `result` or `error`") {
		t.Errorf("the page does not say that %s get no answer of their own", names)
	}
}
