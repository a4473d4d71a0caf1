package route

import (
	"errors"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// WriteReply is how a write is answered, and its part of the OpenAPI document.
type WriteReply struct {
	send    func(x *cycle.Exchange, res *Written) error
	replies func(what reflect.Type) []cycle.Reply
}

// Subject is how a 202 names what its operation is about: one record under a singular
// key, several under a plural one, or nothing at all.
type Subject struct {
	key  string
	many bool
}

// One is one record under a singular key.
func One(key string) Subject { return Subject{key: key} }

// Many are several records under a plural key.
func Many(key string) Subject { return Subject{key: key, many: true} }

// Changed answers 200 with the record under key, 202 while the work is not done.
func Changed(key string) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error {
			if res.pending() {
				return sendAccepted(x, res.Operation, One(key))
			}
			return sendFirst(x, http.StatusOK, key, res)
		},
		func(what reflect.Type) []cycle.Reply {
			return []cycle.Reply{RecordReply(what, http.StatusOK, key, "ETag")}
		},
	}
}

// Created answers 201 with the record under key and where it is, 202 while the
// work is not done.
func Created(key string) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error {
			if res.pending() {
				return sendAccepted(x, res.Operation, One(key))
			}
			if len(res.records) == 0 {
				return errNoRecord
			}
			id, err := cycle.RecordID(res.records[0].JSON)
			if err != nil {
				return err
			}
			x.Set("Location", string(x.Member(nil, id)))
			return sendFirst(x, http.StatusCreated, key, res)
		},
		func(what reflect.Type) []cycle.Reply {
			return []cycle.Reply{RecordReply(what, http.StatusCreated, key, "ETag", "Location")}
		},
	}
}

// Assigned answers 200 with the value under key; either way it names the operation, and a
// 202 names nothing else.
func Assigned(key string) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error {
			if res.pending() {
				return sendAccepted(x, res.Operation, Subject{})
			}
			setOperation(x, res.Operation)
			return sendFirst(x, http.StatusOK, key, res)
		},
		func(what reflect.Type) []cycle.Reply {
			done := RecordReply(what, http.StatusOK, key, "ETag")
			done.Perhaps = operationHeaders
			return []cycle.Reply{done, AcceptedReply(Subject{})}
		},
	}
}

// WithOperation answers 200 with the record under key next to the operation; a 202 has
// the operation only.
func WithOperation(key string) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error {
			if res.pending() {
				return sendAccepted(x, res.Operation, Subject{})
			}
			if len(res.records) == 0 {
				return errNoRecord
			}
			rec := res.records[0]
			if rec.ETag != "" {
				x.Set("Etag", rec.ETag)
			}
			b, at := appendOperation(make([]byte, 0, 512), res.Operation), setOperation(x, res.Operation)
			b = append(append(append(append(b, `,"`...), key...), `":`...), rec.JSON...)
			b = x.AppendLink(append(b, `,"_links":{`...), "operationLocation", at)
			return x.Send(http.StatusOK, append(b, "}}"...))
		},
		func(what reflect.Type) []cycle.Reply {
			done := AcceptedReply(Subject{})
			done.Status, done.Headers, done.Perhaps = http.StatusOK, []string{"ETag"}, operationHeaders
			pending := done.Schema
			done.Schema = func(s *document.Schemas) map[string]any {
				out := pending(s)
				properties := out["properties"].(map[string]any)
				properties[key] = s.Of(what)
				// What was done at once may have needed no operation.
				properties["operation"] = document.Object("id", map[string]any{"type": []string{"string", "null"}})
				properties["_links"] = document.Object("operationLocation", document.Nullable(document.Link()))
				return out
			}
			return []cycle.Reply{done, AcceptedReply(Subject{})}
		},
	}
}

// Batched answers 200 with all records under key, 202 while the work is not done.
func Batched(key string, about Subject) WriteReply {
	open := []byte(`{"` + key + `":[`)
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error {
			if res.pending() {
				return sendAccepted(x, res.Operation, about)
			}
			items := make([][]byte, len(res.records))
			for i, rec := range res.records {
				items[i] = rec.JSON
			}
			return x.SendJoined(open, items, []byte("]}"))
		},
		func(what reflect.Type) []cycle.Reply {
			return []cycle.Reply{{Status: http.StatusOK, Schema: func(s *document.Schemas) map[string]any {
				return document.Object(key, document.ArrayOf(s.Of(what)))
			}}, AcceptedReply(about)}
		},
	}
}

