package ui

import "testing"

// A table with jobs and what they need is told from any other by its header.
func TestTableOfNeeds(t *testing.T) {
	for text, want := range map[string]bool{
		"job,due,licences\n1,5,": true, "\ufeff\"job\", Licences\r\n": true, "due,job": true, "job,weight,on": true,
		"job,submit,run\n1,0,60": false, "due,licences": false, "": false, "; Version: 2": false,
	} {
		if got := tableOfNeeds(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"job,after\n2,1": true, "job,begin,withdrawn": true, "Partition,QOS,job\r\n": true, "job,account": true,
		"job,due": false, "after": false, "job,submit_time,end_time,partition": false, "job,partition,duration": false,
	} {
		if got := tableOfExtra(text); got != want {
			t.Errorf("%q stands beside a log: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"job,predicted\n1,5": true, "predicted,user,Job\r\n": true, "job,due": false, "predicted": false} {
		if got := tableOfPredictions(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
