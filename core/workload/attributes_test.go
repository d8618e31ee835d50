//go:build !small

package workload

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
)

// attributed is 400 jobs of 1 to 12 processors on two clusters of nodes and a
// counted one.
func attributed() (*model.Workload, *model.Platform) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Name: "big", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 8, Properties: []string{"x86", "fast"}}, {Count: 1, Procs: 4, Properties: []string{"x86"}}}},
		{Name: "small", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 3, Procs: 6, Properties: []string{"arm"}}}},
		{Name: "flat", Groups: []model.NodeGroup{{Count: 12, Procs: 1}}},
	}}
	w := &model.Workload{}
	for i := range 400 {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(10 * i), Limit: 100, Procs: int32(1 + i%12), Record: -1})
		w.Truth = append(w.Truth, model.Truth{Run: 80})
	}
	return w, p
}

func streams(seed uint64) func(string) *rand.Rand { return Streams(seed, 0) }

// Rules give weights and set-up times in their ranges, set-up lengthens run and
// request alike, and a job that a rule of eligibility hits may run on machines
// with one of its names only, unless these could never hold it. The jobs
// themselves stay as they were.
func TestAttributes(t *testing.T) {
	w, p := attributed()
	out, err := Annotate(w, p, &Annotations{
		Weights: WeightRule{0.5, 4}, Setup: SetupRule{10, 30},
		Eligible: []EligibleRule{{On: []string{"arm", "big3"}, Share: 0.5}, {On: []string{"flat"}, Share: 0.2}},
	}, streams(1))
	if err != nil {
		t.Fatal(err)
	}
	if w.Jobs[0].Limit != 100 || w.Truth[0].Run != 80 || len(w.Demands) > 0 {
		t.Error("the workload itself has changed")
	}
	hit := map[string]int{}
	for j := range out.Jobs {
		d := out.Demand(model.JobID(j))
		if d.Weight < 0.5 || d.Weight > 4 || d.Setup < 10 || d.Setup > 30 || out.Jobs[j].Limit != 100+d.Setup || out.Truth[j].Run != 80+d.Setup {
			t.Fatalf("job index %d: %+v, request %d, run %d", j, d, out.Jobs[j].Limit, out.Truth[j].Run)
		}
		switch {
		case d.On == nil:
			hit["none"]++
		case slices.Equal(d.On, []int32{2, 3, 4, 5}) && slices.Equal(d.Eligible, []int32{0, 1}):
			hit["arm"]++
			if out.Jobs[j].Procs > 6 {
				t.Fatalf("job index %d of %d processors is bound to machines of 6 and 4", j, out.Jobs[j].Procs)
			}
		case slices.Equal(d.On, []int32{6}) && slices.Equal(d.Eligible, []int32{2}):
			hit["flat"]++
		case len(d.On) == 0:
			t.Fatalf("job index %d may run nowhere", j)
		default:
			t.Fatalf("job index %d: on %v, of %v", j, d.On, d.Eligible)
		}
	}
	if hit["none"] < 100 || hit["arm"] < 50 || hit["flat"] < 20 {
		t.Errorf("%v", hit)
	}
	again, _ := Annotate(w, p, &Annotations{Setup: SetupRule{10, 30}}, streams(1))
	for j := range out.Jobs {
		if again.Demand(model.JobID(j)).Setup != out.Demand(model.JobID(j)).Setup {
			t.Fatal("another rule disturbs the set-up times")
		}
	}
}

// What is said of a job replaces what rules gave it; deadlines count with the
// set-up time, and with Kill they are the time at which jobs are stopped. Unknown
// names and machines that could never hold a job are named.
func TestAttributesOfJobs(t *testing.T) {
	w, p := attributed()
	weight, setup, due := 7.0, int64(50), int64(5000)
	out, err := Annotate(w, p, &Annotations{
		Deadlines: DeadlineRule{Share: 1, Factor: 2}, Kill: true,
		Weights: WeightRule{2, 2}, Setup: SetupRule{20, 20}, Eligible: []EligibleRule{{On: []string{"arm"}, Share: 1}},
		Jobs: []Annotation{{Job: 2, Weight: &weight, Setup: &setup, On: &[]string{"fast"}}, {Job: 3, Due: &due, On: &[]string{}}},
	}, streams(1))
	if err != nil {
		t.Fatal(err)
	}
	two, three, four := out.Demand(1), out.Demand(2), out.Demand(3)
	if two.Weight != 7 || two.Setup != 50 || out.Jobs[1].Limit != 150 || out.Truth[1].Run != 130 || !slices.Equal(two.On, []int32{0, 1}) {
		t.Errorf("%+v, request %d", two, out.Jobs[1].Limit)
	}
	if three.Due != 5000 || three.On != nil || three.Eligible != nil || three.OnDue != model.DueKill {
		t.Errorf("%+v", three)
	}
	if four.Due != out.Jobs[3].Submit+240 || four.OnDue != model.DueKill {
		t.Errorf("%+v", four)
	}
	for want, a := range map[string]Annotations{
		`r.on: no cluster, machine or property is called "amr"; did you mean "arm"?`:                   {Eligible: []EligibleRule{{On: []string{"amr"}, Where: "r"}}},
		`x: job 12: no cluster, machine or property is called "big4"; did you mean "big"?`:             {Jobs: []Annotation{{Job: 12, On: &[]string{"big4"}, Where: "x"}}},
		`x: job 12 could never start: it asks for more than the machines hold that it is eligible for`: {Jobs: []Annotation{{Job: 12, On: &[]string{"small"}, Where: "x"}}},
		`x: setup: between 0 and 2678400 seconds, not -1`:                                              {Jobs: []Annotation{{Job: 12, Setup: func() *int64 { n := int64(-1); return &n }(), Where: "x"}}},
	} {
		if _, err := Annotate(w, p, &a, streams(1)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

// Intent: a licence that a rule draws is drawn again where a job could not have all its
// nodes beside it: the four nodes that have the licence have one processor each, and a job
// of 2 × 2 needs two of the others. Their processors were added up, and the run refused.
func TestLicencesOfNodes(t *testing.T) {
	p := &model.Platform{Licences: []model.Licence{{Name: "cad"}}, Clusters: []model.Cluster{{Name: "c", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 2}, {Count: 4, Procs: 1, Licences: []string{"cad"}}}}}}
	w := &model.Workload{Processors: 8, Jobs: make([]model.Job, 40), Truth: make([]model.Truth, 40), Demands: []model.Demand{{Nodes: 2, PerNode: 2}, {Nodes: 4, PerNode: 1}}}
	for j := range w.Jobs {
		w.Jobs[j] = model.Job{Number: int64(j + 1), Procs: 4, Limit: 10, Demand: int32(1 + j%2)}
	}
	out, err := Annotate(w, p, &Annotations{Licences: []LicenceRule{{Licence: "cad", Share: 0.5, Copies: 1}}}, Streams(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	count := [2]int{}
	for j := range out.Jobs {
		count[j%2] += len(out.Demand(model.JobID(j)).Licences)
	}
	if count[0] != 0 || count[1] < 4 || count[1] > 16 {
		t.Errorf("licences of jobs of two and of four nodes: %v", count)
	}
}
