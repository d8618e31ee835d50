package bridge

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Intent: the lists of messages in the package comment name all kinds of requests and
// replies that are read, and no other; and the requests that get no answer of their
// own are those of the sentence below them.
func TestMessagesOfThePage(t *testing.T) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	kinds := func(head string) (list []string) {
		_, table, ok := strings.Cut(page, "\n// # "+head+"\n")
		table, _, _ = strings.Cut(table, "\n// # ")
		if !ok {
			t.Fatalf("there is no list of %s", head)
		}
		for _, m := range regexp.MustCompile("(?m)^//\t([a-z]+) ").FindAllStringSubmatch(table, -1) {
			list = append(list, m[1])
		}
		return list
	}
	for head, want := range map[string][]string{"Requests": requests, "Replies": replies} {
		got, want := kinds(head), slices.Clone(want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the comment has %v, the code %v", head, got, want)
		}
		for _, kind := range want {
			_, asked := DecodeRequest(fmt.Appendf(nil, `{"kind":%q,"id":0}`, kind))
			_, answered := DecodeReply(fmt.Appendf(nil, `{"kind":%q,"id":0}`, kind))
			if refused := asked; head == "Replies" {
				if refused = answered; refused == nil || strings.Contains(refused.Error(), "no reply is called") {
					t.Errorf("%s is no reply: %v", kind, refused)
				}
			} else if refused == nil || strings.Contains(refused.Error(), "no request is called") {
				t.Errorf("%s is no request: %v", kind, refused)
			}
		}
	}
	names := strings.Join(unanswered[:len(unanswered)-1], ", ") + " and " + unanswered[len(unanswered)-1]
	if !strings.Contains(page, "Every request but "+names+" is answered by exactly one result or error") {
		t.Errorf("the comment does not say that %s get no answer of their own", names)
	}
}
