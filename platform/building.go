package platform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Building asks for a small building that the tasks of a schedule build, to show what a site looks like at a moment.
type Building struct {
	ScheduleID string `json:"scheduleId"` // a v10 schedule of the world without appearance profiles and bindings
	ModelID    string `json:"modelId"`    // of the model that is made for it; the schedule is tied to it
}

// Build adds a building to the world: a model of some 200 elements with boxes, in the twin of the schedule, and
// the bindings of the elements to the tasks that build them. What is built first is bound to the tasks that start
// first; a crane drives along the site, and a scaffold comes and goes. It follows from the tasks alone.
//
// It fails where no model is named, and where the world has no such schedule or that is tied to another model, has an
// animation already or no work that is planned.
func (w *World) Build(b Building) error {
	i := slices.IndexFunc(w.Schedules, func(s Schedule) bool { return s.ID == b.ScheduleID })
	if i < 0 {
		return fmt.Errorf("there is no schedule %q", b.ScheduleID)
	}
	s := &w.Schedules[i]
	if b.ModelID == "" {
		return errors.New("the modelId is empty: it names the model that is made")
	}
	if s.ModelID != "" && string(s.ModelID) != b.ModelID {
		return fmt.Errorf("the schedule %q is tied to the model %q, not to %q", b.ScheduleID, s.ModelID, b.ModelID)
	}
	if len(s.AppearanceProfiles)+len(s.AnimationBindings)+len(s.Animation3DPaths) > 0 {
		return fmt.Errorf("the schedule %q has an animation already", b.ScheduleID)
	}
	tasks := plannedWork(s.Tasks)
	if len(tasks) == 0 {
		return fmt.Errorf("no task of the schedule %q is planned to take time", b.ScheduleID)
	}
	site := &buildingSite{tasks: tasks, contents: &s.Contents}
	site.build()
	s.ModelID = twinplatform.NullString(b.ModelID)
	w.Models = append(w.Models, Model{
		NewModel:   models.NewModel{ID: b.ModelID, TwinID: s.TwinID, DisplayName: "Building"},
		Changesets: []Changeset{{ID: b.ModelID + "-1", Inserted: site.elements}},
	})
	return nil
}

// plannedWork are the ids of the tasks that are planned to take time, in the order in which they start.
func plannedWork(all []schedules.NewTask) (ids []string) {
	work := slices.DeleteFunc(slices.Clone(all), func(t schedules.NewTask) bool {
		return t.Type != schedules.Work || t.PlannedStart.IsZero() || t.PlannedDuration == nil ||
			*t.PlannedDuration <= 0
	})
	slices.SortStableFunc(work, func(a, b schedules.NewTask) int { return a.PlannedStart.Compare(b.PlannedStart.Time) })
	for i := range work {
		ids = append(ids, work[i].ID)
	}
	return ids
}

// What a building has. Lengths are in metres; x goes to the right, y to the back and z up.
const (
	storeys       = 4
	storeyHeight  = 3.2
	baysX, baysY  = 4, 3
	width, depth  = 6.0, 5.0 // of a bay
	slabThickness = 0.3
)

// buildingSite is where a building is made.
type buildingSite struct {
	tasks    []string
	elements []Element
	order    []string // of the elements that the tasks build, as they are built
	profiles []string // of these
	contents *schedules.Contents
}

func (s *buildingSite) build() {
	for _, p := range buildingProfiles {
		s.contents.AppearanceProfiles = append(s.contents.AppearanceProfiles,
			animation.AppearanceProfileSeed{NewAppearanceProfile: p.profile()})
	}
	s.footings()
	s.slab(0)
	for level := range storeys {
		s.columns(level)
		if level > 0 {
			s.walls(level - 1) // while the columns grow that the next slab lies on
		}
		s.slab(level + 1)
	}
	s.roof()
	s.walls(storeys - 1)
	for i, id := range s.order {
		s.bind(animation.NewBinding{
			AnimatedEntityID: id, TaskID: s.task(i, len(s.order)), AppearanceProfileID: s.profiles[i],
		})
	}
	s.scaffold()
	s.crane()
}

// task is the task at a share of the work.
func (s *buildingSite) task(part, of int) string { return s.tasks[part*len(s.tasks)/of] }

// bind adds a binding, whose id says what it binds.
func (s *buildingSite) bind(b animation.NewBinding) {
	b.ID = b.AnimatedEntityID + "-" + b.TaskID
	s.contents.AnimationBindings = append(s.contents.AnimationBindings, b)
}

// add adds an element.
func (s *buildingSite) add(class, id string, level int, low, high models.Point) {
	s.elements = append(s.elements, Element{NewElement: models.NewElement{
		ID: id, Class: class, Category: twinplatform.NullString(class), Code: twinplatform.NullString(id),
		BoundingBox: &models.Box{Low: low, High: high}, Properties: models.ElementProperties{"Level": level},
	}})
}

