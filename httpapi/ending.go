package httpapi

import (
	"errors"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// ending is how a write is answered, and what the OpenAPI document says of it.
type ending struct {
	send    func(x *exchange, res *written) error
	replies func(what reflect.Type) []reply
}

// subject is how a 202 names what its operation is about: one thing under a
// singular key, several under a plural one, or nothing at all.
type subject struct {
	key  string
	many bool
}

func one(key string) subject  { return subject{key: key} }
func many(key string) subject { return subject{key: key, many: true} }

// changed answers 200 with the record under key, 202 while the work is not done.
func changed(key string) ending {
	return ending{
		func(x *exchange, res *written) error {
			if res.pending() {
				return x.accepted(res.Operation, one(key))
			}
			return x.sendFirst(http.StatusOK, key, res)
		},
		func(what reflect.Type) []reply { return []reply{recordReply(what, http.StatusOK, key, "ETag")} },
	}
}

// created answers 201 with the record under key and where it is, 202 while the
// work is not done.
func created(key string) ending {
	return ending{
		func(x *exchange, res *written) error {
			if res.pending() {
				return x.accepted(res.Operation, one(key))
			}
			if len(res.records) == 0 {
				return errNoRecord
			}
			id, err := res.records[0].id()
			if err != nil {
				return err
			}
			x.w.Header().Set("Location", string(x.member(nil, id)))
			return x.sendFirst(http.StatusCreated, key, res)
		},
		func(what reflect.Type) []reply {
			return []reply{recordReply(what, http.StatusCreated, key, "ETag", "Location")}
		},
	}
}

// assigned answers 200 with the value under key; either way it tells the
// operation, and a 202 names nothing else.
func assigned(key string) ending {
	return ending{
		func(x *exchange, res *written) error {
			if res.pending() {
				return x.accepted(res.Operation, subject{})
			}
			x.setOperation(res.Operation)
			return x.sendFirst(http.StatusOK, key, res)
		},
		func(what reflect.Type) []reply {
			done := recordReply(what, http.StatusOK, key, "ETag")
			done.perhaps = operationHeaders
			return []reply{done, acceptedReply(subject{})}
		},
	}
}

// told answers 200 with the record under key beside the operation, which a 202 tells as
// well and nothing else.
func told(key string) ending {
	return ending{
		func(x *exchange, res *written) error {
			if res.pending() {
				return x.accepted(res.Operation, subject{})
			}
			if len(res.records) == 0 {
				return errNoRecord
			}
			rec := res.records[0]
			if rec.etag != "" {
				x.set("Etag", rec.etag)
			}
			b, at := appendOperation(make([]byte, 0, 512), res.Operation), x.setOperation(res.Operation)
			b = append(append(append(append(b, `,"`...), key...), `":`...), rec.json...)
			b = x.link(append(b, `,"_links":{`...), "operationLocation", at)
			return x.send(http.StatusOK, append(b, "}}"...))
		},
		func(what reflect.Type) []reply {
			done := acceptedReply(subject{})
			done.status, done.headers, done.perhaps = http.StatusOK, []string{"ETag"}, operationHeaders
			pending := done.schema
			done.schema = func(s *document.Schemas) map[string]any {
				out := pending(s)
				properties := out["properties"].(map[string]any)
				properties[key] = s.Of(what)
				// What was done at once may have needed no operation.
				properties["operation"] = document.Object("id", map[string]any{"type": []string{"string", "null"}})
				properties["_links"] = document.Object("operationLocation", document.Nullable(document.Link()))
				return out
			}
			return []reply{done, acceptedReply(subject{})}
		},
	}
}

// batched answers 200 with all records under key, 202 while the work is not done.
func batched(key string, about subject) ending {
	open := []byte(`{"` + key + `":[`)
	return ending{
		func(x *exchange, res *written) error {
			if res.pending() {
				return x.accepted(res.Operation, about)
			}
			items := make([][]byte, len(res.records))
			for i, rec := range res.records {
				items[i] = rec.json
			}
			return x.sendJoined(open, items, []byte("]}"))
		},
		func(what reflect.Type) []reply {
			return []reply{{status: http.StatusOK, schema: func(s *document.Schemas) map[string]any {
				return document.Object(key, document.ArrayOf(s.Of(what)))
			}}, acceptedReply(about)}
		},
	}
}

// accepted answers 202 whether or not the work is done already.
func accepted(about subject) ending {
	return ending{
		func(x *exchange, res *written) error { return x.accepted(res.Operation, about) },
		func(reflect.Type) []reply { return []reply{acceptedReply(about)} },
	}
}

// announced answers a status with the record under key and no Location: one that the
// service will continue, or that is in its list alone.
func announced(status int, key string) ending {
	return ending{
		func(x *exchange, res *written) error { return x.sendFirst(status, key, res) },
		func(what reflect.Type) []reply { return []reply{recordReply(what, status, key, "ETag")} },
	}
}

// pending reports whether the work is still to be done.
func (w *written) pending() bool { return w.ID != "" && !w.Status.Done() }

var (
	errNoRecord  = errors.New("httpapi: the work was done and left no record")
	errNoSubject = errors.New("httpapi: the work was accepted and is about nothing")
)

func (x *exchange) sendFirst(status int, key string, res *written) error {
	if len(res.records) == 0 {
		return errNoRecord
	}
	return x.sendRecord(status, key, res.records[0])
}

// setOperation tells an operation in the header and returns its address.
func (x *exchange) setOperation(op twinplatform.Operation) string {
	if op.ID == "" {
		return ""
	}
	at := string(x.operation(nil, op.ID))
	x.w.Header().Set("Operation-Id", op.ID)
	x.w.Header().Set("Operation-Location", at)
	return at
}

// accepted answers 202 with the operation and the ids of what it is about.
func (x *exchange) accepted(op twinplatform.Operation, about subject) error {
	if about.key != "" && !about.many && len(op.Subjects) == 0 {
		return errNoSubject
	}
	b := about.append(appendOperation(make([]byte, 0, 512), op), op.Subjects)
	at := x.setOperation(op)
	b = x.link(append(b, `,"_links":{`...), "operationLocation", at)
	return x.send(http.StatusAccepted, append(b, "}}"...))
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

// append appends the member that names the things with these ids, if there is
// to be one.
func (about subject) append(b []byte, ids []string) []byte {
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

// operationHeaders tell of an operation. What was done at once may have needed none.
var operationHeaders = []string{"Operation-Id", "Operation-Location"}

func acceptedReply(about subject) reply {
	return reply{status: http.StatusAccepted, headers: operationHeaders, schema: func(s *document.Schemas) map[string]any {
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
	}}
}
