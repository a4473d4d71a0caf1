// Package conformance is the behaviour of the documented API as a list of checks
// that speak plain HTTP, so that any server can be held to it.
//
// A [Check] makes what it needs, with new ids, and deletes it again. It reports to a
// [Reporter] and not to a test, so that the suite itself can be tested: by servers that
// are wrong on purpose.
package conformance

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Area is a part of the API that a server may leave out.
type Area string

// The areas.
const (
	Requests        Area = "requests" // what holds for every request
	Schedules       Area = "schedules"
	Tasks           Area = "tasks"
	Lists           Area = "lists"
	Deltas          Area = "deltas"
	Versions        Area = "versions"
	Operations      Area = "operations"
	Resources       Area = "resources"
	Baselines       Area = "baselines"
	Twins           Area = "twins"
	AccessControl   Area = "accessControl"
	Forms           Area = "forms"
	RealityData     Area = "realityData"
	Detectors       Area = "detectors"
	Transformations Area = "transformations"
	Webhooks        Area = "webhooks"
	Deliveries      Area = "deliveries"
)

// Areas are all areas in the order of their checks.
func Areas() []Area {
	return []Area{
		Requests, Schedules, Tasks, Lists, Deltas, Versions, Operations, Resources, Baselines,
		Twins, AccessControl, Forms, RealityData, Detectors, Transformations, Webhooks, Deliveries,
	}
}

// Server describes where the server under test is and what the suite may use there.
type Server struct {
	// BaseURL is the address of the API, without a slash at its end.
	BaseURL string
	// Token belongs to a caller who may make twins, and do everything in them.
	Token string
	// ServiceToken belongs to a service application that may have webhooks in these twins.
	// Empty: Token's caller makes the webhooks.
	ServiceToken string
	// StrangerToken belongs to a caller who may see nothing of these twins. Empty: what
	// such a caller sees is not checked.
	StrangerToken string
	// ReaderToken belongs to the caller with the id ReaderID, who may see nothing but what
	// the suite grants. Empty: what such a caller may do is not checked.
	ReaderToken, ReaderID string
	// Receiver is where deliveries can be seen. Nil: they are not checked.
	Receiver *Receiver
	// Client sends the requests.
	Client *http.Client
	// Patience is how long what happens later may take.
	Patience time.Duration
}

// Reporter receives what a check finds.
type Reporter interface {
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Context() context.Context
}

// Check is one behaviour that the documentation asks for.
type Check struct {
	Area Area
	// Name says the behaviour.
	Name string

	run   func(*probe)
	needs func(Server) string
}

// Unmet reports what the server would have to offer to be held to the check; empty when
// nothing is missing.
func (c Check) Unmet(s Server) string {
	if c.needs != nil {
		if missing := c.needs(s); missing != "" {
			return missing
		}
	}
	if c.Area == Webhooks || c.Area == Deliveries {
		return serviceToken(s)
	}
	return ""
}

// Run holds a server to the check.
func (c Check) Run(s Server, r Reporter) { c.hold(s, r, false) }

// RunWhole is Run that passes over no step of a conversation for being one of [PassedOver].
func (c Check) RunWhole(s Server, r Reporter) { c.hold(s, r, true) }

func (c Check) hold(s Server, r Reporter, whole bool) {
	s.BaseURL = strings.TrimSuffix(s.BaseURL, "/")
	p := &probe{Server: s, reporter: r, as: s.Token, undo: new([]undo), whole: whole}
	defer p.cleanUp()
	defer func() {
		if v := recover(); v != nil && v != any(errGivenUp) {
			panic(v)
		}
	}()
	c.run(p)
}

// Checks are all checks, those of an area one after the other.
func Checks() (all []Check) {
	played := conversationChecks()
	for _, area := range Areas() {
		for _, check := range slices.Concat(suite[area], played[area]) {
			check.Area = area
			all = append(all, check)
		}
	}
	return all
}

// suite has the checks for what no conversation can say.
var suite = map[Area][]Check{
	Requests: requestChecks, Schedules: scheduleChecks, Tasks: taskChecks, Lists: listChecks, Deltas: deltaChecks,
	Versions:   versionChecks,
	Operations: operationChecks, Resources: resourceChecks, Baselines: baselineChecks, Twins: twinChecks,
	AccessControl: accessChecks,
	Webhooks:      webhookChecks, Deliveries: deliveryChecks,
}

// serviceToken reports that a check needs a caller who may have webhooks, where the
// server forbids them to the caller that there is, whatever is asked.
func serviceToken(s Server) string {
	if s.ServiceToken != "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(s.BaseURL, "/")+"/webhooks/",
		strings.NewReader("{}"))
	if err != nil {
		return "" // the check reports it
	}
	req.Header.Set("Authorization", "Bearer "+s.Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.Client.Do(req)
	if err != nil {
		return "" // so does it here
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusForbidden {
		return ""
	}
	return "ConformanceService: the token of a service application, since the server lets no other caller have webhooks"
}

// stranger reports that a check needs someone who may see nothing.
func stranger(s Server) string {
	if s.StrangerToken == "" {
		return "ConformanceStranger: the token of a caller who may see nothing"
	}
	return ""
}

// reader reports that a check needs someone who may see and not change.
func reader(s Server) string {
	if s.ReaderToken == "" || s.ReaderID == "" {
		return "ConformanceReader: the token and the id of a caller who may see and not change"
	}
	return ""
}

// observer reports that a check needs to see deliveries.
func observer(s Server) string {
	if s.Receiver == nil {
		return "ConformanceReceiver: an endpoint that sees deliveries"
	}
	return ""
}
