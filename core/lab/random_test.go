//go:build !small

package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

var (
	updateDrawn = flag.Bool("update", false, "write the digests of testdata/drawn.json anew")
	documents   = flag.Int("documents", 0, "how many random documents or mutated logs are tried; 0: some")
	firstDrawn  = flag.Uint64("from", 0, "the seed of the first one")
)

// object is a part of a document.
type object = map[string]any

// drawer draws documents over the whole grammar: every scheduler, generator and
// rule of the catalog, with parameters of any value, and what can stand beside
// them. It reads the rows of catalog and schema, so that a new row is drawn, too; by hand
// is what holds them together: lists, names, and times that fit.
type drawer struct{ *rand.Rand }

// some reports whether something comes about that does once in n times.
func (d drawer) some(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d drawer, list ...T) T { return list[d.IntN(len(list))] }

// number draws a number of a parameter: small ones mostly, its bounds sometimes.
func (d drawer) number(p *catalog.Param) float64 {
	lo, hi := p.Min, p.Max
	if lo == 0 && hi == 0 {
		lo, hi = -3, 3
	}
	switch {
	case d.some(6):
		return lo
	case p.Type == catalog.Seconds:
		return min(hi, lo+float64(pick(d, 1, 10, 60, 300, 900, 3600, 86400)))
	case p.Type == catalog.Int:
		return min(hi, lo+float64(d.IntN(6)))
	}
	if hi == 1 { // a share
		return lo + (1-lo)*float64(1+d.IntN(10))/10
	}
	return min(hi, lo+float64(d.IntN(2000))/400)
}

// schema are the rows of the document's fields by the object that holds them.
var schema = sync.OnceValue(func() map[string][]catalog.Param {
	rows := map[string][]catalog.Param{}
	for _, p := range experiment.Schema() {
		if dot := strings.LastIndexByte(p.Path, '.'); dot > 0 {
			rows[p.Path[:dot]] = append(rows[p.Path[:dot]], p.Param)
		}
	}
	return rows
})

// fields draws some of an object's fields by their rows: a new one is drawn, too. More
// holds what has to fit something else, such as a name or an end behind a beginning.
func (d drawer) fields(path string, more object) object {
	out := d.params(schema()[path])
	maps.Copy(out, more)
	return out
}

// formulas and programs are what texts of schedulers may be.
var (
	formulas = []string{"wait * q / p", "-p * sqrt(q)", "submit", "exp(wait / 1000) - user", "q + p + due"}
	programs = []string{
		"def order(job, s):\n    return (job.procs, job.submit)\nbackfill = \"easy\"\n",
		"def order(job, s):\n    return job.requested * job.procs\nbackfill = \"conservative\"\n",
		"def decide(s):\n    free = s.free\n    out = []\n    for j in s.queue:\n        if j.procs <= free:\n            out.append(j)\n            free -= j.procs\n    return out\n",
	}
)

// params draws some parameters of a row's. What matters only beside others is
// left out without them.
func (d drawer) params(rows []catalog.Param) object {
	out := object{}
	for i := range rows {
		p := &rows[i]
		if p.When != "" {
			of, ok := out[p.When]
			if !ok {
				for k := range rows {
					if rows[k].Key == p.When {
						of = rows[k].Default
					}
				}
			}
			if of != p.Is {
				continue
			}
		}
		if p.Needed == nil && !p.Required && !d.some(3) {
			continue
		}
		switch p.Type {
		case catalog.Enum:
			out[p.Key] = p.Options[d.IntN(len(p.Options))].Key
		case catalog.Bool:
			out[p.Key] = d.some(2)
		case catalog.Int, catalog.Seconds:
			out[p.Key] = int64(d.number(p))
		case catalog.Number:
			out[p.Key] = d.number(p)
		case catalog.List:
			list := make([]float64, pick(d, 3, 6))
			for k := range list {
				list[k] = float64(d.IntN(9)-4) / 4
			}
			out[p.Key] = list
		case catalog.Text:
			out[p.Key] = pick(d, formulas...)
		case catalog.Code:
			out[p.Key] = pick(d, programs...)
		case catalog.Words:
			out[p.Key] = pick(d, "", "mine", `<b>&"`)
		}
		least := func(key string) { // no less than another
			var of, is float64
			if _, err := fmt.Sscan(fmt.Sprint(out[key], " ", out[p.Key]), &of, &is); err == nil && of > is {
				out[p.Key] = out[key]
			}
		}
		least(p.AtLeast)
		if of, max := strings.CutSuffix(p.Key, "max"); max {
			least(of + "min")
		}
	}
	return out
}

