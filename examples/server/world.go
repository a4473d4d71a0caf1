package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// world is what a seed file holds: a JSON object with any of these lists. What is
// in them has the form of the create requests of the REST API, and an id. They
// are applied in this order, so that each may name what stands before it.
type world struct {
	Twins           []worldTwin              `json:"twins"`
	Roles           []worldRole              `json:"roles"`
	Members         []worldMember            `json:"members"`
	Models          []transform.NewModel     `json:"models"`
	SavedViews      []transform.NewSavedView `json:"savedViews"`
	FormDefinitions []worldDefinition        `json:"formDefinitions"`
	Forms           []worldForm              `json:"forms"`
	RealityData     []worldRealityData       `json:"realityData"`
	Detectors       []worldDetector          `json:"detectors"`
	Schedules       []worldSchedule          `json:"schedules"`
}

// worldTwin is a twin in its documented form, as GET /twins/{twinId} shows it.
// What only the platform says of a twin is passed over. The class is Endeavor and
// the display name the id where they are missing.
type worldTwin struct {
	twins.NewTwin
	// ID is a GUID; that of an account is what its principals have.
	ID string `json:"id"`
	// TwinAccountID is the account of the first principal when empty.
	TwinAccountID string `json:"twinAccountId"`

	CreatedBy            json.RawMessage `json:"createdBy"`
	CreatedDateTime      json.RawMessage `json:"createdDateTime"`
	Image                json.RawMessage `json:"image"`
	ImageName            json.RawMessage `json:"imageName"`
	LastModifiedBy       json.RawMessage `json:"lastModifiedBy"`
	LastModifiedDateTime json.RawMessage `json:"lastModifiedDateTime"`
}

// worldRole is a role of a twin. Within a seed it is known by its display name.
type worldRole struct {
	TwinID string `json:"twinId"`
	twins.NewRole
}

// worldMember is a member of a twin. Roles names roles of the twin by their
// display names; the automatic one is called Owner.
type worldMember struct {
	TwinID string   `json:"twinId"`
	Roles  []string `json:"roles"`
	twins.NewMember
}

// worldDefinition is a form definition.
type worldDefinition struct {
	ID string `json:"id"`
	forms.NewDefinition
}

// worldForm is a form; its formId names its definition.
type worldForm struct {
	ID string `json:"id"`
	forms.NewForm
}

// worldRealityData is reality data.
type worldRealityData struct {
	ID string `json:"id"` // a GUID
	realitydata.NewRealityData
}

// worldDetector is a detector with its versions. It belongs to a principal: the
// first one when OwnerID is empty.
type worldDetector struct {
	realitydata.NewDetector
	OwnerID   string                 `json:"ownerId"`
	AccountID string                 `json:"accountId"`
	Versions  []worldDetectorVersion `json:"versions"`
}

// worldDetectorVersion is a version of a detector that is ready for use, also by
// other accounts when it is published.
type worldDetectorVersion struct {
	realitydata.NewDetectorVersion
	Published bool `json:"published"`
}

// worldSchedule is a schedule with what it contains.
type worldSchedule struct {
	schedules.NewSchedule
	Tasks     []schedules.NewTask     `json:"tasks"`
	TaskLinks []schedules.NewTaskLink `json:"taskLinks"`
	Resources []schedules.NewResource `json:"resources"`
}

// loadWorld reads a seed file. Members that nobody would read are refused: a
// seed is loaded whole or not at all.
func loadWorld(file string) (*world, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the seed: %w", err)
	}
	w := new(world)
	if err := decodeStrictly(data, w); err != nil {
		return nil, fmt.Errorf("reading the seed: %s: %w", file, err)
	}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("reading the seed: %s: %w", file, err)
	}
	return w, nil
}

// check finds what would make it unclear what a seed has been applied to. All
// else is for the services to refuse.
func (w *world) check() error {
	c := checker{}
	check(&c, "twins", w.Twins, func(t *worldTwin) string { return t.key() })
	check(&c, "roles", w.Roles, func(r *worldRole) string { return key(r.TwinID, r.DisplayName) })
	check(&c, "members", w.Members, func(m *worldMember) string { return key(m.TwinID, m.ID) })
	check(&c, "models", w.Models, func(m *transform.NewModel) string { return m.ID })
	check(&c, "savedViews", w.SavedViews, func(v *transform.NewSavedView) string { return v.ID })
	check(&c, "formDefinitions", w.FormDefinitions, func(d *worldDefinition) string { return c.chosen(d.ID) })
	check(&c, "forms", w.Forms, func(f *worldForm) string { return c.chosen(f.ID) })
	check(&c, "realityData", w.RealityData, func(d *worldRealityData) string { return c.guid(d.ID) })
	check(&c, "detectors", w.Detectors, func(d *worldDetector) string { return d.Name })
	check(&c, "schedules", w.Schedules, func(s *worldSchedule) string { return s.ID })
	if c.err == nil && c.items == 0 {
		return errors.New("it holds nothing")
	}
	return c.err
}

// checker keeps the first thing that is wrong with a world.
type checker struct {
	items int
	err   error
}

func check[T any](c *checker, name string, items []T, id func(*T) string) {
	seen := make(map[string]bool)
	for i := range items {
		c.items++
		got := id(&items[i])
		if c.err == nil && (got == "" || seen[got]) {
			c.err = fmt.Errorf("%s[%d]: the id %q is empty, malformed or stands there twice", name, i, got)
		}
		seen[got] = true
	}
}

var (
	idPattern   = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)
	guidPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

// chosen is an id that stands for one which the platform would choose; empty
// when it is malformed.
func (*checker) chosen(id string) string { return idPattern.FindString(id) }

// guid is chosen for ids that are GUIDs.
func (*checker) guid(id string) string { return guidPattern.FindString(strings.ToLower(id)) }

// key is the id of what has none of its own within a twin; empty when a part is.
func key(twinID, id string) string {
	if twinID == "" || id == "" {
		return ""
	}
	return twinID + "\n" + id
}

// key is the id of a twin as the platform keeps it.
func (t *worldTwin) key() string {
	if t.Class == twins.Account {
		return t.ID
	}
	return strings.ToLower(t.ID)
}
