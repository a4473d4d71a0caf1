package schedules

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Limits of what a schedule keeps and nothing computes with.
const (
	// MaxAmount is the highest cost, price, weight and number of units of a rate.
	MaxAmount = 1_000_000_000_000_000
	// MaxExpenses and MaxSteps are the numbers of expenses and of steps of a task.
	MaxExpenses = 100
	MaxSteps    = 100
	// MaxRates is the number of rates of a resource.
	MaxRates = 200
	// MaxPriority is the highest priority of a task.
	MaxPriority = 1_000
)

// usualPriority is the default priority of a task.
const usualPriority = 500

// TaskExpense is what a task costs besides its resources. It is kept as it is given, in
// whichever currency the plan has: nothing follows from it.
type TaskExpense struct {
	Name        string `json:"name"`                  // up to MaxComment characters
	Description string `json:"description,omitempty"` // up to MaxComment characters
	Vendor      string `json:"vendor,omitempty"`      // up to MaxComment characters
	// the name of a value of the code for costs, up to MaxText characters; it need not be there
	CostAccount string  `json:"costAccount,omitempty"`
	PlannedCost float64 `json:"plannedCost"` // 0 to MaxAmount
	ActualCost  float64 `json:"actualCost"`  // what it has cost so far, 0 to MaxAmount
	// RemainingCost is what it is still to cost, 0 to MaxAmount.
	RemainingCost float64 `json:"remainingCost"`
}

// TaskStep is a part of a task. It is kept as it is given: the progress of the task does not
// follow from its steps.
type TaskStep struct {
	Name        string `json:"name"`                  // up to MaxComment characters
	Description string `json:"description,omitempty"` // up to MaxComment characters
	// how much of the task it is, compared with the weights of the others; 0 to MaxAmount
	Weight          float64 `json:"weight"`
	PercentComplete float64 `json:"percentComplete"` // 0 to 100
	IsDone          bool    `json:"isDone"`          // whatever PercentComplete says
}

// ResourceRate is what a resource costs during a time. It is kept as it is given.
type ResourceRate struct {
	Table int32 `json:"table"` // of prices, 0 for the standard one, to 4
	// From is when it begins to hold; null forever.
	From twinplatform.DateTime `json:"from"`
	// Until is when it ends to; null where another one follows, or none.
	Until twinplatform.DateTime `json:"until"`
	// Price is that of an hour of work, or of a unit of material; 0 to MaxAmount.
	Price         float64 `json:"price"`
	OvertimePrice float64 `json:"overtimePrice"` // of an hour of overtime; 0 to MaxAmount
	PricePerUse   float64 `json:"pricePerUse"`   // of each assignment; 0 to MaxAmount
	MaxUnits      float64 `json:"maxUnits"`      // how much there is of the resource, 1 for one; 0 to MaxAmount
}

var amount = schema.Range(0, MaxAmount)

func checkAmount(c *problem.Checks, name string, v float64) {
	if !(v >= 0 && v <= MaxAmount) {
		c.Bad(name, "The value of '%s' is from 0 to %d.", name, int64(MaxAmount))
	}
}

func checkPriority(c *problem.Checks, name string, v *int32) {
	if *v < 0 || *v > MaxPriority {
		c.Bad(name, "The priority of a task is from 0 to %d.", MaxPriority)
	}
}

// checkEach checks each of a list by its name in the request. What refuses too many names the
// most that there may be.
func checkEach[T any](c *problem.Checks, name string, all []T, most int, tooMany string,
	check func(v *T, c *problem.Checks, at string),
) {
	if len(all) > most {
		c.Bad(name, tooMany, most)
		return
	}
	for i := range all {
		check(&all[i], c, item(name, i))
	}
}

func checkExpenses(c *problem.Checks, name string, all []TaskExpense) {
	checkEach(c, name, all, MaxExpenses, "A task has at most %d expenses.", (*TaskExpense).check)
}

func (e *TaskExpense) check(c *problem.Checks, at string) {
	c.Need(at+".name", e.Name, MaxComment)
	c.AtMost(at+".description", e.Description, MaxComment)
	c.AtMost(at+".vendor", e.Vendor, MaxComment)
	c.AtMost(at+".costAccount", e.CostAccount, MaxText)
	checkAmount(c, at+".plannedCost", e.PlannedCost)
	checkAmount(c, at+".actualCost", e.ActualCost)
	checkAmount(c, at+".remainingCost", e.RemainingCost)
}

