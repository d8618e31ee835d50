//go:build !small

package lab

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// Intent: rules let about their share of the jobs ask for GPUs, memory and disk,
// each from a stream of its own; a job that no machine could hold is left alone;
// single jobs say otherwise; what no platform has is refused at its place; and
// documents without rules keep their canonical form.
func TestNeedsByRule(t *testing.T) {
	doc := func(needs, clusters string) string {
		return `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":400,"procs-max":6}}},"annotate":{` + needs + `}},
"platform":{"clusters":[` + clusters + `]},"schedulers":[{"key":"fcfs"}]}`
	}
	const two = `{"name":"g","packing":"machine","groups":[{"count":2,"processors":4,"gpus":4,"memory":1000,"disk":50}]},{"name":"n","packing":"nodes","groups":[{"count":4,"processors":4,"memory":500}]}`
	jobs := func(text string) (*model.Workload, error) {
		e, err := experiment.Decode([]byte(text))
		if err != nil {
			return nil, err
		}
		p, err := Prepare(e, Env{})
		if err != nil {
			return nil, err
		}
		w, _, err := p.Workload(0)
		return w, err
	}
	w, err := jobs(doc(`"needs":[{"share":0.5,"gpus":2},{"share":0.5,"memory":400,"disk":60},{"share":0.25,"memory":600}],"jobs":[{"job":2,"gpus":4,"memory":0,"disk":50}]`, two))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for j := range w.Jobs {
		d, procs := w.Demand(model.JobID(j)), w.Jobs[j].Procs
		switch {
		case w.Jobs[j].Number == 2:
			if d.GPUsPerNode != 4 || d.MemPerNode != 0 || d.DiskPerNode != 50 {
				t.Errorf("job 1 asks for %+v", d)
			}
			continue
		case procs > 4 && (d.GPUsPerNode > 0 || d.MemPerNode > 500):
			t.Fatalf("job of %d processors asks for what no machine for it has: %+v", procs, d)
		case d.GPUsPerNode > 0 && d.DiskPerNode > 0: // disk 60 is more than the machines with GPUs have
			t.Fatalf("a job asks for more disk than machines with GPUs have: %+v", d)
		}
		if procs <= 4 {
			count["small"]++
			for what, there := range map[string]bool{"gpus": d.GPUsPerNode == 2, "600": d.MemPerNode == 600, "disk": d.DiskPerNode == 60} {
				if there {
					count[what]++
				}
			}
		}
	}
	near := func(what string, share float64) {
		if got := float64(count[what]) / float64(count["small"]); got < share-0.1 || got > share+0.1 {
			t.Errorf("%s: %.2f of the jobs, not %.2f", what, got, share)
		}
	}
	near("gpus", 0.5)
	near("disk", 0.25) // half of those without GPUs
	near("600", 0.19)  // a quarter, unless disk had them before: 600 bytes stand with GPUs, whose machines have 50 of disk
	for _, c := range []struct{ needs, clusters, want string }{
		{`"needs":[{"share":0.5,"gpus":2}]`, `{"name":"c","groups":[{"count":4}]}`, "workload.annotate.needs[0]: the platform only counts processors"},
		{`"needs":[{"share":0.5,"gpus":5}]`, two, "workload.annotate.needs[0].gpus: no machine has 5 GPUs; the most is 4"},
		{`"needs":[{"share":0.5,"gpus":1},{"share":1,"memory":1001}]`, two, "workload.annotate.needs[1].memory: no machine has 1001 bytes of memory; the most is 1000"},
		{`"needs":[{"share":0.5,"gpus":1}]`, `{"name":"c","packing":"nodes","groups":[{"count":4,"processors":8}]}`, "workload.annotate.needs[0].gpus: no machine of the platform has GPUs"},
		{`"needs":[{"share":0.5,"disk":1}]`, `{"name":"c","packing":"nodes","groups":[{"count":4,"processors":8}]}`, "workload.annotate.needs[0].disk: no machine of the platform states its disk"},
		{`"needs":[{"share":0.5}]`, two, "workload.annotate.needs[0]: must ask for gpus, memory or disk"},
		{`"needs":[{"gpus":1}]`, two, "workload.annotate.needs[0].share: missing"},
		{`"jobs":[{"job":2,"gpus":5}]`, two, "workload.annotate.jobs[0]: job 2 could never start"},
		{`"jobs":[{"job":2,"gpus":-1}]`, two, "workload.annotate.jobs[0].gpus: must be between 0 and 1000"},
	} {
		if _, err := jobs(doc(c.needs, c.clusters)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.needs, err, c.want)
		}
	}
	plain := decode(t, doc(`"weights":{"min":1,"max":2},"jobs":[{"job":1,"weight":2}]`, two))
	if text := string(plain.Canonical()); strings.Contains(text, "needs") || strings.Contains(text, `"job":1,"licences":null,"memory"`) {
		t.Errorf("the canonical form speaks of needs: %s", text)
	}
}

