package journal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const (
	person  = "token-of-a-person-5d0c41"
	program = "token-of-a-program-9b7e23"
	wrong   = "token-of-nobody-77aa10"
	secret  = "secret-of-a-webhook-0123456789abcdef"
)

func principal(id string, kind twinplatform.PrincipalKind) twinplatform.Principal {
	return twinplatform.Principal{
		ID: id, DisplayName: "Somebody", AccountID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", Kind: kind, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		Scopes: []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
	}
}

// serve is the API with a journal around it.
func serve(t testing.TB, cfg journal.Config) (*journal.Journal, http.Handler) {
	t.Helper()
	api := configured(t)
	api.UnknownMembers = httpapi.ReportUnknown
	j := journal.New(cfg)
	api.Observer = j.Observe
	h, err := httpapi.New(api)
	if err != nil {
		t.Fatal(err)
	}
	return j, j.Handler(h)
}

func configured(t testing.TB) httpapi.Config {
	t.Helper()
	callers := map[string]twinplatform.Principal{person: principal("ada", twinplatform.User), program: principal("robot", twinplatform.Service)}
	p, err := platform.New(memory.New(), platform.Config{Webhooks: webhooks.Config{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return httpapi.Config{
		Authenticator: httpapi.StaticTokens(callers), Rate: httpapi.Unlimited,
		Schedules: p.Schedules, Forms: p.Forms, Twins: p.Twins, RealityData: p.RealityData, Transform: p.Transform, Webhooks: p.Webhooks,
	}
}

func call(h http.Handler, token, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Whatever is asked of whichever operation, and however it is wrong, the journal holds
// none of the secrets that were sent or answered.
func TestJournalHoldsNoSecretOfAnyOperation(t *testing.T) {
	t.Parallel()
	operations := httpapi.Operations()
	j, h := serve(t, journal.Config{Size: 6 * len(operations)})
	generated := call(h, program, "POST", "/webhooks", `{"callbackUrl": "https://receiver.example.com/?code=code-of-the-receiver", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"]}`)
	var made struct{ Secret string }
	if err := json.Unmarshal(generated.Body.Bytes(), &made); err != nil || made.Secret == "" {
		t.Fatalf("no secret was generated: %v %s", err, generated.Body)
	}
	body := fmt.Sprintf(`{"callbackUrl": "https://user:password-of-a-user@receiver.example.com/", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"], "\u0073ecret": %q,
		"authentication": {"type": "Header", "key": "X-Key", "value": "credentials-of-a-repository", "valeu": "misspelt-credentials"},
		"options": {"queryParameters": {"k": "key-of-a-repository"}}, "displayName": "TOKEN", "nested": [{"accessToken": {"deep": "deep-secret"}}], "see": "https://files.example.com/a?sp=r&sig=signature-of-an-address"}`, secret)
	for _, o := range operations {
		path := strings.NewReplacer("{", "", "}", "").Replace(o.Path)
		for _, authorization := range []string{"Bearer " + person, "Bearer " + program, "Bearer " + wrong, "Basic " + person, person} {
			own := authorization[strings.LastIndexByte(authorization, ' ')+1:]
			r := httptest.NewRequest(o.Method, path+"?token="+person+"&sig=signature-of-an-address&x"+own, strings.NewReader(strings.ReplaceAll(body, "TOKEN", own)))
			r.Header.Set("Authorization", authorization)
			r.Header.Set("Cookie", "session=cookie-of-a-browser")
			r.Header.Set("User-Agent", "client of "+own)
			h.ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	all, _ := j.Exchanges(journal.Query{May: journal.Everybody})
	if want := 1 + 5*len(operations); len(all) != want {
		t.Errorf("the journal has %d exchanges, want %d", len(all), want)
	}
	bodies := 0
	for _, e := range all {
		whole, ok := j.Exchange(e.Number, journal.Everybody)
		if !ok {
			t.Fatalf("exchange %d is gone", e.Number)
		}
		if whole.Request.Body != "" {
			bodies++
		}
		text, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		for _, hidden := range []string{person, program, wrong, secret, made.Secret, "code-of-the-receiver", "password-of-a-user", "deep-secret", "credentials-of-a-repository", "misspelt-credentials", "key-of-a-repository", "signature-of-an-address", "cookie-of-a-browser"} {
			if at := strings.Index(string(text), hidden); at >= 0 {
				t.Fatalf("exchange %d, %s %s, holds %q: …%s", e.Number, e.Method, e.Operation, hidden, text[max(0, at-100):])
			}
		}
	}
	if bodies < len(operations)/2 {
		t.Errorf("of %d operations %d bodies were kept", len(operations), bodies)
	}
}

// What clients show a repository is in what is sent and in every answer that has the
// repository, whatever the deployment calls it.
func TestJournalHoldsNoCredentialsOfRepositories(t *testing.T) {
	t.Parallel()
	renamed := httpapi.Vocabulary{Areas: map[string]httpapi.Names{"twins": {Members: map[string]string{"authentication": "passport", "value": "stamp"}}}}
	twice := httpapi.Vocabulary{Areas: map[string]httpapi.Names{
		"twins":              {Also: map[string]string{"authentication": "passport"}},
		"twins.repositories": {Accept: map[string]string{"authentication": "permit", "value": "stamp"}},
	}}
	for name, tt := range map[string]struct {
		words   httpapi.Vocabulary
		member  string
		content string
	}{
		"as specified": {httpapi.Vocabulary{}, "authentication", "value"},
		"renamed":      {renamed, "passport", "stamp"},
		"twice":        {twice, "permit", "stamp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := configured(t)
			api.Vocabulary = tt.words
			j := journal.New(journal.Config{Vocabulary: tt.words})
			api.Observer = j.Observe
			handler, err := httpapi.New(api)
			if err != nil {
				t.Fatal(err)
			}
			h := j.Handler(handler)
			var twin struct{ Twin struct{ ID string } }
			made := call(h, person, "POST", "/twins", `{"class": "Thing", "displayName": "Bridge"}`)
			if err := json.Unmarshal(made.Body.Bytes(), &twin); err != nil || made.Code != http.StatusCreated {
				t.Fatalf("%d %s", made.Code, made.Body)
			}
			path := "/twins/" + twin.Twin.ID + "/repositories"
			body := fmt.Sprintf(`{"class": "GeographicInformationSystem", "subClass": "WebMapService", "uri": "https://maps.example.com/soil?token=key-of-a-repository", %q: {"type": "Header", "key": "X-Key", %q: "credentials-of-a-repository"},
				"options": {"queryParameters": {"k": "key-of-a-repository"}}}`, tt.member, tt.content)
			if w := call(h, person, "POST", path, body); w.Code != http.StatusCreated || !strings.Contains(w.Body.String(), "credentials-of-a-repository") {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if w := call(h, person, "GET", path, ""); !strings.Contains(w.Body.String(), "credentials-of-a-repository") {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			all, _ := j.Exchanges(journal.Query{May: journal.Everybody})
			if len(all) != 3 {
				t.Fatalf("%d exchanges", len(all))
			}
			for _, e := range all {
				whole, _ := j.Exchange(e.Number, journal.Everybody)
				text := fmt.Sprintf("%+v", whole)
				for _, hidden := range []string{"credentials-of-a-repository", "key-of-a-repository"} {
					if strings.Contains(text, hidden) {
						t.Errorf("%s %s shows %q: %s", e.Method, e.Operation, hidden, text)
					}
				}
			}
		})
	}
}

func TestExchangeShowsWhatWasSentAndWhatNothingRead(t *testing.T) {
	t.Parallel()
	j, h := serve(t, journal.Config{Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	answer := call(h, person, "POST", "/twins?$top=1&colour=red", `{"class": "Thing", "displayName": "Bridge", "lenght": 12345678901234567890}`)
	e, ok := j.Exchange(1, journal.Own(principal("ada", twinplatform.User)))
	if !ok {
		t.Fatal("the caller does not see the own exchange")
	}
	if e.Duration <= 0 || e.RequestID == "" {
		t.Errorf("duration %s, request %q", e.Duration, e.RequestID)
	}
	want := journal.Exchange{
		Number: 1, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Duration: e.Duration, Operation: "twins.create", Method: "POST", Host: "example.com",
		Target: "/twins?$top=1&colour=" + journal.Mask, Principal: principal("ada", twinplatform.User), Status: 201, RequestID: e.RequestID,
		Unread:  e.Unread,
		Request: journal.Message{Body: `{"class": "Thing", "displayName": "Bridge", "lenght": 12345678901234567890}`, Size: 75},
		Answer:  journal.Message{Header: e.Answer.Header, Body: answer.Body.String(), Size: int64(answer.Body.Len())},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("exchange (-want +got):\n%s", diff)
	}
	if got := strings.Join(e.Unread, " "); !strings.Contains(got, "lenght") || !strings.Contains(got, "colour") {
		t.Errorf("unread are %s", got)
	}
}

func TestCallersSeeTheirOwnExchangesAlone(t *testing.T) {
	t.Parallel()
	j, h := serve(t, journal.Config{})
	call(h, person, "GET", "/twins", "")
	call(h, program, "GET", "/twins", "")
	call(h, "", "GET", "/twins", "")
	other := principal("ada", twinplatform.User)
	other.AccountID = "another"
	for name, tt := range map[string]struct {
		may  func(twinplatform.Principal) bool
		want []uint64
	}{
		"everybody":                {journal.Everybody, []uint64{3, 2, 1}},
		"one":                      {journal.Own(principal("ada", twinplatform.User)), []uint64{1}},
		"another":                  {journal.Own(principal("robot", twinplatform.Service)), []uint64{2}},
		"the same id elsewhere":    {journal.Own(other), nil},
		"the same id of a program": {journal.Own(principal("ada", twinplatform.Service)), nil},
		"nobody":                   {journal.Own(twinplatform.Principal{}), nil},
		"unsaid":                   {nil, nil},
	} {
		var got []uint64
		all, _ := j.Exchanges(journal.Query{May: tt.may})
		for _, e := range all {
			got = append(got, e.Number)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s sees (-want +got):\n%s", name, diff)
		}
		for n := range uint64(5) {
			if _, ok := j.Exchange(n, tt.may); ok != slices.Contains(tt.want, n) {
				t.Errorf("%s opens exchange %d: %t", name, n, ok)
			}
		}
	}
}

func TestJournalIsBounded(t *testing.T) {
	t.Parallel()
	j, h := serve(t, journal.Config{Size: 10, MaxBody: 100})
	long := `{"displayName": "` + strings.Repeat("x", 10_000) + `"}`
	for range 35 {
		call(h, person, "POST", "/twins?a="+strings.Repeat("y", 10_000), long)
	}
	all, _ := j.Exchanges(journal.Query{May: journal.Everybody})
	if len(all) != 10 || all[0].Number != 35 || all[9].Number != 26 {
		t.Fatalf("%d exchanges are kept", len(all))
	}
	e, _ := j.Exchange(30, journal.Everybody)
	if len(e.Request.Body) > 110 || e.Request.Left != "the beginning of 10019 bytes" || len(e.Target) > 3000 {
		t.Errorf("kept %d bytes of a body, %q, and %d of a target", len(e.Request.Body), e.Request.Left, len(e.Target))
	}
	if _, ok := j.Exchange(25, journal.Everybody); ok {
		t.Error("an exchange is there that made room")
	}
}

func TestNothingIsKeptWhileTheJournalIsOff(t *testing.T) {
	t.Parallel()
	j, h := serve(t, journal.Config{})
	call(h, person, "GET", "/twins", "")
	j.Record(false)
	call(h, person, "GET", "/twins", "")
	if all, _ := j.Exchanges(journal.Query{May: journal.Everybody}); len(all) != 1 || j.Recording() {
		t.Errorf("%d exchanges are kept, want the 1 from before", len(all))
	}
	j.Clear(journal.Own(principal("robot", twinplatform.Service)))
	if all, _ := j.Exchanges(journal.Query{May: journal.Everybody}); len(all) != 1 {
		t.Error("a caller has cleared what another has sent")
	}
	j.Clear(nil)
	j.Record(true)
	call(h, person, "GET", "/schedules", "")
	if all, _ := j.Exchanges(journal.Query{May: journal.Everybody}); len(all) != 1 || all[0].Target != "/schedules" {
		t.Errorf("kept are %v", all)
	}
}

func TestQueriesFindExchanges(t *testing.T) {
	t.Parallel()
	j, h := serve(t, journal.Config{})
	call(h, person, "GET", "/twins", "")                                // 1: 200
	call(h, program, "GET", "/schedules/none", "")                      // 2: 404
	call(h, "", "GET", "/nowhere", "")                                  // 3: 401
	call(h, person, "POST", "/twins", `{"clas": "Thing"}`)              // 4: 422
	call(h, person, "POST", "/twins?x=1", `{"class": "Thing", "x": 1}`) // 5: 422
	for name, tt := range map[string]struct {
		q    journal.Query
		want []uint64
	}{
		"all":         {journal.Query{}, []uint64{5, 4, 3, 2, 1}},
		"operation":   {journal.Query{Operation: "twins.list"}, []uint64{1}},
		"status":      {journal.Query{Status: "404"}, []uint64{2}},
		"class":       {journal.Query{Status: "4xx"}, []uint64{5, 4, 3, 2}},
		"no status":   {journal.Query{Status: "40"}, nil},
		"method":      {journal.Query{Method: "POST"}, []uint64{5, 4}},
		"principal":   {journal.Query{Principal: "robot"}, []uint64{2}},
		"by name":     {journal.Query{Principal: "someb"}, []uint64{5, 4, 2, 1}},
		"text":        {journal.Query{Text: "NOWHERE"}, []uint64{3}},
		"unread":      {journal.Query{Unread: true}, []uint64{5, 4}},
		"before":      {journal.Query{Before: 3}, []uint64{2, 1}},
		"top":         {journal.Query{Top: 2}, []uint64{5, 4}},
		"all of them": {journal.Query{Method: "POST", Status: "422", Unread: true, Before: 5}, []uint64{4}},
	} {
		tt.q.May = journal.Everybody
		found, more := j.Exchanges(tt.q)
		var got []uint64
		for _, e := range found {
			got = append(got, e.Number)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || more != (name == "top") {
			t.Errorf("%s finds, and more %t (-want +got):\n%s", name, more, diff)
		}
	}
}

func TestMinutesCountWhatWasAskedWithinTheHour(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 0, 30, 0, time.UTC)
	j, h := serve(t, journal.Config{Now: func() time.Time { return now }})
	j.Record(false) // which does not keep them from being counted
	call(h, person, "GET", "/twins", "")
	now = now.Add(59 * time.Minute)
	call(h, person, "GET", "/twins", "")
	call(h, program, "GET", "/schedules/none", "")
	call(h, "", "GET", "/twins", "")
	sum := func(may func(twinplatform.Principal) bool) (requests, refused int) {
		for _, m := range j.Minutes(may) {
			requests, refused = requests+m.Requests, refused+m.Refused
		}
		return requests, refused
	}
	own := journal.Own(principal("ada", twinplatform.User))
	for name, tt := range map[string]struct {
		may               func(twinplatform.Principal) bool
		requests, refused int
	}{
		"everybody": {nil, 4, 2}, "one": {own, 2, 0}, "another": {journal.Own(principal("robot", twinplatform.Service)), 1, 1},
	} {
		if requests, refused := sum(tt.may); requests != tt.requests || refused != tt.refused {
			t.Errorf("%s: %d requests, %d refused, want %d and %d", name, requests, refused, tt.requests, tt.refused)
		}
	}
	if all := j.Minutes(nil); len(all) != 60 || all[0].Requests != 1 || all[59].Requests != 3 || !all[59].Began.Equal(now.Truncate(time.Minute)) {
		t.Errorf("the minutes are %v", all)
	}
	now = now.Add(time.Minute)
	if requests, _ := sum(own); requests != 1 {
		t.Errorf("after an hour %d requests are counted", requests)
	}
}

func TestRequestsAreCountedWhateverTheTime(t *testing.T) {
	t.Parallel()
	var now time.Time
	j, h := serve(t, journal.Config{Now: func() time.Time { return now }})
	for _, year := range []int{-290_000_000, 1, 1735, 1969, 1970, 2026, 2263, 9999, 290_000_000} {
		for minute := range 61 {
			now = time.Date(year, 3, 4, 5, minute, 59, 0, time.UTC)
			if w := call(h, person, "GET", "/twins", ""); w.Code != http.StatusOK {
				t.Fatalf("at %v: %d %s", now, w.Code, w.Body)
			}
		}
		if all := j.Minutes(nil); len(all) != 60 || all[0].Requests != 1 || all[59].Requests != 1 {
			t.Errorf("in the year %d the minutes are %v", year, all)
		}
	}
}

// An answer of an observer's context, a controller's deadline and a panic go through.
func TestJournalIsTransparent(t *testing.T) {
	t.Parallel()
	j := journal.New(journal.Config{})
	h := j.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Error(err)
		}
		if v := r.Context().Value(http.ServerContextKey); v == nil || err != nil {
			t.Errorf("the server is %v: %v", v, err)
		}
		if string(b) == "panic" {
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(b)
	}))
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	for body, want := range map[string]string{"": "", `{"a": 1}`: `{"a": 1}`} {
		req, _ := http.NewRequestWithContext(t.Context(), "PUT", srv.URL+"/x", strings.NewReader(body))
		res, err := srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || string(b) != want {
			t.Errorf("answered %q: %v", b, err)
		}
	}
	req, _ := http.NewRequestWithContext(context.Background(), "PUT", srv.URL+"/x", strings.NewReader("panic"))
	if res, err := srv.Client().Do(req); err == nil {
		_ = res.Body.Close()
		t.Errorf("answered %d after a panic", res.StatusCode)
	}
	if all, _ := j.Exchanges(journal.Query{May: journal.Everybody, Status: "000"}); len(all) != 1 {
		t.Errorf("%d exchanges without an answer are kept, want 1", len(all))
	}
}

// A secret under whatever name is taken for one does not stay, wherever the body is cut
// off and whatever is around it.
func FuzzBodiesKeepNoSecret(f *testing.F) {
	f.Add(`{"a": [1, {"b": null}], `, `: `, 100)
	f.Add("{}", "0", 211)
	f.Add("[{\"x\\u0041\": \"https://u@h/?\"},{", ":{\"deep\":[", 40)
	f.Fuzz(func(t *testing.T, before, between string, most int) {
		const hidden = "hunter2-0123456789"
		j := journal.New(journal.Config{MaxBody: 1 + max(0, most)%4096})
		h := j.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
		if strings.Contains(before, `"`) && strings.Count(before, `"`)%2 == 1 {
			return // the name would be part of a text
		}
		for _, name := range []string{"secret", "clientSecret", "API_KEY", "refresh-token"} {
			call(h, "", "POST", "/x", before+`"`+name+`"`+between+`"`+hidden+`"}`)
		}
		if strings.ContainsAny(between, `",`) || strings.ContainsAny(before, `\`) {
			return // the value would be another's
		}
		all, _ := j.Exchanges(journal.Query{May: journal.Everybody})
		for _, e := range all {
			whole, _ := j.Exchange(e.Number, journal.Everybody)
			if strings.Contains(whole.Request.Body+whole.Answer.Body, hidden) {
				t.Errorf("kept %s", whole.Request.Body)
			}
		}
	})
}

// What the journal costs, as a share of what a request costs over a socket.
func BenchmarkJournal(b *testing.B) {
	api := configured(b)
	j := journal.New(journal.Config{})
	api.Observer = j.Observe
	h, err := httpapi.New(api)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 20 {
		call(h, person, "POST", "/twins", fmt.Sprintf(`{"class": "Thing", "displayName": "Bridge %d"}`, i))
	}
	measure := func(h http.Handler, body string) func(b *testing.B) {
		return func(b *testing.B) {
			srv := httptest.NewServer(h)
			defer srv.Close()
			b.ReportAllocs()
			for b.Loop() {
				method := "GET"
				if body != "" {
					method = "POST"
				}
				req, _ := http.NewRequestWithContext(b.Context(), method, srv.URL+"/twins?$top=10", strings.NewReader(body))
				req.Header.Set("Authorization", "Bearer "+person)
				res, err := srv.Client().Do(req)
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		}
	}
	b.Run("list/without", measure(h, ""))
	b.Run("list/with", measure(j.Handler(h), ""))
	// What the journal itself does, without the noise of a socket.
	b.Run("alone", func(b *testing.B) {
		answer := []byte(`{"twins":[` + strings.Repeat(`{"displayName":"Bridge"},`, 200) + `{}]}`)
		h := j.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) }))
		b.ReportAllocs()
		r := httptest.NewRequest("GET", "/twins?$top=10", nil)
		r.Header.Set("Authorization", "Bearer "+person)
		for b.Loop() {
			h.ServeHTTP(discarded{}, r)
		}
	})
}

type discarded struct{}

func (discarded) Header() http.Header         { return http.Header{} }
func (discarded) WriteHeader(int)             {}
func (discarded) Write(p []byte) (int, error) { return len(p), nil }

// What a request has begun may outlast it, such as the end of a transaction.
func TestContextOfARequestIsGoodBehindItsAnswer(t *testing.T) {
	t.Parallel()
	requests := make(chan context.Context, 1)
	h := journal.New(journal.Config{}).Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { requests <- r.Context() }))
	type key struct{}
	ctx, stop := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", http.NoBody).WithContext(ctx))
	kept := <-requests
	below, end := context.WithCancel(kept)
	defer end()
	stop()
	<-below.Done()
	if got := kept.Value(key{}); got != "kept" || context.Cause(below) != context.Canceled {
		t.Errorf("behind the answer the context has %v, and ended by %v", got, context.Cause(below))
	}
}
