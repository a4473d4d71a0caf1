package recordstest

// Lost is looked at from outside.
var Lost = lost
