package slurm

import (
	"math"
	"slices"
)

// fairTree ranks all users (fair_tree.c): at every level siblings by shares ÷ usage,
// each as a part of their level's, from the most deserving on, and each one's children
// before the next; the first has factor 1, the last 1 ÷ users; equals share a rank.
func (c *Controller) fairTree() {
	users := 0
	for i := range c.Assocs {
		if c.Assocs[i].User >= 0 {
			users++
		}
	}
	t := ranking{c: c, users: users, rank: users, next: users}
	if len(c.Assocs) > 0 {
		t.level(0, false)
	}
}

// ranking is a walk down the tree: the rank of the user before, and the next one.
type ranking struct {
	c                 *Controller
	users, rank, next int
}

// level ranks the children of an account; tied says that the account is level with the
// one before it, so that its first user shares the rank of the last (_calc_tree_fs).
func (t *ranking) level(parent int, tied bool) {
	c := t.c
	var list []int
	shares, usage := 0.0, 0.0
	for i := range c.Assocs {
		if c.Assocs[i].Parent == parent {
			list = append(list, i)
			shares += float64(c.Assocs[i].Shares)
			usage += c.book.raw[i]
		}
	}
	level := func(i int) float64 {
		if c.book.raw[i] <= 0 || usage <= 0 {
			if c.Assocs[i].Shares == 0 {
				return 0
			}
			return math.Inf(1)
		}
		return (float64(c.Assocs[i].Shares) / shares) / (c.book.raw[i] / usage)
	}
	slices.SortStableFunc(list, func(a, b int) int {
		if x, y := level(a), level(b); x != y {
			return sign(x > y)
		}
		if x, y := c.Assocs[a].User >= 0, c.Assocs[b].User >= 0; x != y {
			return sign(x)
		}
		return 0
	})
	before := math.NaN()
	for _, i := range list {
		l := level(i)
		same := tied || l == before
		tied, before = false, l
		if c.Assocs[i].User < 0 {
			t.level(i, same)
			continue
		}
		if !same {
			t.rank = t.next
		}
		c.book.fair[i] = float64(t.rank) / float64(t.users)
		t.next--
	}
}

// classicShares is the fair share without the tree (NO_FAIR_TREE): 2^-(usage ÷ shares).
func (c *Controller) classicShares() {
	shares, effective := make([]float64, len(c.Assocs)), make([]float64, len(c.Assocs))
	for i := range c.Assocs {
		up := c.Assocs[i].Parent
		if up < 0 {
			shares[i], effective[i] = 1, 1
			continue
		}
		sum := 0.0
		for k := range c.Assocs {
			if c.Assocs[k].Parent == up {
				sum += float64(c.Assocs[k].Shares)
			}
		}
		part := 0.0
		if sum > 0 {
			part = float64(c.Assocs[i].Shares) / sum
		}
		shares[i] = float64(shares[up] * part)
		used := 0.0
		if c.book.raw[0] > 0 {
			used = c.book.raw[i] / c.book.raw[0]
		}
		effective[i] = used + float64((effective[up]-used)*part)
		f := 0.0
		if shares[i] > 0 {
			f = math.Exp2(-(effective[i] / shares[i]) / float64(max(c.Params.Damping, 1)))
		}
		c.book.fair[i] = f
	}
}
