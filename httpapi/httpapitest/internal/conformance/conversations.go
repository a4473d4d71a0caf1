package conformance

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// conversationChecks are the recorded conversations as checks: each is held in a world
// that is made through the API, and each answer is to be the recorded one. What differs
// from server to server is not compared: ids that the server gives, as long as each
// stays the same, tokens, versions, the moment, and the texts of errors.
var conversationChecks = sync.OnceValue(func() map[Area][]Check {
	out := make(map[Area][]Check)
	for _, c := range conversations.All() {
		if conversations.World(c.Area()) == nil {
			continue
		}
		area := conversationArea(c)
		out[area] = append(out[area], Check{
			Name:  "conversation " + c.Operation(),
			run:   func(p *probe) { p.play(c) },
			needs: func(s Server) string { return lackedBy(s, c) },
		})
	}
	return out
})

// conversationArea is the area of a conversation.
func conversationArea(c *conversations.Conversation) Area {
	group, _, _ := strings.Cut(c.Operation(), ".")
	switch {
	case c.Area() == "forms":
		return Forms
	case c.Area() == "twins" && strings.Contains(c.Steps[0].Request, " /access-control/"):
		return AccessControl
	case c.Area() == "twins":
		return Twins
	case c.Area() == "realitydata":
		return RealityData
	case c.Area() == "detectors":
		return Detectors
	case c.Area() == "transformations":
		return Transformations
	case group == "deliveries":
		return Deliveries
	case c.Area() == "webhooks":
		return Webhooks
	case strings.HasPrefix(group, "task"):
		return Tasks
	case strings.HasPrefix(group, "resource"), strings.HasPrefix(group, "userField"), strings.HasPrefix(group,
		"statusHistory"):
		return Resources
	case strings.HasPrefix(group, "baseline"):
		return Baselines
	case group == "operations":
		return Operations
	default:
		return Schedules
	}
}

// insideOf are conversations, and steps of them, that are about what no client can make,
// by what that is.
var insideOf = map[string][]string{
	"the clock of the recording": {
		"microsoftProjectImports.create: the tasks that came",
		"plannerImports.create: the tasks that came",
		"realityData.list: created",
		"realityData.list: accessed",
		"shares.create: until a time",
		"shares.create: too long",
		"statusHistoryItems.create: critical for a while",
		"statusHistoryItems.create: how that was recorded",
		"statusHistoryItems.create: for a while, and not critical",
		"statusHistoryItems.update: until a time",
		"statusHistoryItems.update: until it is changed after all",
		"tasks.createMany: that has come some way",
	},
	"what other synchronizers have made in the schedule of the recording": {
		"microsoftProjectImports.create: a preview of the same file",
		"microsoftProjectImports.synchronize: a preview of the same file",
		"plannerImports.create: a preview of the same file",
		"plannerImports.synchronize: a preview of a file without a task",
	},
	"a record that was made when the conversation was recorded": {"appearanceProfiles.update: as it was read"},
	"schedules that are still being set up":                     {"schedules.list"},
	"a filter that does not exist":                              {"taskQueryFilters.list"},
	"repositories of the whole deployment": {
		"globalRepositories.get", "globalRepositories.list", "globalRepositoryResources.get",
		"globalRepositoryResources.graphics", "globalRepositoryResources.list",
	},
	"an owner who does not administer the account": {
		"members.delete: the last owner leaves", "members.update: the last owner becomes a reader",
		"owners.delete: the last owner leaves", "twins.create: without the permission on the account",
		"twins.delete: by its owner", "users.delete: the last owner leaves",
		"users.update: the last owner becomes a reader",
	},
	"a caller of the account who holds nothing": {
		"analysisJobs.list: of a twin that is not for the caller",
		"configurations.list: a project that the caller may not see",
		"conversionJobs.list: of a twin that is not for the caller", "realityData.list: by a stranger",
		"twins.myPrimaryAccount: an account that is there",
		"webhooks.create: for the account, without a trailing slash",
		"webhooks.create: the account needs more than a twin",
	},
	"a twin of the account that the caller does not see": {
		"models.delete: a hidden one, by an administrator", "realityData.create: by an administrator",
		"realityData.delete: associated with two twins", "realityData.move: associated with two twins",
		"realityData.twins: in another spelling, all for an administrator",
	},
	"the elements of a model that the recording has": {
		"animationBindings.match: and nothing is left to bind",
		"animationBindings.match: by a pattern that is none",
		"animationBindings.match: by what a pattern finds in the code",
		"animationBindings.match: what is bound already",
		"animationBindings.match: what would be bound",
		"animationStates.list: with the boxes of a model",
	},
	"what another account has under the same id": {
		"models.create: each account its own", "savedViews.create: an id that another account has",
	},
	"people whom the server knows": {
		"groupMembers.create: what its people may do then", "groups.update: who is in it has its roles",
	},
	"events that were published, and their receiver": {
		"deliveries.list", "webhooks.replay: all that are done with", "webhooks.status: one that refuses events",
	},
}

