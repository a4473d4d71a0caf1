package buntdb

// OpenOn opens a store on a disk of the test's making.
var OpenOn = open

// CheckOn and RepairOn work on such a disk, too.
var (
	CheckOn  = check
	RepairOn = repair
)
