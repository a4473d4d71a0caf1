package records

// The codec is compared with encoding/json from outside.
var (
	Encode = encode
	Decode = decode
)