// scheduler draws one of the catalog's; as-logged, which decides nothing, seldom.
func (d drawer) scheduler(nested bool) object {
	row := &catalog.Schedulers[d.IntN(len(catalog.Schedulers))]
	if row.Logged && !d.some(4) || nested && (row.Key == "grid" || row.Logged) {
		return d.scheduler(nested)
	}
	out := object{"key": row.Key}
	params := d.params(row.Params)
	for _, key := range []string{"iterations", "evaluations"} { // of optimisers: short ones
		for i := range row.Params {
			if row.Params[i].Key == key {
				params[key] = int64(max(row.Params[i].Min, float64(d.IntN(12))))
			}
		}
	}
	if len(params) > 0 {
		out["params"] = params
	}
	if !nested && d.some(4) {
		out["repeat"] = 1 + d.IntN(3)
	}
	if !nested && d.some(6) {
		out["label"] = pick(d, "x", "=1+1", "<i>")
	}
	return out
}

// platform draws counted processors, clusters of any packing with machines of
// any kind, or machines from a generator; clusters are the names that there are.
func (d drawer) platform() (out object, clusters []string) {
	out = object{}
	switch d.IntN(6) {
	case 0:
		out["processors"] = 4 + d.IntN(40)
	case 1:
		row := &catalog.Machines[d.IntN(len(catalog.Machines))]
		out["generator"] = object{"key": row.Key, "params": d.params(row.Params)}
	default:
		var list []object
		licences := false
		for i := range 1 + d.IntN(3) {
			c := object{"name": string(rune('a' + i)), "packing": pick(d, "processors", "nodes", "machine")}
			clusters = append(clusters, c["name"].(string))
			var groups []object
			for range 1 + d.IntN(2) {
				g := object{"count": 1 + d.IntN(6), "processors": pick(d, 1, 2, 4, 8)}
				if c["packing"] == "processors" {
					g = object{"count": 4 + d.IntN(30)}
				} else {
					if d.some(3) {
						g["memory"] = 1 << 30
					}
					if d.some(3) {
						g["gpus"] = 1 + d.IntN(3)
					}
					if d.some(4) {
						g["disk"] = 1 << 33
					}
					if d.some(3) {
						g["speed"] = pick(d, 0.5, 1, 2)
					}
					if licences = licences || d.some(2); licences {
						g["licences"] = []string{"cad"}
					}
				}
				if d.some(3) {
					g["properties"] = []string{"fast"}
				}
				groups = append(groups, g)
			}
			c["groups"] = groups
			list = append(list, c)
		}
		out["clusters"] = list
		if licences {
			out["licences"] = []object{{"name": "cad", "copies": 1 + d.IntN(4)}}
		}
		if d.some(6) {
			out["power_scales"] = true
		}
	}
	return out, clusters
}

