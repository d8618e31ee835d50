package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/intake"
	"batchlab/core/report"
)

// ownCluster is a cluster's own files in the place of a document: accounting, and what
// describes the machine.
type ownCluster struct {
	conf   []string
	phases int64 // repeats of slurm
}

// document writes what import makes of accounting into a folder, on nodes, with memory and
// GPUs asked of each where slurm.conf shares them out, and puts it in the place of the
// document that truth reads.
func (c *ownCluster) document(w *workFlags, accounting []string, dir string, stderr io.Writer) error {
	r, err := readAccounting(intake.Options{}, accounting)
	if err != nil {
		return err
	}
	machine, err := readMachine(c.conf, &r.Names)
	if err != nil {
		return err
	}
	if machine.Platform == nil {
		return fmt.Errorf("truth: --conf: the files name no node")
	}
	setProcessors(r, machine.Processors)
	written, err := writeImport(r, machine, dir, false, false)
	if err != nil {
		return err
	}
	for _, line := range slices.Concat(r.Report.Sentences(), machine.Sentences()) {
		if !strings.Contains(line, "SelectTypeParameters: ") && !strings.Contains(line, "SchedulerParameters: ") && !strings.Contains(line, "PriorityType: ") { // slurm on nodes goes by them
			fmt.Fprintln(stderr, line)
		}
	}
	text, err := os.ReadFile(written.Document)
	if err != nil {
		return err
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	cluster := doc["platform"].(map[string]any)["clusters"].([]any)[0].(map[string]any)
	cluster["packing"] = "nodes"
	for _, s := range doc["schedulers"].([]any) {
		if s := s.(map[string]any); s["key"] == "slurm" {
			s["repeat"] = c.phases
		}
	}
	needs := filepath.Join(dir, "needs.csv")
	if table := needsOf(r, machine); len(table) > 0 {
		sum := sha256.Sum256(table)
		doc["workload"].(map[string]any)["annotate"] = map[string]any{"file": map[string]any{"name": "needs.csv", "sha256": hex.EncodeToString(sum[:]), "size": len(table)}}
		if err := os.WriteFile(needs, table, 0o666); err != nil {
			return err
		}
		w.needs = append(w.needs, needs)
	}
	if text, err = json.MarshalIndent(doc, "", "  "); err != nil {
		return err
	}
	w.document = written.Document
	w.paths = append(w.paths, written.Log)
	if doc["workload"].(map[string]any)["extra"] != nil {
		w.extra = append(w.extra, written.Extra)
	}
	return os.WriteFile(written.Document, append(text, '\n'), 0o666)
}

// needsOf is what jobs had of each of their nodes, as a file of needs; nil where the
// configuration shares out nothing but processors, or no job asks for more. What no node
// has is not asked for.
func needsOf(r *intake.Result, machine *report.Conf) []byte {
	shared := slices.ContainsFunc(machine.Scheduling, func(s report.Setting) bool {
		return strings.EqualFold(s.Name, "SelectTypeParameters") && strings.Contains(strings.ToLower(s.Value), "memory")
	})
	held := func(gpus, memory int64) bool {
		return slices.ContainsFunc(machine.Groups, func(g report.ConfGroup) bool { return g.GPUs >= gpus && g.Memory >= memory })
	}
	var b bytes.Buffer
	for i := range r.Log.Records {
		job, x := &r.Log.Records[i], &r.Extra[i]
		nodes := max(1, x.Nodes)
		memory, gpus := max(0, job.RequestedMemory*1024*int64((job.RequestedProcessors+nodes-1)/nodes)), int64(max(0, x.GPUs+nodes-1)/nodes)
		if !shared || !held(gpus, memory) {
			memory = 0
		}
		if !held(gpus, memory) {
			gpus = 0
		}
		if gpus > 0 || memory > 0 {
			cell := func(n int64) string {
				if n == 0 {
					return ""
				}
				return strconv.FormatInt(n, 10)
			}
			fmt.Fprintf(&b, "%d,%s,%s\n", job.JobNumber, cell(gpus), cell(memory))
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return append([]byte("job,gpus,memory\n"), b.Bytes()...)
}
