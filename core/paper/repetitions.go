package paper

import "batchlab/core/experiment"

// repetitions are how many a preset takes in full where 20 leave intervals wider than
// the margins that claims name: they were doubled, from 20 on and at most to 400, until
// each half-width of what decides a claim lay below its margin. Never until an interval
// excluded 0, which would decide by looking. TestMargins holds them to it.
var repetitions = map[string]int64{
	farmStudy + "-figure1a": 100, farmStudy + "-figure1b": 100, farmStudy + "-figure2a": 100,
	farmStudy + "-table1": 100, farmStudy + "-table2": 100, farmStudy + "-licences": 100, farmStudy + "-weights": 100, farmStudy + "-power": 100,
	hillStudy + "-figure6": 200, hillStudy + "-figure7": 200, hillStudy + "-figure8": 200, hillStudy + "-restarts": 100, hillStudy + "-outages": 400,
	gridStudy + "-table3": 400, gridStudy + "-table6": 400, gridStudy + "-figure11": 400, gridStudy + "-figure12": 400, gridStudy + "-figure13": 400,
	gridStudy + "-figure14": 400, gridStudy + "-table5": 400, gridStudy + "-figure8": 400, gridStudy + "-figure9": 400, gridStudy + "-figure10": 400,
	gridStudy + "-figure17": 400, gridStudy + "-figure18": 400, gridStudy + "-figure19": 400, gridStudy + "-partition": 400, gridStudy + "-tradeoff": 400, gridStudy + "-causes": 400, gridStudy + "-periods": 400, gridStudy + "-table1": 400,
}

// mostRepetitions are as many as are taken, however wide intervals are.
const mostRepetitions = 400

// repeated gives presets their repetitions.
func repeated(list []Preset) []Preset {
	for i := range list {
		n := repetitions[list[i].Key]
		if n == 0 {
			continue
		}
		points := list[i].Sweep.Points
		list[i].Sweep = &Sweep{Rows: list[i].Sweep.Rows, Points: func(log *experiment.Log, quick bool) ([]Point, error) {
			got, err := points(log, quick)
			for _, p := range got {
				for s := range p.Experiment.Schedulers {
					// What draws nothing runs once.
					if one := &p.Experiment.Schedulers[s]; one.Repeat > 1 && !quick {
						one.Repeat = n
					}
				}
			}
			return got, err
		}}
	}
	return list
}