func checkSteps(c *problem.Checks, name string, all []TaskStep) {
	checkEach(c, name, all, MaxSteps, "A task has at most %d steps.", (*TaskStep).check)
}

func (s *TaskStep) check(c *problem.Checks, at string) {
	c.Need(at+".name", s.Name, MaxComment)
	c.AtMost(at+".description", s.Description, MaxComment)
	checkAmount(c, at+".weight", s.Weight)
	checkShare(c, at+".percentComplete", s.PercentComplete)
}

func checkRates(c *problem.Checks, name string, all []ResourceRate) {
	checkEach(c, name, all, MaxRates, "A resource has at most %d rates.", (*ResourceRate).check)
}

func (r *ResourceRate) check(c *problem.Checks, at string) {
	if r.Table < 0 || r.Table > 4 {
		c.Bad(at+".table", "The table of a rate is from 0 to 4.")
	}
	c.Date(at+".from", r.From)
	c.Date(at+".until", r.Until)
	if !r.Until.IsZero() && r.Until.Before(r.From.Time) {
		c.Bad(at+".until", "A rate ends behind its beginning.")
	}
	checkAmount(c, at+".price", r.Price)
	checkAmount(c, at+".overtimePrice", r.OvertimePrice)
	checkAmount(c, at+".pricePerUse", r.PricePerUse)
	checkAmount(c, at+".maxUnits", r.MaxUnits)
}

// dropEmpty leaves out empty members of what a task keeps.
func (t *Task) dropEmpty() {
	if t.Priority != nil && *t.Priority == usualPriority {
		t.Priority = nil
	}
	if len(t.Expenses) == 0 {
		t.Expenses = nil
	}
	if len(t.Notes) == 0 {
		t.Notes = nil
	}
	if len(t.Steps) == 0 {
		t.Steps = nil
	}
}

// describeCosts declares the limits of what is kept.
func describeCosts(b *schema.Book) {
	b.Has(reflect.TypeFor[TaskExpense](), schema.NeedText("name", MaxComment),
		schema.May("description", schema.AtMost(MaxComment)),
		schema.May("vendor", schema.AtMost(MaxComment)), schema.May("costAccount", schema.AtMost(MaxText)),
		schema.May("plannedCost", amount), schema.May("actualCost", amount), schema.May("remainingCost", amount))
	b.Has(reflect.TypeFor[TaskStep](), schema.NeedText("name", MaxComment),
		schema.May("description", schema.AtMost(MaxComment)),
		schema.May("weight", amount), schema.May("percentComplete", schema.Range(0, 100)))
	b.Has(reflect.TypeFor[ResourceRate](), schema.May("table", schema.Range(0, 4)), schema.May("price", amount),
		schema.May("overtimePrice", amount), schema.May("pricePerUse", amount), schema.May("maxUnits", amount))
}

// Limits of notes.
const (
	MaxNotes        = 50     // of a task
	MaxProjectNotes = 200    // of all projects of a schedule
	MaxNote         = 20_000 // characters of each
)

// TaskNote is a note about a task, which may be longer than its comment and has a topic. It is
// kept as it is given.
type TaskNote struct {
	Topic string `json:"topic,omitempty"` // up to MaxComment characters
	Text  string `json:"text"`            // up to MaxNote characters
}

func checkNotes(c *problem.Checks, name string, all []TaskNote) {
	checkEach(c, name, all, MaxNotes, "A task has at most %d notes.", (*TaskNote).check)
}

func (n *TaskNote) check(c *problem.Checks, at string) {
	c.AtMost(at+".topic", n.Topic, MaxComment)
	c.AtMost(at+".text", n.Text, MaxNote)
}

// noteBytes is how many bytes the notes of a task have.
func (t *Task) noteBytes() (n int) {
	for i := range t.Notes {
		n += len(t.Notes[i].Topic) + len(t.Notes[i].Text)
	}
	return n
}

