package schedules

// Kinds are all types of records of the area.
var Kinds = kinds
