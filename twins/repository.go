package twins

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Repository is a place outside the platform that holds data of a twin, such as a map
// service. The platform keeps its address and asks nothing of it.
type Repository struct {
	// Authentication is what clients are to send with requests to the repository; null
	// where it asks for nothing. Everyone who may see the twin may see it.
	Authentication *RepositoryAuthentication `json:"authentication"`
	// Capabilities are what can be asked of the repository.
	Capabilities *RepositoryCapabilities `json:"capabilities"`
	Class        string                  `json:"class"`       // such as GeographicInformationSystem
	DisplayName  twinplatform.NullString `json:"displayName"` // up to MaxText characters; null when there is none
	ID           string                  `json:"id"`          // a GUID
	Options      RepositoryOptions       `json:"options"`     // by name; never null
	SubClass     twinplatform.NullString `json:"subClass"`    // such as WebMapService; null when there is none
	URI          string                  `json:"uri"`         // absolute; one of the class and subclass within the twin

	twinID string
}

// RepositoryAuthentication is how clients show a repository who they are.
type RepositoryAuthentication struct {
	Type RepositoryAuthenticationType `json:"type"` // required: Header or QueryParameter
	// Key is the name of the header or of the parameter; required, up to MaxText
	// characters.
	Key   string `json:"key"`
	Value string `json:"value"` // required, up to MaxRepositoryValue characters
}

// RepositoryAuthenticationType is where clients show it.
type RepositoryAuthenticationType string

// The types of authentication.
const (
	InHeader         RepositoryAuthenticationType = "Header"
	InQueryParameter RepositoryAuthenticationType = "QueryParameter"
)

var repositoryAuthenticationTypes = []RepositoryAuthenticationType{InHeader, InQueryParameter}

// RepositoryOptions are what clients that speak to a repository know of, by name, such
// as queryParameters.
type RepositoryOptions map[string]any

// UnmarshalJSON reads an object, and its numbers as they are written.
func (o *RepositoryOptions) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode((*map[string]any)(o))
}

// RepositoryCapabilities are what can be asked of a repository.
type RepositoryCapabilities struct {
	// Resources is where RepositoryResources are listed.
	Resources RepositoryCapability `json:"resources"`
}

var repositoryRecords = records.Collection[Repository]{
	Name: "repositories", Untracked: true,
	ID:      func(r *Repository) string { return recordID(r.twinID, r.ID) },
	Hidden:  func(r *Repository) any { return &ofTwin{&r.twinID} },
	Indexes: []records.Index[Repository]{{Name: indexTwin, Value: func(r *Repository) string { return r.twinID }}},
}

var repositoryMissing = problem.NotFound("twinRepositoryNotFound", "repositoryId", "repository")

var repositoryKind = entity.Kind[Repository, NewRepository, RepositoryPatch]{
	Records: &repositoryRecords, One: "repository", Many: "repositories", Resource: "repository",
	Missing: repositoryMissing, Bad: &InvalidRequest,
	Members: func(r *Repository, n *NewRepository, p *RepositoryPatch) []entity.Member {
		return []entity.Member{
			entity.Text("class", &r.Class, &n.Class, nil).Max(MaxType).Required().Valid(checkClass, className),
			entity.Text("subClass", &r.SubClass, &n.SubClass, nil).Max(MaxType).Valid(checkClass, className),
			entity.Text("displayName", &r.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxText),
			entity.Text("uri", &r.URI, &n.URI, &p.URI).Max(MaxURI).Required().Valid(checkURI,
				schema.Format("uri", "https://maps.example.com/soil")),
			entity.Part("authentication", &r.Authentication, &n.Authentication, &p.Authentication,
				checkAuthentication).Secret(),
			entity.Value("options", &r.Options, &n.Options, &p.Options).Valid(checkOptions),
		}
	},
	AfterCreate: func(r *Repository, _ *NewRepository, _ *problem.Checks) { r.normalize() },
	AfterUpdate: func(r, _ *Repository, p *RepositoryPatch, c *problem.Checks) {
		r.normalize()
		problem.AsIs(c, "class", p.Class, r.Class)
		if p.Class.IsNull() {
			c.Bad("class", "The class of a repository is not null.")
		}
		problem.AsIs(c, "subClass", p.SubClass, string(r.SubClass))
	},
}

