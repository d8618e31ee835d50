package lab

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/swf"
)

// previewOf describes a log of three jobs: submitted on Monday 2024-01-01 at
// 23:30 UTC, an hour later, and in the morning of the Saturday after.
func previewOf(t *testing.T, header string, zone func(string) func(int64) int64) *Prepared {
	t.Helper()
	l, err := swf.Parse([]byte(header + "1 0 -1 50 1 -1 -1 1 100 -1 1 7 -1 -1 -1 -1 -1 -1\n" +
		"2 3600 -1 100 3 -1 -1 3 100 -1 1 8 -1 -1 -1 -1 -1 -1\n" +
		"3 381600 -1 40000 8 -1 -1 8 -1 -1 1 7 -1 -1 -1 -1 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	doc := experiment.New()
	doc.Workload.Source.Log = &experiment.Log{Name: "a.swf", SHA256: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", Size: 9}
	if _, err := doc.Add("fcfs"); err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return l, nil }, Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Hours and weekdays are those of the log's time zone, as the page's zone says,
// else as the header's offset says; without a start they count from time 0.
func TestPreviewHours(t *testing.T) {
	const start = "; MaxProcs: 8\n; UnixStartTime: 1704151800\n"
	for _, tt := range []struct {
		name, header string
		zone         func(string) func(int64) int64
		hours        [3]int
		days         [3]int // Monday is 0
		calendar     bool
	}{
		{"UTC", start, nil, [3]int{23, 0, 9}, [3]int{0, 1, 5}, true},
		{"offset of the header", start + "; TimeZone: 3600\n", nil, [3]int{0, 1, 10}, [3]int{1, 1, 5}, true},
		{"zone of the page", start + "; TimeZone: 3600\n; TimeZoneString: Far/East\n", func(name string) func(int64) int64 {
			if name != "Far/East" {
				return nil
			}
			return func(unix int64) int64 {
				if unix > 1704400000 {
					return 2 * 3600 // clocks were put forward
				}
				return -3600
			}
		}, [3]int{22, 23, 11}, [3]int{0, 0, 5}, true},
		{"no start", "; MaxProcs: 8\n", nil, [3]int{0, 1, 10}, [3]int{0, 0, 4}, false},
	} {
		v, err := previewOf(t, tt.header, tt.zone).Preview()
		if err != nil {
			t.Fatal(err)
		}
		var hours [24]int
		var days [7]int
		for i := range tt.hours {
			hours[tt.hours[i]]++
			days[tt.days[i]]++
		}
		if v.Shape.Hours != hours || v.Shape.Days != days || v.Shape.Calendar != tt.calendar {
			t.Errorf("%s: %+v", tt.name, v.Shape)
		}
	}
}

// Sizes, run times, estimates and users are counted; each job once.
func TestPreviewShape(t *testing.T) {
	v, err := previewOf(t, "; MaxProcs: 8\n", nil).Preview()
	if err != nil {
		t.Fatal(err)
	}
	s := v.Shape
	sizes := []int{1, 0, 1, 1} // 1, 2, 3–4, 5–8
	for i, b := range s.Sizes {
		if b.Jobs != sizes[i] {
			t.Errorf("size %d to %d: %d jobs", b.From, b.To, b.Jobs)
		}
	}
	runs := []int{0, 1, 1, 0, 0, 1, 0, 0}
	for i, b := range s.Runs {
		if b.Jobs != runs[i] {
			t.Errorf("run %d to %d: %d jobs", b.From, b.To, b.Jobs)
		}
	}
	if len(s.Sizes) != 4 || !s.Runs[7].Open() || s.Accuracy[5] != 1 || s.Accuracy[9] != 1 || s.Unasked != 1 || s.Named != 3 || v.Users != 2 {
		t.Errorf("%+v, %d users", s, v.Users)
	}
	if u := s.Users[0]; u.User != 7 || u.Jobs != 2 || u.Area < 0.99 {
		t.Errorf("first user: %+v", u)
	}
}

// Whatever the source, no job is lost from any count.
func TestPreviewCounts(t *testing.T) {
	for _, key := range []string{"daily", "lublin"} {
		doc := experiment.New()
		g, err := experiment.NewGenerator(key)
		if err != nil {
			t.Fatal(err)
		}
		doc.Workload.Source = experiment.Source{Generator: g}
		if _, err := doc.Add("fcfs"); err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Preview()
		if err != nil {
			t.Fatal(err)
		}
		s := &v.Shape
		sum := map[string]int{"unasked and accuracy": s.Unasked}
		for _, n := range s.Hours {
			sum["hours"] += n
		}
		for _, n := range s.Days {
			sum["days"] += n
		}
		for _, n := range s.Accuracy {
			sum["unasked and accuracy"] += n
		}
		for _, b := range s.Sizes {
			sum["sizes"] += b.Jobs
		}
		for _, b := range s.Runs {
			sum["runs"] += b.Jobs
		}
		for what, n := range sum {
			if n != v.Jobs {
				t.Errorf("%s: %s: %d of %d jobs", key, what, n, v.Jobs)
			}
		}
	}
}
