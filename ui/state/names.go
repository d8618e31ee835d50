package state

import (
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/result"
)

// What rooms name of the parts.
type (
	Aside       = result.Aside
	Bundle      = result.Bundle
	Cell        = draft.Cell
	Claim       = engine.Claim
	Column      = draft.Column
	Diff        = result.Diff
	Engine      = engine.Engine
	Event       = engine.Event
	File        = engine.File
	Finding     = result.Finding
	Gaps        = result.Gaps
	Group       = result.Group
	Input       = draft.Input
	Item        = draft.Item
	KeptLog     = engine.KeptLog
	Library     = engine.Library
	Paper       = engine.Paper
	Place       = look.Place
	Prefs       = look.Prefs
	Row         = draft.Row
	Run         = result.Run
	Section     = draft.Section
	Sheet       = draft.Sheet
	Starved     = result.Starved
	StepAsk     = engine.StepAsk
	Stepped     = result.Stepped
	Study       = engine.Study
	StudyResult = engine.StudyResult
	StudyRow    = engine.StudyRow
	Sums        = result.Sums
	Sweep       = result.Sweep
	Varying     = draft.Varying
	View        = look.View
)

const (
	Cancelled     = engine.Cancelled
	Choice        = draft.Choice
	Done          = engine.Done
	Duration      = draft.Duration
	Failed        = engine.Failed
	MaxSchedulers = draft.MaxSchedulers
	Nearly        = result.Nearly
	OwnTab        = look.OwnTab
	PapersPlace   = look.PapersPlace
	Real          = draft.Real
	Running       = engine.Running
	Whole         = draft.Whole
)

var (
	Units      = look.Units
	Scales     = look.Scales
	Verdicts   = engine.Verdicts
	BesideText = result.BesideText
	DiffText   = result.DiffText
	GapText    = result.GapText
	HalfText   = result.HalfText
	MeanHalf   = result.MeanHalf
	Options    = draft.Options
	Reacting   = draft.Reacting
	ReadTable  = draft.ReadTable
	ShortName  = result.ShortName
	Starves    = result.Starves
	SweepTitle = result.SweepTitle
	ValueText  = result.ValueText
)
