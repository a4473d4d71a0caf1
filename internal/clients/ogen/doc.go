// Package ogen is a client of the REST API that ogen makes of the OpenAPI document: of the operations of
// one journey, and of all lists that are short or whole. Nothing of it is kept: the test lays it into this
// folder's place while it builds walker.
package ogen

// What is generated needs them.
import (
	_ "github.com/go-faster/errors"
	_ "github.com/go-faster/jx"
	_ "github.com/google/uuid"
	_ "github.com/ogen-go/ogen/conv"
	_ "github.com/ogen-go/ogen/http"
	_ "github.com/ogen-go/ogen/json"
	_ "github.com/ogen-go/ogen/ogenerrors"
	_ "github.com/ogen-go/ogen/ogenregex"
	_ "github.com/ogen-go/ogen/uri"
	_ "github.com/ogen-go/ogen/validate"
)
