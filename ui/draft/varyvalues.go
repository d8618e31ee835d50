package draft

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// choices fills in the values of a choice; all of them, at first.
func (s *Draft) choices(v *Varying, b *binding, has []experiment.Value) {
	list := b.options
	if b.check {
		v.Choices = []VaryChoice{{Key: "", Name: "off"}, {Key: "true", Name: "on"}}
	}
	for _, o := range list {
		v.Choices = append(v.Choices, VaryChoice{Key: o.Key, Name: o.Name, Help: o.Help})
	}
	keep := v.Choices[:0]
	for _, c := range v.Choices {
		var err error
		if c.value, err = b.valueOf(&s.Settings, v.Path, c.Key); err != nil {
			continue // not here
		}
		c.On = has == nil && len(keep) < 8 || slices.Contains(has, c.value)
		keep = append(keep, c)
	}
	v.Choices = keep
}

// typeValues writes values as they were typed.
func (s *Draft) typeValues(v *Varying, has []experiment.Value) {
	v.Range = len(has) > 12
	if from, to, step, ok := steady(has); ok && len(has) > 2 {
		v.Range = true
		v.Texts["from"], v.Texts["to"], v.Texts["step"] = s.number(v, from), s.number(v, to), s.number(v, step)
	} else if v.Range { // a long list of another kind is taken over as it is
		v.Range = false
	}
	var list []string
	for _, x := range has[:min(len(has), 500)] {
		list = append(list, s.AxisText(&s.Settings, v.Path, x))
	}
	v.Texts["values"] = strings.Join(list, "; ")
	if len(has) > 500 {
		v.Texts["values"] += "; …"
	}
	s.counted(v, has)
}

// counted fills in how many values a logarithmic range has.
func (s *Draft) counted(v *Varying, has []experiment.Value) {
	v.Texts["count"] = strconv.Itoa(max(2, len(has)))
	if v.Texts["from"] == "" && len(has) > 1 {
		v.Texts["from"], v.Texts["to"] = s.AxisText(&s.Settings, v.Path, has[0]), s.AxisText(&s.Settings, v.Path, has[len(has)-1])
	}
}

// number writes a number as the input of v shows it.
func (s *Draft) number(v *Varying, x float64) string {
	if v.seconds && x == math.Trunc(x) {
		return words.Typed(int64(x))
	}
	return words.Shown(strconv.FormatFloat(x, 'f', -1, 64))
}

// steady finds the steps of values that stand at equal distances.
func steady(list []experiment.Value) (from, to, step float64, ok bool) {
	at := make([]float64, len(list))
	for i, v := range list {
		var err error
		if at[i], err = strconv.ParseFloat(string(v), 64); err != nil {
			return 0, 0, 0, false
		}
	}
	if len(at) < 3 || at[1] <= at[0] {
		return 0, 0, 0, false
	}
	step = rounded(at[1]-at[0], max(decimals(at[0]), decimals(at[1])))
	for i, x := range at {
		if math.Abs(x-(at[0]+float64(float64(i)*step))) > step/1e6 {
			return 0, 0, 0, false
		}
	}
	return at[0], at[len(at)-1], step, true
}

// propose fills in values around the one that stands in the input, as far as it
// takes them.
func (s *Draft) propose(v *Varying, b *binding) {
	takes := func(x float64) bool {
		_, err := b.valueOf(&s.Settings, v.Path, s.number(v, x))
		return err == nil
	}
	v.Range = true
	at, ok := 0.0, false
	if value, there := s.Settings.ValueAt(v.Path); there {
		f, err := strconv.ParseFloat(string(value), 64)
		at, ok = f, err == nil
	}
	if v.Path == "platform.processors" && at == 0 && s.Processors() > 0 {
		at, ok = float64(s.Processors()), true
	}
	if v.Path == "seed" {
		v.Texts["from"], v.Texts["to"], v.Texts["step"] = s.number(v, at), s.number(v, at+9), "1"
		v.Texts["count"], v.Texts["values"] = "10", ""
		return
	}
	if !ok && b.row.Try != nil {
		s.tryValues(v, b, takes)
		return
	}
	step := nice(math.Abs(at) / 4)
	if !ok || at == 0 {
		at = 0
		for _, step = range []float64{0.1, 3600, 1, 10} {
			if (step == 3600) == v.seconds && takes(step) && takes(3*step) {
				break
			}
		}
	}
	if !takes(at + step) { // whole numbers only
		step = math.Max(1, math.Round(step))
	}
	if !takes(at) {
		at = step
	}
	from, to := at, at
	for range 2 {
		if takes(from-step) && from-step > 0 {
			from = rounded(from-step, 6)
		}
	}
	for range 2 {
		if takes(to + step) {
			to = rounded(to+step, 6)
		}
	}
	v.Texts["from"], v.Texts["to"], v.Texts["step"], v.Texts["count"] = s.number(v, from), s.number(v, to), s.number(v, step), "5"
	var list []string
	if v.seconds && (!ok || at == 0) {
		v.Range = false
		list = []string{"1h", "6h", "1d"}
		if b.empty != "" {
			list = append([]string{b.empty}, list...)
		}
	} else {
		for x := from; x <= to+step/1e6 && len(list) < 20; x = rounded(x+step, 6) {
			list = append(list, s.number(v, x))
		}
	}
	v.Texts["values"] = strings.Join(list, "; ")
}

