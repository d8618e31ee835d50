package qr

// alignments are the rows and columns of the centres of alignment patterns.
func alignments(version int) []int {
	if version == 1 {
		return nil
	}
	n := version/7 + 2
	step := (version*8 + n*3 + 5) / (n*4 - 4) * 2
	list := make([]int, n)
	list[0] = 6
	for i, at := n-1, 4*version+10; i > 0; i, at = i-1, at-step {
		list[i] = at
	}
	return list
}

// draw places patterns and words, and picks the best mask.
func draw(version int, data []byte) *Code {
	c := &Code{Size: 17 + 4*version}
	c.dark, c.fixed = make([]bool, c.Size*c.Size), make([]bool, c.Size*c.Size)
	c.patterns(version)
	c.place(data)
	best, least := 0, -1
	for mask := range 8 {
		c.mask(mask)
		c.format(mask)
		if p := c.penalty(); least < 0 || p < least {
			best, least = mask, p
		}
		c.mask(mask)
	}
	c.mask(best)
	c.format(best)
	return c
}

func (c *Code) set(x, y int, dark bool) {
	c.dark[y*c.Size+x], c.fixed[y*c.Size+x] = dark, true
}

// patterns draws everything that does not depend on the data.
func (c *Code) patterns(version int) {
	for i := range c.Size {
		c.set(6, i, i%2 == 0)
		c.set(i, 6, i%2 == 0)
	}
	for _, corner := range [][2]int{{3, 3}, {c.Size - 4, 3}, {3, c.Size - 4}} {
		for dy := -4; dy <= 4; dy++ {
			for dx := -4; dx <= 4; dx++ {
				x, y := corner[0]+dx, corner[1]+dy
				if ring := max(dx, -dx, dy, -dy); x >= 0 && y >= 0 && x < c.Size && y < c.Size {
					c.set(x, y, ring != 2 && ring != 4)
				}
			}
		}
	}
	at := alignments(version)
	for i, y := range at {
		for j, x := range at {
			if i == 0 && j == 0 || i == 0 && j == len(at)-1 || i == len(at)-1 && j == 0 {
				continue // a corner has its own pattern
			}
			for dy := -2; dy <= 2; dy++ {
				for dx := -2; dx <= 2; dx++ {
					c.set(x+dx, y+dy, max(dx, -dx, dy, -dy) != 1)
				}
			}
		}
	}
	c.format(0) // keeps the place
	if version < 7 {
		return
	}
	bits := version
	for range 12 {
		bits = bits<<1 ^ bits>>11*0x1f25
	}
	bits |= version << 12
	for i := range 18 {
		a, b := c.Size-11+i%3, i/3
		c.set(a, b, bits>>i&1 != 0)
		c.set(b, a, bits>>i&1 != 0)
	}
}

// format writes the level, which is L, and the mask, twice.
func (c *Code) format(mask int) {
	const levelL = 1
	data := levelL<<3 | mask
	rest := data
	for range 10 {
		rest = rest<<1 ^ rest>>9*0x537
	}
	bits := (data<<10 | rest) ^ 0x5412
	bit := func(i int) bool { return bits>>i&1 != 0 }
	for i := range 6 {
		c.set(8, i, bit(i))
	}
	c.set(8, 7, bit(6))
	c.set(8, 8, bit(7))
	c.set(7, 8, bit(8))
	for i := 9; i < 15; i++ {
		c.set(14-i, 8, bit(i))
	}
	for i := range 8 {
		c.set(c.Size-1-i, 8, bit(i))
	}
	for i := 8; i < 15; i++ {
		c.set(8, c.Size-15+i, bit(i))
	}
	c.set(8, c.Size-8, true)
}

// place writes the words in pairs of columns, up and down, from the right.
func (c *Code) place(data []byte) {
	i := 0
	for right := c.Size - 1; right >= 1; right -= 2 {
		if right == 6 {
			right = 5
		}
		for step := range c.Size {
			y := step
			if (right+1)&2 == 0 {
				y = c.Size - 1 - step
			}
			for _, x := range [2]int{right, right - 1} {
				if at := y*c.Size + x; !c.fixed[at] && i < len(data)*8 {
					c.dark[at] = data[i/8]>>(7-i%8)&1 != 0
					i++
				}
			}
		}
	}
}

// mask turns modules over by one of the eight rules; twice is not at all.
func (c *Code) mask(rule int) {
	for y := range c.Size {
		for x := range c.Size {
			var turn bool
			switch rule {
			case 0:
				turn = (x+y)%2 == 0
			case 1:
				turn = y%2 == 0
			case 2:
				turn = x%3 == 0
			case 3:
				turn = (x+y)%3 == 0
			case 4:
				turn = (x/3+y/2)%2 == 0
			case 5:
				turn = x*y%2+x*y%3 == 0
			case 6:
				turn = (x*y%2+x*y%3)%2 == 0
			case 7:
				turn = ((x+y)%2+x*y%3)%2 == 0
			}
			if at := y*c.Size + x; turn && !c.fixed[at] {
				c.dark[at] = !c.dark[at]
			}
		}
	}
}

// penalty rates how hard a code is to read: long runs, squares, patterns that
// look like corners, and too much of one colour.
func (c *Code) penalty() int {
	sum, dark := 0, 0
	line := func(at func(i int) bool) {
		run, before := 0, false
		window := 0 // the last eleven modules
		for i := range c.Size {
			d := at(i)
			if i > 0 && d == before {
				run++
			} else {
				run, before = 1, d
			}
			if run == 5 {
				sum += 3
			} else if run > 5 {
				sum++
			}
			window = window << 1 & 0x7ff
			if d {
				window |= 1
			}
			if i >= 10 && (window == 0b10111010000 || window == 0b00001011101) {
				sum += 40
			}
		}
	}
	for a := range c.Size {
		line(func(i int) bool { return c.dark[a*c.Size+i] })
		line(func(i int) bool { return c.dark[i*c.Size+a] })
	}
	for y := range c.Size {
		for x := range c.Size {
			d := c.dark[y*c.Size+x]
			if d {
				dark++
			}
			if x > 0 && y > 0 && d == c.dark[y*c.Size+x-1] && d == c.dark[(y-1)*c.Size+x] && d == c.dark[(y-1)*c.Size+x-1] {
				sum += 3
			}
		}
	}
	off := dark*20 - c.Size*c.Size*10
	return sum + max(off, -off)/(c.Size*c.Size)*10
}