// inside is what each of these is about.
var inside = func() map[string]string {
	out := make(map[string]string)
	for what, steps := range insideOf {
		for _, step := range steps {
			out[step] = what
		}
	}
	return out
}()

// PassedOver are the conversations and their steps that the suite leaves out by name,
// since they are about what no client can make.
func PassedOver() []string { return slices.Sorted(maps.Keys(inside)) }

// unmade finds what no client can make in requests.
var unmade = []struct {
	in   *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`\bbusy\b`), "a schedule that is still being set up"},
	{regexp.MustCompile(`\b(elsewhere|abroad)\b`), "what another account has"},
	{regexp.MustCompile(`/synchronizers/import\b`), "the record of an import of that name"},
	{regexp.MustCompile(`stranger@example\.com`), "a person whom the server knows by that address"},
}

// setting is where the conversations of an area are held.
type setting struct {
	// tower is what the conversations call their twin, and bridge a second one, where there is
	// one that their caller sees.
	tower, bridge string
	// towerOfWorld reports that the world begins with the making of the tower.
	towerOfWorld bool
	// reading is what the reader may do in the tower; empty where the world sets it.
	reading []string
	// own are what has to be unique on the server, besides ids.
	own []string
	// ofAll are lists in which there is what others have made.
	ofAll map[string]bool
}

// lists are addresses of lists.
func lists(addresses ...string) map[string]bool {
	out := make(map[string]bool)
	for _, at := range addresses {
		out[at] = true
	}
	return out
}

const towerID = "11111111-1111-4111-8111-111111111111"

var settings = map[string]setting{
	"schedules": {tower: "tower", bridge: "bridge", reading: []string{"schedules_read"}},
	"forms": {
		tower: towerID, bridge: "33333333-3333-4333-8333-333333333333",
		reading: []string{"Forms_ViewAccess"},
	},
	"twins": {
		tower: towerID, towerOfWorld: true, own: []string{"T-1", "T-2", "T-3"},
		ofAll: lists("twins", "twins/recents", "twins/exports"),
	},
	"realitydata": {
		tower: "tower", bridge: "annex", reading: []string{"realitydata_use"},
		ofAll: lists("reality-management/reality-data", "reality-conversion/jobs", "reality-analysis/jobs"),
	},
	"detectors":       {tower: "tower", ofAll: lists("reality-analysis/detectors")},
	"transformations": {tower: "tower", bridge: "annex", reading: []string{"models_read"}},
	"webhooks":        {tower: "tower", ofAll: lists("webhooks")},
}

// needsBridge reports whether there is something in the second twin.
func needsBridge(c *conversations.Conversation) bool {
	bridge := settings[c.Area()].bridge
	if bridge == "" {
		return false
	}
	name := regexp.MustCompile(`\b` + bridge + `\b`)
	return slices.ContainsFunc(slices.Concat(conversations.World(c.Area()).Steps, c.Steps),
		func(s conversations.Step) bool {
			return name.MatchString(s.Request)
		})
}

// lackedBy reports what a server would have to offer for a conversation.
func lackedBy(s Server, c *conversations.Conversation) string {
	if what := inside[c.Operation()]; what != "" {
		return what
	}
	if settings[c.Area()].towerOfWorld && reader(s) != "" {
		return reader(s)
	}
	return ""
}

// noToken is no token that counts.
const noToken = "conf-no-such-token"

// tokenOf is the token of a caller of the conversations of an area; empty where the server
// has none.
func (s Server) tokenOf(area, caller string) string {
	if area == "webhooks" && caller == "writer" && s.ServiceToken != "" {
		return s.ServiceToken
	}
	switch caller {
	case "writer", "admin", "owner":
		return s.Token
	case "reader":
		if s.ReaderID != "" {
			return s.ReaderToken
		}
	case "stranger", "foreign":
		return s.StrangerToken
	case "bare", "unknown":
		return noToken
	}
	return ""
}

// lackedByStep reports what a server would have to offer for a step, without which the
// others can be held.
func (p *probe) lackedByStep(c *conversations.Conversation, step conversations.Step) string {
	if what := inside[c.Operation()+": "+step.Title]; what != "" && !p.whole {
		return what
	}
	for _, u := range unmade {
		if u.in.MatchString(step.Request) {
			return u.what
		}
	}
	caller, method, target := transcript.Head(step.Request)
	if p.tokenOf(c.Area(), caller) == "" {
		return "the token of the " + caller
	}
	if method == http.MethodGet && settings[c.Area()].isOfAll(target) && strings.HasPrefix(step.Answer, "200") {
		return "a server on which there is nothing else"
	}
	return ""
}

// isOfAll reports whether the answer to a target may hold records that others have made.
func (in setting) isOfAll(target string) bool {
	collection, query, _ := strings.Cut(target, "?")
	if !in.ofAll[strings.Trim(collection, "/")] {
		return false
	}
	ours := regexp.MustCompile(`=(` + in.tower + `|` + cmp.Or(in.bridge, in.tower) + `|T-\d)\b`)
	return !ours.MatchString(query)
}
