package edge

import "net/http"

// Policy is the content security policy of every answer. Styles may stand in
// attributes, which the charts need; scripts may only come as files, without
// eval.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; " +
	"connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Headers are the security headers of every answer, by name. static/_headers
// says the same for static hosts.
var Headers = [][2]string{
	{"Content-Security-Policy", Policy},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
}

// Secure sets the security headers.
func Secure(h http.Header) {
	for _, p := range Headers {
		h.Set(p[0], p[1])
	}
}
