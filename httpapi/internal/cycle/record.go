package cycle

import "encoding/json"

// Record is a record without its type, of which an answer needs no more than
// version and wire form.
type Record struct {
	ETag string
	JSON []byte
}

// SendRecord answers with one record under key; without a key it is all there is.
func (x *Exchange) SendRecord(status int, key string, rec Record) error {
	if rec.ETag != "" {
		x.Set("Etag", rec.ETag)
	}
	if key == "" {
		return x.Send(status, rec.JSON)
	}
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	b := append(append(append((*p)[:0], `{"`...), key...), `":`...)
	b = append(b, rec.JSON...)
	if x.Route.Polled && x.server.OperationStatus {
		b = appendStatus(b, rec.JSON)
	}
	b = append(b, '}')
	if cap(b) <= 2*chunk {
		*p = b
	}
	return x.Send(status, b)
}

// appendStatus puts the status of a record next to it.
func appendStatus(b, record []byte) []byte {
	var of struct {
		Status json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(record, &of); err != nil || of.Status == nil {
		return b
	}
	return append(append(b, `,"status":`...), of.Status...)
}
