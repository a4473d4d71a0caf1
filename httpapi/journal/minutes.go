package journal

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Minute is how many requests there were in a minute.
type Minute struct {
	Began    time.Time
	Requests int
	Refused  int // of them, with an answer of 4xx
	Failed   int // of them, with one of 5xx, or none
}

const (
	hour = 60 // minutes that are kept
	// maxCounted is the number of principals whose requests are counted apart; one that
	// did not ask for anything within the hour makes room.
	maxCounted = 200
)

// tally counts the requests of an hour, by the minute modulo the hour.
type tally struct {
	principal twinplatform.Principal
	latest    int64 // minute, of the epoch
	minutes   [hour]struct {
		minute                    int64
		requests, refused, failed uint32
	}
}

type who struct{ id, account, kind string }

// counters are the tallies of everybody together, and of each principal.
type counters struct {
	all tally
	of  map[who]*tally
}

func newCounters() counters { return counters{of: make(map[who]*tally)} }

func (c *counters) count(at time.Time, p twinplatform.Principal, status int) {
	minute := at.Unix() / 60
	c.all.count(minute, status)
	if p.ID == "" {
		return
	}
	key := who{p.ID, p.AccountID, string(p.Kind)}
	t := c.of[key]
	if t == nil {
		if len(c.of) >= maxCounted && !c.forget(minute) {
			return
		}
		t = &tally{principal: twinplatform.Principal{ID: p.ID, AccountID: p.AccountID, Kind: p.Kind}}
		c.of[key] = t
	}
	t.count(minute, status)
}

// forget makes room: it drops a caller that made no request within the hour.
func (c *counters) forget(minute int64) bool {
	before := len(c.of)
	for key, t := range c.of {
		if t.latest <= minute-hour {
			delete(c.of, key)
		}
	}
	return len(c.of) < before
}

func (t *tally) count(minute int64, status int) {
	m := &t.minutes[(minute%hour+hour)%hour] // a clock may be before 1970
	if m.minute != minute {
		*m = struct {
			minute                    int64
			requests, refused, failed uint32
		}{minute: minute}
	}
	t.latest = max(t.latest, minute)
	m.requests++
	switch {
	case status >= 500 || status == 0:
		m.failed++
	case status >= 400:
		m.refused++
	}
}

func (c *counters) last(now time.Time, may func(twinplatform.Principal) bool) []Minute {
	out := make([]Minute, hour)
	first := now.Unix()/60 - hour + 1
	for i := range out {
		out[i].Began = time.Unix(60*(first+int64(i)), 0).In(now.Location())
	}
	add := func(t *tally) {
		for _, m := range t.minutes {
			if at := m.minute - first; at >= 0 && at < hour {
				out[at].Requests += int(m.requests)
				out[at].Refused += int(m.refused)
				out[at].Failed += int(m.failed)
			}
		}
	}
	if may == nil {
		add(&c.all)
		return out
	}
	for _, t := range c.of {
		if may(t.principal) {
			add(t)
		}
	}
	return out
}
