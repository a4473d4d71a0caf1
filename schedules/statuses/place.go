package statuses

import (
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// statusPlace is the place of a recorded status among those of its resource and
// category, the newest of which is the first: where that one is deleted, the next is
// found at once, however long the history is.
type statusPlace struct {
	Aspect string `json:"aspect"`
	Order  string `json:"order"` // earlier in the alphabet the newer it is
	ItemID string `json:"itemId"`
}

func (p *statusPlace) id() string { return records.Join(p.Aspect, p.Order, p.ItemID) }

var statusPlaces = records.Collection[statusPlace]{
	Name: "resource-status-places", Untracked: true,
	ID: (*statusPlace).id,
}

func (h *StatusHistoryItem) place() *statusPlace {
	return &statusPlace{Aspect: h.aspect(), Order: newestFirst(h.Date) + newestFirst(h.RecordDate), ItemID: h.ID}
}

// newestFirst is a date as text of one length that comes before that of any earlier one.
func newestFirst(d twinplatform.DateTime) string {
	return fmt.Sprintf("%016x", ^(uint64(d.UnixMilli()) ^ 1<<63))
}

// newestOf is the newest status of a resource in a category; nil where there is none.
// It reads those alone that are as new as the newest.
func newestOf(tx records.Reading, s records.Scope, aspect string) (newest *StatusHistoryItem, err error) {
	order := ""
	for p, err := range statusPlaces.All(tx, s, records.Join(aspect, "")) {
		if err != nil {
			return nil, err
		}
		if newest != nil && p.Order != order {
			break
		}
		h, err := historyRecords.Value(tx, s, p.ItemID)
		if err != nil {
			return nil, err
		}
		if newest == nil || h.newer(newest) {
			newest, order = h, p.Order
		}
	}
	return newest, nil
}

// placeStatuses gives their places to recorded statuses, of those whose ids come after
// one, that were stored without, as far as the step reaches. It returns the id to
// continue after, or that all have theirs.
func placeStatuses(u *records.Update, s records.Scope, after string, step *records.Step) (last string, whole bool,
	err error,
) {
	for h, err := range historyRecords.From(u, s, after) {
		if err != nil {
			return "", false, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return after, false, err
		}
		after = h.ID
		if _, err := statusPlaces.Put(u, s, h.place()); err != nil {
			return "", false, err
		}
	}
	return "", true, nil
}
