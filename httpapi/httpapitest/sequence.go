package httpapitest

import (
	"fmt"
	"sync/atomic"
)

// sequence numbers what is made.
type sequence struct{ n atomic.Uint64 }

func (s *sequence) id() string { return fmt.Sprintf("id%018d", s.n.Add(1)) }

func (s *sequence) guid() string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", s.n.Add(1)) }
