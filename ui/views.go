package ui

import (
	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/view/cases"
	"batchlab/ui/view/distributions"
	"batchlab/ui/view/foresight"
	"batchlab/ui/view/gantt"
	"batchlab/ui/view/lesson"
	"batchlab/ui/view/overview"
	"batchlab/ui/view/own"
	"batchlab/ui/view/paper"
	"batchlab/ui/view/plan"
	"batchlab/ui/view/search"
	"batchlab/ui/view/series"
	"batchlab/ui/view/start"
	"batchlab/ui/view/step"
	"batchlab/ui/view/table"
	"batchlab/ui/view/users"
	"batchlab/ui/view/vary"
)

// view is a row of the table of views.
type view struct{ *draw.Room }

// views are the rooms of the page in the order of their tabs. Tabs, keys,
// panels, links and help are made from these rows; a new view is its folder
// below view/ and a row here.
var views = []view{
	{Room: &overview.Room},
	{Room: &gantt.Room},
	{Room: &series.Room},
	{Room: &distributions.Room},
	{Room: &users.Room},
	{Room: &foresight.Room},
	{Room: &search.Room},
	{Room: &table.Room},
	{Room: &vary.Room},
	{Room: &plan.Room},
	{Room: &own.Room},
	{Room: &annex.Import},
	{Room: &annex.Truth},
	{Room: &annex.MyJob},
	{Room: &annex.WhatIf},
}

// places are beside the laboratory, each over all of the page below the bar.
var places = []*draw.Room{&lesson.Room, &cases.Room, &paper.Room}

// modes are rooms without a tab: each fills a part of a view's panel while that is
// in another mode, or the page as a first visit finds it.
var modes = []*draw.Room{&step.Room, &start.Room}

func init() { furnish() }

// furnish makes the rows known to the page's state and to the kit.
func furnish() {
	look.Tabs, look.Places = nil, nil
	for _, v := range views {
		look.Tabs = append(look.Tabs, v.Key)
		draw.Use(v.Room)
	}
	for _, m := range modes {
		draw.Use(m)
	}
	for _, r := range places {
		look.Places = append(look.Places, r.Key)
		draw.Use(r)
	}
}

// tabs are the views that have a tab now.
func (p *Page) tabs() (list []view) {
	for _, v := range views {
		if p.there(v) {
			list = append(list, v)
		}
	}
	return list
}

// numbered is the view that a number key opens, nil none. Views that are always
// there come first, so that their keys stay when others come and go.
func (p *Page) numbered(n int) *view {
	tabs := p.tabs()
	for _, sometimes := range []bool{false, true} {
		for i := range tabs {
			if (tabs[i].Shown != nil) != sometimes {
				continue
			}
			if n--; n == 0 {
				return &tabs[i]
			}
		}
	}
	return nil
}

// tab is the key of the view on show: the first one while the chosen has none.
func (p *Page) tab() string {
	for _, v := range views {
		if v.Key == p.S.View.Tab && p.there(v) {
			return v.Key
		}
	}
	for _, v := range views {
		if p.there(v) {
			return v.Key
		}
	}
	return views[0].Key
}

// there reports whether a view has a tab now: where nothing but an experiment
// that varies has run only its own and that of searches.
func (p *Page) there(v view) bool {
	return v.Present(p.S) && (p.S.Ran != nil || p.S.SweepNow() == nil || v.Key == vary.Room.Key || v.Key == search.Room.Key)
}

// actOf is what a button of a view does, nil where no view knows it.
func actOf(key string) func(*state.Store, string) {
	for _, v := range views {
		if f := v.Acts[key]; f != nil {
			return f
		}
	}
	return nil
}