// raise adds an element that the tasks build, by the profile of its class.
func (s *buildingSite) raise(class, id string, level int, low, high models.Point) {
	s.add(class, id, level, low, high)
	s.order, s.profiles = append(s.order, id), append(s.profiles, class)
}

// around is a box that stands on a point.
func around(x, y, z, wide, deep, high float64) (models.Point, models.Point) {
	return models.Point{X: x - wide/2, Y: y - deep/2, Z: z}, models.Point{X: x + wide/2, Y: y + deep/2, Z: z + high}
}

func (s *buildingSite) footings() {
	for x := range baysX + 1 {
		for y := range baysY + 1 {
			low, high := around(float64(x)*width, float64(y)*depth, -1.1, 1.8, 1.8, 0.8)
			s.raise("Footing", fmt.Sprintf("footing-%d-%d", x, y), 0, low, high)
		}
	}
}

// slab is what the storey of a level stands on.
func (s *buildingSite) slab(level int) {
	top := float64(level) * storeyHeight
	for x := range baysX {
		s.raise("Slab", fmt.Sprintf("slab-%d-%d", level, x), level,
			models.Point{X: float64(x) * width, Z: top - slabThickness},
			models.Point{X: float64(x+1) * width, Y: baysY * depth, Z: top})
	}
}

func (s *buildingSite) columns(level int) {
	for x := range baysX + 1 {
		for y := range baysY + 1 {
			low, high := around(float64(x)*width, float64(y)*depth, float64(level)*storeyHeight, 0.5, 0.5,
				storeyHeight-slabThickness)
			s.raise("Column", fmt.Sprintf("column-%d-%d-%d", level, x, y), level, low, high)
		}
	}
}

// walls are those around a storey.
func (s *buildingSite) walls(level int) {
	foot := float64(level) * storeyHeight
	head := foot + storeyHeight - slabThickness
	for x := range baysX {
		left, right := float64(x)*width+0.25, float64(x+1)*width-0.25
		for side, y := range []float64{0, baysY * depth} {
			s.raise("Wall", fmt.Sprintf("wall-%d-%c-%d", level, "fb"[side], x), level,
				models.Point{X: left, Y: y - 0.15, Z: foot}, models.Point{X: right, Y: y + 0.15, Z: head})
		}
	}
	for y := range baysY {
		front, back := float64(y)*depth+0.25, float64(y+1)*depth-0.25
		for side, x := range []float64{0, baysX * width} {
			s.raise("Wall", fmt.Sprintf("wall-%d-%c-%d", level, "lr"[side], y), level,
				models.Point{X: x - 0.15, Y: front, Z: foot}, models.Point{X: x + 0.15, Y: back, Z: head})
		}
	}
}

func (s *buildingSite) roof() {
	const top = storeys * storeyHeight
	for x := range baysX {
		for y := range baysY {
			low, high := around((float64(x)+0.5)*width, (float64(y)+0.5)*depth, top, width, depth, 0.5)
			s.raise("Roof", fmt.Sprintf("roof-%d-%d", x, y), storeys, low, high)
		}
	}
}

// scaffold stands around the storeys while the upper ones are built.
func (s *buildingSite) scaffold() {
	const right, back, high = baysX * width, baysY * depth, storeys * storeyHeight
	for i, b := range []models.Box{
		{Low: models.Point{X: -2, Y: -2}, High: models.Point{X: right + 2, Y: -1, Z: high}},
		{Low: models.Point{X: -2, Y: back + 1}, High: models.Point{X: right + 2, Y: back + 2, Z: high}},
		{Low: models.Point{X: -2, Y: -1}, High: models.Point{X: -1, Y: back + 1, Z: high}},
		{Low: models.Point{X: right + 1, Y: -1}, High: models.Point{X: right + 2, Y: back + 1, Z: high}},
	} {
		id := fmt.Sprint("scaffold-", i)
		s.add("Scaffold", id, 0, b.Low, b.High)
		s.bind(animation.NewBinding{AnimatedEntityID: id, TaskID: s.task(4, 10), AppearanceProfileID: "Scaffold"})
		s.bind(animation.NewBinding{AnimatedEntityID: id, TaskID: s.task(9, 10), AppearanceProfileID: "ScaffoldAway"})
	}
}

// craneFront is how far in front of the building the crane drives.
const craneFront = -7.0

// craneWays are the ways of the crane: along the front of the building, and back.
var craneWays = []string{"crane-out", "crane-back"}