// describeNotes declares the limits of notes.
func describeNotes(b *schema.Book) {
	b.Has(reflect.TypeFor[TaskNote](), schema.May("topic", schema.AtMost(MaxComment)),
		schema.May("text", schema.AtMost(MaxNote)))
}

// ProjectNote is a note about a project. It is kept as it is given.
type ProjectNote struct {
	// ProjectID is one of Projects; left out of a note about the schedule itself, which is the
	// first of several projects.
	ProjectID twinplatform.NullString `json:"projectId,omitzero"`
	Topic     string                  `json:"topic,omitempty"` // up to MaxComment characters
	Text      string                  `json:"text"`            // up to MaxNote characters
}

func checkProjectNotes(c *problem.Checks, name string, all []ProjectNote) {
	checkEach(c, name, all, MaxProjectNotes, "A schedule has at most %d notes about its projects.",
		(*ProjectNote).check)
}

func (n *ProjectNote) check(c *problem.Checks, at string) {
	c.AtMost(at+".projectId", string(n.ProjectID), MaxID)
	c.AtMost(at+".topic", n.Topic, MaxComment)
	c.AtMost(at+".text", n.Text, MaxNote)
}

// describeProjectNotes declares the limits of notes about projects.
func describeProjectNotes(b *schema.Book) {
	b.Has(reflect.TypeFor[ProjectNote](), schema.May("projectId", schema.AtMost(MaxID)),
		schema.May("topic", schema.AtMost(MaxComment)), schema.May("text", schema.AtMost(MaxNote)))
}

// families are what a service does with each type of record of a plan.
type families struct {
	tasks        taskFamily
	taskLinks    taskLinkFamily
	baselines    baselineKinds
	groupMembers groupMemberKinds
	assignments  assignmentFamily
	calendars    calendarFamily
	resources    resourceFamily
	groups       *model.Family[ResourceGroup, NewResourceGroup, ResourceGroupPatch]
	filters      *model.Family[TaskQueryFilter, NewTaskQueryFilter, NewTaskQueryFilter]
	scheduling   model.Change[schedulingChange, ProjectScheduling]
	// plain are those that follow from their kinds, by the names of these.
	plain map[string]model.Defined
}

func familiesOf(s *Service) *families { return s.families.(*families) }

// familyOf is what a service does with a type of record that is plain among the kinds.
func familyOf[T, N, P any](s *Service, k *entity.Kind[T, N, P]) *model.Family[T, N, P] {
	return familiesOf(s).plain[k.Records.Name].(*model.Family[T, N, P])
}

func defineFamilies(s *Service) *families {
	return &families{
		plain:        make(map[string]model.Defined),
		tasks:        tasksOf(s),
		taskLinks:    taskLinksOf(s),
		baselines:    defineBaselineKinds(s),
		groupMembers: defineGroupMemberKinds(s),
		assignments:  assignmentsOf(s),
		resources:    resourcesOf(s),
		groups:       model.FamilyOf(s.area(), &groupKind),
		calendars:    calendarsOf(s),
		filters:      model.FamilyOf(s.area(), &filterKind).ChangedIn(model.V10Only),
		scheduling: model.DefineInSteps(s.area(), "projectScheduling.update", setProjectScheduling,
			"projectScheduling.update").
			Only(model.V10Only),
	}
}

// followedBy says what comes after the changes of a plan.
func (s *Service) followedBy(f model.Follower) {
	for _, k := range []*model.Rules{
		familiesOf(s).tasks.createOne.Rules, familiesOf(s).tasks.Many.Rules,
		familiesOf(s).tasks.update.Rules, familiesOf(s).tasks.Deletion.Rules,
		familiesOf(s).taskLinks.Many.Rules, familiesOf(s).taskLinks.update.Rules, familiesOf(s).taskLinks.delete.Rules,
		familiesOf(s).scheduling.Rules, familiesOf(s).calendars.update.Rules,
		familiesOf(s).assignments.One.Rules, familiesOf(s).assignments.Many.Rules,
		familiesOf(s).assignments.update.Rules,
		familiesOf(s).assignments.Patches.Rules, familiesOf(s).assignments.Deletion.Rules,
		familiesOf(s).resources.update.Rules, familiesOf(s).resources.Deletion.Rules,
	} {
		k.Follows = f
	}
}
