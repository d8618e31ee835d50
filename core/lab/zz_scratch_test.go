package lab
import ("testing";"time";"fmt";"os";"batchlab/core/experiment";"math/rand/v2")
func TestZZ(t *testing.T){
 jobs:=os.Getenv("ZZJ")
 for _,k:=range []string{`{"key":"fcfs-bf"}`,`{"key":"orig-bf"}`,`{"key":"plan-rs"}`,`{"key":"bf-mod"}`,`{"key":"conservative","params":{"order":"saf"}}`,`{"key":"foresight"}`,`{"key":"fair-share"}`,`{"key":"conservative"}`}{
  doc,err:=experiment.Decode([]byte(`{"batchlab":1,"seed":3,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":`+jobs+`}}}},"schedulers":[`+k+`]}`))
  if err!=nil{fmt.Println(k,err);continue}
  p,err:=Prepare(doc,Env{}); if err!=nil{fmt.Println(k,err);continue}
  p.Workload(0)
  b:=time.Now()
  s,err:=p.NewStepper(RunID{},false,func(d,n int)bool{return time.Since(b)<60*time.Second})
  if err!=nil{fmt.Println(k,err,time.Since(b));continue}
  ready:=time.Since(b)
  r:=rand.New(rand.NewPCG(1,1)); var w [3]time.Duration
  for i:=range w { b=time.Now(); s.Step(r.IntN(len(s.Times())),nil); w[i]=time.Since(b)}
  fmt.Println(k,len(s.Times()),"ready",ready,"jumps",w)
 }
}