// calendar adds outages, failures, limits, reservations and how these are booked.
func (d drawer) calendar(out object, clusters []string) {
	where := func(o object) object {
		if len(clusters) > 0 {
			o["cluster"] = pick(d, clusters...)
		}
		return o
	}
	if d.some(4) {
		var list []object
		for range 1 + d.IntN(2) {
			from := d.IntN(3000)
			o := where(object{"from": from, "to": from + 1 + d.IntN(900), "announced": d.some(2)})
			if packing := d.packing(out, o["cluster"]); packing == "processors" {
				o["processors"] = 1 + d.IntN(4)
			} else if packing != "" && d.some(2) {
				o["nodes"] = []int{1}
			} else if packing == "" {
				continue // a generator names its own
			}
			list = append(list, o)
		}
		if len(list) > 0 {
			out["outages"] = list
		}
	}
	if d.some(6) {
		row := &catalog.Failures[d.IntN(len(catalog.Failures))]
		params := d.params(row.Params)
		params["mtbf"], params["repair"] = 2000+d.IntN(9000), 60+d.IntN(900)
		out["failures"] = object{"key": row.Key, "params": params}
	}
	if d.some(4) {
		limits := object{}
		if d.some(2) {
			limits["user_processors"] = 4 + d.IntN(12)
		}
		if d.some(2) {
			limits["classes"] = []object{d.fields("platform.limits.classes[]", object{"longer_than": 60 + d.IntN(400)})}
		}
		out["limits"] = limits
	}
	if d.some(4) {
		var list []object
		for range 1 + d.IntN(3) {
			from := d.IntN(4000)
			r := object{"processors": 1 + d.IntN(5), "from": from, "to": from + 60 + d.IntN(900)}
			if d.some(3) {
				r = where(r)
			}
			if d.some(3) {
				r["length"] = 60
				r["effort"] = pick(d, "exact", "processors", "time")
			}
			if d.some(4) {
				r["submit"] = max(0, from-d.IntN(600))
			}
			list = append(list, r)
		}
		out["reservations"] = list
	}
	if d.some(5) {
		out["booking"] = d.params(catalog.Booking)
	}
}

// packing is that of a cluster of a platform, "" where a generator makes it.
func (d drawer) packing(platform object, cluster any) string {
	if platform["processors"] != nil {
		return "processors"
	}
	list, _ := platform["clusters"].([]object)
	for _, c := range list {
		if c["name"] == cluster {
			return c["packing"].(string)
		}
	}
	return ""
}

// annotate draws what jobs have and ask for beside processors and time.
func (d drawer) annotate(licences bool) object {
	a := object{}
	share := func() float64 { return float64(1+d.IntN(10)) / 10 }
	if d.some(4) {
		a["deadlines"] = d.fields("workload.annotate.deadlines", object{"share": share(), "margin_max": 86400})
	}
	if d.some(4) {
		a["reservations"] = d.fields("workload.annotate.reservations", object{"share": share(), "lead_min": 60, "lead_max": 900 + d.IntN(3000), "factor_min": 0.5, "factor_max": 1 + float64(d.IntN(9))})
	}
	if licences && d.some(2) {
		a["licences"] = []object{{"licence": pick(d, "*", "cad"), "share": share()}}
	}
	if d.some(6) {
		a["weights"] = d.fields("workload.annotate.weights", object{"max": 5})
	}
	if d.some(6) {
		a["setup"] = d.fields("workload.annotate.setup", object{"min": 0, "max": 30})
	}
	if d.some(8) {
		a["eligible"] = []object{{"on": []string{pick(d, "fast", "a")}, "share": share()}}
	}
	if d.some(8) {
		a["needs"] = []object{{"share": share(), pick(d, "gpus", "memory", "disk"): 1}}
	}
	if d.some(8) {
		a["jobs"] = []object{{"job": 1 + d.IntN(9), "due": 5000 + d.IntN(5000)}}
	}
	return a
}

