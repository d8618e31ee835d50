package sim

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// Booking is what an advance reservation holds during [From, To), whether or not
// its job runs. No other job may hold any of it then.
type Booking struct {
	Job      model.JobID
	Need     *resource.Need
	Claim    model.Claim
	From, To model.Time
	Which    []uint64 // the processors that it is bound to, by number; nil: any
}

// Bookings are what advance reservations hold, in force or ahead, one a job, in
// the order in which they were accepted. There may be thousands: one that is given
// back is only noted, and taken out of the list once somebody wants to see it or
// many have gone. A nil list is empty.
type Bookings struct {
	list []Booking
	at   []int32 // by JobID, as far as there were any: position in list + 1; 0: none
	gone int     // of list
}

// BookingsOf returns a list that does not change.
func BookingsOf(list []Booking) *Bookings { return &Bookings{list: list} }

// Len returns how many there are.
func (b *Bookings) Len() int {
	if b == nil {
		return 0
	}
	return len(b.list) - b.gone
}

// All returns them, until one comes or is given back.
func (b *Bookings) All() []Booking {
	if b == nil {
		return nil
	}
	if b.gone > 0 {
		b.compact()
	}
	return b.list
}

// reset forgets all.
func (b *Bookings) reset() {
	clear(b.at)
	b.list, b.gone = b.list[:0], 0
}

// add appends the booking of a job that has none.
func (b *Bookings) add(one Booking) {
	for int(one.Job) >= len(b.at) {
		b.at = append(b.at, 0)
	}
	b.list = append(b.list, one)
	b.at[one.Job] = int32(len(b.list))
}

// of returns the booking of a job, nil if it has none.
func (b *Bookings) of(j model.JobID) *Booking {
	if int(j) >= len(b.at) || b.at[j] == 0 {
		return nil
	}
	return &b.list[b.at[j]-1]
}

// remove gives the booking of a job back; it has one.
func (b *Bookings) remove(j model.JobID) {
	b.of(j).Job = -1
	b.at[j] = 0
	if b.gone++; b.gone > 64 && b.gone > len(b.list)/2 {
		b.compact()
	}
}

// compact takes out what was given back.
func (b *Bookings) compact() {
	b.list = slices.DeleteFunc(b.list, func(x Booking) bool { return x.Job < 0 })
	for i := range b.list {
		b.at[b.list[i].Job] = int32(i) + 1
	}
	b.gone = 0
}
