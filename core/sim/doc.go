// Package sim is the clock: it replays submissions, asks one scheduler at each
// instant what to start, and lets jobs end when their hidden run time is over.
//
// Read view.go first (what a scheduler sees and answers), then run.go (the
// loop, simulation rules 4 and 5), then record.go (why each job waited).
//
// A scheduler decides and never acts: it returns starts, and only the
// simulator changes the state of the machine. It cannot peek: run times are
// not in the CountedView. Schedulers themselves live in core/policy.
//
// # The loop
//
// The loop of counted.go takes the next instant from three places: the sorted
// submissions, a heap of ends, and the planner's next start.
//
// Packed keys. The heap holds one word for each running job, (end − base) << bits | job:
// comparing is one instruction, and equal ends come in order of job. That bounds times:
// a workload whose ends could exceed what fits beside its jobs' indices is refused
// before it starts.
//
// No write barriers. While Go's collector runs, storing a slice header in the heap of
// memory costs a write barrier. In WebAssembly there is one thread, so a collection that
// has begun can stay open for the whole of a simulation. So heap operations change a
// slice in place, hot slices are kept in local variables, and queues hold words instead
// of pointers.
//
// Memory is used again. Simulator, schedulers and meter keep their slices; a second run
// allocates nothing (TestNoAllocation).
//
// The record costs nothing when off. View.Record is nil then. When on, the scheduler says
// after each pass who waits (Teller, briefly), and a reason is made of that for every
// waiting job, which is why the page asks for it on demand, by running once more.
//
// Telling an instant. Options.Tell has some instants told (core/sim/tell.go); at all
// others it costs one comparison. The scheduler fills tell.Facts, if it has anything to
// say beside its decisions; the simulator goes through the decisions once more on what
// is free and puts in the numbers, so that no scheduler can tell another number than the
// state's. A planner gives its plan (Facts.Plans) and, where an optimiser changed it,
// the plan that this began with (Facts.Draft): how planned starts moved is told up to
// there, then the moves, then the rest. A second reader derives the sentences from the
// schedule (core/lab/stepperwhy_test.go). lab.Stepper repeats a run once to learn its
// instants, and keeps up to 512 pictures of its state on the way (core/snapshot), from
// the nearest of which a step or a jump goes on (sim.Paused). No scheduler has to say
// what belongs to its state: a picture is a copy of all that can be reached from the run
// in memory, whatever it is made of, random streams, predictors, users who react and a
// program's own variables included. What the run was given is shared, not copied
// (Paused.Given), unless the run writes there, as a grid writes to which cluster it has
// sent a job. Long arrays, which have a place for every job, are kept as pieces of 128
// elements that have changed since the picture before, looked for only among the jobs
// that were not over then, and a step writes them into the arrays of the step before;
// the rest goes by what waits and runs. Whenever there are 512, or they take 96 MB
// beside the first, every second one is forgotten, and they are made half as often.
// Functions bound to their receiver are bound again (snapshot.Binder): those of the grid
// and of schedulers that users write. Only a program outside (sim.Unkept), which the
// browser does not start, is run from the beginning, with progress; then the 256
// instants on either side are told together and kept. TestStepsForthAndBack holds the
// record told from pictures against that of the whole run, for every scheduler on all
// kinds of platforms, and BenchmarkStep measures it.
package sim
