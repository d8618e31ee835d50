package ui

// flag writes an aria state.
func flag(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// when is text if on, else nothing.
func when(on bool, text string) string {
	if on {
		return text
	}
	return ""
}

// either is yes or no.
func either(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}
