// Package client is a client of the REST API that is generated from the OpenAPI
// document. Nothing of it is kept: the test lays it into this folder's place
// while it builds what uses it.
package client

// What is generated needs it.
import _ "github.com/oapi-codegen/runtime"