// document draws a whole one, of few jobs.
func (d drawer) document() []byte {
	w := d.fields("workload", object{"source": object{"log": object{"name": "small.swf", "sha256": strings.Repeat("0", 64), "size": 1}}})
	own := false
	switch {
	case d.some(5):
		row := &catalog.Generators[d.IntN(len(catalog.Generators))]
		params := d.params(row.Params)
		for i := range row.Params {
			if row.Params[i].Key == "jobs" {
				params["jobs"] = 5 + d.IntN(35)
			}
		}
		w["source"], own = object{"generator": object{"key": row.Key, "params": params}}, true
	case d.some(5):
		rows := [][]int{}
		at := 0
		for range 1 + d.IntN(20) {
			at += d.IntN(200)
			rows = append(rows, []int{at, 1 + d.IntN(8), 20 + d.IntN(400), 10 + d.IntN(500), d.IntN(4)})
		}
		w["source"] = object{"inline": object{"processors": 8 + d.IntN(9), "columns": []string{"submit", "procs", "requested", "run", "user"}, "rows": rows}}
	}
	if d.some(3) {
		w["clean"] = d.fields("workload.clean", nil)
	}
	if d.some(6) {
		w["filter"] = d.fields("workload.filter", object{"max_procs": 3 + d.IntN(8)})
	}
	if d.some(6) {
		w["window"] = object{"from": d.IntN(500), "to": 2000 + d.IntN(2000)}
	}
	reacts := d.some(5)
	if !reacts && d.some(4) {
		w["scale"] = d.fields("workload.scale", nil)
	}
	platform, clusters := d.platform()
	d.calendar(platform, clusters)
	_, licences := platform["licences"]
	if a := d.annotate(licences); len(a) > 0 {
		w["annotate"] = a
	}
	switch {
	case reacts:
		w["react"] = d.params(catalog.ReactParams)
		delete(w, "dependencies") // they decide themselves when jobs are submitted
		delete(w, "withdrawn")
	case !own && d.some(4):
		r := d.params(catalog.ResampleParams)
		if r["by"] = pick(d, "shake", "shake", "users", "users", "weeks"); r["by"] != "shake" {
			delete(r, "jitter")
		}
		w["resample"] = r
	}
	var schedulers []object
	for range 1 + d.IntN(2) {
		s := d.scheduler(false)
		if s["key"] == "grid" && len(clusters) > 0 && d.some(2) {
			s["providers"] = []object{d.scheduler(true)}
		}
		schedulers = append(schedulers, s)
	}
	doc := object{"batchlab": 1, "seed": d.IntN(1000), "workload": w, "platform": platform, "schedulers": schedulers}
	if d.some(6) {
		doc["measures"] = d.fields("measures", object{"from": 500, "to": 3000})
	}
	if d.some(8) {
		doc["vary"] = []object{pick(d,
			object{"path": "workload.scale.load", "values": []float64{0.8, 1.2}},
			object{"path": "seed", "values": []int{1, 2}},
			object{"path": "schedulers[0].repeat", "values": []int{1, 2}})}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return text
}

// tryDocument runs all that a document holds, at every point where it varies. The
// outcome is a digest, or the place of what refuses it; ran says which. Every
// schedule is valid, and what is refused is refused with words.
func tryDocument(t *testing.T, env Env, text []byte) (outcome string, ran bool) {
	t.Helper()
	defer func() {
		if x := recover(); x != nil {
			t.Fatalf("panic: %v\n%s", x, text)
		}
	}()
	doc, err := experiment.Decode(text)
	if err == nil {
		points := doc.Points()
		for i := 0; i < points.Len() && err == nil; i++ {
			var rep *Report
			if doc, err = points.At(i); err != nil {
				break
			}
			rep, err = Run(doc, env, Options{Columns: true}, func(id RunID, p *Prepared, r *Result) error {
				if r.Report.Beside == nil {
					if err := errors.Join(r.Schedule.Check(), kept(r.Schedule)); err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
				}
				return nil
			})
			if err == nil {
				outcome += rep.Digest
			}
		}
	}
	if err == nil {
		return outcome, true
	}
	if err.Error() == "" {
		t.Fatalf("no message\n%s", text)
	}
	return err.Error(), false
}

// randomCase is the document of a seed, and the log that it may name.
func randomCase(t *testing.T, seed uint64) (Env, []byte) {
	rng := rand.New(rand.NewPCG(seed, 55))
	return smallLog(t, 5+rng.IntN(40), seed), drawer{rng}.document()
}

// Random documents over the whole grammar: no panic, no invalid schedule, one
// digest, and words for what is refused. FuzzDocuments goes on from here, and
// -documents and -from try more.
func TestRandomDocuments(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 20
	}
	if *documents > 0 {
		n = *documents
	}
	ran, why := 0, map[string][]uint64{}
	for k := range uint64(n) {
		seed := *firstDrawn + k
		env, text := randomCase(t, seed)
		outcome, ok := tryDocument(t, env, text)
		if !ok {
			why[outcome] = append(why[outcome], seed)
			continue
		}
		ran++
		if seed%4 == 0 {
			if again, _ := tryDocument(t, env, text); again != outcome {
				t.Fatalf("seed %d: two digests\n%s", seed, text)
			}
		}
	}
	if ran < n/3 {
		t.Errorf("only %d of %d ran: the generator tests little", ran, n)
	}
	t.Logf("%d of %d ran", ran, n)
	for text, seeds := range why {
		t.Logf("%d: %s (%d)", len(seeds), text, seeds[:min(len(seeds), 4)])
	}
}

