package ui

import (
	"strconv"

	"batchlab/ui/words"
)

// Short names for what components say at every other node.

func flag(on bool) string { return strconv.FormatBool(on) }

func when(on bool, text string) string { return words.When(on, text) }

func either(on bool, yes, no string) string { return words.Either(on, yes, no) }
