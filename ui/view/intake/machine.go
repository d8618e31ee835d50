package intake

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/report"
	"batchlab/ui/words"
)

// machine shows what the configuration says, and what of it nothing goes by.
func (v *Seen) machine(b *strings.Builder) {
	m := v.Machine
	if m == nil {
		return
	}
	fmt.Fprintf(b, `<section class="bl-card"><h3>The machine <small>read from %s; every number can be changed under <i>Platform</i></small></h3><div class="intake-machine">`, esc(strings.Join(m.Files, ", ")))
	if len(m.Groups) > 0 {
		b.WriteString(table("Groups of nodes", "nodes", "cores", "memory", "GPUs", "weight", "features", "partitions"))
		for _, g := range m.Groups {
			var parts []string
			for _, p := range g.Partitions {
				parts = append(parts, m.Partitions[p].Name)
			}
			count := words.Int(g.Count)
			if g.Away > 0 {
				count += ` <small>(` + words.Int(g.Away) + ` away)</small>`
			}
			fmt.Fprintf(b, `<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`,
				count, words.Int(g.Processors), memory(g.Memory), dash(g.GPUs), words.Int(g.Weight), esc(strings.Join(g.Features, ", ")), esc(strings.Join(parts, ", ")))
		}
		b.WriteString(`</tbody></table></div>`)
	}
	if len(m.Partitions) > 0 {
		b.WriteString(table("Partitions", "partition", "nodes", "tier", "priority", "MaxTime"))
		for _, p := range m.Partitions {
			name := esc(p.Name)
			if p.Default {
				name += ` <small>default</small>`
			}
			if !p.Up {
				name += ` <small>not up</small>`
			}
			fmt.Fprintf(b, `<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`, name, words.Int(p.Nodes), words.Int(p.Tier), words.Int(p.JobFactor), span(p.MaxTime))
		}
		b.WriteString(`</tbody></table></div>`)
	}
	if len(m.QOS) > 0 {
		b.WriteString(table("QOS", "QOS", "priority", "limits"))
		for _, q := range m.QOS {
			fmt.Fprintf(b, `<tr><th scope="row">%s</th><td>%s</td><td>%s</td></tr>`, esc(q.Name), words.Int(q.Priority), esc(settings(q.Limits)))
		}
		b.WriteString(`</tbody></table></div>`)
	}
	if len(m.Accounts) > 0 {
		b.WriteString(table("Accounts, by number", "account", "in", "shares", "users"))
		for i, a := range m.Accounts {
			in := "–"
			if a.Parent > 0 {
				in = strconv.Itoa(a.Parent)
			}
			fmt.Fprintf(b, `<tr><th scope="row">%d</th><td>%s</td><td>%s</td><td>%s</td></tr>`, i+1, in, dash(a.Shares), words.Int(a.Users))
		}
		b.WriteString(`</tbody></table></div>`)
	}
	if len(m.Scheduling) > 0 {
		b.WriteString(table("How Slurm schedules", "setting", "value", "line"))
		for _, s := range m.Scheduling {
			fmt.Fprintf(b, `<tr><th scope="row">%s</th><td class="mono">%s</td><td>%d</td></tr>`, esc(s.Name), esc(s.Value), s.Line)
		}
		b.WriteString(`</tbody></table></div>`)
	}
	if q := m.Queue; q != nil {
		fmt.Fprintf(b, `<div><h4>The queue</h4><p>%s run, %s wait`, words.Count(q.Running, "job", "jobs"), words.Int(q.Waiting))
		for i, r := range q.Reasons {
			b.WriteString(map[bool]string{true: ": ", false: ", "}[i == 0] + esc(r.What) + " " + words.Int(r.Count))
		}
		b.WriteString(`.</p></div>`)
	}
	b.WriteString(`</div>`)
	if len(m.Problems) > 0 {
		b.WriteString(`<h4>What could not be read</h4>` + problems(m.Problems, 3*mostProblems))
	}
	v.unused(b)
	b.WriteString(`</section>`)
}

// table begins a table with its header.
func table(name string, columns ...string) string {
	text := `<div class="table-at" tabindex="0" role="region" aria-label="` + name + `"><h4>` + name + `</h4><table class="plain"><thead><tr>`
	for _, c := range columns {
		text += `<th scope="col">` + c + `</th>`
	}
	return text + `</tr></thead><tbody>`
}

// unused lists what nothing goes by, with what that may cost.
func (v *Seen) unused(b *strings.Builder) {
	harmless, list := 0, []report.Unused(nil)
	for _, u := range v.Machine.Unused {
		if u.Costs == "" {
			harmless += 1 + u.More
		} else {
			list = append(list, u)
		}
	}
	if len(list) == 0 && harmless == 0 {
		return
	}
	fmt.Fprintf(b, `<details class="intake-unused"><summary>What no scheduler here uses: %s</summary>`, words.Count(len(list), "setting", "settings"))
	b.WriteString(table("Not simulated, with what that may cost", "line", "setting", "what it may cost"))
	for _, u := range list {
		where := "–"
		if u.Line > 0 {
			where = words.Int(u.Line)
		}
		if u.More > 0 {
			where += ` <small>and ` + words.Int(u.More) + ` more</small>`
		}
		fmt.Fprintf(b, `<tr><th scope="row">%s</th><td class="mono">%s</td><td>%s</td></tr>`, where, esc(u.Key), esc(first(u.Costs)))
	}
	b.WriteString(`</tbody></table></div>`)
	if harmless > 0 {
		b.WriteString(`<p class="faint">` + words.Count(harmless, "further setting says", "further settings say") + ` nothing of schedules.</p>`)
	}
	b.WriteString(`</details>`)
}

// settings writes limits in Slurm's words.
func settings(list []report.Setting) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, s.Name+" "+s.Value)
	}
	return strings.Join(parts, ", ")
}

func dash(n int64) string {
	if n == 0 {
		return "–"
	}
	return words.Int(n)
}

// memory writes bytes in GiB, as configurations count them.
func memory(n int64) string {
	if n == 0 {
		return "–"
	}
	return words.Number(float64(n)/(1<<30), 1) + words.NB + "GiB"
}
