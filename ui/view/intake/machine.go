package intake

import (
	"strconv"
	"strings"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// machine shows what the configuration says, and what of it nothing goes by.
func (v *Seen) machine(b *draw.Writer) {
	m := v.Machine
	if m == nil {
		return
	}
	b.Put(`<section class="bl-card"><h3>The machine <small>read from {}; every number can be changed under <i>Platform</i></small></h3><div class="intake-machine">`, strings.Join(m.Files, ", "))
	if len(m.Groups) > 0 {
		b.Add(table("Groups of nodes", "nodes", "cores", "memory", "GPUs", "weight", "features", "partitions"))
		for _, g := range m.Groups {
			var parts []string
			for _, p := range g.Partitions {
				parts = append(parts, m.Partitions[p].Name)
			}
			count := draw.HTML(`{}`, words.Int(g.Count))
			if g.Away > 0 {
				count += draw.HTML(` <small>({} away)</small>`, words.Int(g.Away))
			}
			b.Put(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>`, count, words.Int(g.Processors), memory(g.Memory), dash(g.GPUs), words.Int(g.Weight), strings.Join(g.Features, ", "), strings.Join(parts, ", "))
		}
		b.Add(`</tbody></table></div>`)
	}
	if len(m.Partitions) > 0 {
		b.Add(table("Partitions", "partition", "nodes", "tier", "priority", "MaxTime"))
		for _, p := range m.Partitions {
			name := draw.HTML(`{}`, p.Name)
			if p.Default {
				name += ` <small>default</small>`
			}
			if !p.Up {
				name += ` <small>not up</small>`
			}
			b.Put(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>`, name, words.Int(p.Nodes), words.Int(p.Tier), words.Int(p.JobFactor), span(p.MaxTime))
		}
		b.Add(`</tbody></table></div>`)
	}
	if len(m.QOS) > 0 {
		b.Add(table("QOS", "QOS", "priority", "limits"))
		for _, q := range m.QOS {
			b.Put(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>`, q.Name, words.Int(q.Priority), settings(q.Limits))
		}
		b.Add(`</tbody></table></div>`)
	}
	if len(m.Accounts) > 0 {
		b.Add(table("Accounts, by number", "account", "in", "shares", "users"))
		for i, a := range m.Accounts {
			in := "–"
			if a.Parent > 0 {
				in = strconv.Itoa(a.Parent)
			}
			b.Put(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>`, i+1, in, dash(a.Shares), words.Int(a.Users))
		}
		b.Add(`</tbody></table></div>`)
	}
	if len(m.Scheduling) > 0 {
		b.Add(table("How Slurm schedules", "setting", "value", "line"))
		for _, s := range m.Scheduling {
			b.Put(`<tr><th scope="row">{}</th><td class="mono">{}</td><td>{}</td></tr>`, s.Name, s.Value, s.Line)
		}
		b.Add(`</tbody></table></div>`)
	}
	if q := m.Queue; q != nil {
		b.Put(`<div><h4>The queue</h4><p>{} run, {} wait`, words.Count(q.Running, "job", "jobs"), words.Int(q.Waiting))
		for i, r := range q.Reasons {
			b.Put(`{}{} {}`, map[bool]string{true: ": ", false: ", "}[i == 0], r.What, words.Int(r.Count))
		}
		b.Add(`.</p></div>`)
	}
	b.Add(`</div>`)
	if len(m.Problems) > 0 {
		b.Put(`<h4>What could not be read</h4>{}`, problems(m.Problems, 3*mostProblems))
	}
	v.unused(b)
	b.Add(`</section>`)
}

// table begins a table with its header.
func table(name string, columns ...string) draw.Markup {
	text := draw.HTML(`<div class="table-at" tabindex="0" role="region" aria-label="{}"><h4>{}</h4><table class="plain"><thead><tr>`, name, name)
	for _, c := range columns {
		text += draw.HTML(`<th scope="col">{}</th>`, c)
	}
	return text + `</tr></thead><tbody>`
}

// unused lists what nothing goes by, with what that may cost.
func (v *Seen) unused(b *draw.Writer) {
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
	b.Put(`<details class="intake-unused"><summary>What no scheduler here uses: {}</summary>`, words.Count(len(list), "setting", "settings"))
	b.Add(table("Not simulated, with what that may cost", "line", "setting", "what it may cost"))
	for _, u := range list {
		where := draw.Markup("–")
		if u.Line > 0 {
			where = draw.HTML(`{}`, words.Int(u.Line))
		}
		if u.More > 0 {
			where += draw.HTML(` <small>and {} more</small>`, words.Int(u.More))
		}
		b.Put(`<tr><th scope="row">{}</th><td class="mono">{}</td><td>{}</td></tr>`, where, u.Key, first(u.Costs))
	}
	b.Add(`</tbody></table></div>`)
	if harmless > 0 {
		b.Put(`<p class="faint">{} nothing of schedules.</p>`, words.Count(harmless, "further setting says", "further settings say"))
	}
	b.Add(`</details>`)
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
