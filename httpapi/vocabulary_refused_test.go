package httpapi_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func TestVocabulariesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	world := newWorld(t).handler
	for name, tt := range map[string]struct{ vocabulary, want string }{
		"two members become one":             {`{"members": {"name": "title", "comment": "title"}}`, `the members "comment" and "name" of tasks.create are both called "title"`},
		"a member becomes one that stays":    {`{"members": {"name": "comment"}}`, `the members "comment" and "name" of tasks.create are both called "comment"`},
		"they differ in case alone":          {`{"members": {"name": "COMMENT"}}`, `are both called "COMMENT"`},
		"a part makes two members one":       {`{"parts": {"latitude": "longitude"}}`, `the members "latitude" and "longitude"`},
		"two parameters become one":          {`{"query": {"$top": "limit", "$continuationToken": "limit"}}`, `the parameters "$continuationToken" and "$top" of`},
		"a parameter becomes one that stays": {`{"query": {"$top": "deltaToken"}}`, `the parameters "$top" and "deltaToken" of`},
		"two segments become one":            {`{"segments": {"tasks": "jobs", "resources": "jobs"}}`, `the paths /schedules/{}/resources and /schedules/{}/tasks are both called /schedules/{}/jobs`},
		"a segment becomes one that stays":   {`{"segments": {"tasks": "resources"}}`, `the paths /schedules/{}/resources and /schedules/{}/tasks are both called /schedules/{}/resources`},
		"two beginnings become one":          {`{"paths": {"/twins": "/gardens", "/models": "/gardens"}}`, `the paths /models and /twins are both called /gardens`},
		"two headers become one":             {`{"headers": {"Continuation-Token": "Next", "Delta-Token": "next"}}`, `the headers "Continuation-Token" and "Delta-Token" of every operation`},
		"two event types become one":         {`{"events": {"twins.twinCreated.v1": "gardens.changed", "twins.twinUpdated.v1": "gardens.changed"}}`, `the values "twins.twinCreated.v1" and "twins.twinUpdated.v1" of`},
		"an unknown area":                    {`{"areas": {"garden": {}}}`, `there is no area "garden"`},
		"an unknown kind of record":          {"{\n\"areas\": {\n\"models.savedView\": {}}}", `line 3: there is no area "models.savedView"; did you mean 'models.savedViews'?`},
		"a member of another kind of record": {`{"areas": {"models.savedViews": {"members": {"capabilities": "x"}}}}`, `areas.models.savedViews.members: there is no "capabilities"`},
		"an unknown path":                    {`{"paths": {"/gardens": "/beds"}}`, `paths: there is no "/gardens"`},
		"an unknown segment":                 {`{"segments": {"gardens": "beds"}}`, `segments: there is no "gardens"`},
		"a segment of another area":          {`{"areas": {"forms": {"segments": {"tasks": "chores"}}}}`, `areas.forms.segments: there is no "tasks"`},
		"an unknown member":                  {`{"members": {"gardenId": "bedId"}}`, `members: there is no "gardenId"`},
		"an unknown parameter":               {`{"query": {"$garden": "$bed"}}`, `query: there is no "$garden"`},
		"an unknown header":                  {`{"headers": {"Accept": "Takes"}}`, `headers: there is no "Accept"`},
		"an unknown code":                    {`{"codes": {"GardenNotFound": "BedNotFound"}}`, `codes: there is no "GardenNotFound"`},
		"an unknown event":                   {`{"events": {"twins.twinMoved.v1": "x"}}`, `events: there is no "twins.twinMoved.v1"`},
		"an unknown value":                   {`{"values": {"Garden": "Bed"}}`, `values: there is no "Garden"`},
		"an unknown permission":              {`{"permissions": {"schedules_raed": "x"}}`, `permissions: there is no "schedules_raed"; did you mean 'schedules_read'?`},
		"two permissions become one":         {`{"permissions": {"schedules_read": "twins_read"}}`, `are both called "twins_read"`},
		"an unknown member that is left out": {`{"omit": ["createdDatTime"]}`, `omit: there is no "createdDatTime"; did you mean 'createdDateTime'?`},
		"a second name of another member":    {`{"also": {"name": "comment"}}`, `the members "comment" and "name" of tasks.create are both called "comment"`},
		"two members with one second name":   {`{"also": {"name": "title"}, "accept": {"comment": "title"}}`, `the members "comment" and "name" of tasks.create are both called "title"`},
		"a second name that is the first":    {`{"members": {"name": "title"}, "also": {"name": "title"}}`, `also: "name" is called so anyway, and has no second name`},
		"a second name of nothing":           {`{"accept": {"nmae": "title"}}`, `accept: there is no "nmae"; did you mean 'name'?`},
		"a second name that cannot be":       {`{"accept": {"name": "a b"}}`, `accept: "name" cannot be called "a b"`},
		"a second name of what is left out":  {`{"omit": ["name"], "also": {"name": "title"}}`, `also: "name" is left out, and has no second name`},
		"an unknown resource name":           {`{"messages": {"tulip": "rose"}}`, `messages: there is no "tulip"`},
		"an unknown member of contents":      {`{"contents": {"modellId": "x"}}`, `contents: there is no "modellId"; did you mean 'modelId'?`},
		"a name on its line":                 {"{\n \"areas\": {\n  \"forms\": {\n   \"members\": {\"displayNam\": \"x\"}}}}", `line 4: areas.forms.members: there is no "displayNam"; did you mean 'displayName'?`},
		"a part of nothing":                  {`{"parts": {"garden": "bed"}}`, `parts: there is no "garden"`},
		"a segment with a slash":             {`{"segments": {"tasks": "a/b"}}`, `segments: "tasks" cannot be called "a/b"`},
		"a segment in braces":                {`{"segments": {"tasks": "{id}"}}`, `cannot be called "{id}"`},
		"a segment that is above":            {`{"segments": {"tasks": ".."}}`, `cannot be called ".."`},
		"a path without a slash":             {`{"paths": {"/twins": "gardens"}}`, `paths: "/twins" cannot be called "gardens"`},
		"a path of an empty segment":         {`{"paths": {"/twins": "/a//b"}}`, `cannot be called "/a//b"`},
		"a path that is the root":            {`{"paths": {"/twins": "/"}}`, `cannot be called "/"`},
		"an empty name":                      {`{"members": {"name": ""}}`, `members: "name" cannot be called ""`},
		"a name with a quotation mark":       {`{"members": {"name": "a\"b"}}`, `cannot be called`},
		"a bad header":                       {`{"headers": {"Delta-Token": "Delta Token"}}`, `headers: "Delta-Token" cannot be called "Delta Token"`},
		"a header of HTTP":                   {`{"headers": {"Delta-Token": "location"}}`, `which is another header of HTTP`},
		"a name that changes nothing":        {`{"members": {"name": "name"}}`, `members: "name" is called so anyway`},
		"another vendor than a vendor":       {`{"vendor": "a/b"}`, `the vendor "a/b" cannot be in a media type`},
		"links that are neither":             {`{"nullLinks": "maybe"}`, `not "maybe"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := httpapi.ParseVocabulary(strings.NewReader(tt.vocabulary))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := httpapi.Under(world, v); err == nil || !strings.HasPrefix(err.Error(), "httpapi: Config.Vocabulary: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("refused with %v; want %s", err, tt.want)
			}
		})
	}
}

func TestFilesThatAreNoVocabularyAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, want string }{
		"nothing":            {"", "EOF"},
		"no JSON":            {"{", "the vocabulary: "},
		"a list":             {"[]", "cannot unmarshal"},
		"an unknown member":  {`{"member": {}}`, `unknown field "member"`},
		"one in an area":     {`{"areas": {"forms": {"headers": {}}}}`, `unknown field "headers"`},
		"a name twice":       {`{"members": {"name": "a", "name": "b"}}`, `"name" is there twice`},
		"another type":       {`{"members": {"name": 1}}`, "cannot unmarshal"},
		"two vocabularies":   {`{} {}`, "there is more behind it"},
		"more than is taken": {`{"vendor": "` + strings.Repeat("a", 1<<20) + `"}`, "at most 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := httpapi.ParseVocabulary(strings.NewReader(tt.file)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("refused with %v; want %s", err, tt.want)
			}
		})
	}
}
