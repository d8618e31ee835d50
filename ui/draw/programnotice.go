package draw

// Unread is the notice about programs that came from outside and do not run before
// somebody lets them: says is what they are, programs are those to show in it. Its
// buttons have data-do "out" and "allow".
func Unread(says string, programs []string, refuse string) Markup {
	var b Writer
	b.Put(`<div class="own-alert"><div><b tabindex="-1">{}</b> <span class="sec">Programs read nothing but the queue, the running jobs and the platform, reach nothing outside, and stop after a bounded number of steps. Read them first.</span></div><span class="own-acts"><button type="button" class="bl-btn" data-do="out">{}</button><button type="button" class="bl-btn own-pri" data-do="allow">Run</button></span></div>`, says,
		refuse)
	for _, code := range programs {
		b.Put(`<pre class="bl-card own-pre" tabindex="0">{}</pre>`, code)
	}
	return b.Markup()
}
