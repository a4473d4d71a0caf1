package buntdb

// OpenOn opens a store on a disk of the test's making.
var OpenOn = open
