package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// Clients of the tus protocol ask what is served before they have a token, and are not shown by that which
// schedules there are. A token that is given is looked at.
func TestClientsAskWithoutATokenWhatOfTheUploadProtocolIsServed(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	for _, schedule := range []string{"plan", "nowhere"} {
		w := ask(h, http.MethodOptions, "/schedules/"+schedule+"/files", "", "Authorization: ")
		if w.Code != http.StatusNoContent || w.Header().Get("Tus-Version") != "1.0.0" || w.Header().Get("Tus-Extension") == "" || w.Header().Get("Tus-Max-Size") == "" {
			t.Errorf("%s: %d %v", schedule, w.Code, w.Header())
		}
	}
	for authorization, want := range map[string]int{"Bearer wrong": 401, "Bearer": 401, "Bearer writer": 404} {
		if w := ask(h, http.MethodOptions, "/schedules/nowhere/files", "", "Authorization: "+authorization); w.Code != want {
			t.Errorf("%s: %d, want %d", authorization, w.Code, want)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		if w := ask(h, method, "/schedules/plan/files", "", "Authorization: "); w.Code != 401 && w.Code != 405 {
			t.Errorf("%s without a token: %d", method, w.Code)
		}
	}
}

// Where something between lets no PATCH through, clients of tus send POST and say what they mean.
func TestUploadsContinueWithTheMethodOverridden(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	writer := []string{"Authorization: Bearer writer", "Tus-Resumable: 1.0.0"}
	create := func() string {
		w := ask(h, http.MethodPost, "/schedules/plan/files", "", append(writer, "Upload-Length: 3")...)
		at := strings.TrimPrefix(w.Header().Get("Location"), base)
		if w.Code != http.StatusCreated || at == "" {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		return at
	}
	at := create()
	w := ask(h, http.MethodPost, at, "abc", append(writer, "X-HTTP-Method-Override: PATCH", "Upload-Offset: 0", "Content-Type: application/offset+octet-stream")...)
	if w.Code != http.StatusNoContent || w.Header().Get("Upload-Offset") != "3" {
		t.Errorf("a part: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := ask(h, http.MethodPost, at, "", append(writer, "X-HTTP-Method-Override: DELETE")...); w.Code != http.StatusNoContent {
		t.Errorf("a deletion: %d %s", w.Code, w.Body)
	}
	if w := ask(h, http.MethodGet, at, "", writer...); w.Code != 404 {
		t.Errorf("the file is still there: %d", w.Code)
	}
	// Of any other protocol, and of any other method, nothing is overridden.
	at = create()
	for name, lines := range map[string][]string{
		"no header of tus": {"Authorization: Bearer writer", "X-HTTP-Method-Override: DELETE"},
		"another method":   append(writer, "X-HTTP-Method-Override: GET"),
		"no method":        append(writer, "X-HTTP-Method-Override: "),
	} {
		if w := ask(h, http.MethodPost, at, "", lines...); w.Code != 405 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}
