package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// Vocabulary has the names that a deployment of the platform uses, so that programs which
// were written for it run unchanged. Every table maps a name of the specification to the
// deployment's; what no table names is called as in the specification, and the zero value
// names nothing.
//
// It holds at the edge and in both directions: for the paths, queries, headers and
// bodies of requests, for bodies, headers, links and errors of answers, and for the
// OpenAPI document. A name of the specification that is called otherwise is unknown.
// What users write, such as names, texts and members whose names they choose, is
// never changed, nor is what is stored. Operations keep their ids, and logs and
// observers the codes of the specification.
//
// Its fields are [Names], which hold everywhere, and
//
//	Areas     map[string]Names   the names that hold in one area alone, before the others;
//	                             areas are called as in [Operation]; "models.savedViews" are the
//	                             operations of that area whose ids begin with savedViews, and
//	                             come before it
//	Headers   map[string]string  headers of requests and answers that are the platform's own:
//	                             X-Request-Id, Continuation-Token, Delta-Token, Operation-Id,
//	                             Operation-Location
//	Vendor    string             what stands in media types for vendor.twin-platform
//	NullLinks NullLinks          whether links that lead nowhere are written as null
//
// [New] refuses a vocabulary that is ambiguous or names what there is not.
// [Vocabulary.Deliveries] says the same of events on their way to webhooks.
type Vocabulary vocabulary.Vocabulary

// Names are tables of names, each a map[string]string except for Omit. A whole name comes before
// one that is made of parts.
//
//	Paths     beginnings of paths, such as "/access-control": "/gate"; the longest one counts
//	Segments  single segments of paths behind that: "twins": "gardens"
//	Members   members of bodies, and what paths name in braces
//	Query     query parameters, with their dollar
//	Codes     codes of errors and of their details
//	Events    event types
//	Values    words of other enumerations, also of those that headers take
//	Permissions  what roles hold, in bodies and in messages
//	Messages  nouns in messages: "twin": "garden", "saved view": "outlook"
//	Contents  members of the contents of events, before Members
//	Also      second names of members: answers and deliveries have both, requests either
//	Accept    second names of members that requests may have, and answers have not
//	Omit      a list: members that are left out of the bodies of answers
//	Parts     words that members, parameters, codes and event types are made of in camel case:
//	          "twin": "garden" makes gardenId of twinId; the plural is a word of its own
type Names = vocabulary.Names

// NullLinks is what becomes of links that lead nowhere, such as that to the next page on
// the last one. The zero value is the specification's way: null in the schedules area, and
// nothing in the others.
type NullLinks = vocabulary.NullLinks

// What becomes of links that lead nowhere.
const (
	OmitNullLinks  = vocabulary.OmitNullLinks
	WriteNullLinks = vocabulary.WriteNullLinks
)

// Deliveries puts the bodies of deliveries to webhooks into the words of a
// deployment. The zero value leaves them as they are.
type Deliveries = vocabulary.Deliveries

// ParseVocabulary reads a vocabulary from JSON: an object whose members are the fields of
// [Vocabulary] and [Names] with a small letter in front. Members that it does not know,
// names that are in a table twice and more than a mebibyte are refused. Whether the names
// can be is [New]'s to say.
func ParseVocabulary(r io.Reader) (Vocabulary, error) {
	v, err := vocabulary.Parse(r)
	return Vocabulary(v), err
}

// Member is what a member of bodies of an area is called. Areas are called as in
// [Operation].
func (v Vocabulary) Member(area, name string) string { return v.words().Of(area).Member(name) }

// MemberNames are all names that a member may have in the bodies of an area: what it is called
// there and in what the area is divided into, and its second names.
func (v Vocabulary) MemberNames(area, name string) []string {
	places := []string{area}
	for divided := range v.Areas {
		if strings.HasPrefix(divided, area+".") {
			places = append(places, divided)
		}
	}
	var out []string
	for _, place := range places {
		l := v.words().Of(place)
		out = append(append(out, l.Member(name)), l.Seconds(name)...)
	}
	slices.Sort(out[1:])
	return slices.Compact(out)
}