// tryValues proposes the values that an input names itself, since nothing stands in it.
func (s *Draft) tryValues(v *Varying, b *binding, takes func(float64) bool) {
	var list []string
	for _, n := range b.row.Try {
		if text := s.number(v, float64(n)); takes(float64(n)) && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	v.Range = false
	v.Texts["values"], v.Texts["from"], v.Texts["to"] = strings.Join(list, "; "), list[0], list[len(list)-1]
	v.Texts["step"], v.Texts["count"] = s.number(v, float64(b.row.Try[1])), strconv.Itoa(len(list))
}

// nice rounds to 1, 2 or 5 times a power of ten, not above.
func nice(x float64) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 1
	}
	e := math.Floor(math.Log10(x) + 1e-9)
	for _, m := range []float64{5, 2, 1} {
		if y := rounded(m*math.Pow(10, e), 9); y <= x*(1+1e-9) {
			return y
		}
	}
	return rounded(math.Pow(10, e), 9)
}

// decimals is how many digits after the point a number is written with.
func decimals(x float64) int {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return len(text) - i - 1
	}
	return 0
}

// rounded rounds to so many digits after the point, as a decimal number.
func rounded(x float64, digits int) float64 {
	f, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', max(0, min(12, digits)), 64), 64)
	if err != nil {
		return x
	}
	return f
}

// refusedValue says what a place has against a value.
func (s *Draft) refusedValue(e *experiment.Experiment, path string, v experiment.Value, err error) string {
	text := err.Error()
	if f := experiment.Faults(err); len(f) > 0 {
		if text = f[0].Message; f[0].Path != path {
			text = f[0].Path + ": " + text
		}
	}
	return s.AxisText(e, path, v) + " is refused at " + path + ": " + text
}

// tooMany says when a document makes more points or runs than the page runs.
func tooMany(e *experiment.Experiment) string {
	points, runs := 1, 0
	for _, a := range e.Vary {
		points *= max(1, len(a.Values))
	}
	for i := range e.Schedulers {
		runs += points * int(max(1, e.Schedulers[i].Repeat))
	}
	switch {
	case points > experiment.MaxPoints:
		return "makes " + words.Count(points, "point", "points") + "; at most " + words.Int(experiment.MaxPoints) + " are run"
	case runs > experiment.MaxRuns:
		return "makes " + words.Count(runs, "run", "runs") + "; at most " + words.Int(experiment.MaxRuns) + " are run"
	case runs > MaxSweepRuns:
		return "makes " + words.Count(runs, "run", "runs") + "; the page runs at most " + words.Int(MaxSweepRuns) + ", the command line (batchlab run, batchlab slurm) more"
	}
	return ""
}

// typed reads a list of values.
func (s *Draft) typed(v *Varying, b *binding) (list []experiment.Value) {
	for _, word := range splitValues(v.Texts["values"]) {
		if word == "…" {
			if i := s.axisOf(v.Path); i >= 0 && len(list) < len(s.Settings.Vary[i].Values) {
				return s.Settings.Vary[i].Values
			}
			continue
		}
		if b.empty != "" && strings.EqualFold(word, b.empty) {
			word = ""
		}
		x, err := b.valueOf(&s.Settings, v.Path, word)
		if err != nil {
			v.Faults["values"] = or(word, b.empty) + ": " + err.Error()
			return nil
		}
		if list = append(list, x); len(list) > 2000 {
			v.Faults["values"] = "at most 2,000 values can be typed; give more as from … to"
			return nil
		}
	}
	return list
}

