package console

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/site"
)

// matchView is a rule by which objects show tasks, and what it would bind.
type matchView struct {
	*request
	Action   string
	Models   siteModels
	Entities []optionView // by what of an object
	Tasks    []optionView // by what of a task
	Kinds    []optionView
	Profiles []optionView
	Typed    []hiddenField // the rule, for the form that carries it out
	Preview  *matchPreview
	Refusal  *refusal
	Changed  string
	Undrawn  bool // the schedule is of v6.5

	Property, Pattern string
	IgnoreCase        bool
}

// hiddenField is one of a form.
type hiddenField struct{ Name, Value string }

// matchPreview is what a rule would bind, by names.
type matchPreview struct {
	Bound, Already, Ambiguous, LeftObjects, LeftTasks int
	Pairs                                             []pairView
	Unclear                                           []string // objects that could show several tasks
	Mark                                              string
}

// pairView is an object and the task that it would show.
type pairView struct {
	Object string
	Task   valueView
}

// newProfile is the choice of a profile that is made: of what is built from the bottom to the top.
const newProfile = "new"

// bindingMatch is a rule, as the API takes it.
type bindingMatch struct {
	AppearanceProfileID string `json:"appearanceProfileId,omitempty"`
	EntityKey           string `json:"entityKey,omitempty"`
	IgnoreCase          bool   `json:"ignoreCase,omitempty"`
	Kind                string `json:"kind,omitempty"`
	ModelID             string `json:"modelId"`
	Pattern             string `json:"pattern,omitempty"`
	Property            string `json:"property,omitempty"`
	TaskKey             string `json:"taskKey,omitempty"`
}

// What of a rule needs another member.
const (
	entityProperty = "Property"
	patternMatch   = "Pattern"
)

// matchRule is the rule that a form has, as the API takes it.
func matchRule(form url.Values) bindingMatch {
	m := bindingMatch{
		ModelID: form.Get("modelId"), EntityKey: form.Get("entityKey"),
		TaskKey: form.Get("taskKey"), IgnoreCase: form.Get("ignoreCase") != "",
		AppearanceProfileID: form.Get("profile"), Kind: form.Get("kind"),
	}
	if m.AppearanceProfileID == newProfile {
		m.AppearanceProfileID = ""
	}
	if m.Kind == patternMatch {
		m.Pattern = form.Get("pattern")
	}
	if m.EntityKey == entityProperty {
		m.Property = form.Get("property")
	}
	return m
}

func matchPage(r *request) (view, error) { return r.matchForm(r.URL.Query(), "") }

// matchForm is the form with the rule that is in it, and what that would bind.
func (r *request) matchForm(form url.Values, changed string) (view, error) {
	if err := r.inSchedule("Match"); err != nil {
		return view{}, err
	}
	r.below(r.schedule()+"/4d", "4D")
	page := matchView{
		request: r, Action: r.PlanLink("/4d/match"), Changed: changed, Undrawn: r.undrawn,
		Property: form.Get("property"), Pattern: form.Get("pattern"), IgnoreCase: form.Get("ignoreCase") != "",
	}
	for name := range strings.FieldsSeq("modelId entityKey property kind pattern taskKey profile ignoreCase") {
		page.Typed = append(page.Typed, hiddenField{name, form.Get(name)})
	}
	models, err := r.siteModels()
	if err != nil {
		return view{}, err
	}
	page.Models = models
	page.Entities = options(form.Get("entityKey"), "Code", "code", "Name", "name", "Id", "id", "Guid", "GUID",
		entityProperty, "a property, which is named")
	page.Tasks = options(form.Get("taskKey"), "Code", "code", "Name", "name")
	page.Kinds = options(form.Get("kind"), "Exact", "equals the value of the task",
		"Prefix", "begins with the value of the task", patternMatch, "a pattern finds the value of the task")
	profiles := []string{newProfile, "New: built from bottom to top, green", "", "None: the picture stays as it is"}
	for o, err := range records[object](r, r.schedule()+"/appearance-profiles?$top=200", "appearanceProfiles") {
		if err != nil {
			return view{}, err
		}
		profiles = append(profiles, o.text("id"), o.text("name"))
	}
	profile := form.Get("profile")
	if !form.Has("profile") {
		profile = newProfile
	}
	page.Profiles = options(profile, profiles...)
	if form.Has("entityKey") {
		page.Preview, err = r.previewMatch(matchRule(form))
		if refused, ok := asRefusal(err); ok && refused.Status != http.StatusUnauthorized {
			page.Refusal, err = refused, nil
		}
	}
	if err != nil {
		return view{}, err
	}
	return r.show("match", page)
}

