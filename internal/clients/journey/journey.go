// Package journey is a program that was written for a deployment with another vocabulary, that
// of httpapi/testdata/garden.json. It knows no other ones, uses no types of the platform, and
// holds each answer to what it has sent.
package journey

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/clients/blocks"
	"github.com/seed-933f9a09/twinplatform/internal/clients/inbox"
	"github.com/seed-933f9a09/twinplatform/internal/clients/plans"
)

// Deployment is where the program works.
type Deployment struct {
	URL string
	// Email is the address of the person, and ApplicationID the id of the application.
	Email, ApplicationID string
	// Person and Application sign in: a person who administers the account, and a service
	// application of it, which webhooks are for.
	Person, Application func(context.Context) (token string, err error)
	// Callback is where the program receives events, and Receive returns the next delivery.
	Callback string
	Receive  func(context.Context) (inbox.Delivery, error)
}

// legs are what the program does, each with what those before it have made. Whatever else
// programs do to a deployment comes here.
var legs = []struct {
	name string
	do   func(*program) error
}{
	{"who is signed in", (*program).me},
	{"a garden with a crew", (*program).garden},
	{"a saved view", (*program).view},
	{"a file in blocks", (*program).blocks},
	{"chores, and pages of them", (*program).chores},
	{"pages by a number to skip", (*program).skip},
	{"a plan that is imported", (*program).plan},
	{"an event", (*program).event},
}

// Run does all that there is to do.
func Run(ctx context.Context, d Deployment) error {
	p := &program{ctx: ctx, Deployment: d}
	var err error
	if p.token, err = d.Person(ctx); err != nil {
		return fmt.Errorf("signing in: %w", err)
	}
	for _, leg := range legs {
		if err := leg.do(p); err != nil {
			return fmt.Errorf("%s: %w", leg.name, err)
		}
	}
	return nil
}

type program struct {
	Deployment

	ctx      context.Context
	token    string
	gardenID string
}

type object = map[string]any

// answer is one with a body of JSON, or none.
type answer struct {
	header http.Header
	raw    []byte
	body   object
}

// call sends a request and wants a status. A path may be a whole address. Headers are pairs.
func (p *program) call(method, path string, body any, want int, header ...string) (*answer, error) {
	var sent []byte
	switch body := body.(type) {
	case nil:
	case []byte:
		sent = body
	default:
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return nil, err
		}
		header = append(header, "Content-Type", "application/json")
	}
	if strings.HasPrefix(path, "/") {
		path = p.URL + path
	}
	r, err := http.NewRequestWithContext(p.ctx, method, path, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != want {
		return nil, fmt.Errorf("%s %s: %d, not %d: %s", method, path, res.StatusCode, want, raw)
	}
	a := &answer{header: res.Header, raw: raw}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a.body); err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	return a, nil
}

// made creates a record, and wants it shown as it was sent, by the answer and when it is read.
func (p *program) made(at, one string, sent object) (object, error) {
	a, err := p.call("POST", at, sent, http.StatusCreated)
	if err != nil {
		return nil, err
	}
	record, _ := a.body[one].(object)
	if err := shows(sent, record); err != nil {
		return nil, fmt.Errorf("POST %s: %w", at, err)
	}
	if a, err = p.call("GET", at+"/"+text(record["id"]), nil, http.StatusOK); err != nil {
		return nil, err
	}
	read, _ := a.body[one].(object)
	return record, shows(sent, read)
}

