package console

import (
	"net/netip"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/allowance"
)

// guesses bound how many wrong tokens are looked at from each address, so that a client that
// tries many of them holds up no other client.
type guesses struct {
	now func() time.Time

	mu  sync.Mutex
	all map[netip.Prefix]*guesser
}

// guesser is an address that has guessed recently.
type guesser struct {
	left float64 // guesses at that time
	at   time.Time
}

// newGuesses begins without any address; now is the clock by which minutes are counted.
func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, all: make(map[netip.Prefix]*guesser)}
}

// take counts a guess before it is looked at, and reports whether it may be.
func (g *guesses) take(remote string) bool {
	from, now := allowance.Network(remote), g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.all[from]
	if one == nil {
		if len(g.all) >= MaxGuessers {
			g.forget(now)
		}
		one = &guesser{MaxGuesses, now}
		g.all[from] = one
	}
	one.left, one.at = one.by(now), now
	if one.left < 1 {
		return false
	}
	one.left--
	return true
}

// giveBack takes back what take has counted of a token that was no wrong one.
func (g *guesses) giveBack(remote string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if one := g.all[allowance.Network(remote)]; one != nil {
		one.left = min(one.left+1, MaxGuesses)
	}
}

// by is how many guesses are left by a time: all of them a minute after the last one.
func (o *guesser) by(now time.Time) float64 {
	return min(o.left+max(now.Sub(o.at), 0).Minutes()*MaxGuesses, MaxGuesses)
}

// forget makes room for one: of those with all guesses left, or else of the one that
// guessed the longest ago.
func (g *guesses) forget(now time.Time) {
	var oldest netip.Prefix
	var since time.Time
	for from, one := range g.all {
		if one.by(now) == MaxGuesses {
			delete(g.all, from)
		} else if since.IsZero() || one.at.Before(since) {
			oldest, since = from, one.at
		}
	}
	if len(g.all) >= MaxGuessers {
		delete(g.all, oldest)
	}
}
