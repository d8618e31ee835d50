package bridge

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/report"
)

// Intent: pieces of a search and their values survive the journey; those that
// no worker could do, and memory of another kind, are refused.
func TestSearchMessages(t *testing.T) {
	q := Request{Kind: Search, ID: 7, Experiment: "{}", Piece: Piece{Kind: PieceCoverage, Week: 3, From: 100, To: 200}}
	if got, err := DecodeRequest([]byte(Encode(q))); err != nil || !reflect.DeepEqual(got, q) {
		t.Errorf("request: %+v, %v", got, err)
	}
	if text := Encode(Request{Kind: Run, ID: 1, Experiment: "{}"}); strings.Contains(text, "piece") {
		t.Errorf("other requests carry a piece: %s", text)
	}
	for _, bad := range []string{`{"kind":"search","id":1}`, `{"kind":"search","id":1,"experiment":"{}","piece":{"kind":"all"}}`,
		`{"kind":"search","id":1,"experiment":"{}","piece":{"kind":"pure","week":-1}}`,
		`{"kind":"search","id":1,"experiment":"{}","piece":{"kind":"pure","from":3,"to":2}}`} {
		if _, err := DecodeRequest([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "bridge: search") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	values := []float64{1, 2.5, 1e300}
	got, err := UnpackValues(PackValues(values).Bytes())
	if err != nil || !slices.Equal(got, values) {
		t.Errorf("values: %v, %v", got, err)
	}
	if _, err := UnpackValues(PackRecord(new(report.Record)).Bytes()); err == nil {
		t.Error("memory of another kind was read as values")
	}
}
