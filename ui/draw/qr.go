package draw

// LongestQR is how many characters a link may have to be shown as a QR code that a phone
// reads.
const LongestQR = 2900

// QRImage is a QR code as an image: the data of a path and the modules of a side, as QR
// gives them. It is dark on white whatever the theme: scanners want it so.
func QRImage(path string, size int, id string) Markup {
	return HTML(`<svg class="qr" id="{}" viewBox="0 0 {} {}" role="img" aria-label="The link as a QR code" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="{}"/></svg>`, id, size, size, path)
}