// shows wants all members of what was sent in a record, with their values.
func shows(sent, record object) error {
	raw, err := json.Marshal(sent)
	if err != nil {
		return err
	}
	var want object
	if err := json.Unmarshal(raw, &want); err != nil {
		return err
	}
	for name, value := range want {
		if !reflect.DeepEqual(record[name], value) {
			return fmt.Errorf("%s is %v, and was sent as %v", name, record[name], value)
		}
	}
	return nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// in is a member at the end of a path of members.
func in(v any, path ...string) any {
	for _, name := range path {
		inner, _ := v.(object)
		v = inner[name]
	}
	return v
}

func (p *program) garden() error {
	garden, err := p.made("/gardens", "garden",
		object{"class": "Bed", "label": "Rose bed", "number": "R-1", "north": 41.15, "longitude": -8.61})
	if err != nil {
		return err
	}
	p.gardenID = text(garden["id"])
	gate := "/gate/gardens/" + p.gardenID
	crew, err := p.made(gate+"/groups", "group", object{"name": "Crew", "description": "Waters the roses."})
	if err != nil {
		return err
	}
	role, err := p.made(gate+"/roles", "role",
		object{"label": "Gardener", "permissions": []string{"schedules_modify", "schedules_read"}})
	if err != nil {
		return err
	}
	a, err := p.call("POST", gate+"/guests/groups",
		object{"members": []object{{"groupId": crew["id"], "roleIds": []any{role["id"]}}}}, http.StatusCreated)
	if err != nil {
		return err
	}
	guests, _ := a.body["members"].([]any)
	if len(guests) != 1 || in(guests[0], "groupName") != "Crew" {
		return fmt.Errorf("the crew is shown as %v", a.body)
	}
	return nil
}

// me is who has signed in.
func (p *program) me() error {
	a, err := p.call("GET", "/users/me", nil, http.StatusOK)
	if err != nil {
		return err
	}
	if in(a.body, "user", "email") != p.Email || in(a.body, "user", "memberType") != "User" {
		return fmt.Errorf("%s is shown as %s", p.Email, a.raw)
	}
	return nil
}

// viewData is what a viewer keeps in a view, as the viewer writes it: without white space and
// needless escapes.
const viewData = `{"spatialView":{"camera":{"eye":[-1.50,2.25e0,1E6],"label":"Größe <&> \""},` +
	`"extents":[10,20.5,30.125,1e-7],"categories":{"enabled":["beams","0x1f"],"disabled":[]},"twinId":"not ours",` +
	`"displayName":null,"_links":{"next":"Twin"},"big":12345678901234567890}}`

// view wants the data of a view back as they were sent, to the byte, whatever they hold.
func (p *program) view() error {
	sent := []byte(`{"label": "From the north", "gardenId": "` + p.gardenID + `", "savedViewData": ` + viewData + `}`)
	made, err := p.call("POST", "/saved-views", sent, http.StatusCreated, "Content-Type", "application/json")
	if err != nil {
		return err
	}
	at := "/saved-views/" + text(in(made.body, "savedView", "id"))
	read, err := p.call("GET", at, nil, http.StatusOK)
	if err != nil {
		return err
	}
	changed, err := p.call("PATCH", at, object{"label": "From the south"}, http.StatusOK)
	if err != nil {
		return err
	}
	for _, a := range []*answer{made, read, changed} {
		if !bytes.Contains(a.raw, []byte(`"savedViewData":`+viewData)) ||
			in(a.body, "savedView", "gardenId") != p.gardenID {
			return fmt.Errorf("it is shown as %s, and was sent as %s", a.raw, sent)
		}
	}
	if was, is := in(read.body, "savedView", "label"), in(changed.body, "savedView",
		"label"); was != "From the north" || is != "From the south" {
		return fmt.Errorf("it is called %v, and then %v", was, is)
	}
	return nil
}

// blocks uploads a file in blocks and reads it by ranges.
func (p *program) blocks() error {
	sent := object{"label": "Scan", "kind": "LAS", "authoring": true}
	with := maps.Clone(sent)
	with["gardenId"] = p.gardenID
	a, err := p.call("POST", "/soil", with, http.StatusCreated)
	if err != nil {
		return err
	}
	soil, _ := a.body["realityData"].(object)
	if err := shows(sent, soil); err != nil {
		return err
	}
	at := "/soil/" + text(soil["id"])
	if a, err = p.call("GET", at+"/yards", nil, http.StatusOK); err != nil {
		return err
	}
	if yards, _ := a.body["gardens"].([]any); len(yards) != 1 || yards[0] != p.gardenID {
		return fmt.Errorf("it is shown as that of %s", a.raw)
	}
	content := bytes.Repeat([]byte("points of a scan, "), 50_000)
	copy(content[len(content)/2:], "the middle")
	addresses := make(map[string]blocks.Container)
	for _, access := range []string{"writeaccess", "look"} {
		a, err := p.call("GET", at+"/"+access+"?gardenId="+p.gardenID, nil, http.StatusOK)
		if err != nil {
			return err
		}
		addresses[access] = blocks.Container(text(in(a.body, "_paths", "containerUrl", "href")))
	}
	const name, kind = "scans/größe 1.las", "application/vnd.las"
	if err := addresses["writeaccess"].Upload(p.ctx, name, kind, content, 256<<10); err != nil {
		return err
	}
	back, contentType, err := addresses["look"].Download(p.ctx, name, 100_003)
	if err != nil {
		return err
	}
	if !bytes.Equal(back, content) || contentType != kind {
		return fmt.Errorf("%d bytes of %s came back, and %d were sent", len(back), contentType, len(content))
	}
	if a, err = p.call("PATCH", at, object{"authoring": false}, http.StatusOK); err != nil {
		return err
	}
	if size := in(a.body, "realityData", "size"); size != float64((len(content)+1023)/1024) {
		return fmt.Errorf("%d bytes have the size %v", len(content), size)
	}
	return nil
}

// chores makes five, one after the other, and reads them in each way that there is.
func (p *program) chores() error {
	season, err := p.made("/seasons", "schedule", object{"name": "Spring", "gardenId": p.gardenID})
	if err != nil {
		return err
	}
	at := "/seasons/" + text(season["id"]) + "/chores"
	names := []string{"Dig", "Plant", "Water", "Weed", "Cut"}
	for _, name := range names {
		if err := p.chore(at, name); err != nil {
			return err
		}
	}
	slices.Sort(names)
	byToken, delta, err := p.byToken(at)
	if err != nil || !slices.Equal(names, byToken) {
		return fmt.Errorf("by tokens: %q %w", byToken, err)
	}
	byLink, err := p.byLink(at)
	if err != nil || !slices.Equal(names, byLink) {
		return fmt.Errorf("by links: %q %w", byLink, err)
	}
	if err := p.chore(at, "Prune"); err != nil {
		return err
	}
	a, err := p.call("GET", at+"?sinceToken="+url.QueryEscape(delta), nil, http.StatusOK)
	if err != nil {
		return err
	}
	if changed := namesIn(a, "chores", "name"); !slices.Equal(changed, []string{"Prune"}) {
		return fmt.Errorf("by a delta: %q", changed)
	}
	return nil
}

// chore makes one and follows what makes it.
func (p *program) chore(at, name string) error {
	sent := object{"name": name, "kind": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 7200}
	a, err := p.call("POST", at, sent, http.StatusAccepted)
	if err != nil {
		return err
	}
	if err := p.follow(a); err != nil {
		return err
	}
	made, err := p.call("GET", at+"/"+text(in(a.body, "chore", "id")), nil, http.StatusOK)
	if err != nil {
		return err
	}
	record, _ := made.body["chore"].(object)
	return shows(sent, record)
}

// follow asks until an accepted operation is done.
func (p *program) follow(a *answer) error {
	at := a.header.Get("Operation-Location")
	if link := in(a.body, "_paths", "operationLocation", "href"); at == "" || link != at {
		return fmt.Errorf("the operation is at %q, and at %v", at, link)
	}
	for {
		o, err := p.call("GET", at, nil, http.StatusOK)
		if err != nil {
			return err
		}
		switch in(o.body, "operation", "status") {
		case "Succeeded":
			return nil
		case "Failed":
			return fmt.Errorf("%v", o.body)
		}
		select {
		case <-p.ctx.Done():
			return p.ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// namesIn are what the records of a page are called, in order.
func namesIn(a *answer, many, name string) (out []string) {
	all, _ := a.body[many].([]any)
	for _, record := range all {
		out = append(out, text(in(record, name)))
	}
	slices.Sort(out)
	return out
}

// byToken pages with the token in the header.
func (p *program) byToken(at string) (names []string, delta string, err error) {
	for token := ""; ; {
		q := "?$most=2"
		if token != "" {
			q += "&$continuationToken=" + url.QueryEscape(token)
		}
		a, err := p.call("GET", at+q, nil, http.StatusOK)
		if err != nil {
			return names, "", err
		}
		names = append(names, namesIn(a, "chores", "name")...)
		if token = a.header.Get("Onward-Token"); token == "" {
			slices.Sort(names)
			return names, a.header.Get("Delta-Token"), nil
		}
	}
}

// byLink pages with the links.
func (p *program) byLink(at string) (names []string, err error) {
	for next := at + "?$most=2"; next != ""; {
		a, err := p.call("GET", next, nil, http.StatusOK)
		if err != nil {
			return names, err
		}
		names = append(names, namesIn(a, "chores", "name")...)
		next = text(in(a.body, "_paths", "onward", "href"))
	}
	slices.Sort(names)
	return names, nil
}

// skip makes two more gardens and pages through them by numbers.
func (p *program) skip() error {
	for _, name := range []string{"Lily pond", "Orchard"} {
		if _, err := p.made("/gardens", "garden", object{"class": "Bed", "label": name}); err != nil {
			return err
		}
	}
	var found []string
	for n := 0; ; n += 2 {
		a, err := p.call("GET", fmt.Sprintf("/gardens?$most=2&$skip=%d", n), nil, http.StatusOK)
		if err != nil {
			return err
		}
		page := namesIn(a, "gardens", "label")
		if found = append(found, page...); len(page) < 2 {
			break
		}
	}
	for _, name := range []string{"Rose bed", "Lily pond", "Orchard"} {
		if i := slices.Index(found, name); i < 0 || slices.Contains(found[i+1:], name) {
			return fmt.Errorf("%s is not once among %q", name, found)
		}
	}
	return nil
}

// plan uploads a plan in two pieces and imports it.
func (p *program) plan() error {
	season, err := p.made("/seasons", "schedule", object{"name": "Shed", "gardenId": p.gardenID})
	if err != nil {
		return err
	}
	at := "/seasons/" + text(season["id"])
	const tus, version = "Tus-Resumable", "1.0.0"
	file, err := p.call("POST", at+"/files", nil, http.StatusCreated,
		tus, version, "Upload-Length", fmt.Sprint(len(plans.Shed)), "Upload-Metadata", "filename c2hlZC54bWw=")
	if err != nil {
		return err
	}
	for begin := 0; begin < len(plans.Shed); {
		end := min(begin+1000, len(plans.Shed))
		a, err := p.call("PATCH", file.header.Get("Location"), []byte(plans.Shed[begin:end]), http.StatusNoContent,
			tus, version, "Upload-Offset", fmt.Sprint(begin), "Content-Type", "application/offset+octet-stream")
		if err != nil {
			return err
		}
		if begin = end; a.header.Get("Upload-Offset") != fmt.Sprint(end) {
			return fmt.Errorf("at %s of %d bytes", a.header.Get("Upload-Offset"), end)
		}
	}
	a, err := p.call("POST", at+"/imports/planner",
		object{"fileId": in(file.body, "file", "id"), "filePath": "shed.xml"}, http.StatusAccepted)
	if err != nil {
		return err
	}
	if err := p.follow(a); err != nil {
		return err
	}
	if a, err = p.call("GET", at+"/chores", nil, http.StatusOK); err != nil {
		return err
	}
	lasts := make(map[string]any)
	all, _ := a.body["chores"].([]any)
	for _, chore := range all {
		lasts[text(in(chore, "name"))] = in(chore, "plannedDuration")
	}
	if lasts["Floor"] != 57600.0 || lasts["Walls"] != 86400.0 {
		return fmt.Errorf("what the plan takes is %v", lasts)
	}
	return nil
}
