//go:build !small

package lab

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// newSlurm makes a controller of what its parameters say in the words of slurm.conf.
func newSlurm(p experiment.Params) (sim.Scheduler, error) {
	version, err := strconv.Atoi(strings.Replace(p.Text("version"), ".", "", 1))
	if err != nil {
		return nil, fmt.Errorf("version: %s: no version of Slurm", p.Text("version"))
	}
	s := &policy.Slurm{Params: slurm.Defaults(version), Phase: -1}
	if phase, ok := p.Int("phase"); ok {
		s.Phase = model.Time(phase)
	}
	rows := catalog.FindScheduler("slurm").Params
	for i := range rows {
		key := rows[i].Key
		text := p.Words(key)
		if text == "" || key == "version" || key == "phase" || text == "default" || text == "false" {
			continue
		}
		switch {
		case key == "sched_min_interval":
			micros, _ := p.Int(key)
			s.Gap = model.Time((micros + 999_999) / 1_000_000)
			if micros < 1000 {
				s.Gap = 0 // within a second, in which there is one pass at most
			}
			continue
		case key == "PriorityFavorSmall":
			err = s.Params.Set(key, "yes")
		case rows[i].Type == catalog.Seconds: // slurm.conf's times are minutes or have colons
			seconds, _ := p.Int(key)
			err = s.Params.Set(key, fmt.Sprintf("0:%d", seconds))
		case strings.ToUpper(key) == key:
			err = s.Params.Set("PriorityFlags", key)
		case strings.ToLower(key) == key && rows[i].Type == catalog.Bool:
			err = s.Params.Set("SchedulerParameters", key)
		case strings.ToLower(key) == key:
			err = s.Params.Set("SchedulerParameters", key+"="+text)
		default:
			err = s.Params.Set(key, text)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}
