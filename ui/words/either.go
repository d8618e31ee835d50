package words

// When is text if on, else nothing.
func When(on bool, text string) string { return Either(on, text, "") }

// Either is yes or no.
func Either[T any](on bool, yes, no T) T {
	if on {
		return yes
	}
	return no
}
