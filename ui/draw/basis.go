package draw

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// BasisWords says what a prediction comes from, as the rest of a sentence that begins
// with the prediction and its job.
func BasisWords(b *report.Basis, span func(model.Time) string) string {
	jobs := words.Count(b.Count, "job", "jobs") + " of its user that ended before"
	switch {
	case b.Rule == "kernel" && b.Count == 0:
		return "comes from what all users do: no job like it of its user had ended"
	case b.Count == 0:
		return "is its request: too few jobs of its user had ended"
	case b.Rule == "user-median":
		return "is its request times " + words.Number(b.Share, 3) + ", the median of run ÷ request of the last " + jobs
	case b.Rule == "last-two":
		return "is the mean of the last two of its user that had ended:" + samples(b, span)
	}
	return "comes from " + jobs + ", most of all" + samples(b, span) + ", and from what all users do"
}

// samples lists those that count most.
func samples(b *report.Basis, span func(model.Time) string) (text string) {
	for i, x := range b.Samples {
		if i > 0 {
			text += ","
		}
		text += " job " + strconv.FormatInt(x.Number, 10) + " (" + span(x.Says)
		if x.Weight > 0 {
			text += ", weight " + words.Number(x.Weight, 2)
		}
		text += ")"
	}
	return text
}