// crane drives along the building and back, again and again: its parts move as one.
func (s *buildingSite) crane() {
	s.road()
	s.contents.ResourceGroups = append(s.contents.ResourceGroups, schedules.ResourceGroupSeed{
		NewResourceGroup: schedules.NewResourceGroup{ID: "crane", Name: "Crane"},
	})
	for _, part := range []struct {
		name                       string
		z, wide, deep, high, ahead float64
	}{
		{"base", 0, 3, 4, 1.2, 0}, {"mast", 1.2, 0.8, 0.8, 18, 0}, {"jib", 19.2, 0.8, 16, 0.8, 6},
	} {
		id := "crane-" + part.name
		low, high := around(0, craneFront+part.ahead, part.z, part.wide, part.deep, part.high)
		s.add("Crane", id, 0, low, high)
		s.drive(id)
	}
}

// drive has a part of the crane drive while some of the tasks are under way.
func (s *buildingSite) drive(id string) {
	const trips = 8
	for trip := range trips {
		b := animation.NewBinding{
			AnimatedEntityID: id, TaskID: s.task(trip, trips), ResourceGroupID: "crane",
			PathAssignmentID: craneWays[trip%len(craneWays)],
		}
		switch trip {
		case 0:
			b.AppearanceProfileID = "Crane"
		case trips - 1:
			b.AppearanceProfileID = "CraneAway"
		}
		s.bind(b)
	}
}

// road is what the crane drives on, and turns on half way.
func (s *buildingSite) road() {
	const road = "crane-road"
	start := &animation.Vector{Y: craneFront}
	s.contents.Animation3DPaths = append(s.contents.Animation3DPaths, animation.NewPath{ID: road, Name: "Road"})
	for i, at := range []animation.NewKeyframe{
		{Position: start, Rotation: &animation.Rotation{Z: 1}},
		{Time: 0.5, Rotation: &animation.Rotation{Angle: -25, Z: 1}},
		{Time: 1, Position: &animation.Vector{X: baysX * width, Y: craneFront}, Rotation: &animation.Rotation{Z: 1}},
	} {
		at.ID, at.PathID = fmt.Sprint(road, "-", i), road
		s.contents.Keyframes = append(s.contents.Keyframes, at)
	}
	for i, id := range craneWays {
		way := animation.NewPathAssignment{
			ID: id, PathID: road, Alignment: animation.AlignCustom, Center: start, ReverseDirection: i == 1,
			PauseDuringNonWorkingTime: true,
		}
		s.contents.Animation3DPathAssignments = append(s.contents.Animation3DPathAssignments, way)
	}
}

// buildingProfile is how elements of a class look.
type buildingProfile struct {
	class     string
	action    animation.AppearanceAction
	growth    animation.GrowthMode
	during    string // colour
	end       string // colour
	endOpaque bool
}

// The colours of what is being built, and of what comes and goes.
const (
	growing = "#3fae5a"
	leaving = "#d9a23b"
)

var buildingProfiles = []buildingProfile{
	{"Footing", animation.InstallAction, animation.BottomTopGrowth, growing, "#8d8a84", true},
	{"Slab", animation.InstallAction, animation.LeftRightGrowth, growing, "#b9b6ae", true},
	{"Column", animation.InstallAction, animation.BottomTopGrowth, growing, "#a4a19a", true},
	{"Wall", animation.InstallAction, animation.BottomTopGrowth, growing, "#c07a52", true},
	{"Roof", animation.InstallAction, animation.FrontBackGrowth, growing, "#5d6b7a", true},
	{"Scaffold", animation.InstallAction, animation.BottomTopGrowth, "#6f8fb5", "#6f8fb5", false},
	{"ScaffoldAway", animation.RemoveAction, animation.TopBottomGrowth, leaving, leaving, false},
	{"Crane", animation.InstallAction, animation.NoGrowth, "#e0b400", "#e0b400", true},
	{"CraneAway", animation.RemoveAction, animation.NoGrowth, "#e0b400", "#e0b400", true},
}

func (p *buildingProfile) profile() animation.NewAppearanceProfile {
	rest := int32(0)
	if !p.endOpaque {
		rest = 80
	}
	away := p.action == animation.RemoveAction
	n := animation.NewAppearanceProfile{
		ID: p.class, Name: p.class, Action: p.action,
		ActiveAppearance: &animation.ActiveAppearance{
			Color: twinplatform.NullString(p.during), StartTransparency: rest, FinishTransparency: rest,
			GrowthSimulation: &animation.GrowthSimulation{
				Mode: p.growth, PauseDuringNonWorkingTime: true, SimulateAsRemove: away,
			},
		},
	}
	if p.growth == animation.NoGrowth {
		n.ActiveAppearance.GrowthSimulation = nil
	}
	if !away {
		n.EndAppearance = &animation.StillAppearance{Color: twinplatform.NullString(p.end), Transparency: rest}
	}
	return n
}
