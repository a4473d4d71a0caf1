package webhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Lanes take turns by deficit of service: within an account the lane goes first
// that has waited longest, and among accounts the account. So what one account
// has waiting, however much that is, holds another up by one turn.
//
// Lanes of slow endpoints stand in rows of their own, since they may use only
// a part of the workers.

// row is where the lanes of one account stand that are quick, or those that are
// slow.
type row struct {
	class  class
	tenant string // the account, as part of an id
}

// class tells quick endpoints from slow ones.
type class string

const (
	quick class = "q"
	slow  class = "s"
)

var classes = []class{quick, slow}

// tenantOf names whom the turns of a webhook are counted for: its account, or
// its twin when that belongs to none.
func tenantOf(w *Webhook) string {
	t := w.AccountID
	if t == "" {
		t = w.ScopeID
	}
	if len(t) > 64 || strings.Contains(t, "/") {
		sum := sha256.Sum256([]byte(t))
		return "#" + hex.EncodeToString(sum[:16])
	}
	return t
}

// turns is the scope of the order of lanes.
const turns records.Scope = "webhookturns"

// turn is a place in an order. Its id ends in a time and the id of what stands
// there.
type turn struct {
	ID string `json:"id"`
}

func turnID(t *turn) string { return t.ID }

var (
	// laneTurns are the lanes of each row: class, account, time, webhook.
	laneTurns = records.Collection[turn]{Name: "lane", Unlisted: true, ID: turnID}
	// rowTurns are the rows of each class: class, time, account.
	rowTurns = records.Collection[turn]{Name: "row", Unlisted: true, ID: turnID}
	// formerTurns is the one order of all lanes that earlier versions kept.
	formerTurns = records.Collection[turn]{Name: "turns", Unlisted: true, ID: turnID}
)

// rowState says where a row stands among those of its class.
type rowState struct {
	ID     string    `json:"id"`
	Turn   string    `json:"turn"`
	Served time.Time `json:"served,omitzero"` // when it last had its turn
}

var rowStates = records.Collection[rowState]{
	Name: "rows", Unlisted: true,
	ID: func(r *rowState) string { return r.ID },
}

func (r row) id() string { return records.Join(string(r.class), r.tenant) }

// lane is the id of the turn of a lane in the row.
func (r row) lane(at time.Time, webhookID string) string {
	return records.Join(r.id(), stamped(at, webhookID))
}

// rowOf is the row in which a turn of a lane stands.
func rowOf(laneTurn string) row {
	c, rest, _ := strings.Cut(laneTurn, "/")
	tenant, _, _ := strings.Cut(rest, "/")
	return row{class(c), tenant}
}

// first returns the lane of the row that goes first, and when it is due; no lane
// when the row is empty.
func (r row) first(tx records.Reading) (at time.Time, webhookID string, err error) {
	prefix := r.id() + "/"
	for t, err := range laneTurns.All(tx, turns, prefix) {
		if err != nil {
			return at, "", err
		}
		return unstamp(t.ID[len(prefix):])
	}
	return at, "", nil
}

// settle brings the row to its place among those of its class. served is when
// it had a turn, or zero.
func (r row) settle(u *records.Update, served time.Time) error {
	at, webhookID, err := r.first(u)
	if err != nil {
		return err
	}
	state, err := rowStates.Value(u, turns, r.id())
	if errors.Is(err, records.ErrNotFound) {
		if webhookID == "" {
			return nil
		}
		state, err = &rowState{ID: r.id()}, nil
	}
	if err != nil {
		return err
	}
	if served.After(state.Served) {
		state.Served = served
	}
	if at.Before(state.Served) {
		at = state.Served
	}
	id := records.Join(string(r.class), stamped(at, r.tenant))
	if webhookID == "" {
		id = ""
	}
	if state.Turn == id {
		return nil
	}
	if state.Turn != "" {
		if err := rowTurns.Erase(u, turns, state.Turn); err != nil {
			return err
		}
	}
	if state.Turn = id; id == "" {
		return rowStates.Erase(u, turns, r.id())
	}
	if _, err := rowTurns.Put(u, turns, &turn{id}); err != nil {
		return err
	}
	_, err = rowStates.Put(u, turns, state)
	return err
}

// rowsInTurn yields the rows of a class in the order of their turns, until yield
// says no.
func rowsInTurn(tx records.Reading, c class, yield func(at time.Time, r row) bool) error {
	prefix := string(c) + "/"
	for t, err := range rowTurns.All(tx, turns, prefix) {
		if err != nil {
			return err
		}
		at, tenant, err := unstamp(t.ID[len(prefix):])
		if err != nil {
			return err
		}
		if !yield(at, row{c, tenant}) {
			return nil
		}
	}
	return nil
}

// setTurn brings a lane's place in its row up to date, and the row's among the
// others.
func setTurn(u *records.Update, w *Webhook, l *lane) error {
	at, err := head(u, w, l)
	if err != nil {
		return err
	}
	if l.Owner != "" {
		at = l.Until
	}
	id := ""
	if !at.IsZero() {
		id = row{l.class(), tenantOf(w)}.lane(at, w.ID)
	}
	return moveTurn(u, l, id)
}

// moveTurn gives a lane another place, or none.
func moveTurn(u *records.Update, l *lane, id string) error {
	before := l.Turn
	if id == before {
		return nil
	}
	l.Turn = id
	if before != "" {
		if err := laneTurns.Erase(u, turns, before); err != nil {
			return err
		}
	}
	if id != "" {
		if _, err := laneTurns.Put(u, turns, &turn{id}); err != nil {
			return err
		}
	}
	if before != "" && (id == "" || rowOf(id) != rowOf(before)) {
		if err := rowOf(before).settle(u, time.Time{}); err != nil {
			return err
		}
	}
	if id == "" {
		return nil
	}
	return rowOf(id).settle(u, time.Time{})
}
