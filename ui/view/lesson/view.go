// Package lesson is the place where lessons are read: text and a picture beside
// each other, questions that the laboratory answers, and answers of others.
package lesson

import "batchlab/ui/draw"

// Room is the place.
var Room = draw.Room{Key: "lessons", Name: "Lessons", Parts: []draw.Part{{Island: "lesson"}}}
