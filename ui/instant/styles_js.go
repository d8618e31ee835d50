//go:build js

package instant

import _ "embed"

// Styles are the colours of an instant and the type of its picture, for elements of
// the class bl-instant.
//
//go:embed instant.css
var Styles string
