package paper

import (
	"math"
	"strconv"

	"batchlab/core/policy"
)

// Published returns the numbers that the paper prints for the table or figure, as
// rows without ours (NaN): the labels and columns are those of a run in full on
// the log that the paper used. It is empty where the paper prints none.
func (p *Preset) Published() []Row {
	var rows []Row
	add := func(label, column string, stated float64, unit string) {
		rows = append(rows, Row{Label: label, Column: column, Ours: math.NaN(), Paper: &stated, Unit: unit})
	}
	switch p.Key {
	case gridStudy + "-table4":
		for i, part := range gridParts {
			for k, c := range gridTable4Columns {
				add("jobs "+part.name, c[0], gridTable4Stated[i][k], c[1])
			}
		}
	case planStudy + "-table1", planStudy + "-table1-contended":
		for _, name := range []string{"Zewura", "HPC2N", "KTH-SP2"} {
			for i, change := range planPaper[name] {
				for k, what := range []string{"WT", "SD"} {
					add(name+" set "+strconv.Itoa(i+1), "change of "+what+" of "+planRS+" against "+origBF, change[k], "%")
				}
			}
		}
	case usersStudy + "-figure6":
		add("react, Plan-RS", "mean wait", usersWait, "s")
		for _, s := range []string{"Orig-BF", "Plan-RS"} {
			add("react, "+s, "jobs that wait at most 1.6 h", usersShare, "%")
		}
	case "legrand2018-table1":
		for i := range traces {
			for k, c := range legrandTable1Columns {
				add(traces[i].name, c[0], traces[i].table1[k], c[1])
			}
		}
	case "legrand2018-table2":
		train, test := legrandTrain(), legrandTest()
		for k, s := range []span{train, test} {
			for _, name := range []string{"w*", "w_train", "w_greedy"} {
				add(name, s.column, legrandTable2Stated[name][k], "")
			}
			for _, o := range policy.Pure() {
				if v, there := legrandTable2Stated[orderName(o)]; there {
					add(orderName(o), s.column, v[k], "")
				}
			}
		}
	case "legrand2018-table3", "legrand2018-table4", "legrand2018-table5", "legrand2018-table6":
		for i := range traces {
			if traces[i].name != p.Log {
				continue
			}
			for _, ties := range []string{"newest", "oldest"} {
				for k, threshold := range legrandThresholdNames {
					for _, o := range policy.Pure() {
						add(orderName(o), threshold+", ties to the "+ties, traces[i].sums[o][k], "")
					}
				}
			}
		}
	case "legrand2018-table7":
		for i := range legrandTable7Stated {
			for k, c := range legrandTable7Columns {
				add(strconv.Itoa(i+1), c[0], legrandTable7Stated[i][k], c[1])
			}
		}
	default:
		t, there := gridStated[p.Key]
		if !there {
			return nil
		}
		points, err := p.Sweep.Points(nil, false)
		if err != nil {
			return nil
		}
		for _, point := range points {
			for _, m := range t.measures {
				for _, line := range point.Experiment.Labels() {
					if v, there := t.of(point.Label, line, m); there {
						add(point.Label, line+", "+m.name, v, m.unit)
					}
				}
			}
		}
	}
	return rows
}
