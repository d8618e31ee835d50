package paper

import (
	"slices"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// marks are the shapes of verdicts, so that nobody has to tell colours apart.
var marks = map[string]draw.Markup{
	"confirmed":            `<circle cx="8" cy="8" r="6"/><path d="m5.200 8.200 2 2 3.600-4"/>`,
	"not confirmed":        `<circle cx="8" cy="8" r="6"/><path d="m5.800 5.800 4.400 4.400M10.200 5.800l-4.400 4.400"/>`,
	"depends on":           `<circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>`,
	"cannot be told":       `<circle cx="8" cy="8" r="6" stroke-dasharray="2.200 1.600"/><path d="M6.500 6.500c.1-2 3-2 3 0C9.500 7.800 8 7.800 8 9M8 11v.1"/>`,
	"is outside our scope": `<path d="M3 8h10"/>`,
}

// kindClass is the class of a verdict's colour.
func kindClass(kind string) string { return "claim-" + strings.ReplaceAll(kind, " ", "-") }

// Mark is a verdict's shape and colour; alone, without words beside it, it says
// what it is.
func Mark(kind string, alone bool) draw.Markup {
	said := draw.Markup(` aria-hidden="true"`)
	if alone {
		said = draw.HTML(` role="img" aria-label="{}"`, short(kind))
	}
	return draw.HTML(`<svg class="icon {}" viewBox="0 0 16 16"{}>{}</svg>`, kindClass(kind), said, marks[kind])
}

// short is a verdict without its verb: "depends", "outside our scope".
func short(kind string) string { return strings.TrimPrefix(strings.TrimSuffix(kind, " on"), "is ") }

// count counts verdicts of claims, in the order of state.Verdicts.
func count(claims []*engine.Claim) (n [5]int) {
	for _, c := range claims {
		if k := slices.Index(engine.Verdicts, c.Kind); k >= 0 {
			n[k]++
		}
	}
	return n
}

// all are the claims of a study.
func all(study *engine.Study) []*engine.Claim {
	list := make([]*engine.Claim, len(study.Claims))
	for i := range list {
		list[i] = &study.Claims[i]
	}
	return list
}

// countHTML says how many claims there are of each verdict.
func countHTML(claims []*engine.Claim) draw.Markup {
	var b draw.Writer
	b.Add(`<ul class="claim-count" aria-label="Verdicts">`)
	for k, n := range count(claims) {
		if n > 0 {
			b.Put(`<li class="{}">{}<b>{}</b> {}</li>`, kindClass(engine.Verdicts[k]), Mark(engine.Verdicts[k], false), n, short(engine.Verdicts[k]))
		}
	}
	return b.Markup() + `</ul>`
}

// telling are the claims that a card shows: what the paper is about.
func telling(claims []*engine.Claim) (list []*engine.Claim) {
	for _, c := range claims {
		if c.Main {
			list = append(list, c)
		}
	}
	return list
}

// verdict is a verdict in words, with how many cases say what.
func verdict(c *engine.Claim) string {
	text := c.Kind
	if c.Kind == "depends on" {
		text += " " + strings.Split(c.On, ". ")[0]
	}
	if c.Brief != "" {
		text += ": " + c.Brief
	}
	return text
}

// sideKinds are the verdicts whose marks stand beside what a case says.
var sideKinds = map[string]string{"yes": "confirmed", "no": "not confirmed", "smaller than the margin": "not confirmed"}

// together keeps a number with its interval and its unit on one line.
func together(text string) string {
	return strings.TrimSuffix(strings.NewReplacer(" ± ", words.NB+"±"+words.NB, " %", words.NB+"%", " s ", words.NB+"s ", " s,", words.NB+"s,", " h ", words.NB+"h ", " h,", words.NB+"h,").Replace(text+" "), " ")
}

// sidesHTML are the cases of a claim: what each says, and its numbers.
func sidesHTML(c *engine.Claim) draw.Markup {
	var b draw.Writer
	b.Add(`<table class="claim-sides"><thead class="visually-hidden"><tr><th>Case</th><th>Says</th><th>Numbers</th></tr></thead><tbody>`)
	for _, s := range c.Sides {
		kind := sideKinds[s.Says]
		if kind == "" {
			kind = "cannot be told"
		}
		b.Put(`<tr><th scope="row">{}</th><td class="{}">{} {}</td><td class="num">{}</td></tr>`, hold(together(s.Name)), kindClass(kind), Mark(kind, false), hold(s.Says), hold(together(s.Numbers)))
	}
	return b.Markup() + `</tbody></table>`
}

// claimsOf are the claims that a table or figure is about.
func claimsOf(study *engine.Study, key string) (list []*engine.Claim) {
	for i := range study.Claims {
		if slices.Contains(study.Claims[i].Presets, key) {
			list = append(list, &study.Claims[i])
		}
	}
	return list
}

// marksOf are the marks of these claims, each kind once.
func marksOf(list []*engine.Claim) draw.Markup {
	out := draw.Markup("")
	for k, n := range count(list) {
		if n > 0 {
			out += Mark(engine.Verdicts[k], true)
		}
	}
	return out
}

// claimsHTML are claims with their verdicts, and what would change these. papers
// are what they lead to, nil where they stand beside it.
func claimsHTML(list []*engine.Claim, papers []*engine.Paper) draw.Markup {
	var b draw.Writer
	b.Add(`<ol class="claims">`)
	for _, c := range list {
		b.Put(`<li class="claim"><p class="claim-says">{}</p><p class="claim-verdict {}">{}<span><b>{}</b>`, hold(Title(c.Says)), kindClass(c.Kind), Mark(c.Kind, false), Title(c.Kind))
		if c.On != "" {
			b.Put(` {}`, hold(c.On))
		}
		b.Add(`</span></p><dl>`)
		line := func(name string, text draw.Markup) {
			if text != "" && text != "–" {
				b.Put(`<dt>{}</dt><dd>{}</dd>`, name, text)
			}
		}
		found := said(c.Result)
		if len(c.Sides) > 0 {
			found = sidesHTML(c) + found
		}
		line("We found", found)
		line("Run", said(c.Ran))
		line("What could change this", said(c.Change))
		line("In the paper", said(sections(c.Where)))
		text := draw.Markup("")
		for _, key := range c.Presets {
			if at := slices.IndexFunc(papers, func(p *engine.Paper) bool { return p.Key == key }); at >= 0 {
				text += draw.HTML(`<button type="button" class="link-button" data-open="{}">{}</button> `, key, hold(placeName(papers[at])))
			}
		}
		line("Look at it", text)
		b.Add(`</dl></li>`)
	}
	return b.Markup() + `</ol>`
}

// sections writes where a claim stands so that its numbers say what they are: of
// "abstract, 5.2" "abstract, section 5.2", of "7, 8" "sections 7 and 8".
func sections(where string) string {
	var out, numbers []string
	flush := func() {
		switch len(numbers) {
		case 0:
		case 1:
			out = append(out, "section"+words.NB+numbers[0])
		default:
			out = append(out, "sections"+words.NB+strings.Join(numbers[:len(numbers)-1], ", ")+" and "+numbers[len(numbers)-1])
		}
		numbers = nil
	}
	for _, part := range strings.Split(strings.ReplaceAll(where, ";", ","), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if part[0] >= '0' && part[0] <= '9' {
			numbers = append(numbers, part)
			continue
		}
		flush()
		out = append(out, part)
	}
	flush()
	return strings.Join(out, ", ")
}

// placeName says in few words what a table or figure is: "table 6", "figure 1(a)",
// else what people call it.
func placeName(p *engine.Paper) string {
	_, key, _ := strings.Cut(p.Key, "-")
	for _, what := range []string{"table", "figure"} {
		n, ok := strings.CutPrefix(key, what)
		if !ok || n == "" {
			continue
		}
		n, kind, _ := strings.Cut(n, "-")
		if last := n[len(n)-1]; last >= 'a' && last <= 'z' {
			n = n[:len(n)-1] + "(" + n[len(n)-1:] + ")"
		}
		if kind != "" {
			n += ", " + kind
		}
		return what + words.NB + n
	}
	return p.Name
}

// said is a text as markup.
func said(s string) draw.Markup { return draw.HTML(`{}`, hold(s)) }