// Deliveries translates the events that are delivered to webhooks: to the names of the
// webhooks area under the vocabulary. A service is given it as
//
//	events, err := vocabulary.Deliveries()
//	…
//	webhooks.Config{Envelope: events.Write}
//
// It fails where two members of a delivery would have one name.
func (v Vocabulary) Deliveries() (Deliveries, error) {
	d, err := v.words().Deliveries()
	if err != nil {
		return Deliveries{}, fmt.Errorf("httpapi: the vocabulary: %w", err)
	}
	return d, nil
}

// Transport lets a client that speaks as the specification does talk to a deployment
// under baseURL that speaks under the vocabulary: it puts requests into the words of
// the deployment, and answers, with their links and errors, back into those of the
// specification. Messages name their target so, and stay as they came otherwise.
// Requests to any other address, and what is no JSON, go through as they are; nil as
// over means http.DefaultTransport.
//
// It fails on a vocabulary that [New] would refuse.
func (v Vocabulary) Transport(baseURL string, over http.RoundTripper) (http.RoundTripper, error) {
	if over == nil {
		over = http.DefaultTransport
	}
	if v.words().Key() == "" {
		return over, nil
	}
	sides, err := v.sides(baseURL)
	if err != nil {
		return nil, err
	}
	t, err := sides.Transport(over)
	if err != nil {
		return nil, fmt.Errorf("httpapi: %w", err)
	}
	return t, nil
}

// Address is a path of a GET below the root of the API, with its query, in the words
// of the deployment: /twins?$top=2. It is as it was under a vocabulary that [New]
// would refuse.
func (v Vocabulary) Address(below string) string {
	u, err := url.Parse(below)
	if err != nil || v.words().Key() == "" {
		return below
	}
	sides, err := v.sides("")
	if err != nil || sides.Address(u) != nil {
		return below
	}
	return u.String()
}

// VocabularyName is a name of the specification that a vocabulary may have another one for,
// in one of its tables. The area is empty where the name belongs to none.
type VocabularyName = vocabulary.Name

// VocabularyNames lists all names that a vocabulary may have others for, by area, table and
// name. Paths, parts and resource names in messages are made of them and are not listed.
func VocabularyNames() []VocabularyName { return vocabulary.NamesOf(named(everyRoute()), ownHeaders) }

// Check reports what [New] would refuse the vocabulary for, served with all areas. Each
// reason begins with the line of the file that the vocabulary was read from, where a single
// entry is at fault.
func (v Vocabulary) Check() error {
	if _, err := layOut(Config{}.areas(), v); err != nil {
		return fmt.Errorf("httpapi: the vocabulary: %w", err)
	}
	_, err := v.Deliveries()
	return err
}

func (v Vocabulary) words() vocabulary.Vocabulary { return vocabulary.Vocabulary(v) }

// sides are the platform and a deployment of all areas below baseURL.
func (v Vocabulary) sides(baseURL string) (vocabulary.Sides, error) {
	deployment, platform := &Handler{}, &Handler{}
	var err error
	if deployment.served, err = laidOut(Config{}.areas(), v); err != nil {
		return vocabulary.Sides{}, fmt.Errorf("httpapi: the vocabulary: %w", err)
	}
	if platform.served, err = laidOut(Config{}.areas(), Vocabulary{}); err != nil {
		return vocabulary.Sides{}, err
	}
	return vocabulary.Sides{
		BaseURL: baseURL, Deployment: deployment.dialect, PlatformFinds: platform.numberOf,
		DeploymentFinds: deployment.numberOf,
	}, nil
}

// numberOf is the number of the route for a path, of the method if there is one; -1
// where there is none.
func (h *Handler) numberOf(method, below string) int {
	for _, m := range append([]string{method}, http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut,
		http.MethodDelete) {
		p, err := url.PathUnescape(below)
		if err != nil {
			return -1
		}
		r := h.respelled(&http.Request{Method: m, URL: &url.URL{Path: p, RawPath: below}})
		if n := h.find(r); n != unknown && canonical(r) {
			return int(n)
		}
	}
	return -1
}