// BatchMade answers 201 with all records under key, 202 while the work is not done.
func BatchMade(key string, about Subject) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error {
			if res.pending() {
				return sendAccepted(x, res.Operation, about)
			}
			text := []byte(`{"` + key + `":[`)
			for i, rec := range res.records {
				if i > 0 {
					text = append(text, ',')
				}
				text = append(text, rec.JSON...)
			}
			return x.Send(http.StatusCreated, append(text, "]}"...))
		},
		func(what reflect.Type) []cycle.Reply {
			return []cycle.Reply{{Status: http.StatusCreated, Schema: func(s *document.Schemas) map[string]any {
				return document.Object(key, document.ArrayOf(s.Of(what)))
			}}, AcceptedReply(about)}
		},
	}
}

// Accepted answers 202 whether or not the work is done already.
func Accepted(about Subject) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error { return sendAccepted(x, res.Operation, about) },
		func(reflect.Type) []cycle.Reply { return []cycle.Reply{AcceptedReply(about)} },
	}
}

// Announced answers a status with the record under key and no Location: one that the
// service will continue, or that is in its list alone.
func Announced(status int, key string) WriteReply {
	return WriteReply{
		func(x *cycle.Exchange, res *Written) error { return sendFirst(x, status, key, res) },
		func(what reflect.Type) []cycle.Reply { return []cycle.Reply{RecordReply(what, status, key, "ETag")} },
	}
}

// pending reports whether the work is still to be done.
func (w *Written) pending() bool { return w.ID != "" && !w.Status.Done() }

var (
	errNoRecord  = errors.New("httpapi: the work was done and left no record")
	errNoSubject = errors.New("httpapi: the work was accepted and is about nothing")
)

func sendFirst(x *cycle.Exchange, status int, key string, res *Written) error {
	if len(res.records) == 0 {
		return errNoRecord
	}
	return x.SendRecord(status, key, res.records[0])
}

// setOperation names an operation in the header and returns its address.
func setOperation(x *cycle.Exchange, op twinplatform.Operation) string {
	if op.ID == "" {
		return ""
	}
	at := string(x.OperationAt(nil, op.ID))
	x.Set("Operation-Id", op.ID)
	x.Set("Operation-Location", at)
	return at
}

// sendAccepted answers 202 with the operation and the ids of what it is about.
func sendAccepted(x *cycle.Exchange, op twinplatform.Operation, about Subject) error {
	if about.key != "" && !about.many && len(op.Subjects) == 0 {
		return errNoSubject
	}
	b := about.append(appendOperation(make([]byte, 0, 512), op), op.Subjects)
	at := setOperation(x, op)
	b = x.AppendLink(append(b, `,"_links":{`...), "operationLocation", at)
	return x.Send(http.StatusAccepted, append(b, "}}"...))
}

// appendOperation opens a body with the id of an operation, which is null where there is
// none.
func appendOperation(b []byte, op twinplatform.Operation) []byte {
	b = append(b, `{"operation":{"id":`...)
	if op.ID == "" {
		return append(b, "null}"...)
	}
	return append(wire.AppendString(b, op.ID), '}')
}

// append appends the member that names the records with these ids, if there is to be one.
func (about Subject) append(b []byte, ids []string) []byte {
	if about.key == "" {
		return b
	}
	b = append(wire.AppendString(append(b, ','), about.key), ':')
	if !about.many {
		return append(wire.AppendString(append(b, `{"id":`...), ids[0]), '}')
	}
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(wire.AppendString(append(b, `{"id":`...), id), '}')
	}
	return append(b, ']')
}

// operationHeaders name an operation. What was done at once may have needed none.
var operationHeaders = []string{"Operation-Id", "Operation-Location"}

// AcceptedReply is the answer to work that is not done.
func AcceptedReply(about Subject) cycle.Reply {
	return cycle.Reply{
		Status: http.StatusAccepted, Headers: operationHeaders,
		Schema: func(s *document.Schemas) map[string]any {
			id := document.Object("id", map[string]any{"type": "string"})
			out := document.Object("operation", id, "_links", document.Object("operationLocation", document.Link()))
			switch properties := out["properties"].(map[string]any); {
			case about.key == "":
			case about.many:
				properties[about.key] = document.ArrayOf(id)
			default:
				properties[about.key] = id
			}
			return out
		},
	}
}