// previewMatch is what a rule would bind.
func (r *request) previewMatch(rule bindingMatch) (*matchPreview, error) {
	a, err := r.create(r.schedule()+"/animation-bindings/match?dryRun=true", rule)
	if err != nil {
		return nil, err
	}
	var found struct {
		Bound             []struct{ AnimatedEntityID, TaskID string }
		Ambiguous         []struct{ AnimatedEntityID string }
		BoundCount        int
		BoundAlreadyCount int
		AmbiguousCount    int
		LeftEntityCount   int
		LeftTaskCount     int
	}
	if err := decode(a.body, &found); err != nil {
		return nil, err
	}
	p := &matchPreview{
		Bound: found.BoundCount, Already: found.BoundAlreadyCount, Ambiguous: found.AmbiguousCount,
		LeftObjects: found.LeftEntityCount, LeftTasks: found.LeftTaskCount,
	}
	for _, pair := range found.Bound[:min(len(found.Bound), maxPairs)] {
		p.Pairs = append(p.Pairs, pairView{
			r.elementName(rule.ModelID, pair.AnimatedEntityID), r.taskValue(pair.TaskID, r.taskName(pair.TaskID)),
		})
	}
	for _, one := range found.Ambiguous[:min(len(found.Ambiguous), maxPairs)] {
		p.Unclear = append(p.Unclear, r.elementName(rule.ModelID, one.AnimatedEntityID))
	}
	p.Mark, err = previewMark(found, rule)
	return p, err
}

// maxPairs is how many objects of a preview are shown by name.
const maxPairs = 10

// elementName is what people call an element of a model.
func (r *request) elementName(model, id string) string {
	var body struct{ Element site.Element }
	if _, err := r.get(at("models", model, "elements", id), &body); err != nil {
		return id
	}
	return cmp.Or(site.NameOf(&body.Element), id)
}

// maxMatches is how many times the API is asked to bind, each for up to 1,000 objects.
const maxMatches = 20

// matchBindings binds what the page has shown.
func matchBindings(r *request) (view, error) {
	rule := matchRule(r.PostForm)
	preview, err := r.previewMatch(rule)
	if _, refused := asRefusal(err); refused {
		return r.matchForm(r.PostForm, "")
	}
	if err != nil {
		return view{}, err
	}
	if preview.Mark != r.PostForm.Get("preview") {
		return r.matchForm(r.PostForm, planChanged)
	}
	if r.PostForm.Get("profile") == newProfile {
		if rule.AppearanceProfileID, err = r.makeProfile(); err != nil {
			return view{}, err
		}
	}
	bound, err := r.bindMatched(rule, min(preview.Bound, 1000*maxMatches))
	said := plural(bound, "object") + " bound."
	if err != nil {
		if refused, ok := asRefusal(err); ok && bound > 0 {
			return r.matchForm(r.PostForm, said+" The next ones were refused: "+refused.sentences())
		}
		if p, ok := errors.AsType[*problem](err); ok && bound > 0 {
			return r.matchForm(r.PostForm, said+" "+p.message)
		}
		return view{}, err
	}
	if left := preview.Bound - bound; left > 0 {
		said += " " + strconv.Itoa(left) + " are left: match again to bind them."
	}
	return view{}, redirected(r.Link(r.schedule()+"/4d", "modelId", rule.ModelID,
		"notice", r.console.notices.sign(r.who.principal.ID, said)))
}

// bindMatched binds by a rule until as many objects are bound, and returns how many there are, also with an error.
func (r *request) bindMatched(rule bindingMatch, wanted int) (bound int, err error) {
	for bound < wanted {
		a, err := r.create(r.schedule()+"/animation-bindings/match", rule)
		if err != nil {
			return bound, err
		}
		var made struct{ Batch []struct{} }
		if err := decode(a.body, &made); err != nil {
			return bound, err
		}
		if err := r.await(a, notBound); err != nil {
			return bound, err
		}
		n := len(made.Batch)
		if a.status == http.StatusAccepted { // an operation makes the next 1,000, all or none
			n = min(1000, wanted-bound)
		}
		if bound += n; n == 0 {
			break
		}
	}
	return bound, nil
}

// notBound is said where nothing more can be bound.
var notBound = awaiting{
	"Not all was bound", "The operation has failed: ",
	"The operation still runs. Look at what would be bound once it has ended.",
}

// builtProfile is the name of the profile of what is built from the bottom to the top.
const builtProfile = "Build"

// makeProfile returns the id of that profile. It makes it where there is none.
func (r *request) makeProfile() (string, error) {
	for o, err := range records[object](r, r.schedule()+"/appearance-profiles?$top=1000", "appearanceProfiles") {
		if err != nil {
			return "", err
		}
		if o.text("name") == builtProfile && o.text("action") == "Install" {
			return o.text("id"), nil
		}
	}
	a, err := r.create(r.schedule()+"/appearance-profiles", map[string]any{
		"name": builtProfile, "action": "Install",
		"activeAppearance": map[string]any{"color": "#2e9e4f", "growthSimulation": map[string]any{"mode": "BottomTop"}},
		"endAppearance":    map[string]any{"useOriginalColor": true, "useOriginalTransparency": true},
	})
	if err == nil {
		err = r.await(a, notBound)
	}
	if err != nil {
		return "", err
	}
	var made struct{ AppearanceProfile struct{ ID string } }
	err = decode(a.body, &made)
	return made.AppearanceProfile.ID, err
}
