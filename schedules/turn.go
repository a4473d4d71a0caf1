package schedules

import "time"

// importTurn is how long a step of an import makes transactions of two milliseconds. The store
// is read between steps, and what is written behind that copies what readers see.
const importTurn = 250 * time.Millisecond

// leastTransactions and mostTransactions are how many it makes however long they take, and at
// most.
const (
	leastTransactions = 32
	mostTransactions  = 128
)

// turn decides before each transaction of a step of an import whether the step makes it.
func (s *Service) turn() func() bool {
	n, until := 0, s.env.Now().Add(importTurn)
	return func() bool {
		n++
		return n <= leastTransactions || n <= mostTransactions && s.env.Now().Before(until)
	}
}
