package cycle

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/recorder"
)

// refused drops the details of unknown members whose value is what the record has, since a
// client may send a record back as it read it, and returns the others. The record is read
// only where a body has such members.
func (x *Exchange) refused(sent []byte, stray []twinplatform.Detail) []twinplatform.Detail {
	if x.Route.Method != http.MethodPatch && x.Route.Method != http.MethodPut {
		return stray
	}
	var body map[string]any
	is := x.current()
	if is == nil || json.Unmarshal(sent, &body) != nil {
		return stray
	}
	return slices.DeleteFunc(stray, func(d twinplatform.Detail) bool {
		value, shown := is[d.Target]
		return shown && reflect.DeepEqual(body[d.Target], value)
	})
}

// current is what a GET of the path that is being changed answers to the caller: the record;
// nil where there is none.
func (x *Exchange) current() map[string]any {
	r := *x.R
	r.Method, r.Body, r.ContentLength, r.Header = http.MethodGet, http.NoBody, 0, make(http.Header)
	found := x.server.Find(&r)
	if found == nil || found.Path != x.Route.Path {
		return nil
	}
	rec := recorder.New(make(http.Header))
	get := &Exchange{server: x.server, Route: found, W: rec, R: &r, id: x.id, began: x.began, principal: x.principal}
	if behind := get.Route.behindApart(); get.Route.Apart != "" {
		r.SetPathValue(behindName, x.Path(behind))
	}
	err := get.parseQuery()
	if err == nil {
		err = get.Route.Serve(twinplatform.WithPrincipal(x.R.Context(), x.principal), get)
	}
	var answer map[string]any
	if err != nil || rec.Status != http.StatusOK || json.Unmarshal(rec.Body.Bytes(), &answer) != nil {
		return nil
	}
	delete(answer, "_links")
	for _, inner := range answer {
		if record, ok := inner.(map[string]any); ok && len(answer) == 1 {
			return record
		}
	}
	return answer
}
