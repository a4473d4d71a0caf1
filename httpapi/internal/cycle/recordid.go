package cycle

import "errors"

var errNoID = errors.New("httpapi: a record was made that has no id")

// RecordID is the id of a record, which its wire form has as a member of that name. It
// is looked for there, and not asked of the record, whose type is not known here.
func RecordID(record []byte) (string, error) {
	s := scan{b: record}
	for ok := len(s.b) > 0 && s.open('}'); ok; ok = s.more('}') {
		s.space()
		name, err := s.name()
		if err != nil {
			return "", err
		}
		s.space()
		s.i++ // the colon
		s.space()
		if string(name) == "id" && s.b[s.i] == '"' {
			id, err := s.name() // a string, as names are
			return string(id), err
		}
		if err := s.value(nil, 0); err != nil {
			return "", err
		}
	}
	return "", errNoID
}
