package records

// The codec is compared with encoding/json from outside.
var (
	Encode     = encode
	EncodeSlow = encodeSlow
	Decode     = decode
)
