// Package plans has plans of planners that programs import.
package plans

import _ "embed"

// Shed is a plan as Microsoft Project writes it: a floor of two days, and then walls of three.
//
//go:embed shed.xml
var Shed string
