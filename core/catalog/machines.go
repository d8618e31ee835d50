package catalog

const citeTechiouba = "A. D. Techiouba, G. Capannini, R. Baraglia, D. Puppin, M. Pasquali and L. Ricci, Backfilling Strategies for " +
	"Scheduling Streams of Jobs on Computational Farms, in: Making Grids Work (CoreGRID), 2008"

// Machines are all generators of machines and licences.
var Machines = []Generator{
	{
		Key:  "farm-machines",
		Name: "Farm of unequal machines",
		Help: "Machines with different numbers of processors and powers, and floating licences with fewer copies than machines on which they may be activated; drawn for each repetition.",
		Cite: citeTechiouba,
		Params: []Param{
			{Key: "machines", Name: "Machines", Type: Int, Unit: "machines", Min: 1, Max: 10_000, Default: int64(100),
				Help: "How many machines there are."},
			{Key: "procs-min", Name: "Fewest processors", Type: Int, Unit: "processors", Min: 1, Max: 1024, Default: int64(1),
				Help: "Least processors of a machine; drawn uniformly."},
			{Key: "procs-max", Name: "Most processors", Type: Int, Unit: "processors", Min: 1, Max: 1024, Default: int64(8),
				Help: "Greatest processors of a machine."},
			{Key: "power-min", Name: "Least power", Type: Number, Min: 0.01, Max: 100, Default: 1.0,
				Help: "Least computational power of a machine; drawn uniformly. The study prints no range."},
			{Key: "power-max", Name: "Greatest power", Type: Number, Min: 0.01, Max: 100, Default: 4.0,
				Help: "Greatest power."},
			{Key: "licences", Name: "Licences", Type: Int, Unit: "licences", Min: 0, Max: 200, Default: int64(20),
				Help: "How many floating licences there are; they are called L1, L2 and so on."},
			{Key: "suitability", Name: "Suitability", Type: Number, Min: 0, Max: 1, Default: 0.9,
				Help: "How likely a licence may be activated on a machine."},
			{Key: "copies-min", Name: "Fewest copies", Type: Number, Min: 0, Max: 10, Default: 0.5,
				Help: "Least copies of a licence, as a share of the machines on which it may be activated; at least one."},
			{Key: "copies-max", Name: "Most copies", Type: Number, Min: 0, Max: 10, Default: 0.7,
				Help: "Greatest copies, in the same way."},
		},
	},
	{
		Key:   "cerit-sc",
		Name:  "CERIT-SC: zewura and zegox",
		Help:  "The clusters of the Czech CERIT Scientific Cloud in early 2013, nodes with memory and properties, for its log in the extended format (21 fields).",
		Cite:  citeKlusacek + "; the sizes are those of the log CERIT-SC-wagap-2013",
		Fixed: true,
		Params: []Param{
			{Key: "zewura", Name: "Nodes of zewura", Type: Int, Unit: "machines", Min: 0, Max: 1000, Default: int64(20),
				Help: "Nodes of 80 processors and 512 GiB of memory. 0: none; jobs that name them are left out."},
			{Key: "zegox", Name: "Nodes of zegox", Type: Int, Unit: "machines", Min: 0, Max: 1000, Default: int64(48),
				Help: "Nodes of 12 processors and 90 GiB of memory. 0: none."},
		},
	},
}

// farmGenerator makes the jobs of the study.
var farmGenerator = Generator{
	Key:  "farm",
	Name: "Jobs for a farm",
	Help: "Jobs with exponential times between arrivals, uniform run times and processors; a request is the run time. Deadlines and licences come from workload.annotate.",
	Cite: citeTechiouba,
	Params: []Param{
		{Key: "jobs", Name: "Jobs", Type: Int, Unit: "jobs", Min: 1, Max: 1_000_000, Default: int64(1000),
			Help: "How many jobs there are."},
		{Key: "interarrival", Name: "Time between arrivals", Type: Number, Unit: "s", Min: 0.01, Max: 100_000, Default: 12.0,
			Help: "Mean of the exponential time between two submissions: the study uses 4, 6, 12, 24 and 48."},
		{Key: "run-min", Name: "Shortest run", Type: Seconds, Unit: "s", Min: 1, Max: 604_800, Default: int64(500),
			Help: "Least run time, which is also the requested time; drawn uniformly."},
		{Key: "run-max", Name: "Longest run", Type: Seconds, Unit: "s", Min: 1, Max: 604_800, Default: int64(3000),
			Help: "Greatest run time."},
		{Key: "procs-min", Name: "Fewest processors", Type: Int, Unit: "processors", Min: 1, Max: 1024, Default: int64(1),
			Help: "Least processors of a job; drawn uniformly."},
		{Key: "procs-max", Name: "Most processors", Type: Int, Unit: "processors", Min: 1, Max: 1024, Default: int64(8),
			Help: "Greatest processors of a job."},
	},
}
