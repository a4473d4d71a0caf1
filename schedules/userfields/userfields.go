// Package userfields keeps the fields that a schedule adds to its tasks, resources, resource
// groups and 3D entities, and what these have in them.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	field, err := userfields.In(plan).CreateUserField(ctx, userfields.NewUserField{
//		Name: "Crew size", Category: userfields.ResourceField, Type: userfields.IntegerField,
//	})
//
// MaxText and MaxBatch are limits of package schedules.
package userfields

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Feature is what the service of schedules knows of user fields.
var Feature = model.Feature{
	Kinds: []entity.Stored{
		model.Keeps(&userFieldKind, fieldsInWorld),
		valuesOf(model.Tasks, taskValues, valuesInWorld),
		valuesOf(model.Resources, resourceValues, entity.InList("userFieldValues")),
		valuesOf(model.ResourceGroups, groupValues, entity.InList("userFieldValues")),
		valuesOf(model.Entities3D, entity3DValues, entity.InList("userFieldValues")),
	},
	Calls:    func(area model.Area) model.Calls { return callsOf(area) },
	Imported: []model.Imported{Imported.Fields, Imported.TaskValues, Imported.ResourceValues},
	Schemas: func(b *schema.Book) {
		schema.Enum(b, userFieldCategories)
		schema.Enum(b, userFieldTypes)
		schema.Has[UserFieldValue](b, schema.Refers("userFieldId", userFieldRecords.Name),
			schema.Refers("entity3dId", model.Entities3D.Collection()))
		b.Has(reflect.TypeFor[NewUserFieldValue](),
			problem.RulesOf(func(c *problem.Checks) { new(NewUserFieldValue).value(c) })...)
	},
}

// Imported are the types of records that the imports of the core write. Blank is a field of which
// nothing is known.
var Imported = struct {
	Fields, TaskValues, ResourceValues model.Imported
	Blank                              func(id string) *UserField
}{model.ImportsKind(&userFieldKind), model.Imports(taskValues), model.Imports(resourceValues), userFieldKind.Blank}

// valuesOf are the values of one sort of objects, which go with the object and with the field.
func valuesOf(of *model.Subject, values *records.Collection[UserFieldValue], w entity.World) entity.Stored {
	return entity.Keeps(values, w).Below(of).With("field", &userFieldRecords)
}

// Plan is the user fields of one schedule.
type Plan struct {
	calls *calls
	id    string
}

// In are the user fields of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{model.CallsOf[*calls](plan.Area()), plan.ID()} }

// calls are what a service does with user fields and their values.
type calls struct {
	area    model.Area
	fields  *model.Family[UserField, NewUserField, entity.None]
	set     model.Change[valueChange, UserFieldValue]
	setMany model.Change[[]valueChange, UserFieldValue]
	remove  model.Change[valueChange, UserFieldValue]
}

// Feature implements model.Calls.
func (*calls) Feature() string { return "userfields" }

func callsOf(area model.Area) *calls {
	return &calls{
		area:   area,
		fields: model.FamilyOf(area, &userFieldKind),
		set: model.DefineChange(area, "userFieldValue.set", setValue,
			valueOperations(".set")...).Needs(func(s records.Scope,
			r *valueChange,
		) []records.Need {
			return r.needs(s)
		}),
		setMany: model.DefineChange(area, "userFieldValues.set", setValues,
			valueOperations(".setMany")...).Only(model.V10Only).Needs(needsOfChanges),
		remove: model.DefineAtOnce(area, "userFieldValue.delete", removeValue, valueOperations(".delete")...),
	}
}