// normalize gives empty options their one form.
func (r *Repository) normalize() {
	if r.Options == nil {
		r.Options = RepositoryOptions{}
	}
}

// className is what checkClass takes of one that is not empty.
var className = schema.Pattern(`^[A-Za-z][A-Za-z0-9]*$`, "WebMapService")

// checkClass checks the name of a class or a subclass, which may be empty. Which there are
// is not the platform's to say.
func checkClass(c *problem.Checks, name, class string) {
	for i, r := range class {
		if letter := r|0x20 >= 'a' && r|0x20 <= 'z'; !letter && (i == 0 || r < '0' || r > '9') {
			c.Bad(name, "The value of '%s' is a word of letters and digits.", name)
			return
		}
	}
}

func checkURI(c *problem.Checks, name, uri string) {
	if u, err := url.Parse(uri); uri != "" && (err != nil || !u.IsAbs()) {
		c.Bad(name, "The value of '%s' is an absolute URI.", name)
	}
}

func checkAuthentication(c *problem.Checks, name string, a *RepositoryAuthentication) {
	if c.Given(name+".type", a.Type != "") {
		problem.OneOf(c, name+".type", a.Type, repositoryAuthenticationTypes)
	}
	c.Need(name+".key", a.Key, MaxText)
	c.Need(name+".value", a.Value, MaxRepositoryValue)
}

func checkOptions(c *problem.Checks, name string, o RepositoryOptions) {
	if b, err := json.Marshal(o); err != nil || len(b) > MaxRepositoryOptions {
		c.Bad(name, "The options of a repository have %d bytes at most.", MaxRepositoryOptions)
	}
}

func describeRepositories(b *schema.Book) {
	schema.Enum(b, repositoryAuthenticationTypes)
	b.Is(reflect.TypeFor[RepositoryOptions](), schema.Value{})
	schema.Has[RepositoryOptions](b, schema.Secret("queryParameters")) // which requests to the repository have
	b.Has(reflect.TypeFor[RepositoryAuthentication](),
		schema.Need("type", schema.Value{}), schema.NeedText("key", MaxText), schema.NeedText("value",
			MaxRepositoryValue))
}

func repositoryFamily(s *Service) family[Repository, NewRepository, RepositoryPatch] {
	return family[Repository, NewRepository, RepositoryPatch]{
		Kind: &repositoryKind, s: s, permission: PermissionModify, transition: judgeRepository, max: MaxRepositories,
		stamp: func(_ context.Context, r *Repository, twinID string) { r.ID, r.twinID = s.env.NewGUID(), twinID },
		show: func(_ records.Reading, twinID string) func(*Repository) error {
			return func(r *Repository) error {
				r.complete(resourcesPath(twinID, r.ID))
				return nil
			}
		},
	}
}

// complete adds to a repository what is not stored with it: that its resources are at a path.
func (r *Repository) complete(path string) {
	r.Capabilities = &RepositoryCapabilities{Resources: RepositoryCapability{URI: path}}
}

// judgeRepository checks that no other repository of the twin has the same address. With a
// repository that goes, its resources go.
func judgeRepository(u *records.Update, _ *judge.Judge, t *Twin, stored, r *Repository) error {
	if r == nil {
		return eraseResources(u, t, stored.ID)
	}
	for other, err := range repositoryRecords.All(u, allAccounts, recordID(t.ID, "")) {
		if err != nil {
			return err
		}
		if other.ID != r.ID && other.Class == r.Class && other.SubClass == r.SubClass && other.URI == r.URI {
			return taken("twinRepositoryExists", "repository",
				problem.BadValue("uri", "The value '%s' of 'uri' is that of another repository of the class.", r.URI))
		}
	}
	return nil
}

// Repository returns a repository of a twin (GET /twins/{id}/repositories/{repositoryId}).
// Errors: twinRepositoryNotFound; twinNotFound.
func (s *Service) Repository(ctx context.Context, twinID, repositoryID string) (twinplatform.Record[Repository],
	error,
) {
	return callsOf(s).repositories.get(ctx, twinID, repositoryID)
}

