// Package users is the view of users: who waited how long, who complains, and
// how reacting users changed what was submitted.
package users

import "batchlab/ui/draw"

// Room is the view.
var Room = draw.Room{Key: "users", Name: "Users", Parts: []draw.Part{{Island: "users"}}}
