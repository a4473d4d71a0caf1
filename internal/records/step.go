package records

import (
	"math"
	"time"
)

// What one step of long work may take.
const (
	recordsPerStep = 1_000
	keysPerStep    = 3_000 // where keys are erased and no records
	bytesPerStep   = 4 << 20
	timePerStep    = 2 * time.Millisecond
	// Over a network there is no single writer to wait for: a step is as long as it may be.
	timePerFarStep    = 250 * time.Millisecond
	recordsPerFarStep = 4_000
	writesPerFarStep  = 8 * recordsPerStep
	mostRacesLost     = 7 // after which a step is as short as it gets
	// leastPerStep is how many records a step does however long they take, so that
	// every step gets on.
	leastPerStep = 16
)

// Step bounds one transaction of long work, so that no other transaction waits long for the one
// writer: by the records that it writes, by their bytes, and by the time since the
// transaction began, which is measured by the clock of the store's [DB]. Every loop over
// records that may be many asks it before each of them, and leaves what is left to
// the next step when it says no:
//
//	step := records.NewStep(u)
//	for id := range c.IDs(u, s, "parent", parent) {
//		if more, err := step.Next(0); !more || err != nil {
//			return jobs.Progress{Percent: …}, err // the payload says where to continue
//		}
//		…
//	}
//
// A record takes up to eight of the writes that a transaction has. Where transactions race,
// a step that loses to others is half as long when it runs again, and so on; see [WithPace].
type Step struct {
	u       *Update
	records int // left
	bytes   int
	done    int
	time    time.Duration
	until   time.Time
	writes  int // that the transaction may have made by the end of it; 0: any number
}

// NewStep returns the bounds of a step that is a transaction: all work in it asks the
// same one. Since it is short by that, it is not made ahead of its turn.
func NewStep(u *Update) *Step {
	u.brief, u.stepped = false, true
	s := &Step{u: u, records: recordsPerStep, bytes: bytesPerStep, time: timePerStep}
	if u.remote() {
		// What lost a race to shorter transactions would lose it again and again.
		lost := min(u.run, mostRacesLost)
		s.time, s.records, s.writes = timePerFarStep>>lost, recordsPerFarStep>>lost, writesPerFarStep
		u.perStep = s.records + 1
	}
	return s.Part(1)
}

// Part ends the step after one of so many parts of its time, for a loop behind which as
// much is still to be written as the other parts take.
func (s *Step) Part(of int) *Step {
	s.until = s.u.began.Add(s.time / time.Duration(of))
	return s
}

// Whole takes the limits from the step, for work that is known to be little.
func (s *Step) Whole() {
	s.records, s.bytes, s.until, s.writes = math.MaxInt32, math.MaxInt32, s.u.began.Add(time.Hour), 0
}

// Ahead returns the first ids of the records that the step is about to go through: as many
// as it can reach before it ends.
func (s *Step) Ahead(ids []string) []string { return ids[:min(len(ids), s.records)] }

// Left is how many more records the step goes through at most.
func (s *Step) Left() int { return s.records }

// Next takes a record with so many bytes of text from the step. It reports false when
// the step is at its end, and fails when the context of the transaction is done.
func (s *Step) Next(bytes int) (more bool, err error) {
	if more, err = s.More(); more {
		s.Spend(bytes)
	}
	return more, err
}

// More is Next for a record of which it is not known yet how long it is. Spend takes
// it.
func (s *Step) More() (more bool, err error) {
	if err := s.u.ctx.Err(); err != nil {
		return false, err
	}
	if s.records <= 0 || s.bytes <= 0 || s.writes > 0 && s.u.writes() >= s.writes {
		return false, nil
	}
	return s.done < leastPerStep || s.u.db.clock().Before(s.until), nil
}

// Spend takes a record with so many bytes of text from the step.
func (s *Step) Spend(bytes int) {
	s.records--
	s.done++
	s.bytes -= bytes
}
