package recorded

import (
	"fmt"
	"strings"
	"testing"
)

// Intent: switches have the nodes below them and stand above those; the configuration then
// names nothing that is not gone by. What is wrong with the file is named.
func TestTopologyIsRead(t *testing.T) {
	f := small
	f.Conf = []byte("SelectType=select/cons_tres\nTopologyPlugin=topology/tree\nNodeName=n[1-4] CPUs=2\nPartitionName=all Nodes=ALL State=UP\n")
	f.Topology = []byte("# two leaves\nSwitchName=top Switches=s[1-2]\nSwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-4]\n")
	r, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.cluster.Switches, r.cluster.Params.Tree); got != "[{1 [0 1 2 3]} {0 [0 1]} {0 [2 3]}] true" {
		t.Error(got)
	}
	for _, n := range r.notes {
		if strings.Contains(strings.ToLower(n), "topology") {
			t.Error(n)
		}
	}
	for text, want := range map[string]string{
		"SwitchName=a Nodes=x9\n":                            "no node x9",
		"SwitchName=a Switches=b\n":                          "no switch b",
		"SwitchName=a Switches=b\nSwitchName=b Switches=a\n": "below itself",
	} {
		f.Topology = []byte(text)
		if _, err := Read(f); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "topology.conf") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
