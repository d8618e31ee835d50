//go:build !small

package workload

import (
	"fmt"
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
)

// AppendNeeds appends what the jobs of a workload need as a file that ParseNeeds
// reads: a line for each job that comes from a log, and the columns that some job
// uses; nothing when none does. Requests beside the log (AddRequests) are left
// out, since they belong to the platform. It fails where names do not tell
// machines apart.
func AppendNeeds(dst []byte, w *model.Workload, p *model.Platform) ([]byte, error) {
	f := needsFile{w: w, p: p, names: nodeNames(p), on: map[*int32]string{}}
	for _, l := range p.Licences {
		f.licences = append(f.licences, l.Name)
	}
	var columns []string
	for _, c := range needColumns {
		for j := range w.Jobs {
			text, err := f.cell(c, model.JobID(j))
			if err != nil {
				return nil, err
			}
			if text != "" && text != "-" {
				columns = append(columns, c)
				break
			}
		}
	}
	if columns == nil {
		return dst, nil
	}
	dst = append(dst, "job"...)
	for _, c := range columns {
		dst = append(append(dst, ','), c...)
	}
	dst = append(dst, '\n')
	for j := range w.Jobs {
		if w.Jobs[j].Record < 0 {
			continue
		}
		dst = strconv.AppendInt(dst, w.Jobs[j].Number, 10)
		for _, c := range columns {
			text, err := f.cell(c, model.JobID(j))
			if err != nil {
				return nil, err
			}
			dst = append(append(dst, ','), report.CSVText(text)...)
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

type needsFile struct {
	w        *model.Workload
	p        *model.Platform
	names    [][]string
	licences []string
	on       map[*int32]string // names of machines, by the list that jobs of one rule share
}

// cell is what stands in a column for a job.
func (f *needsFile) cell(column string, j model.JobID) (string, error) {
	d := f.w.Demand(j)
	if d == nil || f.w.Jobs[j].Record < 0 {
		d = &model.Demand{}
	}
	whole := func(v int64) (string, error) {
		if v == 0 {
			return "", nil
		}
		return strconv.FormatInt(v, 10), nil
	}
	switch column {
	case "due":
		return whole(int64(d.Due))
	case "licences":
		if len(d.Licences) == 0 {
			return "-", nil
		}
		return report.LicenceList(d.Licences, f.licences), nil
	case "weight":
		if d.Weight == 0 {
			return "", nil
		}
		return strconv.FormatFloat(d.Weight, 'g', -1, 64), nil
	case "setup":
		return whole(int64(d.Setup))
	case "on":
		return f.machines(d.On)
	case "gpus":
		return whole(int64(d.GPUsPerNode))
	case "memory":
		return whole(d.MemPerNode)
	case "disk":
		return whole(d.DiskPerNode)
	}
	r := d.Reservation
	if r == nil {
		return "", nil
	}
	switch column {
	case "reservation_from":
		return strconv.FormatInt(int64(r.Ready), 10), nil
	case "reservation_to":
		return strconv.FormatInt(int64(r.Deadline), 10), nil
	case "reservation_length":
		return whole(int64(r.Length))
	}
	return efforts[r.Effort], nil
}

// machines names some machines: whole clusters by their name, others one by one.
func (f *needsFile) machines(on []int32) (string, error) {
	if on == nil {
		return "-", nil
	}
	if len(on) == 0 {
		return "", nil
	}
	if text, known := f.on[&on[0]]; known {
		return text, nil
	}
	nodes := f.p.Nodes()
	var list []string
	for at := 0; at < len(nodes); {
		end := at
		for end < len(nodes) && nodes[end].Cluster == nodes[at].Cluster {
			end++
		}
		first, _ := slices.BinarySearch(on, int32(at))
		last, _ := slices.BinarySearch(on, int32(end))
		if last-first == end-at {
			list = append(list, f.p.Clusters[nodes[at].Cluster].Name)
		} else {
			for _, i := range on[first:last] {
				list = append(list, f.p.NodeName(i))
			}
		}
		at = end
	}
	if got, err := machinesOf(f.names, list); err != nil || !slices.Equal(got, on) && !(got == nil && len(on) == len(nodes)) {
		return "", fmt.Errorf("names do not tell the machines of this platform apart (%s): what jobs are bound to cannot be written", report.JoinNames(list[:min(len(list), 3)]))
	}
	text := report.JoinNames(list)
	f.on[&on[0]] = text
	return text, nil
}
