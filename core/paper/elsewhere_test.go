package paper

import (
	"fmt"
	"math"
	"strings"

	"batchlab/core/policy"
)

// elsewhere are the logs on which each study's main claims are tried.
var elsewhere = []string{"KTH-SP2", "SDSC-SP2", "HPC2N", "CERIT-SC"}

// tried is a main claim, and the numbers that decide on each log whether it holds
// there.
type tried struct {
	study, says string
	// sign is the side of 0 on which the claim holds: 1 above, −1 below.
	sign float64
	// least says that only the number that does worst by the claim counts, and is
	// named: "better than all others".
	least bool
	// places are the numbers on a log.
	places func(log string) []triedAt
	// idle, when not nil, are two places that are equal on a log on which there is
	// nothing to decide.
	idle func(log string) [2]string
}

// triedAt is a number by its place, KEY|LABEL|COLUMN as in tables; with minus the
// difference to another one, which has no interval.
type triedAt struct {
	place, minus string
	maybe        bool // where it is missing there is nothing to say
}

// What a number says of a claim. With an interval it says something where that
// excludes 0; without one, nothing is drawn, and the number itself speaks.
const (
	triedYes  = "yes"
	triedNo   = "**no**"
	triedOpen = "cannot be told"
	triedSame = "the same"
)

// outcome says whether a number is on the claim's side of 0.
func (c *tried) outcome(r VerdictRow) string {
	i := r.interval()
	if i.from, i.to = c.sign*i.from, c.sign*i.to; c.sign < 0 {
		i.from, i.to = i.to, i.from
	}
	switch {
	case i.from == i.to && math.Abs(r.Ours) < 1e-9:
		return triedSame
	case i.from > 0:
		return triedYes
	case i.to < 0:
		return triedNo
	}
	return triedOpen
}

// on is the cell of a log: each number behind a sign that says what it says, which stands
// once where all say the same. It fails on a number that is not there.
func (c *tried) on(log string, at func(key, place string) (VerdictRow, bool)) (string, error) {
	number := func(place string) (VerdictRow, bool) {
		key, rest, _ := strings.Cut(place, "|")
		return at(key, rest)
	}
	if c.idle != nil {
		pair := c.idle(log)
		a, there := number(pair[0])
		b, too := number(pair[1])
		if !there || !too {
			return "", missing(pair[1])
		}
		if a.Ours == b.Ours {
			return "nothing to gain", nil
		}
	}
	var rows []VerdictRow
	var names []string
	for _, p := range c.places(log) {
		r, there := number(p.place)
		if p.minus != "" && there {
			var base VerdictRow
			if base, there = number(p.minus); base.From != nil || base.Half != nil && *base.Half != 0 {
				return "", fmt.Errorf("%s has an interval of its own", p.minus)
			}
			r.Ours -= base.Ours
		}
		switch {
		case there:
			rows, names = append(rows, r), append(names, strings.Split(p.place, "|")[1])
		case !p.maybe:
			return "", missing(p.place)
		}
	}
	name := ""
	if len(rows) == 0 {
		return "–", nil
	}
	if c.least {
		worst := 0
		for i := range rows {
			if c.sign*rows[i].Ours < c.sign*rows[worst].Ours {
				worst = i
			}
		}
		rows = rows[worst : worst+1]
		name = names[worst] + " "
	}
	var cell []string
	last := ""
	for _, r := range rows {
		text := name + r.String()
		if sign := marks[c.outcome(r)]; sign != last {
			text, last = sign+" "+text, sign
		}
		cell = append(cell, text)
	}
	return strings.Join(cell, ", "), nil
}

func missing(place string) error {
	return fmt.Errorf("there is no number %s; ./build.sh papers runs the presets", place)
}

// onEach makes the places of presets that run on one log each: {log} is its name.
func onEach(list ...string) func(string) []triedAt {
	return func(log string) []triedAt {
		out := make([]triedAt, len(list))
		for i, p := range list {
			out[i].place = strings.ReplaceAll(p, "{log}", log)
		}
		return out
	}
}

// sets are a column of klusacek2016's table 1 on the intervals of a log with most
// waiting jobs, minus another one where that is named; Zewura, a part of CERIT-SC,
// has four such intervals.
func sets(column, minus string) func(string) []triedAt {
	return func(log string) (list []triedAt) {
		key, label, n := planStudy+"-table1-contended", log, 2
		switch log {
		case "CERIT-SC":
			label, n = "Zewura", 4
		case "SDSC-SP2":
			key, label = key+"@"+log, "SDSC-SP2-1998-4.2-cln.swf"
		}
		for i := range n {
			at := fmt.Sprintf("%s|%s set %d|", key, label, i+1)
			one := triedAt{place: at + column}
			if minus != "" {
				one.minus, one.maybe = at+minus, true
			}
			list = append(list, one)
		}
		return list
	}
}

// reacting is a measure of klusacek2016's users who react, Plan-RS − Orig-BF.
func reacting(column string) func(string) []triedAt {
	return func(log string) []triedAt {
		at := planStudy + "-users@" + log + "|react, "
		return []triedAt{{place: at + planRS + "|" + column, minus: at + origBF + "|" + column}}
	}
}

