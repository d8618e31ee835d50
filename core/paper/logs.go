package paper

// logHashes are the SHA-256 of the texts of the logs that studies want, by the
// name in Preset.Log, as far as they are known: cleaned versions of the Parallel
// Workloads Archive, or as the study's authors published them.
var logHashes = map[string]string{
	"SDSC-SP2": "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2", // SDSC-SP2-1998-4.2-cln.swf
	"KTH-SP2":  "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87", // KTH-SP2-1996-2.1-cln.swf
	"HPC2N":    "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa", // HPC2N-2002-2.2-cln.swf
	"CERIT-SC": "bf5c1cc69915f2d5d26c579f69e206513ceff9bd60e6c4b112182da0c6183ed7", // CERIT-SC-wagap-2013.alea21.swf
}

// LogHash returns the SHA-256 of the log that a preset wants, "" unknown.
func (p *Preset) LogHash() string { return logHashes[p.Log] }
