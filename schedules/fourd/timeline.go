package fourd

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Timeline is how the entities of a site change. It is read by many at once.
//
// The methods that readers of a timeline use:
//
//	New(s *Site) (*Timeline, error)
//	(*Timeline).Len() int                                             // entities
//	(*Timeline).EntityID(i int) string                                // by id in byte order
//	(*Timeline).Find(entityID string) (i int, found bool)
//	(*Timeline).StateAt(i int, t worktime.Time, into *State)
//	(*Timeline).At(t worktime.Time) iter.Seq2[string, *State]         // the state is valid until the next one
//	(*Timeline).Moments(i int) iter.Seq[Moment]
//	(*Timeline).Span() Span                                           // from the first change to the last
//	(*Timeline).Warnings() []Warning
//	(*Motion).Matrix(share float64) Matrix
type Timeline struct{}

// Motion is where an object is while it moves along a path.
type Motion struct {
	PathID   string
	From, To float64 // shares of the way, 0 to 1, at the moment and just before the next
	// Way are the positions and turns of the path, by share in order.
	Way *Way
	// Point is the point of the object that is on the path, in the coordinates of the model.
	// Original has the beginning of the path as the point, after Transform.
	Point Vector
	// Placed is the matrix of the transform, which is applied first.
	Placed Matrix
}

// Way is a path as an object passes it. Position and turn have stops of their own.
type Way struct {
	Positions []Stop[Vector]
	Turns     []Stop[Quaternion] // between two the shortest way round
}

// Stop is a value at a share of the way. Of two with one share the value jumps from the first
// to the second.
type Stop[V any] struct {
	Share float64
	Value V
}

// Quaternion is a turn, of length 1.
type Quaternion struct{ X, Y, Z, W float64 }

var (
	_ iter.Seq2[string, *State]
	_ worktime.Time
)
