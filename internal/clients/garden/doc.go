// Package garden is a client of a deployment with the vocabulary of
// httpapi/testdata/garden.json, generated from the OpenAPI document of it. Nothing of it is
// kept: the test lays it into this folder's place while it builds what uses it.
package garden

// What is generated needs it.
import _ "github.com/oapi-codegen/runtime"
