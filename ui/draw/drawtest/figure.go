package drawtest

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"batchlab/ui/draw"
)

// Decoded is a figure as the page's chart library reads it.
type Decoded struct {
	W, H   float64
	Panels []struct {
		Left, Top, Width, Height float64
		X, Y                     struct {
			Min, Max float64
			Log      bool
			Names    []string
			Ticks    [][]any
		}
	}
	Layers []struct {
		Shape         string
		Panel, Series int
		At            [2]int
		Words         []string
		Group         []int
	}
	Texts []struct {
		X, Y   float64
		Text   string
		Series int
	}
}

// tuple is how many numbers an item of a shape has.
var tuple = map[string]int{"line": 2, "dots": 3, "bars": 1, "boxes": 6, "band": 3, "spans": 2, "whiskers": 3, "levels": 2, "cells": 4}

// CheckFigure decodes a figure and checks what must hold for each: a sentence, words
// inside the figure, numbers inside the axes, parts that cover all numbers.
func CheckFigure(t *testing.T, name string, f *draw.Figure) {
	t.Helper()
	if f.Empty != "" || len(f.Aria) < 20 || strings.Contains(f.Aria, "\n") {
		t.Errorf("%s: empty %q, aria %q", name, f.Empty, f.Aria)
	}
	text, numbers := f.Encode()
	var g Decoded
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatalf("%s: %v in %s", name, err, text)
	}
	if g.W != f.W || g.H != f.H || len(g.Panels) != len(f.Panels) || len(g.Layers) == 0 || len(g.Layers) != len(f.Layers) {
		t.Fatalf("%s: %+v", name, g)
	}
	next := 0
	for _, l := range g.Layers {
		if l.At[0] != next || l.At[1]%tuple[l.Shape] != 0 || tuple[l.Shape] == 0 {
			t.Errorf("%s: %s has numbers %v after %d", name, l.Shape, l.At, next)
		}
		next += l.At[1]
		p := g.Panels[l.Panel]
		if l.Shape == "line" || l.Shape == "dots" {
			for i := l.At[0]; i < next; i += tuple[l.Shape] {
				x, y := numbers[i], numbers[i+1]
				if p.X.Names == nil && !(x >= p.X.Min-1e-9 && x <= p.X.Max+1e-9) || p.Y.Names == nil && !math.IsNaN(y) && !(y >= p.Y.Min-1e-9 && y <= p.Y.Max+1e-9) {
					t.Fatalf("%s: %g, %g outside %+v", name, x, y, p)
				}
			}
		}
	}
	if next != len(numbers) {
		t.Errorf("%s: %d numbers, %d used", name, len(numbers), next)
	}
	for _, q := range g.Texts {
		if q.X < 0 || q.X > f.W || q.Y < 0 || q.Y > f.H || q.Text == "" {
			t.Errorf("%s: words %+v", name, q)
		}
	}
	for _, p := range g.Panels {
		if p.X.Names == nil && p.X.Max <= p.X.Min || p.Y.Names == nil && p.Y.Max <= p.Y.Min || p.X.Log && p.X.Min <= 0 || p.Y.Log && p.Y.Min <= 0 {
			t.Errorf("%s: axes %+v", name, p)
		}
	}
	grid := f.Numbers()
	lines, err := csv.NewReader(strings.NewReader(grid.CSV())).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Errorf("%s: CSV of %d lines: %v", name, len(lines), err)
	}
	if !strings.Contains(grid.HTML(), "<tbody><tr>") {
		t.Errorf("%s: no table", name)
	}
}