// Intent: whatever machines there are and whatever jobs ask of them, every
// scheduler that knows machines gives each job what it asks for, no machine runs
// out of GPUs, memory or disk, and the experiment written out gives the same
// schedules.
func TestNeedsOnAnyMachines(t *testing.T) {
	keys := []string{`{"key":"fcfs"}`, `{"key":"easy"}`, `{"key":"conservative"}`, `{"key":"bf-unmod"}`, `{"key":"bf-mod"}`, `{"key":"orig-bf"}`,
		`{"key":"plan-rs","params":{"iterations":5}}`, `{"key":"hill-climbing","params":{"evaluations":20}}`}
	rapid.Check(t, func(t *rapid.T) {
		number := func(what string, least, most int) int { return rapid.IntRange(least, most).Draw(t, what) }
		clusters := []string{}
		for c := range number("clusters", 1, 3) {
			groups := []string{}
			for range number("groups", 1, 3) {
				groups = append(groups, fmt.Sprintf(`{"count":%d,"processors":%d,"gpus":%d,"memory":%d,"disk":%d,"speed":%d}`,
					number("count", 1, 3), number("processors", 2, 8), number("gpus", 0, 4), 100*number("memory", 0, 9), 10*number("disk", 0, 5), number("speed", 1, 3)))
			}
			clusters = append(clusters, fmt.Sprintf(`{"name":"c%d","packing":%q,"groups":[%s]}`, c, rapid.SampledFrom([]string{"nodes", "machine"}).Draw(t, "packing"), strings.Join(groups, ",")))
		}
		rules := []string{}
		for range number("rules", 1, 3) {
			rules = append(rules, fmt.Sprintf(`{"share":%v,%s}`, float64(number("share", 1, 10))/10,
				rapid.SampledFrom([]string{`"gpus":1`, `"gpus":2,"memory":100`, `"memory":300`, `"memory":200,"disk":10`, `"disk":30`}).Draw(t, "need")))
		}
		text := fmt.Sprintf(`{"batchlab":1,"seed":%d,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":25,"interarrival":%d,"procs-max":2}}},
"annotate":{"needs":[%s]}},"platform":{"clusters":[%s],"power_scales":%v},"schedulers":[%s]}`,
			number("seed", 0, 1000), number("interarrival", 1, 400), strings.Join(rules, ","), strings.Join(clusters, ","), rapid.Bool().Draw(t, "scales"), strings.Join(keys, ","))
		doc, err := experiment.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Workload(0); err != nil {
			if strings.Contains(err.Error(), "workload.annotate.needs[") {
				t.Skip("the machines have nothing of it")
			}
			t.Fatal(err)
		}
		drawn, needs, err := p.Drawn(0, "needs.csv")
		if err != nil {
			t.Fatal(err)
		}
		again, err := Prepare(drawn, Env{File: func(experiment.Log) ([]byte, error) { return needs, nil }})
		if err != nil {
			t.Fatal(err)
		}
		for s := range keys {
			a, err := p.Run(RunID{Scheduler: s}, Options{})
			if err == nil {
				err = a.Schedule.Check()
			}
			if err != nil {
				t.Fatalf("%s: %v", keys[s], err)
			}
			block := a.Block
			if b, err := again.Run(RunID{Scheduler: s}, Options{}); err != nil || !bytes.Equal(b.Block, block) {
				t.Fatalf("%s: written out it gives another schedule (%v)", keys[s], err)
			}
		}
	})
}