// triedElsewhere are the main claims, study by study.
var triedElsewhere = []tried{
	{study: farmStudy, says: "BF_UNMOD misses fewer deadlines than BF_FCFS: margins of at most 250 s", sign: -1,
		places: onEach("techiouba2008-logs@{log}|margins up to 250 s|BF_UNMOD − BF_FCFS")},
	{study: farmStudy, says: "… margins of up to a day", sign: -1,
		places: onEach("techiouba2008-logs@{log}|margins up to 86400 s|BF_UNMOD − BF_FCFS")},
	{study: farmStudy, says: "… and uses the machine better (true utilization, 250 s)", sign: 1,
		places: onEach("techiouba2008-logs@{log}|margins up to 250 s|true utilization, BF_UNMOD − BF_FCFS")},
	{study: gridStudy, says: "the static partition has a larger flow time than MCT: 30 % reservations, 60 %", sign: 1,
		places: onEach("kurowski2011-logs@{log}|30 % reservations|Static − MCT, mean F", "kurowski2011-logs@{log}|60 % reservations|Static − MCT, mean F")},
	{study: gridStudy, says: "… AR resource priority has a smaller flow time than MCT: 30 %, 60 %", sign: -1,
		places: onEach("kurowski2011-logs@{log}|30 % reservations|AR resource priority − MCT, mean F", "kurowski2011-logs@{log}|60 % reservations|AR resource priority − MCT, mean F")},
	{study: hillStudy, says: "hill climbing ends all jobs earlier than the strict FIFO", sign: -1,
		places: onEach("skrinarova2013-logs@{log}|all jobs|makespan: Hill climbing against FIFO")},
	{study: hillStudy, says: "… than the FIFO that lets later jobs pass", sign: -1,
		places: onEach("skrinarova2013-logs@{log}|all jobs|makespan: Hill climbing against FIFO that lets later jobs pass")},
	{study: hillStudy, says: "… and has the shorter mean turnaround: strict FIFO, the other", sign: -1,
		places: onEach("skrinarova2013-logs@{log}|all jobs|mean turnaround: Hill climbing against FIFO", "skrinarova2013-logs@{log}|all jobs|mean turnaround: Hill climbing against FIFO that lets later jobs pass")},
	{study: planStudy, says: "Plan-RS waits less than Orig-BF: interval by interval", sign: -1,
		places: sets("change of WT of Plan-RS against Orig-BF", "")},
	{study: planStudy, says: "… and has the smaller bounded slowdown", sign: -1,
		places: sets("change of SD of Plan-RS against Orig-BF", "")},
	{study: planStudy, says: "… and waits less with users who react, whole log", sign: -1,
		places: reacting("mean wait")},
	{study: planStudy, says: "… and foretells starts of 1 to 6 h later with a smaller mean error", sign: -1,
		places: sets("starts foretold for 1 to 6 h later, Plan-RS: mean error", "starts foretold for 1 to 6 h later, Orig-BF: mean error")},
	{study: "legrand2018", says: "SAF is the best pure order: the best of the others against it", sign: 1, least: true, idle: flatWeeks,
		places: otherOrders},
	{study: "legrand2018", says: "… nothing that learned from the past beats SAF: w_train, w_greedy", sign: 1, idle: flatWeeks,
		places: onEach("legrand2018-logs@{log}|w_train|second half, against SAF", "legrand2018-logs@{log}|w_greedy|second half, against SAF")},
	{study: "legrand2018", says: "… nor our sliding window of four weeks, nor the leader so far", sign: 1, idle: flatWeeks,
		places: onEach("legrand2018-logs@{log}|sliding window of 4 (ours)|second half, against SAF", "legrand2018-logs@{log}|follow the leader (ours)|second half, against SAF")},
}

// otherOrders are the pure orders but SAF, against it.
func otherOrders(log string) (list []triedAt) {
	for _, o := range policy.Pure() {
		if o != policy.SAF {
			list = append(list, triedAt{place: "legrand2018-logs@" + log + "|" + orderName(o) + "|all weeks, against SAF"})
		}
	}
	return list
}

// flatWeeks are equal on a log of which SAF and FCFS are near the best in every week.
func flatWeeks(log string) [2]string {
	at := "legrand2018-logs@" + log + "|all weeks|weeks"
	return [2]string{at, at + " in which SAF and FCFS are within 5 % of w*"}
}

// Elsewhere writes the table of main claims on other logs; at is a number of a
// preset's run, by the preset's key, with @LOG where that is not its own, and
// LABEL|COLUMN.
func Elsewhere(at func(key, place string) (VerdictRow, bool)) (string, error) {
	var b strings.Builder
	b.WriteString("| claim | " + strings.Join(elsewhere, " | ") + " |\n|---|" + strings.Repeat("---|", len(elsewhere)) + "\n")
	for i := range triedElsewhere {
		c := &triedElsewhere[i]
		b.WriteString("| ")
		if i == 0 || triedElsewhere[i-1].study != c.study {
			b.WriteString("`" + c.study + "`: ")
		}
		b.WriteString(c.says + " |")
		for _, log := range elsewhere {
			cell, err := c.on(log, at)
			if err != nil {
				return "", err
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}
