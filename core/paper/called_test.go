package paper

import (
	"cmp"
	"strings"
)

// Name is what people call the table or figure: "Three ways to place
// reservations". A preset without a name of its own is called by what it shows.
func (p *Preset) Name() string {
	if name := p.told().Name; name != "" {
		return name
	}
	_, shows, there := strings.Cut(p.Shows, ": ")
	if !there {
		shows = p.Shows
	}
	return strings.ToUpper(shows[:1]) + shows[1:]
}

// Place is where it stands in the paper: "table 6", "figure 1(a)"; "" where what
// it shows is in no one place.
func (p *Preset) Place() string {
	if list := placesIn(p.Shows); list != nil && strings.HasPrefix(p.Shows, list[0]) {
		return list[0]
	}
	if place, _, ok := strings.Cut(p.Shows, ":"); ok && strings.HasPrefix(place, "section ") {
		return place
	}
	return ""
}

// What says what to look for in a preset, "" nothing beyond what it shows.
func (p *Preset) What() string { return cmp.Or(p.LookFor, p.told().LookFor) }

// told is what the files say of a preset.
func (p *Preset) told() Told { return toldOf[p.Key] }

// Published returns the numbers that the paper prints for the table or figure, as
// rows without ours (NaN): the labels and columns are those of a run in full on
// the log that the paper used. It is empty where the paper prints none.
func (p *Preset) Published() []Row {
	var list []Row
	prints := p.told().Prints
	for i := range prints {
		prints[i].rows(func(r Row) { list = append(list, r) })
	}
	return list
}
