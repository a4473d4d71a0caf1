package schedules

import (
	"context"
	"math/rand/v2"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SeedAnyhow is Seed with the lists in any order that what their records refer to allows.
func (c *Contents) SeedAnyhow(ctx context.Context, p Plan, at func(model.Date), r *rand.Rand) error {
	lists := entity.Lists[*content](kinds)
	r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	return seedLists(ctx, lists, &content{model.Transfer{At: at}, p, c})
}

// AppendSaid is what is hashed of what the file of an import says.
var AppendSaid = appendContent

// HashesOfFacts are the hashes of the same facts, put together without a list and in one.
func HashesOfFacts(text string, n int32, seconds *int32, at twinplatform.DateTime, used Utilization) (facts, list string) {
	var d importDiff
	d.newFacts().text("of the thing before")
	return hashOf(d.newFacts().text(text).number(n).seconds(seconds).at(at).member(&used)), hashOf([]any{text, n, seconds, at, used})
}

// HashOf is that of what a file says.
var HashOf = hashOf

// RememberedItem is what is remembered of a record that was imported.
type RememberedItem struct {
	RecordID, SynchronizerID, Key, Alias string
	Hashes                               []string
}

// PackedAndUnpacked are items as they are stored, and what is read of that.
func PackedAndUnpacked(items []RememberedItem) (packed []byte, unpacked []RememberedItem, err error) {
	var p itemPacker
	all := make([]*importedItem, 0, len(items)+1)
	for _, i := range items {
		all = append(all, &importedItem{RecordID: i.RecordID, SynchronizerID: i.SynchronizerID, Key: i.Key, Alias: i.Alias, Hashes: i.Hashes})
	}
	packed = p.pack(append(all, nil)) // of one that was forgotten nothing is written
	unpacked, err = Unpack(packed)
	return packed, unpacked, err
}

// Unpack reads items as they are stored.
func Unpack(packed []byte) ([]RememberedItem, error) {
	read, err := unpackItems("tasks", packed)
	items := make([]RememberedItem, len(read))
	for n, i := range read {
		items[n] = RememberedItem{RecordID: i.RecordID, SynchronizerID: i.SynchronizerID, Key: i.Key, Alias: i.Alias}
		if len(i.Hashes) > 0 {
			items[n].Hashes = i.Hashes
		}
	}
	return items, err
}
