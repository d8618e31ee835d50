package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/intake"
)

// zebras are files of each format in which everybody and everything is called zebra.
var zebras = map[string]string{
	"sacct": "JobIDRaw|User|Group|Account|QOS|Partition|JobName|WorkDir|Comment|Submit|Start|End|NCPUS|State|NodeList|SubmitLine\n" +
		"12|zebra1|zebra2|zebra3|zebra4|zebra5|zebra6|/home/zebra|zebra8|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|8|COMPLETED|zebra7|sbatch zebra.sh\n" +
		"13|zebra1|zebra2|zebra3|zebra4|zebra9|zebra6|/home/zebra|zebra8|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|8|CANCELLED by zebra|zebra7|sbatch zebra.sh\n",
	"sacct-json": `{"meta":{"plugin":{"type":"openapi/dbv0.0.40"}},"jobs":[{"account":"zebra1","allocation_nodes":1,"group":"zebra2","job_id":12,"name":"zebra3","nodes":"zebra4","partition":"zebra5","qos":"zebra6","working_directory":"/zebra","comment":{"job":"zebra"},"required":{"CPUs":8},` +
		`"state":{"current":["COMPLETED"],"reason":"None"},"submit_line":"sbatch zebra.sh","time":{"elapsed":90,"eligible":1795420800,"end":1795420900,"start":1795420810,"submission":1795420800,"limit":{"set":true,"infinite":false,"number":60}},` +
		`"tres":{"allocated":[{"type":"cpu","name":"","id":1,"count":8}],"requested":[{"type":"cpu","name":"","id":1,"count":8}]},"user":"zebra7"}]}`,
	"pbs": "11/23/2026 08:01:40;E;12.zebrahead;user=zebra1 group=zebra2 account=zebra3 jobname=zebra4 queue=zebra5 ctime=1795420800 qtime=1795420800 etime=1795420800 start=1795420810 owner=zebra1@zebrahost exec_host=zebra6/0*8 " +
		"Resource_List.ncpus=8 Resource_List.nodect=1 Resource_List.walltime=01:00:00 session=7 end=1795420900 Exit_status=0 run_count=1\n",
	"lsf": `"JOB_FINISH" "10.1" 1795420900 12 1001 33554438 8 1795420800 0 0 1795420810 "zebra1" "zebra2" "" "" "" "zebra3" "/zebra" "" "" "" "zebra4" 1 "zebra5" 1 "zebra6" 64 60.0 "zebra7" "zebra8" 1.0 0.1 0 0 -1 0 0 0 0 0 0 -1 0 0 0 0 -1 0 0 "" "zebra9" 0 8 "" "" 0 0 0` + "\n",
	"alcf": "JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,USERNAME_GENID,PROJECT_NAME_GENID,QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,CORES_USED,CORES_REQUESTED,EXIT_STATUS\n" +
		"12.zebra1,12,zebra2,2026-11-23 08:00:00,2026-11-23 08:00:10,2026-11-23 08:01:40,zebra3,zebra4,zebra5,3600.0,90.0,1.0,1.0,8.0,8.0,0\n",
	"csv":    "id,submit,start,end,procs,walltime,user,group,account,queue,partition,name\n12,1795420800,1795420810,1795420900,8,3600,zebra1,zebra2,zebra3,zebra4,zebra5,zebra6\n",
	"philly": `[{"status": "Pass", "vc": "zebra1", "jobid": "zebra_12", "attempts": [{"start_time": "2026-11-23 08:00:10", "end_time": "2026-11-23 08:01:40", "detail": [{"ip": "zebra2", "gpus": ["gpu0"]}]}], "submitted_time": "2026-11-23 08:00:00", "user": "zebra3"}]`,
	"openb":  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\nzebra-pod-12,8000,4096,1,1000,,zebra1,Succeeded,100,200,110\n",
}

// Intent: whatever the format, no name that stands in a file goes on: not into the log, the
// further columns, the document, the report or what is said of it, and neither into what a
// run of it exports.
func TestNamesOfEveryFormatStay(t *testing.T) {
	for _, key := range intake.Keys() {
		text, ok := zebras[key]
		if !ok {
			t.Errorf("%s: there is no file to try", key)
			continue
		}
		dir := t.TempDir()
		path, out, results := filepath.Join(dir, "mine"), filepath.Join(dir, "out"), filepath.Join(dir, "results")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var all bytes.Buffer
		if status := dispatch([]string{"import", path, "--out", out}, &all, &all); status != 0 {
			t.Errorf("%s: %s", key, all.String())
			continue
		}
		args := []string{"run", filepath.Join(out, "experiment.json"), "--log", filepath.Join(out, "log.swf"), "--out", results}
		if doc, err := os.ReadFile(filepath.Join(out, "experiment.json")); err == nil && bytes.Contains(doc, []byte("extra.csv")) {
			args = append(args, "--extra", filepath.Join(out, "extra.csv"))
		}
		if status := dispatch(args, &all, &all); status != 0 {
			t.Errorf("%s: %s", key, all.String())
			continue
		}
		files := 0
		for _, folder := range []string{out, results} {
			list, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range list {
				data, err := os.ReadFile(filepath.Join(folder, f.Name()))
				if err != nil {
					t.Fatal(err)
				}
				files++
				all.Write(data)
			}
		}
		if i := strings.Index(all.String(), "zebra"); i >= 0 {
			t.Errorf("%s: a name goes on: … %s …", key, all.String()[max(0, i-80):min(all.Len(), i+80)])
		}
		if files < 5 {
			t.Errorf("%s: only %d files were written", key, files)
		}
	}
	for key := range zebras {
		if !slices.Contains(intake.Keys(), key) {
			t.Errorf("%s is no format", key)
		}
	}
}
