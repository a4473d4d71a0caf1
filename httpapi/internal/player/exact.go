package player

import "strings"

// Exactly returns how an answer in the words of a conversation differs from the recorded one: both
// are texts, and nothing differs where these are the same. A difference of the text alone, such as
// in the order of members, is one of the body.
func Exactly(recorded, came string) []Difference {
	recorded, came = strings.TrimSpace(recorded), strings.TrimSpace(came)
	if recorded == came {
		return nil
	}
	d := NewDiffer(new(Player), new(Player))
	d.exact = true
	d.answers(Recorded(recorded), Recorded(came))
	if len(d.Found) == 0 {
		d.differs("body", Changed, recorded, came)
	}
	return d.Found
}
