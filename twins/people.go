package twins

import (
	"encoding/json"
	"errors"
)

// People are those who are asked to be in a group, each by an address or by the id of a
// principal. JSON may have a member of a group in place of its id, as a group shows it.
type People []string

// UnmarshalJSON reads texts, and members of groups.
func (p *People) UnmarshalJSON(b []byte) error {
	var items []json.RawMessage
	if err := json.Unmarshal(b, &items); err != nil {
		return err
	}
	*p = make(People, len(items))
	for i, item := range items {
		if json.Unmarshal(item, &(*p)[i]) == nil {
			continue
		}
		var shown GroupPerson
		if err := json.Unmarshal(item, &shown); err != nil {
			return err
		}
		if (*p)[i] = shown.ID; shown.ID == "" {
			return errors.New("a member of a group has an id")
		}
	}
	return nil
}
