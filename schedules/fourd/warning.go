package fourd

// MaxWarnings is how many warnings a timeline keeps. Where there are more, the last is
// WarningsLeftOut.
const MaxWarnings = 1_000

// meanings say of each kind of warning what is wrong, and what follows.
var meanings = map[WarningKind]string{
	TaskMissing:            "The binding names a task that is not there: it has no effect.",
	TaskWithoutDates:       "The task has no dates: it never begins.",
	FinishBeforeStart:      "The task finishes before it starts: it ends when it starts.",
	ProfileMissing:         "The binding names an appearance profile that is not there: it has no look and no action.",
	ActionUnknown:          "The appearance profile has an unknown action, which is taken for Neutral.",
	ModeUnknown:            "The appearance profile has an unknown growth mode: nothing grows by it.",
	DirectionMissing:       "The growth mode is Custom, and has no direction that can be used: nothing grows by it.",
	TransparencyOutOfRange: "A transparency of the appearance profile is not 0 to 100 percent, and is held to that.",
	DataDateMissing:        "Progress is to count, and the task has no data date: it counts as even.",
	PercentOutOfRange:      "The progress of the task is not 0 to 100 percent, and is held to that.",
	TaskTooLong:            "The task is longer than 1,000 days: what shows it grows and moves evenly, without pauses.",
	BoxMissing:             "The box around the entity is not known: no plane cuts it, its path is as of Original.",
	BoxEmpty:               "The box around the entity ends before it begins, or is not finite: it counts as unknown.",
	TransformMissing:       "The binding names a transform that is not there: the entity stays where it is.",
	TransformNotFinite:     "The transform has a number that is not finite or more than 10^12: it has no effect.",
	TransformNotInvertible: "The transform cannot be inverted: it has no effect.",
	TransformNotAffine:     "The transform does more than to move, turn, scale and shear: it has no effect.",
	TransformByColumns:     "The transform is written column by column, and is read so.",
	PathAssignmentMissing:  "The binding names a path assignment that is not there: the entity rests.",
	PathMissing:            "The path assignment names a path that is not there: what has it rests.",
	PathWithoutKeyframes:   "The path has no keyframe with a position or a rotation: what is on it rests.",
	PathOfOneKeyframe:      "The path has one keyframe: what is on it stands there.",
	PathWithoutTimes:       "The keyframes of the path have all one time: it is passed at one speed.",
	KeyframeUnusable:       "A keyframe of the path is left out: it is not finite, or its time is not 0 to 1.",
	AxisMissing:            "A rotation of the path has no axis: it does not turn.",
	AlignmentUnknown:       "The path assignment has an unknown alignment, which is taken for Original.",
	PointMissing:           "The alignment is Custom, and has no point that can be used: it is taken for Original.",
	MotionOutOfRange:       "The beginning or the end of the motion is not 0 to 100 percent, and is held to that.",
	MotionWithoutLength:    "The motion does not end after it begins: the object jumps.",
	SeveralResources:       "The entity shows several resources: the statuses of the first one are shown.",
	StatusUnusable:         "A status of the resource has no date: it is left out.",
	WarningsLeftOut:        "There are more warnings than are listed.",
}

func (t *Timeline) warn(kind WarningKind, sort Sort, id string) {
	w := Warning{kind, sort, id, meanings[kind]}
	switch n := len(t.warnings); {
	case n > 0 && t.warnings[n-1] == w:
	case n < MaxWarnings:
		t.warnings = append(t.warnings, w)
	default:
		t.warnings[MaxWarnings-1] = Warning{WarningsLeftOut, "", "", meanings[WarningsLeftOut]}
	}
}

// warns is warn for one record.
func (t *Timeline) warns(sort Sort, id string) func(WarningKind) {
	return func(kind WarningKind) { t.warn(kind, sort, id) }
}

// Warnings are what the timeline could not make all of, MaxWarnings at most.
func (t *Timeline) Warnings() []Warning { return t.warnings }
