package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// service is what clients see of a platform for some time.
type service struct {
	began         time.Time
	requests      int
	failed        map[string]int // by status and code
	changed, read time.Time      // when a change and a read were last made
	noChange      time.Duration  // the longest time without any
	noRead        time.Duration
	longest       lapse
}

// note notes what came of a request.
func (s *service) note(method string, a answer, done lapse) {
	if s == nil {
		return
	}
	if s.requests++; a.status == 0 || a.status >= 500 {
		s.failed[fmt.Sprint(a.status, " ", a.code)]++
	}
	last, longest := &s.changed, &s.noChange
	if method == "GET" {
		last, longest = &s.read, &s.noRead
	}
	if now := time.Now(); a.outcome == made && method != "PUT" { // of bytes, which are in a folder
		*longest = max(*longest, now.Sub(*last))
		*last = now
	}
	if done.took > s.longest.took {
		s.longest = done
	}
}

func (s *service) String() string {
	all := 0
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(s.failed)) {
		all += s.failed[kind]
		kinds = append(kinds, fmt.Sprintf("%d × %s", s.failed[kind], kind))
	}
	return fmt.Sprintf("no change made for %.1f s, no read for %.1f s; %d of %d requests failed (%s); the longest took %.1f s (%s)",
		s.noChange.Seconds(), s.noRead.Seconds(), all, s.requests, strings.Join(kinds, ", "), s.longest.took.Seconds(), s.longest.what)
}

// observe notes from now on what clients see, and returns what they saw until then.
func (c *clients) observe() *service {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, now := c.service, time.Now()
	if before != nil {
		before.noChange = max(before.noChange, now.Sub(before.changed))
		before.noRead = max(before.noRead, now.Sub(before.read))
	}
	c.service = &service{began: now, changed: now, read: now, failed: make(map[string]int)}
	return before
}
