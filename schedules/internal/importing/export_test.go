package importing

import "github.com/seed-933f9a09/twinplatform"

// AppendSaid is what is hashed of what the file of an import says.
var AppendSaid = appendContent

// HashesOfFacts are the hashes of the same facts, put together without a list and in one.
func HashesOfFacts(text string, n int32, seconds *int32, at twinplatform.DateTime, used any) (facts, list string) {
	var d Diff
	d.newFacts().Text("of the item before")
	return HashOf(d.newFacts().Text(text).Number(n).Seconds(seconds).At(at).Member(used)), HashOf([]any{text, n, seconds, at, used})
}

// RememberedItem is what is remembered of a record that was imported.
type RememberedItem struct {
	RecordID, SynchronizerID, Key, Alias string
	Hashes                               []string
}

// PackedAndUnpacked are items as they are stored, and what is read of that.
func PackedAndUnpacked(items []RememberedItem) (packed []byte, unpacked []RememberedItem, err error) {
	var p itemPacker
	all := make([]*Item, 0, len(items)+1)
	for _, i := range items {
		all = append(all, &Item{RecordID: i.RecordID, SynchronizerID: i.SynchronizerID, Key: i.Key, Alias: i.Alias, Hashes: i.Hashes})
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
