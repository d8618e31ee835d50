package state

import (
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/result"
)

// What rooms name of the parts.
type (
	Answer          = engine.Answer
	Aside           = result.Aside
	Asker           = engine.Asker
	Besider         = engine.Besider
	Bundle          = result.Bundle
	Cell            = draft.Cell
	Claim           = engine.Claim
	Column          = draft.Column
	Diff            = result.Diff
	Drawer          = engine.Drawer
	Engine          = engine.Engine
	Event           = engine.Event
	File            = engine.File
	Finding         = result.Finding
	Found           = engine.Found
	Gaps            = result.Gaps
	Group           = result.Group
	Historian       = engine.Historian
	Holder          = engine.Holder
	Input           = draft.Input
	Item            = draft.Item
	Keeper          = engine.Keeper
	KeptLog         = engine.KeptLog
	Library         = engine.Library
	LineReader      = engine.LineReader
	NeedsMissing    = engine.NeedsMissing
	Paper           = engine.Paper
	Piece           = engine.Piece
	PieceNews       = engine.PieceNews
	Place           = look.Place
	Planner         = engine.Planner
	Prefs           = look.Prefs
	Prioritizer     = engine.Prioritizer
	Recaller        = engine.Recaller
	Rerunner        = engine.Rerunner
	Row             = draft.Row
	Run             = result.Run
	Searcher        = engine.Searcher
	Section         = draft.Section
	Sheet           = draft.Sheet
	Shelf           = engine.Shelf
	Starved         = result.Starved
	Status          = engine.Status
	StepAsk         = engine.StepAsk
	Stepped         = result.Stepped
	Stepper         = engine.Stepper
	Studier         = engine.Studier
	Study           = engine.Study
	StudyDocument   = engine.StudyDocument
	StudyExperiment = engine.StudyExperiment
	StudyNews       = engine.StudyNews
	StudyResult     = engine.StudyResult
	StudyRow        = engine.StudyRow
	Sums            = result.Sums
	Sweep           = result.Sweep
	SweepControl    = engine.SweepControl
	SweepNews       = engine.SweepNews
	SweepPart       = engine.SweepPart
	Sweeper         = engine.Sweeper
	Trier           = engine.Trier
	Varying         = draft.Varying
	View            = look.View
	Week            = engine.Week
)

const (
	Cancelled     = engine.Cancelled
	Choice        = draft.Choice
	DigestComes   = engine.DigestComes
	Done          = engine.Done
	Duration      = draft.Duration
	Failed        = engine.Failed
	MaxSchedulers = draft.MaxSchedulers
	Nearly        = result.Nearly
	OwnTab        = look.OwnTab
	PapersPlace   = look.PapersPlace
	PieceCoverage = engine.PieceCoverage
	PiecePure     = engine.PiecePure
	PieceXNES     = engine.PieceXNES
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
