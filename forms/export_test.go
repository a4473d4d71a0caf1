package forms

import "context"

// Kinds are all types of records of the area.
var Kinds = new(Service).kinds(context.Background())
