package realitydata

import "encoding/json"

// MarshalJSON writes what is not on the wire.
func (h *hidden) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{h.TwinIDs, h.AccountID, h.copyOf, h.complete})
}

// UnmarshalJSON reads what is not on the wire.
func (h *hidden) UnmarshalJSON(b []byte) error {
	var s stored
	err := json.Unmarshal(b, &s)
	h.TwinIDs, h.AccountID, h.copyOf, h.complete = s.TwinIDs, s.AccountID, s.CopyOf, s.Complete
	return err
}