// RepositoryQuery selects the repositories to list. What is empty does not narrow the
// list.
type RepositoryQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many repositories from the beginning.
	Skip int
	// Class lists repositories of one class.
	Class string
	// SubClass lists repositories of one subclass. It goes with Class.
	SubClass string
}

// Repositories lists the repositories of a twin by id (GET /twins/{id}/repositories).
//
// Errors: twinNotFound; InvalidTwinsRequest with InvalidValue (top, skip) or
// MissingRequiredProperty (class, where there is a subClass).
func (s *Service) Repositories(ctx context.Context, twinID string,
	q RepositoryQuery,
) (page twinplatform.Page[Repository], err error) {
	if err := q.check(); err != nil {
		return page, err
	}
	return callsOf(s).repositories.among(ctx, twinID, q.Skip, records.Query[Repository]{
		ListOptions: q.ListOptions, Filter: records.Join(url.QueryEscape(q.Class), url.QueryEscape(q.SubClass)),
		Match: q.finds,
	})
}

func (q *RepositoryQuery) check() error {
	if q.SubClass != "" && q.Class == "" {
		return problem.With(InvalidRequest, problem.Missing("class"))
	}
	return nil
}

// finds reports whether a query asks for a repository.
func (q *RepositoryQuery) finds(r *Repository) bool {
	return (q.Class == "" || r.Class == q.Class) && (q.SubClass == "" || string(r.SubClass) == q.SubClass)
}

// NewRepository asks for a repository.
type NewRepository struct {
	// Class is required: a word of letters and digits, of at most MaxType characters.
	Class string `json:"class"`
	// SubClass is such a word, too.
	SubClass string `json:"subClass"`
	// DisplayName has at most MaxText characters.
	DisplayName twinplatform.NullString `json:"displayName"`
	// URI is required, absolute, and has at most MaxURI characters. No other
	// repository of the twin has it with the same class and subclass.
	URI string `json:"uri"`
	// Authentication is what clients are to send with requests to the repository.
	Authentication *RepositoryAuthentication `json:"authentication"`
	// Options have at most MaxRepositoryOptions bytes as JSON.
	Options RepositoryOptions `json:"options"`
}

// CreateRepository notes a repository of a twin (POST /twins/{id}/repositories). It
// needs PermissionModify.
//
// Errors: InvalidTwinsRequest with MissingRequiredProperty (class, uri) or
// InvalidValue, one for each wrong property; twinNotFound; InsufficientPermissions;
// twinRepositoryExists; LimitExceeded for more than MaxRepositories.
func (s *Service) CreateRepository(ctx context.Context, twinID string,
	n NewRepository,
) (twinplatform.Result[Repository], error) {
	return callsOf(s).repositories.create(ctx, twinID, n)
}

// RepositoryPatch changes a repository: what is left out stays, null clears. The class
// and the subclass never change, and may be given as they are.
type RepositoryPatch struct {
	Class       twinplatform.Optional[string] `json:"class,omitzero"`
	SubClass    twinplatform.Optional[string] `json:"subClass,omitzero"`
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // null clears it
	URI         twinplatform.Optional[string] `json:"uri,omitzero"`         // not empty
	// the whole of it; null clears it
	Authentication twinplatform.Optional[RepositoryAuthentication] `json:"authentication,omitzero"`
	// in place of all; null clears them
	Options twinplatform.Optional[RepositoryOptions] `json:"options,omitzero"`
}

// UpdateRepository changes a repository (PATCH /twins/{id}/repositories/{repositoryId}).
// It needs PermissionModify.
//
// Errors: as CreateRepository; twinRepositoryNotFound; VersionMismatch.
func (s *Service) UpdateRepository(ctx context.Context, twinID, repositoryID string, p RepositoryPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Repository], error) {
	return callsOf(s).repositories.update(ctx, twinID, repositoryID, p, pre)
}

// DeleteRepository forgets a repository (DELETE /twins/{id}/repositories/{repositoryId}) with
// its resources. What it holds is untouched. It needs PermissionModify.
//
// Errors: twinNotFound; twinRepositoryNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteRepository(ctx context.Context, twinID, repositoryID string,
	pre ...twinplatform.Precondition,
) error {
	return callsOf(s).repositories.remove(ctx, twinID, repositoryID, pre)
}
