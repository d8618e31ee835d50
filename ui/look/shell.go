package look

// Shell is what views know of the page around them, and ask of it. The page says it
// before each writing; elsewhere nothing is open and nothing happens.
type Shell struct {
	First bool            // the page stands as a first visit finds it
	Tale  bool            // the story of a small machine is on show
	Left  string          // what had come out where the last visit left off, "" it is not offered
	Shut  map[string]bool // groups of settings that are closed
	Act   func(key string)
	Focus func(id string)
}
