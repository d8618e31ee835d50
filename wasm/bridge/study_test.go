package bridge

import (
	"reflect"
	"strings"
	"testing"
)

// Intent: what a study's workers and the page say to each other survives the
// journey, and what no worker could do is refused.
func TestStudyMessages(t *testing.T) {
	for _, q := range []Request{
		{Kind: Study, ID: 2, Study: StudyPart{Key: "a-table1", Quick: true, Parts: 3, Name: "a.swf", SHA256: "00", Size: 5}},
		{Kind: Give, ID: 2, Study: StudyPart{Phase: 2, Item: -1}},
		{Kind: Give, ID: 2, Study: StudyPart{Phase: 1, Shared: true}},
		{Kind: Stop, ID: 2},
	} {
		if got, err := DecodeRequest([]byte(Encode(q))); err != nil || !reflect.DeepEqual(got, q) {
			t.Errorf("%+v: %+v, %v", q, got, err)
		}
	}
	for _, p := range []Reply{{Kind: Take, ID: 2, Phase: 1, Done: 3, Total: 9}, {Kind: Share, ID: 2, Phase: 1, Done: 9, Total: 9}} {
		if got, err := DecodeReply([]byte(Encode(p))); err != nil || got.Kind != p.Kind || got.Phase != p.Phase || got.Done != p.Done {
			t.Errorf("%+v: %+v, %v", p, got, err)
		}
	}
	for _, bad := range []string{`{"kind":"study","id":1}`, `{"kind":"study","id":1,"study":{"key":"x"}}`, `{"kind":"give","id":1,"study":{"item":2}}`,
		`{"kind":"give","id":1,"study":{"phase":1,"item":-2}}`} {
		if _, err := DecodeRequest([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "bridge: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
