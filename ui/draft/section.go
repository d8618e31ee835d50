package draft

// Section is a part of the left column as data: what components would be
// written out for stands here as a list, since generated components are dear
// in download size. ui/panel.go writes it as HTML.
type Section struct {
	Key    string // its button is called "section-KEY"
	Title  string
	Sum    string // what is in it, while it is closed
	Short  string // what the row in which it stands says of it, "" as Sum
	Varies bool   // something of it varies, and Sum says what
	Items  []Item
}

// Item is one line of a section: exactly one of Field, Sheet, Text, Fault,
// Choices and Acts says what.
type Item struct {
	Field   string // id of an input, see Draft.Input
	Sheet   string // id of a table, see Draft.Sheet
	Text    string // a hint
	Fault   string // what is wrong
	Label   string // of Choices
	Choices []Act  // buttons of which one is pressed
	Acts    []Act  // buttons
}

// Act is a button of a section; pressing it calls Draft.Act with its key.
type Act struct {
	Key, Name, Help   string
	Pressed, Disabled bool
}

// sections are the parts of the left column that stand in a group, by its key.
// One that has nothing to say now returns no items and is left out.
var sections = map[string][]func(*Draft) Section{
	"platform": {nodesSection, machinesSection, partitionsSection, qosSection, accountsSection, guardSection},
	"workload": {generatorSection, filterSection, casesSection, predictSection, reactSection, patienceSection},
}

// Sections returns the parts of a group that are there now.
func (s *Draft) Sections(group string) []Section {
	var list []Section
	for _, f := range sections[group] {
		if one := f(s); len(one.Items) > 0 {
			list = append(list, one)
		}
	}
	return list
}

// Act does what a button of a section says; ok is false for a key that the
// store does not know.
func (s *Draft) Act(key string) (ok bool) {
	f := acts[key]
	if f != nil {
		f(s)
	}
	return f != nil
}
