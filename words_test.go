package batchlab

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// neverSaid are phrases that readers stumbled over, and what is said instead.
var neverSaid = map[string]string{
	`not told apart|cannot be told apart`:        "no clear difference",
	`one cannot tell|cannot tell whether`:        "we can't tell whether",
	`the most at first`:                          "opened on the one that differs most",
	`\bapart in sum\b|\bin sum\b`:                "in total",
	`how manieth`:                                "which, counted from 1",
	`nobody is moved`:                            "no job moves",
	`\bmay be had\b|\b(is|are) (not )?to be had`: "is available",
	`\bby and by\b`:                              "gradually",
	`make it again`:                              "Redo",
	`estimates that lie`:                         "Wrong estimates",
	`would change it`:                            "What could change this",
	`processors? (gain|pay),`:                    "wait so much less, or longer",
	`none\. licences that only machines name`:    "No floating licences.",
	`working out the instants`:                   "Preparing steps …",
	`loading the simulator`:                      "Loading more of Batchlab",
	`be had again|could (have )?be(en)? had\b|cannot be had here`: "is available; comes out again",
	`stands? there (twice|already)`:                               "appears twice, is there already",
	`reckoned`:                                                    "computed, estimated",
	`without a word`:                                              "without a message",
	`is not ours to say`:                                          "is outside our scope",
	`(jobs|is|was|what is|what was) foretold|longer than foretold`: "predicted",
	`the log as it came`:                      "the log itself",
	`what (is|was) worked out|working it out`: "computing",
	`beforehand`:                              "in advance",
	`to look into`:                            "to inspect",
	`to place oneself`:                        "to place yourself",
	`taken back$|made again$`:                 "undone, redone",
	`\bgoes by (it|requested|predict|what|the|tiers)|(scheduler|here|nobody|nothing) goes by|\bwent by (while|what)|not gone by\b`:                     "uses, rests on, follows",
	`\bgo by (ranks|submission|requested|predict|what|it\b|tiers)|\b(orders|ties|shares|times) go by\b`:                                                "use, rest on, follow",
	`\b(number(s|ed)?|place[sd]?|predict(s|ed)?|judge[sd]?|plan(s|ned)?|drawn?|read|assigned|begins?|make[s]?|works? it out|worked out) (\w+ )?anew\b`: "again; renumbered, rebuilt, recomputed",
	`\bis worked out\b|\bare worked out\b|\bworks (it )?out\b|not worked out`:                                                                          "computed",
	`reckons? with|reckoned|told apart\b`:   "assumes, counts; distinguished",
	`\bof one's own\b|\bone's own computer`: "of your own",
	`(blocks?|started|delays|touch|starves?) nobody\b|nobody (is preempted|starts into|may exceed|is suspended|starves|is moved)\b`: "no job",
	`nobody goes by|nobody is known|by whoever started it`:                                                                          "unused; unknown; the program that started it",
	`\bno more than just\b|\bthat is told, or\b|what is looked at are`:                                                              "barely; clear; it compares",
	`what stands (behind|there|where|in) `:                                                                                          "what follows, what is in",
}

// Intent: what the program says, in all strings of its code, in the page's templates, in
// lessons, in the glossary and in the documents, has none of the phrases that readers
// stumbled over.
func TestWordsNeverSaid(t *testing.T) {
	read := 0
	all := regexp.MustCompile("(?i)" + strings.Join(slices.Sorted(maps.Keys(neverSaid)), "|"))
	look := func(path, text string) {
		read++
		for _, at := range all.FindAllStringIndex(text, -1) {
			for never, instead := range neverSaid {
				if found := text[at[0]:at[1]]; regexp.MustCompile("(?i)" + never).MatchString(found) {
					t.Errorf("%s: %q in %q; say %q", path, found, text[max(0, at[0]-60):min(len(text), at[1]+60)], instead)
				}
			}
		}
	}
	for _, root := range []string{"core", "ui", "cmd", "wasm", "static/lessons", "static/glossary.json", "static/demo.json", "docs", "README.md", "CONTRIBUTING.md"} {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name := filepath.ToSlash(path)
			code := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_gen.go")
			if !code && !strings.HasSuffix(name, ".vugu") && !strings.HasPrefix(name, "static/") && !strings.HasSuffix(name, ".md") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || !code {
				look(name, string(text))
				return err
			}
			var s scanner.Scanner
			set := token.NewFileSet()
			s.Init(set.AddFile(path, -1, len(text)), text, nil, 0)
			for {
				_, tok, literal := s.Scan()
				if tok == token.EOF {
					return nil
				}
				if tok == token.STRING {
					look(name, strings.Trim(literal, "`\""))
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if read < 5000 {
		t.Errorf("only %d texts were read", read)
	}
}