// splitValues takes a typed list apart: at semicolons where there are any, else
// at commas that do not stand inside of numbers, else at blanks.
func splitValues(text string) (list []string) {
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	if strings.Contains(text, ";") {
		for part := range strings.SplitSeq(text, ";") {
			add(part)
		}
		return list
	}
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	from, commas := 0, false
	for i := range len(text) {
		thousands := digit(i-1) && digit(i+1) && digit(i+2) && digit(i+3) && !digit(i+4)
		inside := thousands || words.Shown(".") == "," && digit(i-1) && digit(i+1)
		if text[i] == ',' && !inside {
			add(text[from:i])
			from, commas = i+1, true
		}
	}
	if commas {
		add(text[from:])
		return list
	}
	for part := range strings.FieldsSeq(text) {
		add(part)
	}
	return list
}

// steps makes the values of a range.
func (s *Draft) steps(v *Varying, b *binding) (list []experiment.Value) {
	end := func(key string) float64 {
		x, err := b.valueOf(&s.Settings, v.Path, strings.TrimSpace(v.Texts[key]))
		f, bad := strconv.ParseFloat(string(x), 64)
		switch {
		case err != nil:
			v.Faults[key] = err.Error()
		case bad != nil:
			v.Faults[key] = "must be a number"
		}
		return f
	}
	from, to := end("from"), end("to")
	if len(v.Faults) > 0 {
		return nil
	}
	if to <= from {
		v.Faults["to"] = "must be above from"
		return nil
	}
	whole := s.wholeOnly(v, b, from, to)
	if v.Log {
		return logSteps(v, from, to, whole)
	}
	step, err := number(strings.TrimSpace(v.Texts["step"]))
	if v.seconds {
		var n int64
		n, err = words.Seconds(v.Texts["step"])
		step = float64(n)
	}
	switch {
	case err != nil:
		v.Faults["step"] = err.Error()
		return nil
	case step <= 0:
		v.Faults["step"] = "must be above 0"
		return nil
	case whole && step != math.Trunc(step):
		v.Faults["step"] = "must be whole: the setting takes whole numbers"
		return nil
	}
	n := math.Floor((to-from)/step+1e-6) + 1
	if n > experiment.MaxValues {
		v.Faults["step"] = "makes " + words.Number(n, 0) + " values; at most " + words.Int(experiment.MaxValues)
		return nil
	}
	digits := max(decimals(from), decimals(step))
	for i := range int(n) {
		list = append(list, experiment.NumberValue(rounded(from+float64(float64(i)*step), digits)))
	}
	return list
}

// logSteps makes values with equal quotients, of three digits each.
func logSteps(v *Varying, from, to float64, whole bool) (list []experiment.Value) {
	n, err := strconv.Atoi(strings.TrimSpace(v.Texts["count"]))
	switch {
	case err != nil || n < 2:
		v.Faults["count"] = "a whole number from 2 on"
		return nil
	case n > experiment.MaxValues:
		v.Faults["count"] = "at most " + words.Int(experiment.MaxValues) + " values"
		return nil
	case from <= 0:
		v.Faults["from"] = "must be above 0 for equal quotients"
		return nil
	}
	for i := range n {
		x := from * math.Pow(to/from, float64(i)/float64(n-1))
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
		if whole {
			x = math.Round(x)
		}
		switch i {
		case 0:
			x = from
		case n - 1:
			x = to
		}
		list = append(list, experiment.NumberValue(x))
	}
	return list
}

// wholeOnly reports whether an input between two numbers takes whole ones only.
func (s *Draft) wholeOnly(v *Varying, b *binding, from, to float64) bool {
	mid := math.Floor((from+to)/2) + 0.5
	if mid < from || mid > to {
		mid = from + (to-from)/2
		if mid == math.Trunc(mid) {
			return false
		}
	}
	_, err := s.Settings.With(v.Path, experiment.NumberValue(mid))
	return err != nil
}