// FuzzDocuments goes on without end: go test ./core/lab -fuzz FuzzDocuments.
func FuzzDocuments(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		env, text := randomCase(t, seed)
		tryDocument(t, env, text)
	})
}

// Documents that were once drawn give the digests that they gave then, natively
// and as WebAssembly.
func TestDrawnDocuments(t *testing.T) {
	const path = "testdata/drawn.json"
	type drawn struct {
		Seed     uint64          `json:"seed"` // of the log
		Document json.RawMessage `json:"document"`
		Digest   string          `json:"digest"`
	}
	var list []drawn
	if *updateDrawn {
		for seed := *firstDrawn; len(list) < 120; seed++ {
			env, text := randomCase(t, seed)
			if outcome, ran := tryDocument(t, env, text); ran && len(outcome) == 64 && len(text) < 1200 {
				list = append(list, drawn{seed, text, outcome})
			}
		}
		var b bytes.Buffer
		for i, one := range list {
			line, err := json.Marshal(one)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString([]string{",\n", "["}[min(1, max(0, 1-i))])
			b.Write(line)
		}
		b.WriteString("]\n")
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil || len(list) < 100 {
		t.Fatal(len(list), err)
	}
	for _, one := range list {
		env, _ := randomCase(t, one.Seed)
		if outcome, _ := tryDocument(t, env, one.Document); outcome != one.Digest {
			t.Errorf("%s: %s, it was %s", one.Document, outcome, one.Digest)
		}
	}
}

// A job that its reservation's end stops before it is due ends then, and not when
// it is due: found by a random document.
func TestReservationsEndBeforeTheyAreDue(t *testing.T) {
	env, text := randomCase(t, 306461)
	if _, ran := tryDocument(t, env, []byte(`{"batchlab":1,"platform":{"processors":14},"schedulers":[{"key":"conservative"}],"seed":977,"workload":{"annotate":{`+
		`"deadlines":{"margin_max":86400,"on_due":"kill","share":0.9},"reservations":{"factor_max":7,"factor_min":0.5,"lead_max":3650,"lead_min":60,"length":"run","part":0.75,`+
		`"ready":"drawn","share":0.7,"unit":"wait"},"setup":{"max":30,"min":0}},"scale":{"load":3,"time":1},"source":{"log":{"name":"small.swf","sha256":"`+strings.Repeat("0", 64)+`","size":1}}}}`)); !ran {
		t.Errorf("it does not run\n%s", text)
	}
}
