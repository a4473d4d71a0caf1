package receiver

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// What Verify finds.
var (
	// ErrUnsigned reports that a request carries no signature.
	ErrUnsigned = errors.New("receiver: the request carries no signature")
	// ErrSignature reports that no signature of a request was made with the secret.
	ErrSignature = errors.New("receiver: the signature is not one of this secret")
	// ErrTimestamp reports that a request was signed too long ago, or in the future.
	ErrTimestamp = errors.New("receiver: the request was not signed recently")
)

// Tolerance is by how much the clocks of sender and receiver may differ where
// the time of a signature counts.
const Tolerance = 5 * time.Minute

// Verify reports whether a delivery was signed with the secret: nil, ErrUnsigned,
// ErrSignature or ErrTimestamp. body is the request's body as it came, byte for
// byte.
//
// The header Signature, sha256= and the HMAC-SHA256 of the body in hexadecimal
// digits, is what the documentation promises, and enough. Where it does not
// match, one in the header webhook-signature made within the Tolerance does as
// well: it is what a receiver that still has a replaced secret can check.
//
// Signatures of bodies can be repeated by who has seen one. Receivers remember the
// MessageID of what they have handled.
func Verify(secret string, header http.Header, body []byte) error {
	return VerifyAt(secret, header, body, time.Now())
}

// VerifyAt is Verify at another time than the present, for tests and for what was
// recorded.
func VerifyAt(secret string, header http.Header, body []byte, now time.Time) error {
	documented, standard := header.Get(signatureHeader), header.Get(standardHeader)
	if documented == "" && standard == "" {
		return ErrUnsigned
	}
	if digest, ok := strings.CutPrefix(documented, signaturePrefix); ok {
		got, err := hex.DecodeString(digest)
		if err == nil && hmac.Equal(got, mac([]byte(secret), body)) {
			return nil
		}
	}
	timestamp := header.Get(timestampHeader)
	want := mac(standardKey(secret), standardContent(header.Get(idHeader), timestamp, body)...)
	for one := range strings.FieldsSeq(standard) {
		encoded, ok := strings.CutPrefix(one, standardPrefix)
		if !ok {
			continue
		}
		got, err := base64.StdEncoding.DecodeString(encoded)
		if err == nil && hmac.Equal(got, want) {
			return recent(timestamp, now)
		}
	}
	return ErrSignature
}

func recent(timestamp string, now time.Time) error {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return ErrTimestamp
	}
	if d := now.Sub(time.Unix(seconds, 0)); d > Tolerance || d < -Tolerance {
		return ErrTimestamp
	}
	return nil
}
