package swf_test

import (
	"fmt"

	"batchlab/core/swf"
)

func ExampleParse() {
	l, err := swf.Parse([]byte(`; Version: 2.2
; MaxProcs: 128
1   0  5 3600 64 -1 -1 64 7200 -1 1 1 1 1 1 -1 -1 -1
2  60 10  abc  8 -1 -1  8  900 -1 1 2 1 1 1 -1 -1 -1
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Header.MaxProcs, "processors,", len(l.Records), "job")
	fmt.Println("ran", l.Records[0].RunTime, "of", l.Records[0].RequestedTime, "s")
	fmt.Println(l.Problems[0])
	// Output:
	// 128 processors, 1 job
	// ran 3600 of 7200 s
	// line 4, field 4 (run time): abc is not a number: line left out
}
